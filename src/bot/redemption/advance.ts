// One way for every order, wherever it comes from: what is missing of the draft is asked for, one screen at a time, in
// the order game, player, name, what. A button or a typed answer fills it in, and it goes on from there.
import { CoreError, readPlainMessage, type Game } from '../../core/index.ts';
import { actorOf, type BotContext } from '../context.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import { isSubscriptionKey, replyNotBegun, replySubscriptionNeeded } from '../billing/payment-required.ts';
import { answerTap, editHtml, showIn } from '../replies.ts';
import { buttonId, cancel, type Choice, isGame } from '../prompts/choices.ts';
import { findConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { name } from '../texts.ts';
import {
  findDraftGame,
  keyOfLookUp,
  parsePlayerId,
  parseWanted,
  readForm,
  splitLines,
  withItems,
  withWanted,
  type Draft,
  type DraftLine,
} from './draft.ts';
import {
  draftOf,
  gameRows,
  ORDER,
  other,
  showOrder,
  showScreen,
  type Deps,
  type ShownAt,
  type OrderScreen,
} from './screens.ts';

/** Shows what comes next of a draft: one screen, or one for each of its players. */
export async function advanceDraft(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  place: ShownAt = {},
): Promise<void> {
  const game = findGame(deps, ctx, draft);
  if (game === 'ask') return showGames(deps, ctx, draft, place);
  // The catalogue has the game no more.
  if (!game) return showIn(ctx, ctx.say('error-gone'), undefined, place.messageId);
  const isGuessed = (draft.gameId === undefined && deps.core.games.all.length > 1) || draft.isGuessed;
  const known: Draft = { ...draft, gameId: game.id, ...(isGuessed && { isGuessed }) };
  if (draft.lines.some(({ playerId }) => playerId === undefined)) return showPlayers(deps, ctx, known, place);
  const named = await nameAll(deps, ctx, known, place);
  if (!named) return;
  const hasCard = !named.isDirect && (game.database || named.isGuessed);
  if (hasCard || named.code !== undefined) return showOrder(deps, ctx, named, game, place);
  await (named.isSure ? showCode : showName)(deps, ctx, named, place);
}

/** What is wanted tells the game; where nothing is known at all it is asked. */
function findGame({ core }: Deps, ctx: BotContext, draft: Draft): Game | 'ask' | undefined {
  if (draft.gameId !== undefined) return core.games.find(draft.gameId);
  const [line] = draft.lines;
  const isBare = line?.playerId === undefined && line?.items.length === 0 && draft.code === undefined;
  return isBare && core.games.all.length > 1 ? 'ask' : findDraftGame({ core }, ctx, draft);
}

function showGames(deps: Deps, ctx: BotContext, draft: Draft, place: ShownAt): Promise<void> {
  const rows = [...gameRows(ctx, 'game-name', deps.core.games.all), [cancel(ctx)]];
  const shown = { html: ctx.say('redeem-game'), rows };
  return showScreen(deps, ctx, { ...draft, asks: 'game' }, shown, place);
}

function showPlayers(deps: Deps, ctx: BotContext, draft: Draft, place: ShownAt): Promise<void> {
  const players = deps.core.lastPlayers(actorOf(ctx), draft.gameId ?? '');
  const rows = players.map((player) => [
    { label: `${name(player.name)} · ${player.playerId}`, value: `p${player.playerId}` },
  ]);
  const question = ctx.say(players.length === 0 ? 'redeem-player' : 'redeem-player-or-known');
  const shown = { html: hinted(place, question), rows: [...rows, [cancel(ctx)]] };
  return showScreen(deps, ctx, { ...draft, asks: 'player' }, shown, place);
}

/** The draft with the players that the platform knows, by name; undefined where the person was told why it stops. */
async function nameAll(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  place: ShownAt,
): Promise<Draft | undefined> {
  const answers = await lookUp(deps, ctx, draft, place);
  const isSeveral = draft.lines.length > 1;
  const lines: DraftLine[] = [];
  for (const [index, answer] of (answers ?? []).entries()) {
    const [each = draft] = splitLines(draft).slice(index);
    if (answer.status === 'found') lines.push(...each.lines.map((line) => ({ ...line, name: answer.name })));
    else await showUnnamed(deps, ctx, each, answer.status, { place, isSeveral });
  }
  return lines.length > 0 ? { ...draft, lines } : undefined;
}

type Told = { status: 'found'; name: string } | { status: 'notFound' | 'unreachable' | 'notOffered' };

/** What the platform knows of each line's player; undefined where nobody can be looked up: the person was told. */
async function lookUp(
  { core }: Deps,
  ctx: BotContext,
  { gameId = '', lines }: Draft,
  { messageId }: ShownAt,
): Promise<Told[] | undefined> {
  const actor = actorOf(ctx);
  const find = async ({ playerId = '', name: known }: DraftLine) =>
    known === undefined
      ? core.findCharacter(actor, { gameId, playerId }, keyOfLookUp(ctx, playerId))
      : ({ status: 'found', name: known } as const);
  if (lines.some((line) => line.name === undefined))
    void ctx.replyWithChatAction('typing').catch(() => undefined);
  try {
    const told: Told[] = [];
    for (const answer of await Promise.all(lines.map(find))) {
      if (answer.status === 'quotaExceeded' || answer.status === 'tooManyBadRequests')
        return void (await replyNotBegun(ctx, answer, messageId));
      told.push(answer);
    }
    return told;
  } catch (error) {
    const key = error instanceof CoreError && !isInterrupted(error) ? keyOf(error) : undefined;
    if (!isSubscriptionKey(key)) throw error;
    return void (await replySubscriptionNeeded(ctx, key, messageId));
  }
}

/** Of several players each has its own words, and an ID cannot be asked for of each. */
async function showUnnamed(
  deps: Deps,
  ctx: BotContext,
  draft: Draft,
  status: Exclude<Told['status'], 'found'>,
  { place, isSeveral }: { place: ShownAt; isSeveral: boolean },
): Promise<void> {
  const [{ playerId = '' }] = draft.lines as [DraftLine];
  const telling = (key: string) => `${ctx.say(key)}\nID ${playerId}`;
  const leave = [other(ctx), cancel(ctx)];
  const show = (asks: 'player' | 'same', html: string, rows: readonly (readonly Choice[])[]) =>
    showScreen(deps, ctx, { ...draft, asks }, { html, rows }, isSeveral ? {} : place);
  switch (status) {
    case 'notFound':
      if (isSeveral) return show('player', telling('redeem-player-unknown'), [leave]);
      return showPlayers(deps, ctx, draft, { ...place, hint: telling('redeem-player-unknown') });
    case 'unreachable': {
      const again = { label: ctx.label('button-try-again'), value: 'again' };
      return show('player', telling('redeem-unreachable'), [[again, other(ctx)], [cancel(ctx)]]);
    }
    case 'notOffered':
      // An ID that is sent twice alike is the one.
      if (!isSeveral) return show('same', ctx.say('redeem-unnamed', { player: playerId }), [leave]);
      return showIn(ctx, telling('plain-one-at-a-time'), undefined, undefined);
  }
}

/** Where nothing can be chosen beside the name, it is asked about by itself; a code that is sent is a yes. */
function showName(deps: Deps, ctx: BotContext, draft: Draft, place: ShownAt): Promise<void> {
  const [{ name: told = '', playerId = '' }] = draft.lines as [DraftLine];
  const question = ctx.say('redeem-is-it', { name: name(told), player: playerId });
  const rows = [[{ label: ctx.label('button-thats-the-one'), value: 'yes' }], [other(ctx), cancel(ctx)]];
  const shown = { html: hinted(place, question), rows };
  return showScreen(deps, ctx, { ...draft, asks: 'name' }, shown, place);
}

function showCode(deps: Deps, ctx: BotContext, draft: Draft, place: ShownAt): Promise<void> {
  const question = ctx.say('redeem-code', { game: draft.gameId ?? '' });
  const shown = { html: hinted(place, question), rows: [[cancel(ctx)]] };
  return showScreen(deps, ctx, { ...draft, asks: 'code' }, shown, place);
}

const hinted = ({ hint }: ShownAt, question: string) =>
  hint === undefined ? question : `${hint}\n\n${question}`;

/** A button of a screen but Redeem: nothing is spent by it, so that it may be pressed again. */
export async function choose(deps: Deps, ctx: BotContext, id: string, choice: string): Promise<void> {
  const found = findConfirmation<OrderScreen>(deps, ctx, ORDER, id);
  if (found.status === 'refused') {
    if (found.key === 'confirmation-expired' && (await askLate(deps, ctx, id))) return;
    return answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
  }
  const { asks } = found.payload;
  const draft = draftOf(found.payload);
  if (choice === 'each') return askOneByOne(deps, ctx, id, draft);
  const [line = { items: [] }] = draft.lines;
  const [kind, what] = [choice.charAt(0), choice.slice(1)];
  // A card may be pressed once more: what is typed for it is asked for below.
  const isBelow = asks === 'what' && (choice === 'code' || choice === 'other');
  const filled = fill();
  if (filled) await advanceDraft(deps, ctx, filled, isBelow ? {} : { messageId: pressed(ctx) });

  function fill(): Draft | undefined {
    if (choice === 'again') return draft;
    if (choice === 'yes') return { ...draft, isSure: true };
    if (choice === 'code') return { ...withItems(draft, []), isDirect: true, isSure: true };
    if (choice === 'other') return { ...draft, isSure: false, lines: [toNobody(line)] };
    if (kind === 'p') {
      const known = deps.core.lastPlayers(actorOf(ctx), draft.gameId ?? '');
      const told = known.find(({ playerId }) => playerId === what)?.name;
      return { ...draft, lines: [{ ...line, playerId: what, name: told }] };
    }
    if (kind === 'g') {
      const game = deps.core.games.all.find((each) => buttonId(each.id) === what);
      const isGuessed = asks !== 'game';
      // An ended order is of its game.
      return {
        ...{ ...draft, gameId: game?.id ?? '', isGuessed, isSure: false, rest: undefined },
        lines: [{ ...line, name: undefined }],
      };
    }
    const denomination = Number(what);
    const isOurs = kind === 'd' && Number.isSafeInteger(denomination);
    const { gameId = '' } = draft;
    if (isOurs && !deps.core.badCodes.isPaused(actorOf(ctx), { gameId, denomination }))
      return withItems(draft, [{ denomination, count: 1 }]);
    answerTap(ctx, ctx.label(isOurs ? 'receipt-reason-paused' : 'button-old'), true);
    return undefined;
  }
}

/** A last confirmation that was pressed too late is asked once more, in its place; false where it is none. */
export async function askLate(deps: Deps, ctx: BotContext, id: string): Promise<boolean> {
  const { payload = '{}' } = deps.store.confirmations.find(id) ?? {};
  const { asks, ...draft } = JSON.parse(payload) as Partial<OrderScreen>;
  if (asks !== 'order' || !draft.lines) return false;
  answerTap(ctx, ctx.label('confirmation-late'), true);
  await advanceDraft(deps, ctx, { ...draft, lines: draft.lines }, { messageId: pressed(ctx) });
  return true;
}

const pressed = (ctx: BotContext) => ctx.callbackQuery?.message?.message_id;

/** A screen for each player in place of one for all, which is used up by that. */
async function askOneByOne(deps: Deps, ctx: BotContext, id: string, draft: Draft): Promise<void> {
  ctx.turn.uses(id);
  await editHtml(ctx, ctx.say('redeem-one-by-one'));
  for (const each of splitLines(draft)) await advanceDraft(deps, ctx, each);
}

/** What is wanted, for somebody else. */
const toNobody = (line: DraftLine): DraftLine => ({ ...line, playerId: undefined, name: undefined });

/** A typed answer to a screen; false where it is none, and is read as what came by itself. */
export async function hear(deps: Deps, ctx: BotContext, id: string, text: string): Promise<boolean> {
  const found = findConfirmation<OrderScreen>(deps, ctx, ORDER, id);
  if (found.status === 'refused') return false;
  ctx.madeOf = `${ctx.madeOf ?? ''}${ctx.message?.message_id},`;
  const { asks, ...draft } = found.payload;
  const answer = read(deps, ctx, { ...draft, asks }, text);
  if (!answer) return false;
  // What was answered is not to be answered by a button, too.
  ctx.turn.uses(id);
  await advanceDraft(deps, ctx, { ...draft, ...answer.draft }, { hint: answer.hint });
  return true;
}

type Heard = { draft?: Draft; hint?: string | undefined } | undefined;

function read({ core }: Deps, ctx: BotContext, screen: OrderScreen, text: string): Heard {
  const { asks, gameId = '' } = screen;
  if (asks === 'game') {
    const game = core.games.all.find((each) => isGame(ctx, each.id, text));
    if (game) return { draft: { ...screen, gameId: game.id } };
    return isOrder(text, core.games) ? undefined : {};
  }
  const game = core.games.find(gameId);
  const wanted = game && parseWanted(text, game);
  if (asks === 'code') {
    if (wanted) return { draft: { ...withWanted(screen, wanted), isDirect: false } };
    return isOrder(text, core.games) ? undefined : { hint: ctx.say('redeem-code-form', { game: gameId }) };
  }
  if (asks === 'name' && wanted && 'code' in wanted && /\D/.test(wanted.code))
    return { draft: withWanted(screen, wanted) };
  return readPlayer({ core }, ctx, screen, text);
}

function readPlayer({ core }: Pick<Deps, 'core'>, ctx: BotContext, screen: OrderScreen, text: string): Heard {
  const [line = { items: [] }] = screen.lines;
  // A player with another code than the one that is in hand is another order.
  if (screen.code !== undefined && hasCodes(text, core.games)) return undefined;
  const form = readForm(text, core.games);
  const playerId = form?.playerId ?? parsePlayerId(text);
  if (playerId === undefined && isOrder(text, core.games)) return undefined;
  if (playerId === undefined)
    return { draft: { ...screen, lines: [toNobody(line)] }, hint: ctx.say('redeem-player-form') };
  const isSame = screen.asks === 'same' && playerId === line.playerId;
  const { items, amount } = form && (form.items.length > 0 || form.amount !== undefined) ? form : line;
  const beside = text.replace(playerId, '').trim();
  const isAnother = screen.asks === 'name' && playerId !== line.playerId;
  return {
    draft: {
      ...screen,
      isSure: false,
      lines: [{ ...line, playerId, name: isSame ? playerId : undefined, items, amount }],
      ...(screen.code !== undefined && { unread: /\d/.test(beside) ? [beside] : [] }),
    },
    ...(isAnother && { hint: ctx.say('redeem-another-id', { before: line.playerId ?? '' }) }),
  };
}

const hasCodes = (text: string, games: Deps['core']['games']): boolean => {
  const message = readPlainMessage(text, games);
  return message.kind === 'candidates' && message.players.some(({ codes }) => codes.length > 0);
};

/** Whoever is asked for something else and writes an order begins anew. */
const isOrder = (text: string, games: Deps['core']['games']): boolean =>
  ['orders', 'candidates', 'tooMany', 'amount', 'codes'].includes(readPlainMessage(text, games).kind);
