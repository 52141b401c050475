// Confirmations: the last button of anything that spends, buys, extracts, removes or undoes. The button carries an
// opaque id; the confirmation is bound to user, account, chat, action and expiry, and pressing it is the order.
import { InlineKeyboard } from 'grammy';

import type { Confirmation } from '../../store/bot-store.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { toOutgoing } from '../outgoing.ts';
import { reply } from '../replies.ts';

/** What a confirmation does, and what it needs to do it. */
export interface ConfirmedOrder<P> {
  action: string;
  payload: P;
  /** How long it can be pressed; 15 minutes without. */
  withinMs?: number;
  /** The messages that it was made of, where not of the one at hand. null: it is no question to be withdrawn. */
  madeOf?: string | null;
}

type FoundConfirmation<P> =
  | { status: 'found'; id: string; payload: P }
  /**
   * Pressed before, by another person, for another account, in another chat, or too late: nothing is done; `key` says
   * why.
   */
  | { status: 'refused'; id: string; key: string };

export const CONFIRMATION_MS = 15 * 60 * 1000;
const ID_BYTES = 12;

/**
 * The order, and the account that the person was in when it was made: null where in none, absent where it does not
 * matter.
 */
type Kept<P> = P & { madeIn?: number | null };

/** What is said of a button that was good for longer than a confirmation is. */
export const keyOfLasting = (key: string): string => (key === 'confirmation-expired' ? 'button-old' : key);

/** What is said of a button that this update has used up. */
export const keyOfTaken = (takenBy: number): string =>
  takenBy < 0 ? 'confirmation-withdrawn' : 'confirmation-taken';

/** In what a question was made of: it is withdrawn with all that are. */
const WITH_ALL = '?';

/** What is done by this update was made of these messages, as `?,7,9,`. */
const messagesOf = ({ message, madeOf }: Pick<BotContext, 'message' | 'madeOf'>): string =>
  madeOf ?? (message ? `${WITH_ALL},${message.message_id},` : `${WITH_ALL},`);

/** Who may press a confirmation, and in which chat. */
interface Presser {
  chatId: number;
  userId: number;
}

export function personOf({ chat, from }: Pick<BotContext, 'chat' | 'from'>): Presser {
  if (!chat || !from) throw new Error('A confirmation is made for a person in a chat.');
  return { chatId: chat.id, userId: from.id };
}

/** Makes a confirmation for this person in this chat, kept with the turn; the callback data of its button. */
export function createConfirmation<P>(
  deps: Pick<BotDeps, 'core' | 'clock' | 'ids'>,
  ctx: BotContext,
  order: ConfirmedOrder<P>,
): string {
  const made = makeConfirmation(deps, personOf(ctx), order);
  ctx.turn.offers(made, order.madeOf === undefined ? messagesOf(ctx) : order.madeOf);
  return `${made.action}:${made.id}`;
}

/** The same beside any update. */
export async function confirmFor<P>(
  deps: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  person: Presser,
  order: ConfirmedOrder<P>,
): Promise<string> {
  const made = makeConfirmation(deps, person, order);
  await deps.store.confirmations.save(made, order.madeOf);
  return `${made.action}:${made.id}`;
}

function makeConfirmation<P>(
  { core, clock, ids }: Pick<BotDeps, 'core' | 'clock' | 'ids'>,
  person: Presser,
  { action, payload, withinMs = CONFIRMATION_MS }: ConfirmedOrder<P>,
): Confirmation {
  const madeIn = core.members.findActor(person.userId)?.accountId ?? null;
  const kept: Kept<P> = { ...payload, madeIn };
  const expiresAt = clock.now() + withinMs;
  return { id: makeConfirmationId({ ids }), ...person, action, payload: JSON.stringify(kept), expiresAt };
}

export function makeConfirmationId({ ids }: Pick<BotDeps, 'ids'>): string {
  return ids.secret(ID_BYTES);
}

/**
 * What a pressed button names: what stands behind its action, or `id`. It is used up in the transaction of what it
 * does, and not before.
 */
