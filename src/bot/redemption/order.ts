// What is to be redeemed, as people write it behind /redeem and in its questions; and what an order is once it is
// known.
import {
  foldWritten,
  readCode,
  readPlainMessage,
  readPlayerId,
  type Game,
  type Games,
  type IdempotencyKey,
  type KnownDuplicates,
  type OrderForm,
  type OrderItem,
  type SeenOrder,
} from '../../core/index.ts';
import type { BotContext } from '../context.ts';

export interface OrderPlayer {
  playerId: string;
  name: string;
}

/** What is taken: a code of the database, or one that was sent. */
export type Wanted = { denomination: number } | { code: string };

/** What is wanted for a player. */
export interface Wish {
  /** Nothing where that is to be chosen. */
  items: OrderItem[];
  /** So much, and no denomination has it. */
  amount?: number;
  /** What else of an order was written, and is not understood. */
  unread?: string[];
}

/** The newest redemption of the same that the person was told of, 0 for none; and the newest order. */
export type Warned = Pick<KnownDuplicates, 'warnedOf' | 'warnedOfOrder'>;

/** Ended orders, one a line, whose rest is ordered: as they were seen; it is new where they do not go on with it. */
export interface EndedOrders {
  orders: readonly SeenOrder[];
  isResumed: boolean;
}

/** The payload of the confirmation. */
export type RedeemOrder = { gameId: string; player: OrderPlayer } & Partial<Warned> & Wanted;

/** What is wanted for a player. */
export interface OrderLine {
  player: OrderPlayer;
  items: readonly OrderItem[];
  /** Codes that were sent with an order, of one that goes on. */
  given?: number;
}

/** The payload of a confirmation of several codes, for one player or several. */
export interface CodesOrder extends Warned {
  gameId: string;
  lines: OrderLine[];
  rest?: EndedOrders;
}

/** The actions of the confirmations. */
export const REDEEM_NOW = 'redeem-now';
export const REDEEM_CODES = 'redeem-all';
/** Before what the button of such an order carries: a confirmation for each player instead. */
export const ONE_BY_ONE = 'one-by-one';

/** No letter touches it, no other digits, and neither does what holds a code together; `id` before it may. */
const ID_BY_ITSELF =
  /(?<![\p{L}\p{N}_])(?<![\p{L}\p{N}][./-])(?:(?:[up]?id|player|айди|ид|игрок)[\s:=#№.-]*)?([0-9]{5,20})(?:id|ид)?(?![\p{L}\p{N}_]|[./-][\p{L}\p{N}])/giu;

/** The player ID in what somebody wrote; undefined when there is none, or more than one. */
export function parsePlayerId(text: string): string | undefined {
  const [only, another] = [...foldWritten(text).matchAll(ID_BY_ITSELF)];
  return readPlayerId(text) ?? (another ? undefined : only?.[1]);
}

/** The one order form that a text is; undefined where it is anything else. */
export function readForm(text: string, games: Pick<Games, 'all' | 'managed'>): OrderForm | undefined {
  const read = readPlainMessage(text, games);
  if (read.kind === 'candidates' && read.players.length === 1 && read.unread.length === 0) {
    const { playerId, items, amount } = read.players[0] ?? {};
    // Nothing adds up to it: it is said so beside the player.
    if (playerId !== undefined && items && amount !== undefined) return { playerId, items, amount };
  }
  return read.kind === 'orders' && read.orders.length === 1 ? read.orders[0] : undefined;
}

/** A denomination of the game (`60`, `60 UC`) or a code of its form, also in groups; undefined when it is neither. */
export function parseWanted(text: string, game: Game): Wanted | undefined {
  const [first = '', unit, ...rest] = text.trim().split(/\s+/);
  const isUnit = unit === undefined || unit.toLowerCase() === game.currency.toLowerCase();
  const isNumber = /^[0-9]{1,9}$/.test(first);
  if (
    game.database &&
    isNumber &&
    isUnit &&
    rest.length === 0 &&
    game.denominations.includes(Number(first))
  ) {
    return { denomination: Number(first) };
  }
  const code = readCode(text.trim(), (word) => game.codePattern.test(word));
  return code === undefined ? undefined : { code };
}

/** The games that what was written can be for: a denomination that they have, or a code of their form. */
export function findGamesFor(
  { all, managed }: Pick<Games, 'all' | 'managed'>,
  wanted: string | undefined,
): readonly Game[] {
  if (wanted === undefined) return all;
  const fitting = all.filter((game) => parseWanted(wanted, game));
  if (fitting.length > 0) return fitting;
  return managed.length > 0 ? managed : all;
}

/** Handled again after a crash, an update pays for a look-up once. */
export function keyOfLookUp(ctx: Pick<BotContext, 'update'>, playerId: string): IdempotencyKey {
  return { scope: 'chat', key: `look-up:${ctx.update.update_id}:${playerId}` };
}

/** `60 UC × 2, 325 UC`. */
export function formatItems(items: readonly OrderItem[], game: Pick<Game, 'currency'> | undefined): string {
  return items
    .map(({ denomination, count }) => {
      const what = `${denomination} ${game?.currency ?? ''}`.trim();
      return count > 1 ? `${what} × ${count}` : what;
    })
    .join(', ');
}

/** The conversation that asks step by step. */
export const REDEEM = 'redeem';

/** What is known at its beginning; what is known is not asked. */
export interface RedeemStart {
  gameId?: string;
  /** Confirmed by name. */
  player?: OrderPlayer;
  /** Still to be looked up. */
  playerId?: string;
  /** A code is to be sent, whatever the stock has. */
  direct?: boolean;
  /** A denomination or a code, as it was written. */
  wanted?: string;
  /** The same, understood. */
  wish?: Wish;
  /** The order of which that is the rest, whoever it is for. */
  rest?: EndedOrders;
}
