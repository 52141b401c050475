// Codes of the stock that the platform refused: how many there are, which, and trying them again; and letting a
// denomination go on that was paused for them (redemption/take-code.ts).
import type { Clock } from '../../clock.ts';
import type { StockKey, Store, Tables } from '../../store/index.ts';
import { listAll } from '../../turns.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { record } from '../audit-log.ts';
import { type Games, requireDenomination, requireCodeDatabase } from '../games.ts';
import { promiseStock } from '../promises.ts';
import { getCurrentActor } from '../members.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import type { Batches } from './batches.ts';
import { changeAll, keepWithBuyers, putBack, readInQuestion, type Slice } from './put-back.ts';

type GameDenomination = Omit<StockKey, 'accountId'>;

/** A denomination with codes that were refused, or that is paused for them. */
export interface BadStockKey extends GameDenomination {
  used: number;
  invalid: number;
  /** Perhaps handed out in a time that a restore has lost: nobody takes them before somebody releases them. */
  inQuestion: number;
  isPaused: boolean;
}

/** A code that was refused, with what the platform said of it, and when. */
export interface BadCode {
  denomination: number;
  code: string;
  answer: 'CODE_USED' | 'INVALID_CODE';
  at: number;
}

export interface BadCodes {
  /** Every denomination that has any, or is paused. */
  list(actor: AccountActor): BadStockKey[];
  /** Whether codes of it are taken by nobody now. */
  isPaused(actor: AccountActor, stockKey: GameDenomination): boolean;
  /** Codes of it are taken again; false where they were. */
  goOn(actor: AccountActor, stockKey: GameDenomination): Promise<boolean>;
  /**
   * Puts what was refused in question: the platform is asked about each before it is used. How many; what does not open
   * any more, or was of a batch that was taken back, stays as it is. Repeating it is safe.
   */
  tryAgain(actor: AccountActor, stockKey: GameDenomination): Promise<number>;
  /** What is in question, for whoever asks their buyers; that it was read stands in the log. */
  readInQuestion(actor: AccountActor, stockKey: GameDenomination): Promise<string[]>;
  /** Of what is in question, what buyers have: the codes of a text (put-back.ts). How many. */
  keepWithBuyers(actor: AccountActor, stockKey: GameDenomination, text: string): Promise<number>;
  /** Lets what is in question be taken again; how many. */
  putBack(actor: AccountActor, stockKey: GameDenomination): Promise<number>;
  /** Those of a denomination, in the order in which they were added. */
  read(actor: AccountActor, stockKey: GameDenomination): Promise<BadCode[]>;
  /** Those of a batch, for whoever may see what was taken back of it; undefined where there is none. */
  readOfBatch(actor: AccountActor, batchId: number): Promise<BadCode[] | undefined>;
}

const AT_ONCE = 100;
const BEFORE_ALL = Buffer.alloc(0);

interface BadCodesDeps {
  store: Store;
  games: Games;
  clock: Clock;
  batches: Pick<Batches, 'find'>;
  witnesses: Pick<Witnesses, 'canTell'>;
}

