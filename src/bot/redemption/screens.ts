// The screens of a draft that end with a choice: the card, which names the player and offers what there is, and the last
// confirmation, whose button is the order. Each keeps the draft that it shows, so that its buttons are about what is
// read above them, whatever was asked since.
import { MINUTE_MS } from '../../clock.ts';
import { addsUp, makeUp, MOST_CODES } from '../../core/index.ts';
import type { Game, OrderItem, OrderRecord, RecentDuplicate } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { labelActor } from '../actor.ts';
import { LONGEST_MESSAGE } from '../replies.ts';
import { cancel, CHOICE_MS, inRows, showChoices, type Choice } from '../prompts/choices.ts';
import { buttonId } from '../prompts/choices.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { name } from '../texts.ts';
import {
  countByDenomination,
  countWanted,
  formatItems,
  listFitting,
  splitLines,
  type Draft,
  type DraftLine,
  type EndedOrders,
  type Warned,
} from './draft.ts';
import { formatAllItems, nameOf } from './order-words.ts';

export type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

/** The action of every screen, and the name of its question. */
export const ORDER = 'order';

/** A screen: the draft as it was shown, and what was asked of it. */
export interface OrderScreen extends Draft, Partial<Warned> {
  asks: 'game' | 'player' | 'same' | 'name' | 'code' | 'what' | 'order';
}

/** What it is of, to be shown anew: what was asked, and warned of, was of that screen alone. */
export const draftOf = ({
  asks: _asks,
  warnedOf: _told,
  warnedOfOrder: _toldOf,
  ...draft
}: OrderScreen): Draft => draft;

export interface ShownAt {
  /** The message that becomes the screen; a new one without. */
  messageId?: number | undefined;
  /** A sentence above it. */
  hint?: string | undefined;
}

/** Telegram takes 100 buttons, and nobody reads so many. */
const MOST_DENOMINATIONS = 60;
const MOST_GAMES = 20;

/** Shows a screen; what has no answer among its buttons alone is answered by the next message, too. */
export async function showScreen(
  deps: Deps,
  ctx: BotContext,
  screen: OrderScreen,
  shown: { html: string; rows: readonly (readonly Choice[])[] },
  place: ShownAt,
): Promise<void> {
  const lasting = screen.asks === 'order' ? {} : { withinMs: CHOICE_MS };
  const kept = { action: ORDER, payload: screen, ...lasting };
  const id = await showChoices(deps, ctx, kept, shown, place.messageId);
  if (screen.asks === 'what' || screen.asks === 'order') await leaveQuestion(ctx);
  else await ask(ctx, ORDER, id);
}

export const other = (ctx: BotContext): Choice => ({
  label: ctx.label('button-other-player'),
  value: 'other',
});

/** A button for each of these games in place of the one that is shown. */
export const gameRows = (ctx: BotContext, key: string, games: readonly Game[]): Choice[][] =>
  games
    .slice(0, MOST_GAMES)
    .map(({ id }) => [{ label: ctx.label(key, { game: id }), value: `g${buttonId(id)}` }]);

/** The card, or the last confirmation where the stock has all that is wanted. */
export async function showOrder(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  game: Game,
  place: ShownAt,
): Promise<void> {
  const { lines, rest } = draft;
  const [line] = lines;
  if (!line || draft.code !== undefined || rest?.isResumed) return showLast(deps, ctx, draft, game, place);
  const stock = countStock(deps, ctx, game);
  if (lines.length > 1) {
    const isThere = [...countByDenomination(lines)].every(([each, count]) => stock.countOf(each) >= count);
    if (isThere && countWanted(lines) <= MOST_CODES) return showLast(deps, ctx, draft, game, place);
    for (const each of splitLines(draft)) await showOrder(deps, ctx, each, game, {});
    return;
  }
  const { amount } = line;
  const items = amount === undefined ? line.items : (makeUp(amount, stock.listThere()) ?? []);
  const short = items.filter(({ denomination, count }) => stock.countOf(denomination) < count);
  const made = { ...line, items };
  const hints = [...describeAmount(ctx, made, game, stock), ...describeUnread(ctx, draft)];
  const known = { ...draft, lines: [made] };
  if (items.length > 0 && short.length === 0) return showLast(deps, ctx, known, game, { ...place, hints });
  await showCard(deps, ctx, known, { game, stock, short, hints }, place);
}

