// Confirmations: the last button of anything that spends, buys, extracts, removes or undoes. The button carries an
// opaque id; the confirmation is bound to user, account, chat, action and expiry, and pressing it is the order.
import type { BotContext, BotDeps } from '../context.ts';

/** What a confirmation does, and what it needs to do it. */
export interface ConfirmedOrder<P> {
  action: string;
  payload: P;
  /** How long it can be pressed; 15 minutes without. */
  withinMs?: number;
}

export type FoundConfirmation<P> =
  /** `isDone`: this very update used it up before a crash, together with what it does. */
  | { status: 'found'; id: string; payload: P; isDone: boolean }
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

type Chatting = Pick<BotContext, 'chat' | 'from'>;

/** Who may press a confirmation, and in which chat. */
export function personOf({ chat, from }: Chatting): { chatId: number; userId: number } {
  if (!chat || !from) throw new Error('A confirmation is made for a person in a chat.');
  return { chatId: chat.id, userId: from.id };
}

/** Keeps a confirmation for the person in this chat; the callback data of its button. */
export async function createConfirmation<P>(
  { core, store, clock, ids }: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  ctx: Chatting,
  { action, payload, withinMs = CONFIRMATION_MS }: ConfirmedOrder<P>,
): Promise<string> {
  const id = makeConfirmationId({ ids });
  const expiresAt = clock.now() + withinMs;
  const person = personOf(ctx);
  const madeIn = core.members.findActor(person.userId)?.accountId ?? null;
  const kept: Kept<P> = { ...payload, madeIn };
  await store.confirmations.save({ id, ...person, action, payload: JSON.stringify(kept), expiresAt });
  return `${action}:${id}`;
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
  // They may have joined another account since.
  if (madeIn !== undefined && madeIn !== (ctx.actor?.accountId ?? null))
    return { status: 'refused', id, key: 'confirmation-other-account' };
  const isDone = confirmation.takenBy === ctx.update.update_id;
  if (confirmation.takenBy !== null && !isDone) return { status: 'refused', id, key: 'confirmation-taken' };
  if (!isDone && confirmation.expiresAt <= clock.now())
    return { status: 'refused', id, key: 'confirmation-expired' };
  return { status: 'found', id, payload: payload as unknown as P, isDone };
}
