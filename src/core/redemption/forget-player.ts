// A player who asks to be forgotten: what names them goes from everything that has ended, the ledger stays. What is
// sealed and goes by itself within days (messages, conversations, keys) is left to its time.
import type { CoreClock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { Store } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { requireHost, type HostActor } from '../context.ts';
import { isPlayerId } from './request.ts';

export type ForgetAnswer =
  /** `as`: the name that takes the place of the ID. */
  | { status: 'forgotten'; redemptions: number; as: string }
  | { status: 'malformed' | 'unknown' | 'ordering' }
  | { status: 'open'; redemptionId: number };

type Step = { forgotten: number } | { refused: Exclude<ForgetAnswer, { as: string }> };

const AT_ONCE = 100;
const SALT_BYTES = 16;
const NAME_BYTES = 8;

/**
 * Forgets a player in every account, a slice at a time. Refused while anything of theirs is open; where that begins in
 * the middle, the rest is forgotten by asking again. Throws FORBIDDEN.
 */
export async function forgetPlayer(
  { store, clock, ids }: { store: Store; clock: CoreClock; ids: Ids },
  host: HostActor,
  playerId: string,
): Promise<ForgetAnswer> {
  requireHost(host);
  if (!isPlayerId(playerId)) return { status: 'malformed' };
  const as = makeName(store, playerId, ids);
  for (let redemptions = 0; ;) {
    const step = await store.write((tables): Step => {
      const redemptionId = tables.forgetting.findOpen(playerId);
      if (redemptionId !== undefined) return { refused: { status: 'open', redemptionId } };
      if (tables.forgetting.hasRunningOrder(playerId)) return { refused: { status: 'ordering' } };
      const forgotten = tables.forgetting.forget(playerId, as, AT_ONCE);
      // Found by a claim link, and not confirmed.
      const found = tables.claims.forget(playerId);
      const isNew = redemptions === 0 && forgotten.redemptions + forgotten.orders + found > 0;
      if (isNew) record(tables, host, 'playerForgotten', { object: `player:${as}` }, clock.now());
      if (redemptions === 0 && !isNew) return { refused: { status: 'unknown' } };
      return { forgotten: forgotten.redemptions };
    });
    if ('refused' in step) return step.refused;
    redemptions += step.forgotten;
    if (step.forgotten < AT_ONCE) return { status: 'forgotten', redemptions, as };
  }
}

/** A keyed hash over a salt that nobody keeps, in letters alone: no search by digits finds it. */
function makeName(store: Store, playerId: string, ids: Ids): string {
  const hash = store.secrets.hash('forgotten', `${playerId}:${ids.secret(SALT_BYTES)}`);
  const letters = [...hash.subarray(0, NAME_BYTES).toString('hex')].map(
    (digit) => 'abcdefghijklmnop'[parseInt(digit, 16)],
  );
  return `forgotten-${letters.join('')}`;
}