interface Offer {
  game: Game;
  stock: Stock;
  short: readonly OrderItem[];
  hints: readonly string[];
}

async function showCard(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  { game, stock, short, hints }: Offer,
  place: ShownAt,
): Promise<void> {
  const [line] = draft.lines;
  const missing = short.map(({ denomination }) => {
    const [what, count] = [`${denomination} ${game.currency}`, stock.countOf(denomination)];
    if (stock.paused.includes(denomination)) return ctx.say('redeem-paused', { what });
    return ctx.say(count === 0 ? 'redeem-none-left' : 'redeem-few-left', { what, count });
  });
  const isEmpty = stock.listThere().length === 0 && stock.paused.length === 0;
  const question = !isEmpty ? 'redeem-what' : game.database ? 'redeem-stock-empty' : 'redeem-code-only';
  const html = [
    ctx.say('redeem-card', { game: game.id, name: name(line?.name ?? ''), player: line?.playerId ?? '' }),
    '',
    ...warnOfRest(deps, ctx, draft.rest),
    ...(place.hint === undefined ? [] : [place.hint]),
    ...hints,
    ...missing,
    ctx.say(question, { game: game.id }),
  ].join('\n');
  const others = listFitting(deps.core.games, { lines: [] }).filter(({ id }) => id !== game.id);
  const rows = [
    ...denominationRows(ctx, game, stock),
    [{ label: ctx.label('button-send-code'), value: 'code' }],
    ...gameRows(ctx, 'button-card-game', others),
    [other(ctx), cancel(ctx)],
  ];
  await showScreen(deps, ctx, { ...draft, asks: 'what' }, { html, rows }, place);
}

/** Two in a row; none for what is not there. What is paused says so when it is pressed. */
function denominationRows(ctx: BotContext, game: Game, stock: Stock): Choice[][] {
  const nameIt = (denomination: number) => `${denomination} ${game.currency}`;
  const buttons = [
    ...stock
      .listThere()
      .slice(0, MOST_DENOMINATIONS)
      .map(({ denomination, count }) => ({
        label: ctx.label('redeem-denomination', { what: nameIt(denomination), count: String(count) }),
        value: `d${denomination}`,
      })),
    ...stock.paused.map((each) => ({ label: `⏸ ${nameIt(each)}`, value: `d${each}` })),
  ];
  return inRows(buttons, 2);
}

/**
 * The last confirmation: it names player, game, what is taken and what it costs, and warns of what the player has just
 * got. For several players it has a line each; what has no room in a message is one for each.
 */
async function showLast(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  game: Game,
  { messageId, hint, hints = [] }: ShownAt & { hints?: readonly string[] },
): Promise<void> {
  const { lines, rest } = draft;
  const isSeveral = lines.length > 1;
  const warnings = draft.code === undefined ? findWarnings(deps, ctx, draft) : [];
  const above = [
    ...warnOfRest(deps, ctx, rest),
    ...(hint === undefined ? [] : [hint]),
    ...(rest?.isResumed ? describeShort(deps, ctx, draft, game) : []),
    ...hints,
    ...(draft.code === undefined ? [] : describeUnread(ctx, draft)),
  ];
  const words = describeLast(deps, ctx, draft, { game, warnings });
  const html = [...above, ...(above.length > 0 ? [''] : []), words].join('\n');
  if (isSeveral && html.length > LONGEST_MESSAGE) {
    for (const each of splitLines(draft)) await showLast(deps, ctx, each, game, {});
    return;
  }
  const seen = listEnded(deps, ctx, rest).map(({ id, standing }) => ({ id, seen: standing }));
  const screen: OrderScreen = {
    ...{ ...draft, ...noteWarned(warnings), asks: 'order' },
    rest: rest && { ...rest, orders: seen },
  };
  const [once, again] = isSeveral
    ? (['button-redeem-all', 'button-redeem-all-again'] as const)
    : (['button-redeem', 'button-redeem-again'] as const);
  const ok: Choice =
    warnings.length > 0
      ? { label: ctx.label(again), value: 'ok' }
      : { label: ctx.label(once), value: 'ok', style: 'success' };
  const offersGames = !isSeveral && !rest?.isResumed && (draft.code === undefined || draft.isGuessed);
  const others = offersGames ? listFitting(deps.core.games, draft).filter(({ id }) => id !== game.id) : [];
  const rows = [
    [ok, cancel(ctx)],
    ...(isSeveral ? [[{ label: ctx.label('button-one-by-one'), value: 'each' }]] : []),
    ...gameRows(ctx, 'button-card-game', others),
  ];
  await showScreen(deps, ctx, screen, { html, rows }, { messageId });
}

