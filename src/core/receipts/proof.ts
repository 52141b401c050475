// The proof of a receipt: what a picture tells whoever holds money back until they see that it was delivered. No
// login, nobody who works here, and of the code its end alone.
import type { Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Games } from '../games.ts';
import type { Receipts } from './receipts.ts';

interface Proof {
  /** Of the receipt. */
  id: number;
  shop: string;
  timeZone: string;
  playerId: string;
  playerName?: string | undefined;
  productName?: string | undefined;
  /** `60 UC`; absent where the platform has not told it. */
  amount?: string | undefined;
  createdAt: number;
  /** When a doubt was settled; absent where it was redeemed at once. */
  settledAt?: number | undefined;
  /** `••••••••1234` */
  code: string;
}

/** The facts, or undefined: no such receipt that this actor may see. Throws CoreError CONFLICT for one of nothing redeemed. */
export type FindProof = (actor: AccountActor, id: number) => Proof | undefined;

const SHOWN = 4;

export function createFindProof(deps: { store: Store; games: Games; receipts: Receipts }): FindProof {
  const { store, games, receipts } = deps;
  return (actor, id) => {
    const redemption = receipts.find(actor, id);
    if (!redemption) return undefined;
    const { state, code = '', amount, gameId, playerId, playerName, productName, createdAt } = redemption;
    if (state !== 'redeemed')
      throw new CoreError(
        'CONFLICT',
        'Only what was redeemed has a proof. This receipt says what became of it.',
      );
    return store.read((tables) => {
      const account = tables.accounts.find(actor.accountId);
      const wasDoubted = tables.redemptions.find(id)?.doubtedAt !== null;
      return {
        ...{ id, playerId, playerName, productName, createdAt },
        shop: account?.name ?? '',
        timeZone: account?.timeZone ?? 'UTC',
        amount: amount === undefined ? undefined : `${amount} ${games.find(gameId)?.currency ?? ''}`.trim(),
        settledAt: wasDoubted ? redemption.settledAt : undefined,
        code: code.slice(-SHOWN).padStart(code.length, '•'),
      };
    });
  };
}
