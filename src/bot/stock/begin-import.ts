// What an import begins with. There is one import a person: what is open already is gone on with or dropped, then the
// game and the denomination are asked for where they are open. What comes meanwhile is kept with the question; from
// then on the import's row is all that there is, and its preview the only message.
import { readPlainMessage, type Game } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { CHOICE_MS, showChoices, takeChoice, type Choice } from '../prompts/choices.ts';
import { editHtml } from '../replies.ts';
import { targetOf, type Target } from '../replies.ts';
import { findConfirmation } from '../prompts/confirmations.ts';
import { readOrder } from './code-order.ts';
import { cameWith, isDone, isForOthers, type Came, type Collecting, type Open } from './collect-codes.ts';
import { createGameQuestion } from './choose-game.ts';
import { type PreviewNote, showNow } from './import-message.ts';
import { stockKeyRows } from './labels.ts';

/** What is to be added, as far as it is known. */
export interface Adding {
  gameId?: string | undefined;
  /** As it was written behind the command; the game may not have it. */
  amount?: number | undefined;
  /** The text of the codes says what they are worth. */
  isByText?: boolean;
  /** It came without a command: it joins what was begun not long ago. */
  isBare?: boolean;
  came: Came[];
}

export interface ImportStart extends Pick<Feature, 'buttons' | 'questions'> {
  /** `target`: the message that becomes that of the import. */
  begin(ctx: BotContext, adding: Adding, target?: Target): Promise<unknown>;
}

interface Tools {
  deps: BotDeps;
  collecting: Collecting;
}

type Begin = ImportStart['begin'];

const OPEN = 'add:open';
const GAME = 'add:game';
const STOCK_KEY = 'add:key';
const needs = 'addCodes';

export function createImportStart(tools: Tools): ImportStart {
  const { deps, collecting } = tools;
  const game = createGameQuestion<Adding>(deps, GAME, {
    needs,
    // Another may have begun since it was asked.
    then: (ctx, gameId, adding) => begin(ctx, { ...adding, gameId }),
    note: (ctx, adding) => (isPiece(tools, ctx, adding) ? withPiece(ctx, adding) : adding),
  });
  const begin: Begin = async (ctx, adding, target) => {
    const found = await collecting.findOpen(ctx);
    const isOfIt = adding.gameId === undefined || adding.gameId === found?.gameId;
    const isJoined = found && (found.isOwn || (adding.isBare && found.isRecent && isOfIt));
    if (isJoined) return join(tools, ctx, found, adding, target);
    if (found && found.codes > 0) return askAboutOpen(tools, ctx, found, adding);
    if (found) await collecting.drop(ctx, found.id);
    const [only, another] = deps.core.games.managed;
    const gameId = adding.gameId ?? (another ? undefined : only?.id);
    return gameId === undefined ? game.ask(ctx, adding) : open(tools, ctx, { ...adding, gameId }, target);
  };
  const pressKey = async (ctx: BotContext, id: string, amount: number): Promise<unknown> => {
    const kept = takeChoice<{ gameId: string }>(deps, ctx, STOCK_KEY, id);
    if (!kept) return undefined;
    await leaveQuestion(ctx);
    const known = amount === 0 ? { isByText: true } : { amount };
    return begin(ctx, { ...kept, ...known, came: [] }, targetOf(ctx));
  };
  return {
    begin,
    buttons: {
      ...game.buttons,
      [OPEN]: button(needs, [word, word], (ctx, id, said) => answerOpen(tools, begin, ctx, id, said)),
      [STOCK_KEY]: button(needs, [word, wholeNumber(9)], pressKey),
    },
    questions: {
      ...game.questions,
      [OPEN]: { needs, takesFiles: true, hear: (ctx, id) => noteBesideOpen(tools, ctx, id) },
      [STOCK_KEY]: {
        needs,
        takesFiles: true,
        hear: (ctx, id, text) => hearKey(tools, begin, ctx, id, text),
      },
    },
  };
}

/** Once a paste has begun every message is a piece of it, a heading above all, since what follows would go under the one before. */
const isPiece = ({ deps, collecting }: Tools, ctx: BotContext, { came }: Adding): boolean =>
  ctx.message !== undefined &&
  (came.length > 0 || collecting.isPaste(ctx.message)) &&
  !isDone(deps, ctx.message) &&
  !isForOthers(deps, ctx);

const withPiece = (ctx: BotContext, adding: Adding): Adding => ({
  ...adding,
  came: [...adding.came, cameWith(ctx)],
});

/** Asks what the codes are worth where nobody has said, or opens the import. */
async function open(tools: Tools, ctx: BotContext, adding: Adding, target?: Target): Promise<unknown> {
  const { core } = tools.deps;
  const { gameId = '', amount, isByText, came } = adding;
  const game = core.games.find(gameId);
  if (!game) return undefined;
  const denomination = game.denominations.find((each) => each === amount);
  if (denomination === undefined && !isByText && came.length === 0)
    return askWhichKey(tools, ctx, game, amount);
  const id = await core.imports.begin(actorOf(ctx), { gameId, denomination });
  return collect(tools, ctx, { id, denomination }, adding, { target });
}