interface Warning {
  line: DraftLine;
  item: OrderItem;
  same: RecentDuplicate;
}

function describeLast(
  deps: Deps,
  ctx: BotContext,
  { lines, code }: Draft,
  { game, warnings }: { game: Game; warnings: readonly Warning[] },
): string {
  const warn = (warning: Warning) => describeWarning(deps, ctx, warning, game.currency);
  const whoOf = ({ playerId = '', name: told = '' }: DraftLine) => ({ name: name(told), player: playerId });
  const count = code === undefined ? countWanted(lines) : 1;
  const cost = ctx.say('redeem-confirm-cost', { count });
  const [line, another] = lines;
  if (line && !another) {
    const what = formatAllItems(ctx, lines, game);
    const key = line.given === undefined ? 'redeem-confirm-stock' : 'redeem-confirm-codes';
    return [
      ctx.say('redeem-confirm', { game: game.id, ...whoOf(line) }),
      code === undefined ? ctx.say(key, { what, count }) : ctx.say('redeem-confirm-code', { code }),
      cost,
      ...warnings.map((warning) => `\n${warn(warning)}`),
    ].join('\n');
  }
  const each = lines.flatMap((own) => [
    ctx.say('redeem-confirm-line', { ...whoOf(own), what: formatAllItems(ctx, [own], game) }),
    ...warnings.filter((warning) => warning.line === own).map(warn),
  ]);
  const title = ctx.say('redeem-confirm-lines', { game: game.id, players: lines.length, count });
  return [title, '', ...each, '', cost].join('\n');
}

function findWarnings({ core }: Deps, ctx: BotContext, { gameId = '', lines }: Draft): Warning[] {
  const asked = lines.flatMap((line) => line.items.map((item) => ({ line, item })));
  return asked.flatMap(({ line, item }) => {
    const { playerId = '' } = line;
    const wanted = { gameId, playerId, denomination: item.denomination };
    const same = core.findRecentDuplicate(actorOf(ctx), wanted);
    return same ? [{ line, item, same }] : [];
  });
}

/** The newest of what a person was warned of. */
function noteWarned(warnings: readonly Warning[]): Warned {
  const warnedOfOrder = Math.max(0, ...warnings.map(({ same }) => same.orderId));
  const warnedOf = Math.max(0, ...warnings.map(({ same }) => same.redemptionId));
  return { warnedOf, ...(warnedOfOrder > 0 && { warnedOfOrder }) };
}

function describeWarning(
  { core, clock }: Deps,
  ctx: BotContext,
  { item, same }: Warning,
  currency: string,
): string {
  const minutes = Math.max(0, Math.floor((clock.now() - same.createdAt) / MINUTE_MS));
  const ago =
    minutes < 60
      ? ctx.say('redeem-minutes-ago', { minutes })
      : ctx.say('redeem-hours-ago', { hours: Math.floor(minutes / 60) });
  const words = ctx.say(`redeem-same-${same.state.replace('_', '-')}`, {
    what: formatItems([{ ...item, count: 1 }], { currency }),
    who: labelActor(ctx.label, same.actorLabel),
    ago,
  });
  const isTheirs = core.receipts.find(actorOf(ctx), same.redemptionId) !== undefined;
  return isTheirs ? `${words} /receipt_${same.redemptionId}` : words;
}

const listEnded = ({ core }: Pick<Deps, 'core'>, ctx: BotContext, rest?: EndedOrders): OrderRecord[] =>
  (rest?.orders ?? []).flatMap(({ id }) => core.orders.find(actorOf(ctx), id) ?? []);

