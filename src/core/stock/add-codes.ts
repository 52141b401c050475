// Adding codes to the code database: a job whose slices hold the codes until they are added, and then what became of
// them. Nothing is ever added from a list again: a slice that was gone through is gone through, wherever its codes are
// by now.
import { listAll, takeTurn } from '../../turns.ts';
import type { JobRow, SealedCode, StockKey, Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import { foldCode } from '../folding.ts';
import { type Game, type Games, requireDenomination, requireCodeDatabase } from '../games.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { setThreshold, watchStock } from '../notices/notices.ts';
import { getCurrentActor } from '../members.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import type { Jobs, Work } from './jobs.ts';

export interface CodeStockKey {
  denomination: number;
  codes: Iterable<string>;
}

/** What became of each code that was given. Codes repeated in one call count once. */
export interface AddedCodes {
  /** 0: none of them was fresh, and nothing is kept of it. */
  batchId: number;
  /** By denomination, those that were given only. */
  accepted: Map<number, number>;
  /** This account has that code already, or it was redeemed. */
  used: string[];
  /** It belongs to another account. */
  disowned: string[];
  /** It breaks the game's pattern. */
  invalid: string[];
  replayed: boolean;
}

/** Codes of one denomination, well-formed and different from each other: what is added in one transaction. */
export interface CodeSlice {
  denomination: number;
  codes: string[];
}

/** Those of a slice that were not added. */
interface NotAdded {
  used: string[];
  disowned: string[];
}

export interface AddingDeps {
  store: Store;
  games: Games;
  clock: CoreClock;
}

/** Small enough that sealing and writing one holds the event loop a few milliseconds. */
const SLICE = 80;
const SLICES_READ_AT_ONCE = 20;
/** No code of any game is longer; what is is invalid without troubling a pattern. */
const LONGEST_CODE = 256;
/** A millisecond each thousand: 30,000 at once held the event loop for 25 to 40. */
const LOOKED_AT_A_TURN = 4_000;

/**
 * Adds in slices, as a job that goes on after a restart. Under a key a repeated request is told what the first one did.
 * Throws CoreError FORBIDDEN, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, OVERLOADED where nothing was begun, and STOPPING
 * where the rest is added after the next start.
 */
export async function addCodes(
  deps: AddingDeps & { jobs: Jobs },
  actor: AccountActor,
  gameId: string,
  stockKeys: readonly CodeStockKey[],
  { idempotencyKey }: { idempotencyKey?: IdempotencyKey } = {},
): Promise<AddedCodes> {
  requirePermission(actor, 'addCodes');
  const { store, games, clock, jobs } = deps;
  const game = requireCodeDatabase(games, gameId);
  for (const stockKey of stockKeys) requireDenomination(game, stockKey.denomination);
  const write = refuseOverload(store, actor, { bulk: true });
  await takeTurn(actor.accountId);
  const invalid: string[] = [];
  const slices = await cutSlices(stockKeys, game, invalid, actor.accountId);
  const described = idempotencyKey ? describe(game.id, slices, invalid) : '';
  const useIn = (tables: Tables) =>
    useKey(tables, actor.accountId, idempotencyKey, described, momentOf(clock));
  const accepted = new Map(stockKeys.map(({ denomination }) => [denomination, 0]));
  if (typeof store.read(useIn).earlier?.batchId !== 'number') {
    const known = await findKnown(store, { accountId: actor.accountId, gameId: game.id }, slices);
    if (known) return { batchId: 0, accepted, ...known, invalid, replayed: false };
  }
  const batch = await write((tables) => {
    const now = clock.now();
    requirePermission(getCurrentActor(tables, actor), 'addCodes');
    const key = useIn(tables);
    const earlier = key.earlier?.batchId;
    if (typeof earlier === 'number') return { batchId: earlier, replayed: true };
    const batchId = tables.batches.open({
      accountId: actor.accountId,
      gameId: game.id,
      actor: nameActor(actor),
      now,
    });
    openAdding(tables, { batchId, accountId: actor.accountId, actor: nameActor(actor), now }, slices);
    key.remember({ batchId });
    return { batchId, replayed: false };
  });
  const added: AddedCodes = { ...batch, accepted, used: [], disowned: [], invalid };
  const job = store.read((tables) => tables.jobs.findOfSubject('add', batch.batchId));
  if (!job) return added;
  await jobs.run(job.id);
  await collectOutcome(store, job, added);
  return added;
}

/** What each of them is, where none is fresh. */
async function findKnown(
  store: Store,
  of: { accountId: number; gameId: string },
  slices: readonly CodeSlice[],
): Promise<NotAdded | undefined> {
  const known: NotAdded = { used: [], disowned: [] };
  for (const { codes } of slices) {
    await takeTurn(of.accountId);
    const isFresh = store.read((tables) =>
      codes.some((code) => {
        const conflict = findCodeConflict(tables, of, store.seals.hash(of.gameId, code));
        if (conflict) known[conflict].push(code);
        return conflict === undefined;
      }),
    );
    if (isFresh) return undefined;
  }
  return known;
}

/** What an idempotency key's request hash is made of. */
function describe(gameId: string, slices: readonly CodeSlice[], invalid: readonly string[]): string {
  const stockKeys = slices.map(({ denomination, codes }) => [denomination, codes]);
  return JSON.stringify(['add', gameId, stockKeys, ...(invalid.length > 0 ? [invalid] : [])]);
}

/** Keeps the codes of a batch as a job, in the transaction that opens the batch. Without codes there is no job. */
export function openAdding(
  tables: Tables,
  { batchId, ...job }: { batchId: number; accountId: number; actor: string; now: number },
  slices: readonly CodeSlice[],
): number | undefined {
  const total = slices.reduce((sum, { codes }) => sum + codes.length, 0);
  if (total === 0) return undefined;
  const jobId = tables.jobs.open({ ...job, kind: 'add', subjectId: batchId, total });
  for (const [position, { denomination, codes }] of slices.entries()) {
    tables.jobSlices.save({ jobId, position, denomination, content: codes });
  }
  return jobId;
}

/**
 * Trimmed, without repetitions, malformed ones put aside as they were given; a turn of the event loop for every few
 * thousand.
 */
export async function cutSlices(
  stockKeys: readonly CodeStockKey[],
  game: Game,
  invalid: string[],
  whose?: number,
): Promise<CodeSlice[]> {
  const slices: CodeSlice[] = [];
  const seen = new Set<string>();
  let looked = 0;
  for (const { denomination, codes } of stockKeys) {
    let slice: string[] = [];
    for (const given of codes) {
      looked += 1;
      if (looked % LOOKED_AT_A_TURN === 0) await takeTurn(whose);
      const code = foldCode(given, game.codePattern);
      if (seen.has(code)) continue;
      seen.add(code);
      if (code.length > LONGEST_CODE || !game.codePattern.test(code)) invalid.push(given);
      else if (slice.push(code) === SLICE) {
        slices.push({ denomination, codes: slice });
        slice = [];
      }
    }
    if (slice.length > 0) slices.push({ denomination, codes: slice });
  }
  return slices;
}

/** The work of an `add` job. */
export function createAddingWork({ store, games, clock }: AddingDeps): Work {
  return {
    async step(job) {
      const { slice, batch } = store.read((tables) => ({
        slice: tables.jobSlices.findNext<string[]>(job.id),
        batch: tables.batches.find(job.subjectId),
      }));
      if (!slice || !batch) {
        // Jobs that the migration made have no slices.
        throw new CoreError(
          'CONFLICT',
          'It was interrupted by an upgrade of the service. Paste what is missing again.',
        );
      }
      const game = requireCodeDatabase(games, batch.gameId);
      requireDenomination(game, slice.denomination);
      const sealed = slice.content.map((code) => ({ code, ...store.seals.seal(game.id, code) }));
      const stockKey = { accountId: batch.accountId, gameId: game.id, denomination: slice.denomination };
      await store.write(
        (tables) => addSlice(tables, job, { ...stockKey, position: slice.position }, sealed, clock.now()),
        { bulk: true, whose: job.accountId },
      );
    },
  };
}

/** One slice and its progress. Where the job was ended meanwhile nothing is added. */
function addSlice(
  tables: Tables,
  job: JobRow,
  { position, ...stockKey }: StockKey & { position: number },
  sealed: readonly ({ code: string } & SealedCode)[],
  now: number,
): void {
  const batchId = job.subjectId;
  const done = job.done + sealed.length;
  if (!tables.jobs.advance(job.id, { done, cursor: null })) return;
  const notAdded: NotAdded = { used: [], disowned: [] };
  for (const { code, hash, secret } of sealed) {
    if (tables.batches.insertCode({ ...stockKey, batchId, now }, { hash, secret })) continue;
    notAdded[findCodeConflict(tables, stockKey, hash) ?? 'used'].push(code);
  }
  const added = sealed.length - notAdded.used.length - notAdded.disowned.length;
  if (added > 0) {
    tables.batches.grow(batchId, stockKey, added);
    watchStock(tables, stockKey, now);
  }
  if (!tables.jobSlices.finish(job.id, position, { added, content: notAdded })) {
    throw new Error(`Slice ${position} of job ${job.id} was gone through already.`);
  }
  if (done < job.total) return;
  tables.jobs.end(job.id, 'done', now);
  for (const { denomination, added: imported } of tables.jobSlices.sumAdded(job.id))
    if (imported > 0) setThreshold(tables, { ...stockKey, denomination }, imported);
}

async function collectOutcome(store: Store, job: JobRow, added: AddedCodes): Promise<void> {
  const turn = () => takeTurn(job.accountId);
  const list = (last = { position: -1 }) =>
    store.read((tables) => tables.jobSlices.list<NotAdded>(job.id, last.position, SLICES_READ_AT_ONCE));
  await turn();
  for (const { denomination, content, ...slice } of await listAll(list, SLICES_READ_AT_ONCE, turn)) {
    if (slice.added === undefined) continue;
    added.accepted.set(denomination, (added.accepted.get(denomination) ?? 0) + slice.added);
    added.used.push(...(content?.used ?? []));
    added.disowned.push(...(content?.disowned ?? []));
  }
}

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
