// The sweep of a stock key after a takeover: before anything of it is sold, the platform is asked about its codes from
// the head until enough in a row are unspent. What the lost time has redeemed is kept (record-lost.ts). A task, added by
// the first order, that goes on where it was after a restart. Where the look-ups of the day run out before, a host ends it:
// each code is asked about still, when it is taken.
import type { StockKey, Store, Tables, OpenSweep } from '../../store/index.ts';
import { MINUTE_MS, type Clock } from '../../clock.ts';
import { backOff, pause } from '../../waiting.ts';
import { tellsNothing } from '../upstreams/witnesses.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import type { TaskHandler } from '../tasks/run-task.ts';
import { isCertain, type Checked, type CheckUnspent } from './check-unspent.ts';
import { settleUnverified, type RecordLost } from './record-lost.ts';
import { sinceRestore } from '../errors.ts';
import { record } from '../audit-log.ts';
import { requireHost, type HostActor, type InTransaction } from '../context.ts';

export interface SweepDeps {
  store: Store;
  clock: Clock;
  checkUnspent: CheckUnspent;
  recordLost: RecordLost;
}

export const SWEEP_TASK = 'sweep';
const SWEPT_AT_ONCE = 20;
const ASKED_AT_ONCE = 10;
const ASK_TIMEOUT_MS = 90_000;
const ASKED_AGAIN = 2;
const ASKED_AGAIN_AFTER_MS = 1_000;

/** Throws CoreError OVERLOADED while a stock key is to be swept first, whose task is on disk then. */
export async function requireSwept(
  { store, clock }: { store: Pick<Store, 'read' | 'write'>; clock: Pick<Clock, 'now'> },
  key: StockKey,
): Promise<void> {
  const isOpen = ({ takeover }: Tables) => takeover.findSweep(key)?.endedAt === null;
  if (!store.read(isOpen)) return;
  const queue = `sweep:${key.accountId}:${key.gameId}:${key.denomination}`;
  const task = { task: SWEEP_TASK, queue, key: queue, payload: JSON.stringify(key), now: clock.now() };
  await store.write(({ tasks }) => tasks.add(task));
  throw sinceRestore();
}

export function createSweepHandler(deps: SweepDeps): TaskHandler {
  return {
    atOnce: SWEPT_AT_ONCE,
    isOfOpenRow: true,
    async run({ payload = '' }, { signal }) {
      const key = JSON.parse(payload) as StockKey;
      for (;;) {
        const came = await step(deps, key, signal);
        if (came === 'over') return { state: 'done' };
        if (came === 'untold') throw new Error('The platform does not tell what is unspent.');
      }
    },
    retryMs: backOff(10_000, 5 * MINUTE_MS),
  };
}

/** `untold`: nobody whose word counts has answered. */
type Came = 'more' | 'over' | 'untold';

async function step(deps: SweepDeps, key: StockKey, signal: AbortSignal): Promise<Came> {
  const { store } = deps;
  const found = store.read(({ takeover }) => {
    const state = takeover.findSweep(key);
    if (!state || state.endedAt !== null) return undefined;
    const after = { returns: state.afterReturns, id: state.afterId };
    return { state, after, codes: takeover.listUntold(key, after, ASKED_AT_ONCE) };
  });
  if (!found) return 'over';
  const told = await askAbout(deps, key, found.codes, signal);
  return store.write((tables) => advance(deps, tables, key, { ...found, told }));
}

/**
 * Of one that it does not tell of while it tells of others it is asked once more: whose it is decides whom the others
 * are given to.
 */
