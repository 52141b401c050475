// What a restore has taken out of the tail, since the lost time may have handed it out (store/backup/lost-time.ts): who
// has its codes is asked, what buyers have stays away, and the others are put back.
import type { Clock } from '../../clock.ts';
import type { StockKey, Store, Tables } from '../../store/index.ts';
import { listAll, takeTurn } from '../../turns.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { record } from '../audit-log.ts';
import { requireGame, type Games } from '../games.ts';
import { getCurrentActor } from '../members.ts';
import { watchStock } from '../notices/notices.ts';
import { createCodeFinder } from '../paste/codes.ts';
import { LINE_END } from '../paste/cutting.ts';
import { CODE } from '../paste/lexer.ts';
import { createLexicon } from '../paste/lexicon.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';

interface Deps {
  store: Store;
  games: Games;
  clock: Clock;
  witnesses: Pick<Witnesses, 'canTell'>;
}

const AT_ONCE = 100;

/** In the order of taking. */
export async function readInQuestion(
  { store, clock }: Deps,
  actor: AccountActor,
  stockKey: StockKey,
): Promise<string[]> {
  await store.write((tables) => {
    requirePermission(getCurrentActor(tables, actor), 'handleBadCodes');
    const { gameId, denomination } = stockKey;
    record(tables, actor, 'codesShown', { after: { gameId, denomination } }, clock.now());
  });
  const list = (last = { returns: -1, id: 0 }) =>
    store.read(({ takeover }) => takeover.listInQuestion(stockKey, last, AT_ONCE));
  return (await listAll(list, AT_ONCE)).flatMap(({ code }) => code ?? []);
}

/**
 * How many. Of a batch that was taken back they go where the others went. Where nobody can be asked about them it is the
 * word of whoever puts them back that they are with nobody. Repeating it is safe.
 */
export const putBack = (deps: Deps, actor: AccountActor, stockKey: StockKey): Promise<number> =>
  changeAll(deps, actor, stockKey, putBackNext(deps, actor, stockKey));

/** What is changed in one transaction; `isFull`: there may be more. */
export type Slice = (tables: Tables, now: number) => { changed: number; isFull: boolean };

/** Slice after slice, each by the rights of its moment; how many codes were changed. */
export async function changeAll(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  actor: AccountActor,
  stockKey: StockKey,
  next: () => Slice,
): Promise<number> {
  for (let total = 0; ;) {
    const slice = next();
    const work = (tables: Tables) => {
      requirePermission(getCurrentActor(tables, actor), 'handleBadCodes');
      const now = clock.now();
      const done = slice(tables, now);
      watchStock(tables, stockKey, now);
      return done;
    };
    const { changed, isFull } = await store.write(work, { bulk: true });
    total += changed;
    if (!isFull) return total;
    await takeTurn();
  }
}

/**
 * Those of a text that are in question are with buyers: they are an extraction of whoever says so. How many. Repeating it
 * is safe.
 */
export async function keepWithBuyers(
  deps: Deps,
  actor: AccountActor,
  stockKey: StockKey,
  buyers: string,
): Promise<number> {
  const { store, games } = deps;
  const find = createCodeFinder(createLexicon(requireGame(games, stockKey.gameId)));
  const slots = buyers.split(LINE_END).flatMap((line) => find(line).slots);
  const codes = [...new Set(slots.flatMap(({ mark, text }) => (mark === CODE ? [text] : [])))];
  let kept = 0;
  for (let at = 0; at < codes.length; at += AT_ONCE) {
    const slice = codes.slice(at, at + AT_ONCE);
    kept += await store.write((tables) => keepSlice(deps, tables, actor, stockKey, slice), { bulk: true });
    await takeTurn();
  }
  return kept;
}

function keepSlice(
  { store: { seals }, clock }: Deps,
  tables: Tables,
  actor: AccountActor,
  stockKey: StockKey,
  codes: readonly string[],
): number {
  requirePermission(getCurrentActor(tables, actor), 'handleBadCodes');
  const { gameId, denomination } = stockKey;
  const hashes = codes
    .map((code) => seals.hash(gameId, code))
    .filter((hash) => tables.takeover.isInQuestion(stockKey, hash));
  if (hashes.length === 0) return 0;
  const now = clock.now();
  const { extractions } = tables;
  const order = { ...stockKey, actor: nameActor(actor), requested: hashes.length, now };
  const extractionId = extractions.open(order);
  for (const hash of hashes) extractions.keep(stockKey, { extractionId, hash, now });
  extractions.end(extractionId, now);
  const after = { gameId, denomination, count: hashes.length };
  record(tables, actor, 'codesExtracted', { object: `extraction:${extractionId}`, after }, now);
  return hashes.length;
}

function putBackNext(
  { witnesses }: Pick<Deps, 'witnesses'>,
  actor: AccountActor,
  stockKey: StockKey,
): () => Slice {
  const as = witnesses.canTell(stockKey.gameId) ? 'unverified' : 'available';
  let isFirst = true;
  return () => {
    const isBegin = isFirst;
    isFirst = false;
    return (tables, now) => {
      if (isBegin) recordPutBack(tables, actor, stockKey, now);
      const changed = tables.takeover.putBack(stockKey, { as, limit: AT_ONCE, now });
      return { changed, isFull: changed === AT_ONCE };
    };
  };
}

/** With the first slice: all that is in question then. */
function recordPutBack(tables: Tables, actor: AccountActor, stockKey: StockKey, now: number): void {
  const { accountId, gameId, denomination } = stockKey;
  const rows = tables.stock.list(accountId, gameId);
  const found = rows.find((row) => row.denomination === denomination && row.state === 'in_question');
  if (!found?.count) return;
  record(tables, actor, 'codesPutBack', { after: { gameId, denomination, count: found.count } }, now);
}
