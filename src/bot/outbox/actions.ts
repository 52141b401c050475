// What pressing the last button does: the action, its order used up and its result kept are one transaction, and the
// result is brought to the pressed message by the chat's queue. What is not done leaves its button as it is.
import type { InlineKeyboard } from 'grammy';

import type { InTransaction, ReceiptsUsed, ReceiptUse } from '../../core/index.ts';
import type { Allowed } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoingRow, type Outgoing, type ViewOrder } from '../outgoing.ts';
import { confirmed, type Button } from '../feature.ts';
import {
  confirmKeyboard,
  createConfirmation,
  findConfirmation,
  keyOfTaken,
  type OrderButton,
} from '../prompts/confirmations.ts';
import { answerTap, isTapAnswered, reply, show, topicOf, type Target } from '../replies.ts';
import { escapeHtml } from '../texts.ts';

/** An order that was pressed. */
export interface Action<P> {
  /** Opaque; what it does is idempotent by it. */
  id: string;
  payload: P;
  /**
   * Which of the buttons of one confirmation it was, where there are several: what stands behind the id. All of them
   * use up one confirmation.
   */
  choice?: string | undefined;
  /** The message that was pressed, which will show the result. */
  target: Target;
  /** What is kept with the action, so that it is done once. */
  confirmation: { id: string; updateId: number };
  /** The same with these messages, to be written in the transaction of what it does, which ends the update. */
  ends<A>(messages: (answer: A) => OutgoingRow[]): InTransaction<A>;
  /**
   * A result: in the pressed message, or `apart` from it. Where it is a job's it shows how that goes on, from now until its
   * end.
   */
  result(
    content: Outgoing | Pick<ViewOrder, 'view' | 'of'>,
    how?: { apart?: string; jobId?: number | undefined },
  ): OutgoingRow;
}

type Deps = Pick<BotDeps, 'store' | 'clock'>;
type Words = Readonly<Record<string, string>>;

/** Where it was too late, and is asked once more. */
export const LATE: Words = { 'confirmation-expired': 'confirmation-late' };

/** A last confirmation: what is asked, and what its button does. Pressed too late it is asked once more, in its place. */
interface Confirming<P> {
  needs: Allowed;
  asks(ctx: BotContext, payload: P): Asked;
  does(ctx: BotContext, action: Action<P>): unknown;
}

interface Asked extends OrderButton {
  html: string;
  /** Others that are the order too, in another way: any of them uses up the confirmation. */
  choices?: readonly OrderButton[];
  /** Buttons above those of the confirmation, whose id it is. */
  above?: ((id: string) => InlineKeyboard) | undefined;
}

interface Confirmation<P> {
  /** Asks; the id of the confirmation. */
  ask(ctx: BotContext, payload: P, how?: 'reply' | 'edit'): Promise<string>;
  /** For the table of buttons. */
  button: Record<string, Button>;
}

/** `name`: what the data of its button begins with. */
export function confirming<P>(
  deps: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  name: string,
  { needs, asks, does }: Confirming<P>,
): Confirmation<P> {
  const ask: Confirmation<P>['ask'] = async (ctx, payload, how = 'reply') => {
    const data = createConfirmation(deps, ctx, { action: name, payload });
    const id = data.slice(name.length + 1);
    const { html, above, ...buttons } = asks(ctx, payload);
    const keyboard = confirmKeyboard(ctx, data, buttons);
    await show(ctx, html, above ? above(id).append(keyboard) : keyboard, how);
    return id;
  };
  const press = async (ctx: BotContext): Promise<void> => {
    const refused = await runAction<P>(deps, ctx, name, (action) => does(ctx, action), LATE);
    if (refused !== 'confirmation-expired') return;
    const [id = ''] = (ctx.callbackQuery?.data ?? '').slice(name.length + 1).split(':');
    const { payload = '' } = deps.store.confirmations.find(id) ?? {};
    if (payload !== '') await ask(ctx, JSON.parse(payload) as P, 'edit');
  };
  return { ask, button: { [name]: confirmed(needs, press) } };
}

