// Collecting codes: game and denomination where they are not given, then pieces until Done. The replay log holds no paste:
// after each piece the conversation goes back to where it began to wait, and keeps the id of the import alone.
import type { Message } from 'grammy/types';

import { holdsCodes, readOrder, wordLot } from './code-order.ts';
import type { Came, Collecting } from './collecting.ts';
import type { Reviewing } from './reviewing.ts';
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import { actorOf } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import { createTalk, isFailed, type Talk } from '../talk/talk.ts';
import { chooseGame } from './choosing.ts';

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
}

type Deps = Pick<BotDeps, 'core' | 'ids'>;
type Chosen = { denomination: number | undefined; messageId: number | undefined; early: boolean };

export function createAddCodesConversation(
  deps: Deps,
  collecting: Collecting,
  reviewing: Reviewing,
): ConversationEntry {
  return {
    name: ADD_CODES,
    async run(conversation: BotConversation, ctx: InnerContext, asked: GivenToAdd) {
      const talk = await createTalk(conversation, ctx, () => deps.ids.secret(6));
      const given = asked.bare ? await joinOpen(talk, collecting, asked) : asked;
      const pieces = createPieces(deps, given);
      const gameId = given.gameId ?? (await chooseGame(deps, talk, ctx, pieces.note));
      if (gameId === undefined) return;
      const chosen = await chooseDenomination(deps, talk, ctx, gameId, given);
      const { importId: known, goesOn = false, bare = false } = given;
      const order = { gameId, denomination: chosen.denomination, importId: known, goesOn, bare };
      const opened = await talk.core((outer) =>
        collecting.open(outer, { ...order, messageId: chosen.messageId }),
      );
      if (isFailed(opened)) return void (await talk.tell(ctx.say(opened.failed)));
      const { importId } = opened;
      const take = (outer: BotContext, came?: Came) =>
        takeOrFinish(collecting, reviewing, outer, importId, came);
      if (given.rest !== undefined) {
        const staged = await talk.core(async (outer) => {
          await stageRest(deps, outer, importId, given);
          for (const piece of pieces.noted) await collecting.take(outer, importId, piece);
          return reviewing.review(outer, importId);
        });
        if (isFailed(staged)) await talk.tell(ctx.say(staged.failed));
        return;
      }
      const first = firstOf(ctx, given);
      const begin = (outer: BotContext) => collecting.take(outer, importId, first);
      if (bare && (await ends(talk, ctx, begin))) return;
      for (const piece of pieces.noted) if (await ends(talk, ctx, (outer) => take(outer, piece))) return;
      if ((chosen.early || goesOn) && (await ends(talk, ctx, (outer) => take(outer)))) return;

      const waiting = conversation.checkpoint();
      const answer = await talk.hear();
      if (answer.kind === 'message' && (await ends(talk, ctx, (outer) => take(outer)))) return;
      await conversation.rewind(waiting);
    },
  };
}

/** What came without a command belongs to what is open, where that was begun not long ago. */
async function joinOpen(talk: Talk, collecting: Collecting, given: GivenToAdd): Promise<GivenToAdd> {
  const open = await talk.core((outer) => collecting.findOpen(outer) ?? null);
  if (open === null || isFailed(open)) return given;
  return { ...given, gameId: open.gameId, denomination: open.denomination, importId: open.id };
}

/** The first piece of what came without a command: after a question about the game another message is at hand. */
function firstOf({ message, update }: InnerContext, { first }: GivenToAdd): Came {
  const key = first === undefined ? `update:${update.update_id}` : `first:${update.update_id}`;
  return { key, message: first === undefined ? message : undefined, text: first };
}

/**
 * What came while the game was asked for: once a paste has begun every message is a piece of it, a heading above all, since what
 * follows would go under the one before.
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
  talk: Talk,
  ctx: InnerContext,
  take: (outer: BotContext) => Promise<string>,
): Promise<boolean> {
  const took = await talk.core(take);
  if (isFailed(took)) await talk.tell(ctx.say(took.failed));
  else if (took === 'closed') await talk.tell(ctx.say('add-decided'));
  return isFailed(took) ? took.failed !== 'error-conversation' : took === 'done' || took === 'closed';
}

async function takeOrFinish(
  collecting: Collecting,
  reviewing: Reviewing,
  outer: BotContext,
  importId: number,
  came?: Came,
): Promise<string> {
  const took = await collecting.take(outer, importId, came);
  if (took === 'done') reviewing.review(outer, importId);
  return took;
}

/** The denomination, or that the text says it; a paste instead of an answer says the latter and is the first piece. */
async function chooseDenomination(
  { core }: Deps,
  talk: Talk,
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
    label: wordLot(ctx, game, each),
    value: `lot-${each}`,
  }));
  const rows = [];
  for (let from = 0; from < Math.min(choices.length, 60); from += 3) rows.push(choices.slice(from, from + 3));
  rows.push([{ label: ctx.label('button-text-says'), value: 'text' }]);
  const key = given.amount === undefined ? 'add-which-denomination' : 'add-which-instead';
  const messageId = await talk.tell(ctx.say(key, { game: gameId, amount: String(given.amount ?? '') }), rows);
  let answer = await talk.hear();
  // A button of the question before it, pressed twice.
  while (answer.kind === 'choice' && !/^(?:text|lot-\d+)$/.test(answer.value)) answer = await talk.hear();
  if (answer.kind === 'choice') {
    const denomination = answer.value === 'text' ? undefined : Number(answer.value.slice('lot-'.length));
    return { denomination, messageId, early: false };
  }
  const { amount, rest } = readOrder(answer.message.text ?? '', [game]);
  const written = rest === '' ? game.denominations.find((each) => each === amount) : undefined;
  if (written !== undefined) return { denomination: written, messageId, early: false };
  return { denomination: undefined, messageId: undefined, early: true };
}

/** The text behind the command, once the game is known. */
async function stageRest(
  { core }: Deps,
  outer: BotContext,
  importId: number,
  given: GivenToAdd,
): Promise<boolean> {
  const amount = given.amount === undefined ? '' : `${given.amount}:\n`;
  const piece = { kind: 'message' as const, text: amount + (given.rest ?? ''), position: 0 };
  return (await core.imports.addPiece(actorOf(outer), importId, { ...piece, key: 'command' })) === 'added';
}