/** Its verbs throw CoreError FORBIDDEN, INVALID_INPUT (no such game or denomination). */
export function createBadCodes(deps: BadCodesDeps): BadCodes {
  const { store, clock, batches } = deps;
  const nameStockKey = (
    { accountId }: AccountActor,
    { gameId, denomination }: GameDenomination,
  ): StockKey => {
    const game = requireCodeDatabase(deps.games, gameId);
    requireDenomination(game, denomination);
    return { accountId, gameId: game.id, denomination };
  };

  return {
    list(actor) {
      requirePermission(actor, 'handleBadCodes');
      return listBad(deps, actor.accountId);
    },
    isPaused(actor, { gameId, denomination }) {
      requirePermission(actor, 'seeStock');
      const { accountId } = actor;
      return store.read((tables) => tables.stockPauses.isPaused({ accountId, gameId, denomination }));
    },
    goOn(actor, stockKey) {
      return store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'handleBadCodes');
        const { gameId, denomination } = stockKey;
        const name = nameStockKey(actor, stockKey);
        if (!tables.stockPauses.goOn(name)) return false;
        const now = clock.now();
        record(tables, actor, 'stockResumed', { after: { gameId, denomination } }, now);
        promiseStock(tables, name, now);
        return true;
      });
    },
    async tryAgain(actor, name) {
      requirePermission(actor, 'handleBadCodes');
      const stockKey = nameStockKey(actor, name);
      return changeAll(deps, actor, stockKey, questionNext(store, stockKey));
    },
    async readInQuestion(actor, name) {
      requirePermission(actor, 'handleBadCodes');
      return readInQuestion(deps, actor, nameStockKey(actor, name));
    },
    async keepWithBuyers(actor, name, text) {
      requirePermission(actor, 'handleBadCodes');
      return keepWithBuyers(deps, actor, nameStockKey(actor, name), text);
    },
    async putBack(actor, name) {
      requirePermission(actor, 'handleBadCodes');
      return putBack(deps, actor, nameStockKey(actor, name));
    },
    async read(actor, name) {
      requirePermission(actor, 'handleBadCodes');
      const stockKey = nameStockKey(actor, name);
      return readAll((last) =>
        store.read((tables) => tables.codes.listRefused(stockKey, last?.id ?? 0, AT_ONCE)),
      );
    },
    async readOfBatch(actor, batchId) {
      if (!batches.find(actor, batchId)) return undefined;
      const found = await readAll((last) =>
        store.read((tables) => tables.codes.listRefusedOf(batchId, last?.hash ?? BEFORE_ALL, AT_ONCE)),
      );
      return found.sort((a, b) => a.denomination - b.denomination);
    },
  };
}

type Row = ReturnType<Tables['codes']['listRefused']>[number];

function listBad({ store, games }: BadCodesDeps, accountId: number): BadStockKey[] {
  const paused = store.read((tables) => tables.stockPauses.list(accountId));
  const stockKeys = games.managed.flatMap(({ id: gameId, denominations }) => {
    const counts = store.read((tables) => tables.stock.list(accountId, gameId));
    return denominations.map((denomination) => {
      const count = (state: string) =>
        counts.find((row) => row.denomination === denomination && row.state === state)?.count ?? 0;
      const isPaused = paused.some((row) => row.gameId === gameId && row.denomination === denomination);
      return {
        gameId,
        denomination,
        used: count('used'),
        invalid: count('invalid'),
        inQuestion: count('in_question'),
        isPaused,
      };
    });
  });
  return stockKeys.filter(
    ({ used, invalid, inQuestion, isPaused }) => isPaused || used + invalid + inQuestion > 0,
  );
}

function questionNext({ seals, read }: Store, stockKey: StockKey): () => Slice {
  const { gameId } = stockKey;
  const question = ({ codes, redemptions }: Tables, { id, code }: Row, now: number) =>
    code !== undefined &&
    redemptions.findLive(gameId, seals.hash(gameId, code)) === undefined &&
    codes.question(id, now);
  let afterId = 0;
  return () => {
    const rows = read((tables) => tables.codes.listRefused(stockKey, afterId, AT_ONCE));
    afterId = rows.at(-1)?.id ?? afterId;
    return (tables, now) => ({
      changed: rows.filter((row) => question(tables, row, now)).length,
      isFull: rows.length === AT_ONCE,
    });
  };
}

async function readAll(readAfter: (last: Row | undefined) => Row[]): Promise<BadCode[]> {
  return (await listAll(readAfter, AT_ONCE)).flatMap(toBadCode);
}

/** Nothing where it does not open any more. */
function toBadCode({ code, denomination, state, changedAt: at }: Row): BadCode[] {
  return code === undefined
    ? []
    : [{ denomination, code, at, answer: state === 'used' ? 'CODE_USED' : 'INVALID_CODE' }];
}
