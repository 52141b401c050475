// Why a code cannot be added: who has it already.
import type { Tables } from '../../store/index.ts';

/** Why a code cannot be added. A code redeemed is used, whoever's it was; one with another account is disowned. */
export function findCodeConflict(
  tables: Tables,
  { accountId, gameId }: { accountId: number; gameId: string },
  hash: Buffer,
): 'used' | 'disowned' | undefined {
  const owner = tables.codes.findOwner(gameId, hash);
  if (owner?.state === 'redeemed') return 'used';
  if (owner) return owner.accountId === accountId ? 'used' : 'disowned';
  const live = tables.redemptions.findLive(gameId, hash);
  if (!live) return undefined;
  return live.state === 'redeemed' || live.accountId === accountId ? 'used' : 'disowned';
}
