// Drafts: the last confirmation of anything that spends, buys, extracts, removes or undoes. The button carries an opaque id;
// the draft is bound to user, chat, action and expiry, and pressing it is the order.
import type { BotContext, BotDeps } from '../context.ts';

/** What a draft does, and what it needs to do it. */
export interface DraftOrder<P> {
  action: string;
  payload: P;
  /** How long it can be pressed; 15 minutes without. */
  withinMs?: number;
}

export type TakenDraft<P> =
  /** `again`: this very update took it before a crash, so that what it does may be done already. */
  | { status: 'taken'; id: string; payload: P; again: boolean }
  /** Pressed before, by another person, in another chat, or too late: nothing was done; `key` of the sentence to say. */
  | { status: 'refused'; key: string };

export const DRAFT_MS = 15 * 60 * 1000;
const ID_BYTES = 12;

/** Keeps a draft for the person in this chat; the callback data of its button. */
export async function keepDraft<P>(
  { keeping, clock, ids }: Pick<BotDeps, 'keeping' | 'clock' | 'ids'>,
  person: { chatId: number; userId: number },
  { action, payload, withinMs = DRAFT_MS }: DraftOrder<P>,
): Promise<string> {
  const id = ids.secret(ID_BYTES);
  const expiresAt = clock.now() + withinMs;
  await keeping.drafts.keep({ id, ...person, action, payload: JSON.stringify(payload), expiresAt });
  return `${action}:${id}`;
}

/**
 * Takes the draft that a pressed button names, once. The same update again (after a crash) takes it again: what it does is
 * idempotent by the draft's id.
 */
export async function takeDraft<P>(
  { keeping }: Pick<BotDeps, 'keeping'>,
  ctx: BotContext,
  action: string,
): Promise<TakenDraft<P>> {
  const data = ctx.callbackQuery?.data ?? '';
  const id = data.slice(action.length + 1);
  const draft = keeping.drafts.find(id);
  if (draft?.action !== action) return { status: 'refused', key: 'draft-unknown' };
  if (draft.userId !== ctx.from?.id) return { status: 'refused', key: 'draft-not-yours' };
  if (draft.chatId !== ctx.chat?.id) return { status: 'refused', key: 'draft-elsewhere' };
  if (!(await keeping.drafts.take(id, ctx.update.update_id))) {
    return { status: 'refused', key: draft.takenBy === null ? 'draft-expired' : 'draft-taken' };
  }
  const again = draft.takenBy === ctx.update.update_id;
  return { status: 'taken', id, payload: JSON.parse(draft.payload) as P, again };
}
