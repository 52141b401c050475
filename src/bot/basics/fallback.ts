// Fallback for what no other handler answered: a search where something is found, the nearest command, never silence in
// a private chat, never a tap without an answer.
import type { Document } from 'grammy/types';

import { grantOf } from '../../core/index.ts';
import { refusalOf } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { findCommand } from '../prompts/command-buttons.ts';
import { withdraw } from '../prompts/confirmations.ts';
import { commandsFor } from '../prompts/menus.ts';
import { answerFind } from '../receipts/find.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';

const MOST_MISTAKES = 2;

export async function answerRest(
  deps: BotDeps,
  features: readonly Feature[],
  ctx: BotContext,
): Promise<void> {
  const command = findCommand(ctx);
  if (command === undefined) return answerWords(deps, ctx);
  const known = commandsFor(features, ctx.actor, ctx.isHost).map(({ name }) => name);
  const near = findNearest(command, known);
  await reply(ctx, near === undefined ? ctx.say('rest-command') : ctx.say('rest-command-near', { near }));
}

/** Whoever is in no account is told so, whatever it says. */
async function answerWords(deps: BotDeps, ctx: BotContext): Promise<void> {
  const { actor, isHost, message } = ctx;
  const text = (message?.text ?? message?.caption ?? '').trim();
  if (!actor) return void (await reply(ctx, ctx.say(isHost ? 'rest-text' : 'refusal-stranger')));
  if (message?.document) return answerFile(ctx, message.document);
  if (text === '') return void (await reply(ctx, ctx.say('rest-unread')));
  const replyNothing = async () =>
    void (await reply(ctx, ctx.say(grantOf(actor, 'redeem') !== 'no' ? 'rest-order' : 'rest-text')));
  if (grantOf(actor, 'searchHistory') === 'no') return replyNothing();
  return answerFind(deps, ctx, text, { replyNothing });
}

/** Nobody takes such a file. */
async function answerFile(ctx: BotContext, { file_name: fileName }: Document): Promise<void> {
  const mayAdd = ctx.actor !== undefined && grantOf(ctx.actor, 'addCodes') !== 'no';
  const file = name(fileName ?? ctx.label('add-this-file'));
  await reply(ctx, mayAdd ? ctx.say('add-wrong-file', { file }) : ctx.say(refusalOf(ctx, 'addCodes')));
}

/**
 * The command that was meant: the only one that begins so, or the one with the fewest letters to change, two at most.
 */
function findNearest(typed: string, known: readonly string[]): string | undefined {
  const begun = known.filter(
    (name) => typed.length > 1 && (name.startsWith(typed) || typed.startsWith(name)),
  );
  if (begun.length > 0) return begun[0];
  const [best] = known
    .map((name) => ({ name, mistakes: countMistakes(typed, name) }))
    .sort((a, b) => a.mistakes - b.mistakes);
  return best && best.mistakes <= Math.min(MOST_MISTAKES, typed.length - 2) ? best.name : undefined;
}

/** Letters to add, leave out or change until one word is the other. */
function countMistakes(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const row = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (before[at] ?? 0) + (letter === other[at] ? 0 : 1);
      row.push(Math.min(changed, (before[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
    }
    before = row;
  }
  return before[other.length] ?? 0;
}

/**
 * Ends every edit here: it is for no conversation and no command. What the message had led to is withdrawn: nobody
 * presses unseen what was taken back. In groups, and where no words changed, nothing is said.
 */
export async function answerEdit(
  deps: Pick<BotDeps, 'store'>,
  features: readonly Feature[],
  ctx: BotContext,
): Promise<void> {
  const edited = ctx.editedMessage;
  const hasWords = edited?.text ?? edited?.caption ?? edited?.document;
  if (!ctx.isPrivate || !edited || hasWords === undefined) return;
  const how = { key: 'edited-withdrawn', messageId: edited.message_id };
  if (!(await withdraw(deps, ctx, features, how))) await reply(ctx, ctx.say('edited-message'));
}

// Albums arrive as a message for each picture, and at most one of them has words: the others are no questions of their
// own.

interface Albums {
  /** Looks at every message, before anything answers it. */
  note(ctx: BotContext): void;
  /** Whether this message is a wordless piece of an album of which another one was looked at before. */
  isLater(ctx: BotContext): boolean;
}

/** Of so many chats the newest album is known. Whoever is forgotten is answered once more. */
const MOST_CHATS = 1_000;

export function createAlbums(): Albums {
  /** By chat: the newest album, and the piece of it that came first. */
  const newest = new Map<number, { album: string; first: number }>();
  return {
    note({ message, chat }) {
      const album = message?.media_group_id;
      if (album === undefined || !chat || newest.get(chat.id)?.album === album) return;
      if (newest.size >= MOST_CHATS) newest.clear();
      newest.set(chat.id, { album, first: message?.message_id ?? 0 });
    },
    isLater({ message, chat }) {
      if (message?.media_group_id === undefined || message.caption !== undefined || !chat) return false;
      const known = newest.get(chat.id);
      return known?.album === message.media_group_id && known.first !== message.message_id;
    },
  };
}
