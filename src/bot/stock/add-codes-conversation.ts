// Collecting codes: what is open already, game and denomination where they are not given, then pieces until they are
// added. The replay log holds no paste: after each piece the conversation goes back to where it began to wait, and
// keeps the id of the import.
import type { Message } from 'grammy/types';

import { holdsCodes, readOrder, labelStockKey } from './code-order.ts';
import { pieceKeys, type Came, type Collecting, type Open } from './collect-codes.ts';
import type { PreviewNote } from './preview-message.ts';
import type { PreviewActions } from './import-preview.ts';
import {
  actorOf,
  type BotContext,
  type BotConversation,
  type BotDeps,
  type InnerContext,
} from '../context.ts';
import type { ConversationEntry, Prompts } from '../conversation.ts';
import { isFailed } from '../prompts/prompts.ts';
import { chooseGame } from './choose-game.ts';

export const ADD_CODES = 'add-codes';

/** What is known already; `rest` is the text behind the command where the game has yet to be chosen. */
export interface GivenToAdd {
  gameId?: string | undefined;
  /** As it was written; the game may not have it. */
  amount?: number | undefined;
  denomination?: number | undefined;
  importId?: number | undefined;
  rest?: string | undefined;
  /** Goes on with the import after the conversation ended by itself; the message at hand is its next piece. */
  goesOn?: boolean;
  /** The paste came without a command: it goes into the import that is open, or begins one. */
  bare?: boolean;
  /** The first piece, where it is not the message at hand. */
  first?: string | undefined;
  /** The message of the bot that becomes the preview. */
  messageId?: number | undefined;
  /** The import holds something already: it is shown, and nothing is asked for. */
  isBegun?: boolean;
}

/** What is known once it is clear which import it is; `heading` stands over what goes into one that was open. */
interface Settled extends GivenToAdd {
  note?: PreviewNote | undefined;
  heading?: number | undefined;
}

type Deps = Pick<BotDeps, 'core'>;
type Chosen = { denomination: number | undefined; messageId: number | undefined; early: boolean };

export function createAddCodesConversation(
  deps: Deps,
  collecting: Collecting,
  previewActions: PreviewActions,
): ConversationEntry {
  return {
    name: ADD_CODES,
    outlivesCommands: true,
    takesFiles: true,
    async run(prompts: Prompts, ctx: InnerContext, asked: GivenToAdd, conversation: BotConversation) {
      const pieces = createPieces(deps, asked);
      const given = await settleOpen({ prompts, ctx, collecting, note: pieces.note }, asked);
      const gameId = given.gameId ?? (await chooseGame(deps, prompts, ctx, pieces.note));
      if (gameId === undefined) return;
      const chosen = await chooseDenomination(deps, prompts, ctx, gameId, given);
      const { importId: known, note, goesOn = false, bare = false, isBegun = false } = given;
      const hasPaste = bare || goesOn || isBegun || given.rest !== undefined;
      // Where the game was asked for, the answer to that is below.
      const isAsked = given.gameId === undefined && deps.core.games.managed.length > 1;
      const { denomination, messageId = isAsked ? undefined : given.messageId } = chosen;
      const order = { gameId, denomination, importId: known, note, bare: hasPaste, messageId };
      const { importId } = await prompts.core((outer) => collecting.open(outer, order));
      const take = (outer: BotContext, came?: Came) =>
        takeOrFinish(collecting, previewActions, outer, importId, came);
      await prompts.core((outer) => stageRest(deps, outer, ctx, importId, given));
      const first = firstOf(ctx, given);
      if (bare && (await ends(prompts, ctx, (outer) => collecting.take(outer, importId, first)))) return;
      for (const piece of pieces.noted) if (await ends(prompts, ctx, (outer) => take(outer, piece))) return;
      if (given.rest !== undefined) {
        await prompts.tryCore((outer) => previewActions.review(outer, importId));
        return;
      }
      if ((chosen.early || goesOn) && (await ends(prompts, ctx, (outer) => take(outer)))) return;

      const waiting = conversation.checkpoint();
      const answer = await prompts.hear();
      if (answer.kind === 'message') {
        if ((await prompts.tryCore((outer) => collecting.isOrder(outer, importId))) === true)
          await prompts.leave();
        if (await ends(prompts, ctx, (outer) => take(outer))) return;
      }
      await conversation.rewind(waiting);
    },
  };
}

interface Opening {
  prompts: Prompts;
  ctx: InnerContext;
  collecting: Collecting;
  note(message: Message): void;
}

/**
 * One import a person: what came without a command belongs to what is open, where that was begun not long ago; anything
 * else is asked whether it goes on with that, or drops it.
 */
async function settleOpen(opening: Opening, given: GivenToAdd): Promise<Settled> {
  const { prompts, collecting } = opening;
  if (given.importId !== undefined) return given.goesOn ? { ...given, note: 'add-goes-on' } : given;
  const open = await prompts.tryCore((outer) => collecting.findOpen(outer));
  if (!open || isFailed(open)) return given;
  const { id: importId, gameId, denomination, codes, isRecent, isOwn } = open;
  const joined = { ...given, importId, gameId, denomination };
  if (isOwn) return joined;
  if (given.bare && isRecent) return { ...joined, ...(codes > 0 && { note: 'add-joined' }) };
  const messageId = codes === 0 ? 'dropped' : await askAboutOpen(opening, open);
  if (messageId === 'dropped') {
    await prompts.tryCore((outer) => collecting.drop(outer, importId));
    return given;
  }
  const heading = given.denomination ?? given.amount;
  return { ...joined, messageId, isBegun: true, ...(heading !== denomination && { heading }) };
}

