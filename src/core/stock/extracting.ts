// Handing codes out of the database for good, what a restore has put in question asked about first.
import type { Clock } from '../../clock.ts';
import type { Platform } from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Games } from '../games.ts';
import { useKey, type IdempotencyKey, type KeyUse } from '../idempotency.ts';
import { requireDenomination, requireManaged } from '../managed.ts';
import { watchStock } from '../notices/notices.ts';
import { requirePermission } from '../permissions.ts';
import { askAboutCode } from '../redemption/verify.ts';

export interface Extraction {
  extractionId: number;
  codes: string[];
  replayed: boolean;
}

type Lot = { gameId: string; denomination: number; amount: number };

/** Under a key it is safe to repeat. */
export type ExtractRequest = Lot & { idempotencyKey?: IdempotencyKey };

export interface ExtractingDeps {
  store: Store;
  platform: Platform;
  games: Games;
  clock: Clock;
  signal: AbortSignal;
}

const VERIFY_AT_ONCE = 8;
const VERIFY_WITHIN_MS = 25_000;

/** Throws CoreError FORBIDDEN, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED. */
export async function extractCodes(
  deps: ExtractingDeps,
  actor: AccountActor,
  request: ExtractRequest,
): Promise<Extraction> {
  const { store, games, clock } = deps;
  requirePermission(actor, 'extractCodes');
  const game = requireManaged(games, request.gameId);
  requireDenomination(game, request.denomination);
  if (!Number.isSafeInteger(request.amount) || request.amount < 1) {
    throw new CoreError('INVALID_INPUT', 'The amount of codes to extract is a whole number from 1 on.');
  }
  // A replay asks the platform nothing, and a key of another request is refused before anything is asked.
  const { earlier } = store.read((tables) => recall(tables, actor, request, clock.now()));
  if (earlier) return earlier;
  await verifyOldest(deps, actor, request);
  return store.write((tables) => extract(tables, actor, request, clock.now()));
}

/** After a restore: what would be handed out is asked about first. What the platform cannot tell stays where it is. */
async function verifyOldest(
  { store, platform, clock, signal }: ExtractingDeps,
  actor: AccountActor,
  lot: Lot,
): Promise<void> {
  const until = clock.elapsed() + VERIFY_WITHIN_MS;
  for (let settled = 1; settled > 0 && clock.elapsed() < until;) {
    const { accountId } = actor;
    const unverified = store
      .read((tables) => tables.extractions.listUnverified({ accountId, ...lot }))
      .slice(0, VERIFY_AT_ONCE);
    if (unverified.length === 0) return;
    const told = await Promise.all(
      unverified.map(async ({ id, code }) => {
        const outcome = await askAboutCode(platform, lot.gameId, code, until - clock.elapsed(), signal);
        return { id, status: outcome.status };
      }),
    );
    settled = await store.write((tables) => {
      const now = clock.now();
      const moved = told.filter(({ id, status }) => {
        if (status === 'notRedeemed') return tables.codes.verify(id, now);
        return status === 'redeemed' && tables.codes.discardAsUsed(id, now);
      });
      return moved.length;
    });
  }
}

/** The request's key, and the extraction that stands under it already. */
function recall(
  tables: Tables,
  { accountId }: AccountActor,
  { gameId, denomination, amount, idempotencyKey }: ExtractRequest,
  now: number,
): { key: KeyUse; earlier: Extraction | undefined } {
  const described = JSON.stringify(['extract', gameId, denomination, amount]);
  const key = useKey(tables, accountId, idempotencyKey, described, now);
  const id = key.earlier?.extractionId;
  if (typeof id !== 'number') return { key, earlier: undefined };
  return { key, earlier: { extractionId: id, codes: tables.extractions.list(id), replayed: true } };
}

function extract(tables: Tables, actor: AccountActor, request: ExtractRequest, now: number): Extraction {
  const { key, earlier } = recall(tables, actor, request, now);
  if (earlier) return earlier;
  const { gameId, denomination, amount } = request;
  const lot = { accountId: actor.accountId, gameId, denomination };
  const extractionId = tables.extractions.open({ ...lot, actor: nameActor(actor), now });
  tables.extractions.extract({ ...lot, extractionId, amount, now });
  key.remember({ extractionId });
  watchStock(tables, lot, now);
  return { extractionId, codes: tables.extractions.list(extractionId), replayed: false };
}