export function findConfirmation<P>(
  { store, clock }: Pick<BotDeps, 'store' | 'clock'>,
  ctx: BotContext,
  action: string,
  id = (ctx.callbackQuery?.data ?? '').slice(action.length + 1),
): FoundConfirmation<P> {
  const confirmation = store.confirmations.find(id);
  if (confirmation?.action !== action) return { status: 'refused', id, key: 'confirmation-unknown' };
  if (confirmation.userId !== ctx.from?.id) return { status: 'refused', id, key: 'confirmation-not-yours' };
  if (confirmation.chatId !== ctx.chat?.id) return { status: 'refused', id, key: 'confirmation-elsewhere' };
  const { madeIn, ...payload } = JSON.parse(confirmation.payload) as Kept<P>;
  // What follows from it was made of the same.
  ctx.madeOf = confirmation.madeOf ?? undefined;
  // They may have joined another account since.
  if (madeIn !== undefined && madeIn !== (ctx.actor?.accountId ?? null))
    return { status: 'refused', id, key: 'confirmation-other-account' };
  if (confirmation.takenBy !== null) return { status: 'refused', id, key: keyOfTaken(confirmation.takenBy) };
  if (confirmation.expiresAt <= clock.now()) return { status: 'refused', id, key: 'confirmation-expired' };
  return { status: 'found', id, payload: payload as unknown as P };
}

/** So many messages say that they are withdrawn; those further up say so when they are pressed. */
const MOST_CHANGED = 20;

/**
 * Withdraws what this person is asked in this chat, all or what was made of a message, as Cancel under each would, and
 * says so by `key`; false where nothing is asked. What was pressed before is not withdrawn; handled again it is the same.
 */
export async function withdraw(
  { store }: Pick<BotDeps, 'store'>,
  ctx: BotContext,
  features: readonly Feature[],
  { key, messageId: of }: { key: string | undefined; messageId?: number },
): Promise<boolean> {
  const { chatId, userId } = personOf(ctx);
  const madeOf = of === undefined ? WITH_ALL : `,${of},`;
  const asked = await store.confirmations.withdraw({
    chatId,
    userId,
    updateId: ctx.update.update_id,
    madeOf,
  });
  const places = [...new Map(asked.map((each) => [each.messageId ?? 0, each]))].sort(([a], [b]) => a - b);
  const changed = places.slice(-MOST_CHANGED);
  for (const [messageId, each] of changed) {
    const { html, keyboard } = wordsOfCancelled(ctx, features, each);
    if (messageId > 0) ctx.turn.say(chatId, { ...toOutgoing(html, keyboard), messageId, isThereAlone: true });
  }
  const count = changed.length;
  if (key !== undefined && count > 0) await reply(ctx, ctx.say(key, { count }));
  return count > 0;
}

/** What stands in place of a question that was left. */
export function wordsOfCancelled(ctx: BotContext, features: readonly Feature[], confirmation: Confirmation) {
  const words = features
    .map(({ formatCancelled }) => formatCancelled?.(confirmation, ctx))
    .find((each) => each);
  return { html: ctx.say(words?.key ?? 'cancel-done', words?.facts), keyboard: words?.keyboard };
}

// The keyboard under a last confirmation: the buttons that are the order, and one that withdraws it.

/** What Telegram paints a button in: red what cannot be taken back, green what is wanted. */
export type ButtonStyle = 'danger' | 'success';

export const CANCEL_CONFIRMATION = 'no';

/** Letters that a phone shows of a label beside another. */
const BESIDE = 17;

/** A button that is the order; `choice` tells it from the others. */
export interface OrderButton {
  label: string;
  choice?: string;
  style?: ButtonStyle | undefined;
}

/** `data` is what createConfirmation gave back; the labels name what pressing does. */
export function confirmKeyboard(
  ctx: Pick<BotContext, 'label'>,
  data: string,
  { choices = [], ...first }: OrderButton & { choices?: readonly OrderButton[] | undefined },
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  for (const { label, choice, style } of [first, ...choices]) {
    keyboard.text(label, choice === undefined ? data : `${data}:${choice}`);
    if (style) keyboard.style(style);
    if ([...label].length > BESIDE || (choice === undefined && choices.length > 0)) keyboard.row();
  }
  return keyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`);
}