/**
 * Carries out what the pressed button says, or says why not; the key of that sentence. Pressed again after it was done,
 * its result comes again. `words`: other sentences for some of the refusals.
 */
export async function runAction<P>(
  deps: Deps,
  ctx: BotContext,
  name: string,
  work: (action: Action<P>) => unknown,
  words: Words = {},
): Promise<string | undefined> {
  const [pressed = '', choice] = (ctx.callbackQuery?.data ?? '').slice(name.length + 1).split(':');
  const found = findConfirmation<P>(deps, ctx, name, pressed);
  const message = ctx.callbackQuery?.message;
  if (found.status === 'refused') {
    await refuse(deps, ctx, found, words);
    return found.key;
  }
  if (!message || !ctx.from) return undefined;
  answerTap(ctx);
  const target = { chatId: message.chat.id, messageId: message.message_id };
  const { id } = found;
  try {
    await work(describe(ctx, target, { ...found, choice }));
    return undefined;
  } catch (error) {
    // It was used up while it was carried out: nothing was done.
    if (!isConfirmationUsed(error)) throw error;
    const takenBy = deps.store.confirmations.find(id)?.takenBy;
    const key = typeof takenBy === 'number' ? keyOfTaken(takenBy) : 'confirmation-expired';
    await refuse(deps, ctx, { id, key }, words);
    return key;
  }
}

function describe<P>(
  ctx: BotContext,
  target: Target,
  { id, payload, choice }: Pick<Action<P>, 'id' | 'payload' | 'choice'>,
): Action<P> {
  const order = { telegramId: ctx.from?.id ?? target.chatId, language: ctx.language };
  const confirmation = { id, updateId: ctx.update.update_id };
  return {
    id,
    payload,
    choice,
    target,
    confirmation,
    ends: (messages) => ctx.turn.ends((answer) => ({ confirmation, messages: messages(answer) })),
    result(content, { apart, jobId } = {}) {
      const key = apart === undefined ? resultKey(id) : `${resultKey(id)}:${apart}`;
      const place = apart === undefined ? { messageId: target.messageId } : {};
      const shown = 'view' in content ? { ...order, ...content } : content;
      return { ...toOutgoingRow(key, target.chatId, { ...shown, ...place }), jobId, lookMs: 0 };
    },
  };
}

/** A new message, or the words of the message named. */
type Answer = Pick<ViewOrder, 'view' | 'of'> & { messageId?: number | undefined };

/** Has the chat's queue bring what this update asks for: files, above all. */
export function enqueueAnswer(ctx: BotContext, ...contents: readonly Answer[]): void {
  if (!ctx.chat || !ctx.from) return;
  const place = { telegramId: ctx.from.id, language: ctx.language, topic: topicOf(ctx) };
  for (const content of contents) ctx.turn.show(ctx.chat.id, { ...place, ...content });
}

/** The same of what shows receipts, or makes them for a customer: that stands in their story with it. */
export async function enqueueUse(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  { what, of }: { what: ReceiptUse; of: ReceiptsUsed },
  ...contents: readonly Answer[]
): Promise<void> {
  enqueueAnswer(ctx, ...contents);
  await core.receiptStories.note(actorOf(ctx), what, of, ctx.turn.ends());
}

/** By what the result of an order is known. */
export const resultKey = (confirmationId: string) => `result:${confirmationId}`;

/** In an alert; where the tap has had its answer the result comes again, and what has none is said in the chat. */
async function refuse(
  { store }: Deps,
  ctx: BotContext,
  { id, key }: { id: string; key: string },
  words: Words,
): Promise<void> {
  const label = ctx.label(words[key] ?? key);
  if (key === 'confirmation-expired' && isTapAnswered(ctx)) await reply(ctx, escapeHtml(label));
  else answerTap(ctx, label, true);
  if (key === 'confirmation-taken') await store.outbox.repeat(resultKey(id));
}

function isConfirmationUsed(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConfirmationUsed';
}
