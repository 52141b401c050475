// An order on its way from the first word to the press: the one shape of it, and how it is read out of what people
// write behind /redeem, in its questions, and without any command.
import {
  formatAmount,
  addsUp,
  countCodes,
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
import { actorOf, type BotContext, type BotDeps } from '../context.ts';

/** What is known of an order; what is missing is asked for (advance.ts). */
export interface Draft {
  gameId?: string | undefined;
  /** The game was chosen for the person: others may be meant. */
  isGuessed?: boolean;
  /** One for each player; one at least, of nobody yet perhaps. */
  lines: readonly DraftLine[];
  /** To be redeemed in place of what is in stock. */
  code?: string | undefined;
  /** A code is to be sent, whatever the stock has. */
  isDirect?: boolean;
  /** The person has said that it is the player of this name. */
  isSure?: boolean;
  /** What else of the order was written, and is not understood. */
  unread?: readonly string[];
  rest?: EndedOrders | undefined;
}

/** What is wanted for a player. */
export interface DraftLine {
  playerId?: string | undefined;
  /** As the platform tells it; not looked up without. */
  name?: string | undefined;
  /** Nothing where that is to be chosen. */
  items: readonly OrderItem[];
  /** So much, and no denomination has it. */
  amount?: number | undefined;
  /** Codes that were sent with an order, of one that goes on. */
  given?: number | undefined;
}

/** Ended orders, one a line, whose rest is ordered: as they were seen; it is new where they do not go on with it. */
export interface EndedOrders {
  orders: readonly SeenOrder[];
  isResumed: boolean;
}

/** The newest redemption of the same that the person was told of, 0 for none; and the newest order. */
export type Warned = Pick<KnownDuplicates, 'warnedOf' | 'warnedOfOrder'>;

export const NO_PLAYER: readonly DraftLine[] = [{ items: [] }];

/** A draft for each of its players. */
export const splitLines = ({ lines, rest, ...draft }: Draft): Draft[] =>
  lines.map((line, index) => ({
    ...draft,
    lines: [line],
    rest: rest && { ...rest, orders: rest.orders.slice(index, index + 1) },
  }));

export const countWanted = (lines: readonly DraftLine[]): number =>
  lines.reduce((total, { items, given = 0 }) => total + countCodes(items) + given, 0);

/** What is wanted of each denomination, by all of them together. */
export function countByDenomination(lines: readonly DraftLine[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { denomination, count } of lines.flatMap(({ items }) => items))
    counts.set(denomination, (counts.get(denomination) ?? 0) + count);
  return counts;
}

/** The games that have what is wanted: every one for nothing in particular. */
export function listFitting({ all, managed }: Games, { code, lines }: Draft): readonly Game[] {
  if (code !== undefined) return findGamesFor({ all, managed }, code);
  const making = managed.filter(({ denominations }) =>
    lines.some(({ amount }) => amount !== undefined && addsUp(amount, denominations)),
  );
  if (making.length > 0) return making;
  const wanted = [...countByDenomination(lines).keys()];
  if (wanted.length === 0) return all;
  return managed.filter(({ denominations }) => wanted.every((each) => denominations.includes(each)));
}

/** The game of an order: the one used last where that has what is wanted, else the first that has it. */
export function findDraftGame(deps: Pick<BotDeps, 'core'>, ctx: BotContext, draft: Draft): Game | undefined {
  const { games } = deps.core;
  const fitting = listFitting(games, draft);
  return preferGame(deps, ctx, fitting.length > 0 ? fitting : games.all);
}

/** The one of these that was used last, else the one that comes first for all. */
export function preferGame(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  games: readonly Game[],
): Game | undefined {
  const preferred = [core.lastGame(actorOf(ctx)), core.games.managed[0]?.id];
  const found = preferred.map((wanted) => games.find(({ id }) => id === wanted));
  return found.find((game) => game) ?? games[0];
}

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
export function parseWanted(
  text: string,
  game: Game,
): { denomination: number } | { code: string } | undefined {
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

/** What is wanted for a player, as `parseWanted` has read it. */
export function withWanted(draft: Draft, wanted: { denomination: number } | { code: string }): Draft {
  if ('code' in wanted) return { ...draft, code: wanted.code };
  return withItems(draft, [{ denomination: wanted.denomination, count: 1 }]);
}

/** The same with other items for its one player. */
export const withItems = ({ lines, ...draft }: Draft, items: readonly OrderItem[]): Draft => ({
  ...draft,
  lines: lines.map((line) => ({ ...line, items, amount: undefined })),
});

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
      const what = formatAmount(denomination, game);
      return count > 1 ? `${what} × ${count}` : what;
    })
    .join(', ');
}

/** Of a player whom a message named. */
export function fromNamed(named: NonNullable<ReturnType<BotDeps['core']['findNamed']>>): Draft {
  const { gameId, player, items, amount } = named;
  return { gameId, lines: [{ ...player, items, amount }] };
}