const join = (
  tools: Tools,
  ctx: BotContext,
  found: Open,
  adding: Adding,
  target?: Target,
): Promise<unknown> => {
  const isSaid = target === undefined && !found.isOwn && found.codes > 0;
  return collect(tools, ctx, found, adding, { target, note: isSaid ? 'add-joined' : undefined });
};

/** What was said before the first of it stands over it, where it is not what the import is of. */
async function collect(
  { deps, collecting }: Tools,
  ctx: BotContext,
  { id, denomination }: Pick<Open, 'id' | 'denomination'>,
  { amount, came }: Adding,
  { target, note }: { target?: Target | undefined; note?: PreviewNote | undefined },
): Promise<unknown> {
  const heading = amount === undefined || amount === denomination ? undefined : `${amount}:`;
  const [first = { ...cameWith(ctx), message: undefined }, ...more] = came;
  const pieces = heading === undefined ? came : [{ ...first, heading }, ...more];
  if (pieces.length === 0) return showNow(deps, ctx, id, target);
  for (const each of pieces) await collecting.take(ctx, id, each, { note, messageId: target?.messageId });
  return undefined;
}

async function askAboutOpen(
  { deps }: Tools,
  ctx: BotContext,
  { codes }: Open,
  payload: Adding,
): Promise<void> {
  const rows: Choice[][] = [
    [
      { label: ctx.label('button-go-on'), value: 'go' },
      { label: ctx.label('button-drop', { count: codes }), value: 'drop', style: 'danger' },
    ],
  ];
  const kept = { action: OPEN, payload, withinMs: CHOICE_MS };
  const html = ctx.say('add-open', { count: codes });
  await ask(ctx, OPEN, await showChoices(deps, ctx, kept, { html, rows }));
}

async function answerOpen(
  tools: Tools,
  begin: Begin,
  ctx: BotContext,
  id: string,
  said: string,
): Promise<unknown> {
  const { deps, collecting } = tools;
  const adding = takeChoice<Adding>(deps, ctx, OPEN, id);
  if (!adding) return undefined;
  await leaveQuestion(ctx);
  const found = await collecting.findOpen(ctx);
  if (found && said === 'go') return join(tools, ctx, found, adding, targetOf(ctx));
  if (found) {
    await collecting.drop(ctx, found.id);
    await editHtml(ctx, ctx.say('add-open-dropped', { count: found.codes }));
  }
  return begin(ctx, adding);
}

/** The next piece is asked about, too; anything else is for somebody else. */
async function noteBesideOpen(tools: Tools, ctx: BotContext, id: string): Promise<boolean> {
  const { deps, collecting } = tools;
  const kept = findConfirmation<Adding>(deps, ctx, OPEN, id);
  const open = await collecting.findOpen(ctx);
  if (kept.status === 'refused' || !open || !isPiece(tools, ctx, kept.payload)) return false;
  ctx.turn.uses(id);
  await askAboutOpen(tools, ctx, open, withPiece(ctx, kept.payload));
  return true;
}

async function askWhichKey(
  { deps }: Tools,
  ctx: BotContext,
  game: Game,
  amount: number | undefined,
): Promise<void> {
  const key = amount === undefined ? 'add-which-denomination' : 'add-which-instead';
  const html = ctx.say(key, { game: game.id, amount: String(amount ?? '') });
  const rows = [...stockKeyRows(ctx, game), [{ label: ctx.label('button-text-says'), value: '0' }]];
  const kept = { action: STOCK_KEY, payload: { gameId: game.id }, withinMs: CHOICE_MS };
  await ask(ctx, STOCK_KEY, await showChoices(deps, ctx, kept, { html, rows }));
}

/** A denomination, or a paste, whose text says it, and which is the first piece. */
async function hearKey(
  { deps }: Tools,
  begin: Begin,
  ctx: BotContext,
  id: string,
  text: string,
): Promise<boolean> {
  const { games } = deps.core;
  const found = findConfirmation<{ gameId: string }>(deps, ctx, STOCK_KEY, id);
  if (found.status === 'refused' || readPlainMessage(text, games).kind === 'orders') return false;
  const { gameId } = found.payload;
  const game = games.find(gameId);
  const { amount, rest } = readOrder(text, game ? [game] : []);
  const isKey = rest === '' && game?.denominations.some((each) => each === amount);
  ctx.turn.uses(id);
  await begin(ctx, isKey ? { gameId, amount, came: [] } : { gameId, isByText: true, came: [cameWith(ctx)] });
  return true;
}