/** The message of the question, where the import that is open goes on. */
async function askAboutOpen(
  { prompts, ctx, note }: Opening,
  open: Open,
): Promise<number | undefined | 'dropped'> {
  const html = ctx.say('add-open', { count: open.codes });
  const choices = [
    [
      { label: ctx.label('button-go-on'), value: 'go-on' },
      { label: ctx.label('button-drop', { count: open.codes }), value: 'drop', style: 'danger' as const },
    ],
  ];
  for (;;) {
    const messageId = await prompts.reply(html, choices);
    const answer = await hearChoice(prompts, note);
    if (answer === 'go-on') return messageId;
    if (answer === undefined) continue;
    if (messageId !== undefined)
      await prompts.change(messageId, ctx.say('add-open-dropped', { count: open.codes }));
    return 'dropped';
  }
}

/** Undefined: something else came, which may be the next piece. */
async function hearChoice(prompts: Prompts, note: Opening['note']): Promise<string | undefined> {
  const answer = await prompts.hear();
  if (answer.kind === 'choice') return answer.value;
  note(answer.message);
  return undefined;
}

/** The first piece of what came without a command: after a question about the game another message is at hand. */
function firstOf({ message, update }: InnerContext, { first }: GivenToAdd): Came {
  const keys = pieceKeys(update);
  return {
    key: first === undefined ? keys.message : keys.first,
    message: first === undefined ? message : undefined,
    text: first,
  };
}

/**
 * What came while the game was asked for: once a paste has begun every message is a piece of it, a heading above all,
 * since what follows would go under the one before.
 */
function createPieces({ core }: Deps, given: GivenToAdd): { noted: Came[]; note(message: Message): void } {
  const noted: Came[] = [];
  const hasBegun = given.bare === true || given.rest !== undefined;
  return {
    noted,
    note(message) {
      if (
        hasBegun ||
        noted.length > 0 ||
        message.document ||
        holdsCodes(message.text ?? '', core.games.managed)
      )
        noted.push({ key: `message:${message.message_id}`, message });
    },
  };
}

/** Takes what came; true when collecting is over. */
async function ends(
  prompts: Prompts,
  ctx: InnerContext,
  take: (outer: BotContext) => Promise<string>,
): Promise<boolean> {
  const took = await prompts.tryCore(take);
  if (isFailed(took)) await prompts.reply(ctx.say(took.failed));
  // It was decided meanwhile: this is for something else.
  else if (took === 'closed') await prompts.leave();
  return isFailed(took) ? took.failed !== 'error-conversation' : took === 'done';
}

async function takeOrFinish(
  collecting: Collecting,
  previewActions: PreviewActions,
  outer: BotContext,
  importId: number,
  came?: Came,
): Promise<string> {
  const took = await collecting.take(outer, importId, came);
  if (took === 'done') previewActions.review(outer, importId);
  return took;
}

/** The denomination, or that the text says it; a paste instead of an answer says the latter and is the first piece. */
async function chooseDenomination(
  { core }: Deps,
  prompts: Prompts,
  ctx: InnerContext,
  gameId: string,
  given: GivenToAdd,
): Promise<Chosen> {
  const game = core.games.find(gameId);
  const known = given.denomination ?? game?.denominations.find((each) => each === given.amount);
  const isAsked = given.importId === undefined && given.rest === undefined && given.bare !== true;
  if (known !== undefined || !isAsked || !game) {
    return { denomination: known, messageId: undefined, early: false };
  }
  const choices = game.denominations.map((each) => ({
    label: labelStockKey(ctx, game, each),
    value: `denomination-${each}`,
  }));
  const rows = [];
  for (let from = 0; from < Math.min(choices.length, 60); from += 3) rows.push(choices.slice(from, from + 3));
  rows.push([{ label: ctx.label('button-text-says'), value: 'text' }]);
  const key = given.amount === undefined ? 'add-which-denomination' : 'add-which-instead';
  const messageId = await prompts.reply(
    ctx.say(key, { game: gameId, amount: String(given.amount ?? '') }),
    rows,
  );
  let answer = await prompts.hear();
  // A button of the question before it, pressed twice.
  while (answer.kind === 'choice' && !/^(?:text|denomination-\d+)$/.test(answer.value))
    answer = await prompts.hear();
  if (answer.kind === 'choice') {
    const denomination =
      answer.value === 'text' ? undefined : Number(answer.value.slice('denomination-'.length));
    return { denomination, messageId, early: false };
  }
  const { amount, rest } = readOrder(answer.message.text ?? '', [game]);
  const written = rest === '' ? game.denominations.find((each) => each === amount) : undefined;
  if (written !== undefined) return { denomination: written, messageId, early: false };
  return { denomination: undefined, messageId: undefined, early: true };
}

/** The text behind the command, and what it said it is of where that stands over it alone. */
async function stageRest(
  { core }: Deps,
  outer: BotContext,
  { update, message }: InnerContext,
  importId: number,
  { rest, amount, heading }: Settled,
): Promise<void> {
  const over = heading ?? (rest === undefined ? undefined : amount);
  if (rest === undefined && over === undefined) return;
  const text = [over === undefined ? undefined : `${over}:`, rest]
    .filter((each) => each !== undefined)
    .join('\n');
  const piece = { kind: 'message' as const, text, position: message?.message_id ?? 0 };
  await core.imports.addPiece(actorOf(outer), importId, { ...piece, key: pieceKeys(update).command });
}
