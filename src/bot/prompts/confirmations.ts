// Drafts: the last confirmation of anything that spends, buys, extracts, removes or undoes. The button carries an opaque id;
// the draft is bound to user, account, chat, action and expiry, and pressing it is the order.
import type { BotContext, BotDeps } from '../context.ts';

/** What a draft does, and what it needs to do it. */
export interface DraftOrder<P> {
  action: string;
  payload: P;
  /** How long it can be pressed; 15 minutes without. */
  withinMs?: number;
}

export type FoundDraft<P> =
  /** `isDone`: this very update used it up before a crash, together with what it does. */
  | { status: 'found'; id: string; payload: P; isDone: boolean }
  /** Pressed before, by another person, for another account, in another chat, or too late: nothing is done; `key` says why. */
  | { status: 'refused'; id: string; key: string };

export const DRAFT_MS = 15 * 60 * 1000;
const ID_BYTES = 12;

/** The order, and the account that the person was in when it was made: null where in none, absent where it does not matter. */
type Kept<P> = P & { draftedIn?: number | null };

/** What is said of a button that was good for longer than a confirmation is. */
export const wordLasting = (key: string): string => (key === 'draft-expired' ? 'button-old' : key);

/** Keeps a draft for the person in this chat; the callback data of its button. */
export async function keepDraft<P>(
  { core, keeping, clock, ids }: Pick<BotDeps, 'core' | 'keeping' | 'clock' | 'ids'>,
  person: { chatId: number; userId: number },
  { action, payload, withinMs = DRAFT_MS }: DraftOrder<P>,
): Promise<string> {
  const id = makeDraftId({ ids });
  const expiresAt = clock.now() + withinMs;
  const draftedIn = core.members.findActor(person.userId)?.accountId ?? null;
  const kept: Kept<P> = { ...payload, draftedIn };
  await keeping.drafts.keep({ id, ...person, action, payload: JSON.stringify(kept), expiresAt });
  return `${action}:${id}`;
}

export function makeDraftId({ ids }: Pick<BotDeps, 'ids'>): string {
  return ids.secret(ID_BYTES);
}

/** The draft that a pressed button names: what stands behind its action, or `id`. It is used up in the transaction of what it does, and not before. */
export function findDraft<P>(
  { keeping, clock }: Pick<BotDeps, 'keeping' | 'clock'>,
  ctx: BotContext,
  action: string,
  id = (ctx.callbackQuery?.data ?? '').slice(action.length + 1),
): FoundDraft<P> {
  const draft = keeping.drafts.find(id);
  if (draft?.action !== action) return { status: 'refused', id, key: 'draft-unknown' };
  if (draft.userId !== ctx.from?.id) return { status: 'refused', id, key: 'draft-not-yours' };
  if (draft.chatId !== ctx.chat?.id) return { status: 'refused', id, key: 'draft-elsewhere' };
  const { draftedIn, ...payload } = JSON.parse(draft.payload) as Kept<P>;
  // They may have joined another account since.
  if (draftedIn !== undefined && draftedIn !== (ctx.actor?.accountId ?? null))
    return { status: 'refused', id, key: 'draft-other-account' };
  const isDone = draft.takenBy === ctx.update.update_id;
  if (draft.takenBy !== null && !isDone) return { status: 'refused', id, key: 'draft-taken' };
  if (!isDone && draft.expiresAt <= clock.now()) return { status: 'refused', id, key: 'draft-expired' };
  return { status: 'found', id, payload: payload as unknown as P, isDone };
}
