// Plain messages in a private chat: a player ID is an order form, codes are for the stock, and what could be either is asked about.
// Only a message that is nothing but order forms is looked up at once, since a look-up costs. For support it is a search.
import {
  COST_QUARTERS,
  grantOf,
  readPlainMessage,
  type Candidate,
  type Game,
  type OrderForm,
  type OrderItem,
  type PlainMessage,
} from '../../core/index.ts';
import { may } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, word, type Feature } from '../feature.ts';
import { answerFind } from '../receipts/find.ts';
import { answerTap, reply, showIn } from '../replies.ts';
import { targetOf } from '../replies.ts';
import type { Adding, ImportStart } from '../stock/begin-import.ts';
import { cameWith } from '../stock/collect-codes.ts';
import { stockKeyRows } from '../stock/labels.ts';
import { cancel, CHOICE_MS, showChoices, type Choice } from '../prompts/choices.ts';
import { findConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { buttonId } from '../prompts/choices.ts';
import { writeActivations } from '../texts.ts';
import { advanceDraft } from './advance.ts';
import { findDraftGame, formatItems, fromNamed, NO_PLAYER, parsePlayerId, type Draft } from './draft.ts';
import { describeUnread, formatNotMade } from './screens.ts';

/** What was asked about, as it was written; the one code of it that is asked about. */
interface Question {
  text: string;
  code?: string | undefined;
}

/** What could be a player's name instead: it has the form of a code, or of nothing. */
const MAY_NAME: ReadonlySet<PlainMessage['kind']> = new Set(['code', 'nothing']);
const ASKED = 'asked';
const MOST_GAMES = 20;
const MOST_CODE_ROWS = 10;
/** A code is told by its last characters. */
const ENDING = 4;

type Begin = ImportStart['begin'];

export const createFreeText = (deps: BotDeps, begin: Begin): Feature => ({
  message: (ctx) => answerPlain(deps, begin, ctx),
  buttons: {
    [ASKED]: button('everyone', [word, word], (ctx, id, choice) => pressAnswer(deps, begin, ctx, id, choice)),
  },
});

/** True where it was answered. */
async function answerPlain(deps: BotDeps, begin: Begin, ctx: BotContext): Promise<boolean> {
  const { actor, message } = ctx;
  const written = message?.text ?? message?.caption;
  // What somebody writes who is in no account is not read.
  if (!actor || written === undefined || written.startsWith('/') || message?.document) return false;
  const mayRedeem = grantOf(actor, 'redeem') !== 'no';
  const { read, text } = readReplying(deps, ctx, written);
  const named = mayRedeem && MAY_NAME.has(read.kind) ? deps.core.findNamed(actor, text) : undefined;
  if (!mayRedeem && grantOf(actor, 'searchHistory') !== 'no') await answerFind(deps, ctx, text);
  else if (named) await advanceDraft(deps, ctx, fromNamed(named));
  else if (read.kind === 'nothing') return false;
  else if (read.kind === 'codes') {
    if (await may(ctx, 'addCodes')) await begin(ctx, { isBare: true, came: [cameWith(ctx)] });
  } else if (read.kind === 'again') return offerAgain(deps, ctx);
  else if (await may(ctx, 'redeem')) await answerOrder(deps, ctx, text, read);
  return true;
}

/** An amount that answers a message with one player in it is for that player: unless it is the bot's own. */
function readReplying(deps: BotDeps, ctx: BotContext, written: string): { read: PlainMessage; text: string } {
  const read = readPlainMessage(written, deps.core.games);
  const { reply_to_message: to, quote } = ctx.message ?? {};
  const said = to && to.from?.id !== ctx.me.id ? (quote?.text ?? to.text ?? to.caption ?? '') : '';
  const playerId = read.kind === 'amount' ? parsePlayerId(said) : undefined;
  if (playerId === undefined) return { read, text: written };
  const text = `${playerId} ${written}`;
  return { read: readPlainMessage(text, deps.core.games), text };
}

/** What this person redeemed last, as a confirmation that says for whom and what. */
async function offerAgain(deps: BotDeps, ctx: BotContext): Promise<boolean> {
  const last = deps.core.lastOrder(actorOf(ctx));
  if (!last) return false;
  const { gameId, player, denomination } = last;
  if (await may(ctx, 'redeem'))
    await advanceDraft(deps, ctx, { gameId, lines: [{ ...player, items: [{ denomination, count: 1 }] }] });
  return true;
}

async function answerOrder(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  read: Exclude<PlainMessage, { kind: 'nothing' | 'codes' | 'again' }>,
): Promise<void> {
  switch (read.kind) {
    case 'orders':
      return openForms(deps, ctx, read.orders);
    case 'tooMany':
      await reply(ctx, ctx.say(`plain-too-many-${read.of}`));
      return;
    case 'code':
      return askAboutCode(deps, ctx, text, read.code);
    case 'amount':
      return askAboutAmount(deps, ctx, text, read.item);
    case 'candidates':
      return askAboutPlayers(deps, ctx, text, read);
  }
}

/** A screen for those that are of one game. */
async function openForms(deps: BotDeps, ctx: BotContext, forms: readonly OrderForm[]): Promise<void> {
  const byGame = Map.groupBy(forms, (form) => findDraftGame(deps, ctx, { lines: [form] })?.id);
  for (const lines of byGame.values()) await advanceDraft(deps, ctx, { lines });
}

async function askAboutPlayers(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  { players, more, mayBeCodes, unread }: Extract<PlainMessage, { kind: 'candidates' }>,
): Promise<void> {
  const codes = new Set(players.flatMap((player) => player.codes)).size;
  const rows = players.flatMap((player) => playerRows(deps, ctx, player, codes === 1));
  const key =
    codes > 0 ? 'plain-player-and-code' : mayBeCodes ? 'plain-player-or-code' : 'plain-which-player';
  const cost = writeActivations(ctx.language, COST_QUARTERS.character / 4);
  const lines = [
    ctx.say(key, { count: codes > 0 ? codes : players.length }),
    ctx.say('plain-look-up-cost', { cost }),
    ...players.flatMap(({ amount }) => formatNotMade(deps, ctx, amount)),
    ...describeUnread(ctx, { unread }),
  ];
  if (more.length > 0) lines.push(ctx.say('plain-more-players', { players: more.join(', ') }));
  if (codes > MOST_CODE_ROWS) lines.push(ctx.say('plain-more-codes'));
  if (codes === 0 && players.length > 1) lines.push(ctx.say('plain-a-line-each'));
  const add = mayBeCodes ? [[{ label: ctx.label('button-plain-codes'), value: 'codes' }]] : [];
  await ask(deps, ctx, { text }, lines.join('\n'), [...rows.slice(0, MOST_CODE_ROWS), ...add]);
}

/** A button for the player, or for each code that stands beside it. */
function playerRows(
  deps: BotDeps,
  ctx: BotContext,
  { playerId, items, amount, codes }: Candidate,
  isOneCode: boolean,
): Choice[][] {
  const choice = (what: string, value: string) => {
    const key = what === '' ? 'button-plain-player' : 'button-plain-player-what';
    return [{ label: ctx.label(key, { player: playerId, what }), value }];
  };
  const isSaid = amount === undefined || formatNotMade(deps, ctx, amount).length > 0;
  const wanted = isSaid ? items : [{ denomination: amount, count: 1 }];
  if (codes.length === 0) return [choice(formatItems(wanted, gameWith(deps, items)), playerId)];
  const key = isOneCode ? 'plain-this-code' : 'plain-code-ending';
  return codes.map((code, index) =>
    choice(ctx.label(key, { end: code.slice(-ENDING) }), `${playerId}-${index}`),
  );
}

/** A denomination without a player: for whom, or which codes are to be added? */
function askAboutAmount(deps: BotDeps, ctx: BotContext, text: string, item: OrderItem): Promise<void> {
  const what = formatItems([{ ...item, count: 1 }], gameWith(deps, [item]));
  return ask(deps, ctx, { text }, ctx.say('plain-amount', { what }), [
    [{ label: ctx.label('button-plain-redeem'), value: 'redeem' }],
    [{ label: ctx.label('button-plain-add', { what }), value: 'adding' }],
  ]);
}

/** One code alone: for the stock, or to be redeemed now, and in which game. */
async function askAboutCode(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  code: string,
  messageId?: number,
): Promise<void> {
  const known = await describeKnown(deps, ctx, code);
  if (known?.isSpent) return showIn(ctx, known.html, undefined, messageId);
  const games = deps.core.games.all.filter(({ codePattern }) => codePattern.test(code)).slice(0, MOST_GAMES);
  const redeem = games.map(({ id }) => [
    { label: ctx.label('button-plain-redeem-code', { game: id }), value: `r${buttonId(id)}` },
  ]);
  const stockKeys = text.trim() === code && !known ? listWorths(deps, ctx, code) : undefined;
  const add = known ? [] : [[{ label: ctx.label('button-plain-add-code'), value: 'add' }]];
  const question = ctx.say(stockKeys ? 'plain-one-code-worth' : 'plain-one-code', { code });
  const html = known ? `${known.html}\n\n${question}` : question;
  await ask(deps, ctx, { text, code }, html, [...(stockKeys ?? add), ...redeem], messageId);
}

/** What is known here of a code, to be said before anything is done with it: its receipt, or that it is in the stock. */
async function describeKnown(
  { core }: BotDeps,
  ctx: BotContext,
  code: string,
): Promise<{ html: string; isSpent: boolean } | undefined> {
  const actor = actorOf(ctx);
  const { ids } = await core.search.find(actor, code);
  const spent = core.search
    .read(actor, ids)
    .find(({ state, codeTail }) => state !== 'failed' && codeTail && code.endsWith(codeTail));
  if (spent) {
    const facts = { id: String(spent.id), state: spent.state.replace('_', '-') };
    return { html: ctx.say('plain-code-spent', facts), isSpent: true };
  }
  const isOurs = core.games.managed.some(
    ({ id, codePattern }) => codePattern.test(code) && core.codes.countConflicts(actor, id, [code]).ours > 0,
  );
  return isOurs ? { html: ctx.say('plain-code-ours'), isSpent: false } : undefined;
}

/** What the code may be worth, where one game alone has a stock and nothing beside the code tells. */
function listWorths({ core }: BotDeps, ctx: BotContext, code: string): Choice[][] | undefined {
  const [game, ...others] = core.games.managed;
  if (!game?.codePattern.test(code) || others.length > 0) return undefined;
  return stockKeyRows(ctx, game);
}

async function ask(
  deps: BotDeps,
  ctx: BotContext,
  payload: Question,
  html: string,
  rows: readonly (readonly Choice[])[],
  messageId?: number,
): Promise<void> {
  const kept = { action: ASKED, payload, withinMs: CHOICE_MS };
  await showChoices(deps, ctx, kept, { html, rows: [...rows, [cancel(ctx)]] }, messageId);
}

/** A choice spends nothing by itself, so that it may be pressed again: another player of the same message, for one. */
async function pressAnswer(
  deps: BotDeps,
  begin: Begin,
  ctx: BotContext,
  id: string,
  choice: string,
): Promise<void> {
  const found = findConfirmation<Question>(deps, ctx, ASKED, id);
  if (found.status === 'refused') return answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
  const { text, code } = found.payload;
  const read = readPlainMessage(text, deps.core.games);
  const isAdded =
    choice === 'codes' || choice.startsWith('add') || (code !== undefined && /^\d+$/.test(choice));
  if (!(await may(ctx, isAdded ? 'addCodes' : 'redeem'))) return;
  if (isAdded) return add(deps, begin, ctx, { text, code, read }, choice);
  answerTap(ctx);
  const draft = toDraft(deps, { code, read }, choice);
  // The catalogue has the game of this button no more.
  if (!draft) return void (await reply(ctx, ctx.say('error-gone')));
  const isOnly = read.kind === 'candidates' && read.players.length === 1 && draft.code === undefined;
  const messageId = isOnly ? ctx.callbackQuery?.message?.message_id : undefined;
  await advanceDraft(deps, ctx, draft, { messageId });
}

async function add(
  deps: BotDeps,
  begin: Begin,
  ctx: BotContext,
  { text, code, read }: Question & { read: PlainMessage },
  choice: string,
): Promise<void> {
  const [stock] = deps.core.games.managed;
  const stockKey = stock?.denominations.find((each) => choice === String(each));
  const came = [{ ...cameWith(ctx), message: undefined, text }];
  const beginIt = async (adding: Partial<Adding>): Promise<void> =>
    void (await begin(ctx, { isBare: true, came, ...adding }, targetOf(ctx)));
  if (stock && stockKey !== undefined) return beginIt({ gameId: stock.id, amount: stockKey });
  if (read.kind === 'amount') {
    const { denomination: amount } = read.item;
    return beginIt({ gameId: gameWith(deps, [read.item])?.id, amount, isBare: false, came: [] });
  }
  const [only, another] = read.kind === 'candidates' ? read.players : [];
  const [single = only?.playerId, more] = only?.codes ?? [];
  if (choice === 'codes' && code === undefined && single !== undefined && !another && more === undefined)
    return askAboutCode(deps, ctx, text, single, ctx.callbackQuery?.message?.message_id);
  return beginIt({});
}

/** What a button of the question orders. */
function toDraft(
  { core }: BotDeps,
  { code, read }: { code: string | undefined; read: PlainMessage },
  choice: string,
): Draft | undefined {
  if (read.kind === 'amount') return { lines: [{ items: [read.item] }] };
  const game = core.games.all.find((each) => `r${buttonId(each.id)}` === choice);
  if (game && code !== undefined) return { gameId: game.id, code, lines: NO_PLAYER };
  const [playerId, which] = choice.split('-');
  const player =
    read.kind === 'candidates' ? read.players.find((each) => each.playerId === playerId) : undefined;
  if (!player || read.kind !== 'candidates') return undefined;
  if (which !== undefined) return { lines: [{ playerId, items: [] }], code: player.codes[Number(which)] };
  const { items, amount } = player;
  return { lines: [{ playerId, items, amount }], unread: read.unread };
}

/** The first game with a database that has all of it. */
function gameWith({ core }: Pick<BotDeps, 'core'>, items: readonly OrderItem[]): Game | undefined {
  return core.games.managed.find((game) =>
    items.every(({ denomination }) => game.denominations.includes(denomination)),
  );
}