/** Of each that went on as another order already. */
const warnOfRest = (deps: Pick<Deps, 'core'>, ctx: BotContext, rest?: EndedOrders): string[] =>
  listEnded(deps, ctx, rest).flatMap((order) => warnOfReplaced(deps, ctx, order));

/** What was missing of it was ordered already, maybe for another player: ordered again, it would be bought twice. */
export function warnOfReplaced(
  { core }: Pick<Deps, 'core'>,
  ctx: BotContext,
  { replacedBy, playerId }: OrderRecord,
): string[] {
  if (replacedBy === undefined) return [];
  const next = core.orders.find(actorOf(ctx), replacedBy);
  const whose = next?.playerId === playerId ? 'same' : next ? 'other' : 'unknown';
  return [ctx.say('order-replaced', { before: playerId, ...nameOf(next), whose })];
}

/** What goes on waits for what is not in stock. */
function describeShort({ core }: Deps, ctx: BotContext, { lines }: Draft, game: Game): string[] {
  const stock = core.codes.countAvailable(actorOf(ctx), game.id);
  const short = [...countByDenomination(lines)].filter(([each, count]) => (stock.get(each) ?? 0) < count);
  const what = short.map(([denomination]) => formatItems([{ denomination, count: 1 }], game)).join(', ');
  return short.length > 0 ? [ctx.say('order-rest-waits', { what })] : [];
}

/** What there is of a game; what the platform refused too often is paused, whatever there is of it. */
interface Stock {
  countOf(denomination: number): number;
  listThere(): OrderItem[];
  paused: readonly number[];
}

function countStock({ core }: Pick<Deps, 'core'>, ctx: BotContext, { id: gameId, database }: Game): Stock {
  const actor = actorOf(ctx);
  const all = database ? [...core.codes.countAvailable(actor, gameId)] : [];
  const there = all.flatMap(([denomination, count]) => (count > 0 ? [{ denomination, count }] : []));
  const isPaused = ({ denomination }: OrderItem) => core.badCodes.isPaused(actor, { gameId, denomination });
  const { paused = [], open = [] } = Object.groupBy(there, (each) => (isPaused(each) ? 'paused' : 'open'));
  return {
    countOf: (wanted) => open.find(({ denomination }) => denomination === wanted)?.count ?? 0,
    listThere: () => open,
    paused: paused.map(({ denomination }) => denomination),
  };
}

/** Of what an amount is made that no denomination has, or that it cannot be. */
function describeAmount(ctx: BotContext, { amount, items }: DraftLine, game: Game, stock: Stock): string[] {
  if (amount === undefined) return [];
  const pack = items.flatMap(({ denomination, count }) => Array<number>(count).fill(denomination));
  const what = `${amount} ${game.currency}`;
  if (pack.length === 0) return [formatNoPack(ctx, what, stock.listThere())];
  return [ctx.say('redeem-pack', { what, pack: pack.join(' + ') })];
}

export const describeUnread = (ctx: BotContext, { unread = [] }: Pick<Draft, 'unread'>): string[] =>
  unread.length > 0 ? [ctx.say('redeem-unread', { words: unread.join(', ') })] : [];

/** That no denomination is so much and nothing adds up to it, with what there is. */
function formatNoPack(ctx: BotContext, what: string, stock: readonly OrderItem[]): string {
  const there = stock.map(({ denomination }) => denomination).join(', ');
  return ctx.say('redeem-no-pack', { what, count: stock.length, there });
}

/**
 * That no game has what adds up to it, to be said before a look-up is paid for; nothing where it can be made, or none
 * has a stock.
 */
export function formatNotMade(
  deps: Pick<Deps, 'core'>,
  ctx: BotContext,
  amount: number | undefined,
): string[] {
  const { managed } = deps.core.games;
  const [game] = managed;
  const isMade = managed.some(({ denominations }) => amount !== undefined && addsUp(amount, denominations));
  if (!game || amount === undefined || isMade) return [];
  return [formatNoPack(ctx, `${amount} ${game.currency}`, countStock(deps, ctx, game).listThere())];
}
