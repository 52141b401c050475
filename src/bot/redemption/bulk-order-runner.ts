// Carries out orders of several codes: one redemption after another, each asked for by the rights that the person has
// by then and begun under `<confirmation>:n` in one transaction with its note. Whatever ends the process, it goes on
// from the rows.
import { CoreError, type MemberActor } from '../../core/index.ts';
import { createTicking } from '../../ticking.ts';
import type { BotDeps } from '../context.ts';
import { resultKey } from '../outbox/actions.ts';
import type { Progress } from '../telegram/progress.ts';
import { describeError, findStopReason, isOverloaded } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import type { StoredBulkOrder, StoredBulkItem } from '../../store/bot-store.ts';
import { toOutgoingRow } from '../outgoing.ts';
import type { Language } from '../texts.ts';
import { renderUnderWay, BULK_ORDER } from './bulk-order-text.ts';
import { nextOrderStep, type StopReason } from './bulk-order-steps.ts';
import { toLiveMessageRow } from './live-messages.ts';

export interface BulkOrderRunner extends BotBackground {
  /** An order was kept, or is to stop. */
  begin(orderId: string): void;
}

interface RunnerTools {
  progress: Progress;
}

/** `later`: something passing; the rows are looked at again in a moment. */
type Begun = 'begun' | 'later' | StopReason;

const TICK_MS = 1_000;
const AT_ONCE = 200;

export function createBulkOrderRunner(deps: BotDeps, tools: RunnerTools): BulkOrderRunner {
  const { store, log } = deps;
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  function begin(orderId: string): void {
    if (stopped || running.has(orderId)) return;
    const run = carryOn(deps, tools, orderId, () => stopped)
      .catch((error: unknown) => {
        if (stopped) return;
        log.warn(
          { error: describeError(error) },
          'an order of several codes was interrupted, it goes on soon',
        );
      })
      .finally(() => running.delete(orderId));
    running.set(orderId, run);
  }

  const ticking = createTicking(
    TICK_MS,
    () => {
      for (const id of store.orders.listRunning(AT_ONCE)) begin(id);
      return Promise.resolve();
    },
    (error) => log.error({ error: describeError(error) }, 'orders could not be looked at, it is tried again'),
  );

  return {
    begin,
    start: ticking.start,
    async stop() {
      stopped = true;
      await ticking.stop();
    },
  };
}

/** Until its end, or until nothing can be done for a moment. */
async function carryOn(
  deps: BotDeps,
  tools: RunnerTools,
  orderId: string,
  isStopped: () => boolean,
): Promise<void> {
  const { core, store } = deps;
  let waitedFor: number | undefined;
  while (!isStopped()) {
    const order = store.orders.find(orderId);
    if (order?.state !== 'running') return;
    const step = nextOrderStep(order);
    if (step.kind === 'end') return end(deps, order, step.reason);
    show(deps, tools, orderId, order);
    if (step.kind === 'wait') {
      // Nobody of this process carries it out: it was left by an earlier one, and is settled by itself.
      if (waitedFor === step.redemptionId) return;
      waitedFor = step.redemptionId;
      await core.redemptionEnded(step.redemptionId);
      continue;
    }
    const begun = await beginNext(deps, order, step.item);
    if (begun === 'later') return;
    if (begun !== 'begun') return end(deps, order, begun);
  }
}

function show(
  deps: BotDeps,
  { progress }: RunnerTools,
  orderId: string,
  { chatId, messageId }: StoredBulkOrder,
): void {
  progress.at({ chatId, messageId }).show(() => {
    const order = deps.store.orders.find(orderId);
    if (order?.state !== 'running') return undefined;
    return renderUnderWay(deps, order, languageOf(deps, order));
  });
}

function languageOf({ store }: BotDeps, { language, telegramId }: StoredBulkOrder): Language {
  return (language ?? store.preferences.find(telegramId)?.language ?? 'en') as Language;
}

async function beginNext(deps: BotDeps, order: StoredBulkOrder, item: StoredBulkItem): Promise<Begun> {
  const { core, store } = deps;
  const { id, gameId, telegramId, chatId, language, warnedOf } = order;
  const actor = core.members.findActor(telegramId);
  if (actor?.accountId !== order.accountId) return 'account';
  const key = `${id}:${item.n}`;
  // What needs looking at has its receipt, in a message of its own; the rest is in the order's.
  const reader = { telegramId, language: language as Language | null };
  const liveMessage = { chatId, messageId: null, ...reader, orderKey: key };
  const own = order.items.flatMap(({ redemptionId }) => redemptionId ?? []);
  try {
    const begun = await core.beginRedemption(actor satisfies MemberActor, {
      gameId,
      playerId: item.playerId,
      playerName: item.playerName,
      denomination: item.denomination,
      idempotencyKey: { scope: 'chat', key },
      unlessDuplicate: { warnedOf, own },
      inTransaction: store.inTransaction(({ redemptionId }) => ({
        orderStep: { id, n: item.n, redemptionId },
        messages: [toLiveMessageRow({ ...liveMessage, redemptionId })],
      })),
    });
    if (begun.status !== 'begun') return findStopReason(begun.status);
    return 'begun';
  } catch (error) {
    return reasonOf(error);
  }
}

/** What passes is waited for; anything that is no answer of the core is thrown. */
function reasonOf(error: unknown): Begun {
  // Stop was pressed in this very moment.
  if (error instanceof Error && error.name === 'OrderStopped') return 'later';
  if (isOverloaded(error) || !(error instanceof CoreError)) throw error;
  return findStopReason(error.code);
}

/** The end and the message that tells of it are one transaction. */
async function end(
  { store }: BotDeps,
  { id, chatId, messageId, telegramId, language }: StoredBulkOrder,
  reason: StopReason | null,
): Promise<void> {
  const content = {
    view: BULK_ORDER,
    of: { id },
    telegramId,
    language: language as Language | null,
    messageId,
  };
  const message = toOutgoingRow(resultKey(id), chatId, content);
  const state = reason === null ? 'done' : 'stopped';
  await store.orders.end(id, { state, reason }, message);
}
