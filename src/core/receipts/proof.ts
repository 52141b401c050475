// The proof of a receipt: what a picture tells whoever holds money back until they see that it was delivered. No
// login, nobody who works here, and of the code its end alone.
import type { Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import { formatAmount, type Games } from '../games.ts';
import type { Receipts, Redemption } from './receipts.ts';

/** `settledAt`: of a doubt alone; null where it was redeemed at once. */
interface Proof extends Pick<
  Redemption,
  'id' | 'playerId' | 'playerName' | 'productName' | 'createdAt' | 'settledAt'
> {
  shop: string;
  timeZone: string;
  /** `60 UC`; null where the platform has not told it. */
  amount: string | null;
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
    const { amount, gameId, playerId, playerName, productName, createdAt } = redemption;
    if (redemption.state !== 'redeemed')
      throw new CoreError(
        'CONFLICT',
        'Only what was redeemed has a proof. This receipt says what became of it.',
      );
    const code = redemption.code ?? '';
    return store.read((tables) => {
      const account = tables.accounts.find(actor.accountId);
      return {
        ...{ id, playerId, playerName, productName, createdAt },
        shop: account?.name ?? '',
        timeZone: account?.timeZone ?? 'UTC',
        amount: amount === null ? null : formatAmount(amount, games.find(gameId)),
        settledAt: redemption.doubtedAt === null ? null : redemption.settledAt,
        code: code.slice(-SHOWN).padStart(code.length, '•'),
      };
    });
  };
}
