// Adding codes to the code database, in slices.
import type { Clock } from '../../clock.ts';
import type { SealedCode, Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import type { Game, Games } from '../games.ts';
import { requireDenomination, requireManaged } from '../managed.ts';
import { watchStock } from '../notices/notices.ts';
import { requirePermission } from '../permissions.ts';
import { findObstacle } from './obstacles.ts';

export interface CodeLot {
  denomination: number;
  codes: Iterable<string>;
}

/** What became of each code that was given. Codes repeated in one call count once. */
export interface AddedCodes {
  batchId: number;
  /** By denomination, those that were given only. */
  accepted: Map<number, number>;
  /** This account has that code already, or it was redeemed. */
  used: string[];
  /** It belongs to another account. */
  disowned: string[];
  /** It breaks the game's pattern. */
  invalid: string[];
}

interface AddingDeps {
  store: Store;
  games: Games;
  clock: Clock;
}

/** Small enough that a slice, sealing and writing, holds the event loop well under 20 ms. */
const SLICE = 300;

export async function addCodes(
  { store, games, clock }: AddingDeps,
  actor: AccountActor,
  gameId: string,
  lots: readonly CodeLot[],
  batchId?: number,
  onProgress?: (done: number) => void,
): Promise<AddedCodes> {
  requirePermission(actor, 'addCodes');
  const game = requireManaged(games, gameId);
  for (const lot of lots) requireDenomination(game, lot.denomination);
  const batch = { accountId: actor.accountId, gameId: game.id, actor: nameActor(actor) };
  const id = batchId ?? (await store.write((tables) => tables.batches.open({ ...batch, now: clock.now() })));
  const added: AddedCodes = { batchId: id, accepted: new Map(), used: [], disowned: [], invalid: [] };
  const seen = new Set<string>();
  for (const { denomination, codes } of lots) {
    added.accepted.set(denomination, added.accepted.get(denomination) ?? 0);
    for (const slice of cutSlices(codes, game, seen, added.invalid)) {
      const sealed = slice.map((code) => ({ code, ...store.seals.seal(game.id, code) }));
      await store.write((tables) => addSlice(tables, { ...batch, denomination }, sealed, added, clock.now()));
      onProgress?.(seen.size);
    }
  }
  return added;
}

/** Trimmed, without repetitions, malformed ones put aside as they were given. */
function* cutSlices(
  codes: Iterable<string>,
  game: Game,
  seen: Set<string>,
  invalid: string[],
): Generator<string[]> {
  let slice: string[] = [];
  for (const given of codes) {
    const code = given.trim();
    if (seen.has(code)) continue;
    seen.add(code);
    if (!game.codePattern.test(code)) {
      invalid.push(given);
      continue;
    }
    slice.push(code);
    if (slice.length === SLICE) {
      yield slice;
      slice = [];
    }
  }
  if (slice.length > 0) yield slice;
}

function addSlice(
  tables: Tables,
  lot: { accountId: number; gameId: string; denomination: number },
  sealed: ({ code: string } & SealedCode)[],
  added: AddedCodes,
  now: number,
): void {
  let inserted = 0;
  let accepted = 0;
  for (const { code, hash, secret } of sealed) {
    if (tables.batches.insertCode({ ...lot, batchId: added.batchId, now }, { hash, secret })) {
      inserted += 1;
      continue;
    }
    const obstacle = findObstacle(tables, lot, hash, added.batchId);
    if (obstacle === undefined) throw new Error('A code that nobody has could not be added.');
    if (obstacle === 'inBatch') accepted += 1;
    else added[obstacle].push(code);
  }
  if (inserted > 0) {
    tables.batches.grow(added.batchId, inserted);
    watchStock(tables, lot, now);
  }
  added.accepted.set(lot.denomination, (added.accepted.get(lot.denomination) ?? 0) + accepted + inserted);
}