async function askAbout(
  { checkUnspent }: SweepDeps,
  { gameId }: StockKey,
  codes: readonly { code: string | undefined }[],
  signal: AbortSignal,
): Promise<Checked[]> {
  let told: Checked[] = codes.map(() => UNTOLD);
  for (let tries = 1; ; tries += 1) {
    const withReceipt = tries === 1;
    told = await Promise.all(
      codes.map(async ({ code }, index) => {
        const known = told[index] ?? UNTOLD;
        if (code === undefined) return UNREADABLE;
        const asked = { gameId, code, withReceipt, isAskedAgain: true };
        return isCertain(known) ? known : checkUnspent(asked, ASK_TIMEOUT_MS, signal);
      }),
    );
    const isReached = told.some(isHeard);
    const isWhole = codes.every(({ code }, index) => code === undefined || isCertain(told[index] ?? UNTOLD));
    if (isWhole || !isReached || tries > ASKED_AGAIN || signal.aborted) return told;
    await pause(ASKED_AGAIN_AFTER_MS * tries, signal);
  }
}

const UNTOLD: Checked = { status: 'notAsked' };

/** It is put aside when it is taken. */
const UNREADABLE: Checked = { status: 'underWay' };

/** Somebody has answered whose word counts: what is not certain of it then is asked about when it is taken. */
const isHeard = (told: Checked): boolean =>
  isCertain(told) || told.status === 'underWay' || tellsNothing(told);

interface Asked {
  state: NonNullable<ReturnType<Tables['takeover']['findSweep']>>;
  after: { returns: number; id: number };
  codes: ReturnType<Tables['takeover']['listUntold']>;
  told: Checked[];
}

function advance(deps: SweepDeps, tables: Tables, key: StockKey, asked: Asked): Came {
  const { state, after, codes, told } = asked;
  const now = deps.clock.now();
  // One alone that the platform does not tell of stops nobody: it is asked about when it is taken.
  const heard = told.findLastIndex(isHeard) + 1;
  let last = after;
  let { unspent } = state;
  for (const [index, { id, returns, code, isHeld }] of codes.slice(0, heard).entries()) {
    const outcome = told[index] ?? UNREADABLE;
    last = { returns, id };
    if (code !== undefined) settleUnverified(deps.recordLost, tables, { ...key, id, code }, outcome, now);
    // Those that nobody takes end no run.
    if (outcome.status === 'redeemed') unspent = 0;
    else if (isCertain(outcome) && !isHeld) unspent += 1;
    if (unspent >= state.needed) break;
  }
  const isAtEnd = codes.length < ASKED_AT_ONCE && (codes.at(-1)?.id ?? last.id) === last.id;
  const isOver = unspent >= state.needed || isAtEnd;
  tables.takeover.advance(key, { last, unspent, endedAt: isOver ? now : null });
  if (isOver) notifyLost(tables, key, now);
  watchStock(tables, key, now);
  if (isOver) return 'over';
  return last === after ? 'untold' : 'more';
}

function notifyLost(tables: Tables, key: StockKey, now: number): void {
  const count = tables.lost.count(key);
  if (count > 0) writeNotice(tables, { kind: 'recovered', ...key, count }, now);
}

/** `count`: of so many stock keys it was ended. */
export type SellByVerificationAnswer = { status: 'ended'; count: number } | { status: 'unchanged' };

interface Order {
  reason?: string | undefined;
  inTransaction?: InTransaction<SellByVerificationAnswer> | undefined;
}

const LISTED = 1_000;

export function createSweepsForHost({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }) {
  return {
    /** Stock keys whose codes are asked about before anything of them is sold; at most 1,000. */
    list(actor: HostActor): OpenSweep[] {
      requireHost(actor);
      return store.read(({ takeover }) => takeover.listOpenSweeps(LISTED));
    },
    /** Ends all that are open: an order that is repeated may take a second code then. Safe to repeat. */
    sellByVerification(actor: HostActor, order: Order = {}): Promise<SellByVerificationAnswer> {
      requireHost(actor);
      return store.write((tables) => {
        const answer = end(tables, actor, order.reason, clock.now());
        order.inTransaction?.(tables, answer);
        return answer;
      });
    },
  };
}

function end(
  tables: Tables,
  actor: HostActor,
  reason: string | undefined,
  now: number,
): SellByVerificationAnswer {
  const count = tables.takeover.endSweeps(now);
  if (count === 0) return { status: 'unchanged' };
  record(tables, actor, 'sweepsEnded', { accountId: null, after: { count }, reason }, now);
  return { status: 'ended', count };
}
