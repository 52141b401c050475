// From what the platform told to what is kept.
import type { PlatformReceipt } from '../../platform/port.ts';
import type { StoredReceipt } from '../../store/index.ts';
import type { Game } from '../games.ts';

/** `warning` is never set for the session family, whose receipts have no order list. */
export function toStoredReceipt(
  receipt: PlatformReceipt,
  warning: boolean,
  game: Pick<Game, 'receipts'>,
): StoredReceipt {
  const { uid, email, password } = receipt;
  const known = uid !== undefined || email !== undefined || password !== undefined;
  return {
    openid: receipt.openid,
    playerName: receipt.name,
    region: receipt.region ?? null,
    productName: receipt.productName ?? null,
    amount: isWhole(receipt.amount) ? receipt.amount : null,
    warning: game.receipts === 'session' ? false : warning,
    credentials: known
      ? {
          ...(uid !== undefined && { uid }),
          ...(email !== undefined && { email }),
          ...(password !== undefined && { password }),
        }
      : null,
  };
}

/** An amount that is none leaves the receipt without one: it must not keep a redemption from being written down. */
function isWhole(amount: number | undefined): amount is number {
  return amount !== undefined && amount >= 0 && Number.isSafeInteger(amount);
}
