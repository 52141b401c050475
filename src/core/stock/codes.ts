// The code database as its owner sees it: stock, adding in bulk, handing out.
import type { Clock } from '../../clock.ts';
import type { Platform } from '../../platform/port.ts';
import type { CodeState, SealedCode, Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Game, Games } from '../games.ts';
import { useKey, type IdempotencyKey, type KeyUse } from '../idempotency.ts';
import { requireDenomination, requireManaged } from '../managed.ts';
import { watchStock } from '../notices/notices.ts';
import { requirePermission } from '../permissions.ts';
import { askAboutCode } from '../redemption/verify.ts';

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

export interface Extraction {
  extractionId: number;
  codes: string[];
  replayed: boolean;
}

export interface StockLine {
  denomination: number;
  /** Can be taken: available, and unverified since a restore. */
  available: number;
  reserved: number;
  inDoubt: number;
}

export interface Codes {
  /** Codes that can be taken, by denomination, every denomination of the game present. */
  countAvailable(actor: AccountActor, gameId: string): Map<number, number>;
  /** The stock with what is under way, every denomination of the game present. */
  countStock(actor: AccountActor, gameId: string): StockLine[];
  /** How many of these codes nobody has, this account has (or were redeemed), another account has. For a few hundred. */
  countStandings(
    actor: AccountActor,
    gameId: string,
    codes: readonly string[],
  ): { fresh: number; ours: number; others: number };
  /** Adds in slices. Safe to repeat: what is already there is told as used, or, into the same batch, as accepted. */
  add(
    actor: AccountActor,
    gameId: string,
    lots: readonly CodeLot[],
    batchId?: number,
    onProgress?: (done: number) => void,
  ): Promise<AddedCodes>;
  /** Takes up to `amount` codes out of the database for good, oldest first. Under a key it is safe to repeat. */
  extract(
    actor: AccountActor,
    request: { gameId: string; denomination: number; amount: number; idempotencyKey?: IdempotencyKey },
  ): Promise<Extraction>;
}

interface CodesDeps {
  store: Store;
  platform: Platform;
  games: Games;
  clock: Clock;
  signal: AbortSignal;
}

/** Small enough that a slice, sealing and writing, holds the event loop well under 20 ms. */
const SLICE = 300;
const VERIFY_AT_ONCE = 8;
const VERIFY_WITHIN_MS = 25_000;

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game or denomination), IDEMPOTENCY_KEY_REUSED. */
export function createCodes(deps: CodesDeps): Codes {
  const { store, games, clock } = deps;

  return {
    countAvailable(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireManaged(games, gameId);
      const counts = store.read((tables) => tables.stock.countTakeable(actor.accountId, game.id));
      const byDenomination = new Map(counts.map(({ denomination, count }) => [denomination, count]));
      return new Map(
        game.denominations.map((denomination) => [denomination, byDenomination.get(denomination) ?? 0]),
      );
    },
    countStock(actor, gameId) {
      requirePermission(actor, 'seeStock');
      const game = requireManaged(games, gameId);
      const [takeable, claimed] = store.read(({ stock }) => [
        stock.countTakeable(actor.accountId, game.id),
        stock.countClaimed(actor.accountId, game.id),
      ]);
      return game.denominations.map((denomination) => {
        const available = takeable.find((row) => row.denomination === denomination)?.count ?? 0;
        const count = (state: CodeState) =>
          claimed
            .filter((row) => row.denomination === denomination && row.state === state)
            .reduce((sum, row) => sum + row.count, 0);
        return { denomination, available, reserved: count('reserved'), inDoubt: count('in_doubt') };
      });
    },
    countStandings(actor, gameId, codes) {
      requirePermission(actor, 'addCodes');
      return store.read((tables) => {
        const obstacles = codes.map((code) =>
          findObstacle(tables, { accountId: actor.accountId, gameId }, store.seals.hash(gameId, code)),
        );
        const others = obstacles.filter((obstacle) => obstacle === 'disowned').length;
        const fresh = obstacles.filter((obstacle) => obstacle === undefined).length;
        return { fresh, others, ours: codes.length - fresh - others };
      });
    },
    add: (actor, gameId, lots, batchId, onProgress) => add(deps, actor, gameId, lots, batchId, onProgress),
    async extract(actor, request) {
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
    },
  };
}

async function add(
  { store, games, clock }: CodesDeps,
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

/** Why a code cannot be added. A code redeemed is used, whoever's it was; one with another account is disowned. */
function findObstacle(
  tables: Tables,
  { accountId, gameId }: { accountId: number; gameId: string },
  hash: Buffer,
  batchId?: number,
): 'used' | 'disowned' | 'inBatch' | undefined {
  const owner = tables.codes.findOwner(gameId, hash);
  if (owner && owner.batchId === batchId) return 'inBatch';
  if (owner?.state === 'redeemed') return 'used';
  if (owner) return owner.accountId === accountId ? 'used' : 'disowned';
  const live = tables.redemptions.findLive(gameId, hash);
  if (!live) return undefined;
  return live.state === 'redeemed' || live.accountId === accountId ? 'used' : 'disowned';
}

type Lot = { gameId: string; denomination: number; amount: number };

/** After a restore: what would be handed out is asked about first. What the platform cannot tell stays where it is. */
async function verifyOldest(
  { store, platform, clock, signal }: CodesDeps,
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

type ExtractRequest = Lot & { idempotencyKey?: IdempotencyKey };

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
