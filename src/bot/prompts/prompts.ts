// Prompts: what a conversation asks and hears. Everything that leaves it or reaches the core goes through
// `conversation.external`, guarded: nothing may throw through a conversation (an action that does never settles, and
// the chat would wait for ever).
import { createHash } from 'node:crypto';
import { InlineKeyboard } from 'grammy';
import type { Message } from 'grammy/types';

import { retry } from '../../waiting.ts';
import type { BotContext, BotConversation, InnerContext } from '../context.ts';
import type { Answer, Choice, Failed, Prompts } from '../conversation.ts';
import { findPassingCause, keyOf } from '../errors.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { messagesOf } from './confirmations.ts';
import { whileOverloaded } from '../retries.ts';

const PREFIX = 'prompts';
/** Under one question, beside a few of its own: Telegram takes 100 buttons. */
export const MOST_CHOICES = 90;
/**
 * Every answer stays with the conversation and is gone through again at the next one: whoever needs more begins anew.
 */
const MOST_ANSWERS = 25;
const LONGEST_ID = 24;
/** As long as a person waits for an answer; an update cannot be handled again from inside a conversation. */
const OVERLOAD_TRIES = 8;

/**
 * Begins to ask. `nonce` tells this conversation's buttons from those of an older one. A file is heard where it
 * `takesFiles`, and otherwise is answered as if there were no conversation.
 */
export async function createPrompts(
  conversation: BotConversation,
  ctx: InnerContext,
  makeNonce: () => string,
  { takesFiles = false } = {},
): Promise<Prompts> {
  const [nonce, begunBy] = await conversation.external((outer) => [makeNonce(), messagesOf(outer)] as const);
  // What is asked in the end is made of all that was said.
  let madeOf = begunBy;
  const keyboard = (choices: readonly (readonly Choice[])[] = []) =>
    new InlineKeyboard(
      choices.map((row) =>
        row.map(({ label, value, ...style }) => ({
          text: label,
          callback_data: `${PREFIX}:${nonce}:${value}`,
          ...style,
        })),
      ),
    );

  let heard = 0;

  const prompts: Prompts = {
    reply: (html, choices) =>
      conversation.external(async (outer) => {
        const sent = await attempt(outer, reply(outer, html, choices && keyboard(choices)));
        return sent?.message_id;
      }),
    async change(messageId, html, choices) {
      const chatId = ctx.chat?.id;
      if (chatId === undefined) return;
      await conversation.external(async (outer) => {
        await attempt(outer, editHtml(outer, html, choices && keyboard(choices), { chatId, messageId }));
        return true;
      });
    },
    async hear() {
      const answer = await hear(conversation, { nonce, takesFiles });
      heard += 1;
      if (answer.kind === 'message') madeOf += `${answer.message.message_id},`;
      if (heard <= MOST_ANSWERS) return answer;
      await prompts.reply(ctx.say('conversation-too-long'));
      return conversation.halt();
    },
    leave: () => conversation.halt({ next: true }),
    async core(work) {
      const result = await prompts.tryCore(work);
      if (!isFailed(result)) return result;
      await prompts.reply(ctx.say(result.failed));
      return conversation.halt();
    },
    tryCore: (work) =>
      conversation.external(async (outer) => {
        outer.madeOf = madeOf;
        try {
          return await retry(whileOverloaded(OVERLOAD_TRIES), () => work(outer));
        } catch (error) {
          // Whoever was removed meanwhile is told so; it is no fault of ours, and ends the conversation.
          return { failed: keyOf(error) ?? (outer.actor ? 'error-conversation' : 'refusal-stranger') };
        }
      }),
  };
  return prompts;
}

/** What a button carries for something with this id: the id itself, or a digest where it is too long for a button. */
export function buttonId(id: string): string {
  if (Buffer.byteLength(id) <= LONGEST_ID) return id;
  return createHash('sha256').update(id).digest('base64url').slice(0, LONGEST_ID);
}

export function isFailed(result: unknown): result is Failed {
  return typeof result === 'object' && result !== null && 'failed' in result;
}

async function hear(
  conversation: BotConversation,
  { nonce, takesFiles }: { nonce: string; takesFiles: boolean },
): Promise<Answer> {
  for (;;) {
    const next = await conversation.wait();
    if (next.message && !isCommand(next.message) && (takesFiles || !next.message.document))
      return { kind: 'message', message: withWords(next.message) };
    const data = next.callbackQuery?.data;
    if (data?.startsWith(`${PREFIX}:${nonce}:`)) {
      await conversation.external((outer) => {
        answerTap(outer);
        return true;
      });
      return { kind: 'choice', value: data.slice(PREFIX.length + nonce.length + 2) };
    }
    // Not for this conversation: a command beside it, a file, a button of another message, or of an older conversation.
    await conversation.skip({ next: true });
  }
}

const isCommand = ({ text, entities }: Message): boolean =>
  text !== undefined && entities?.[0]?.type === 'bot_command' && entities[0].offset === 0;

/** What stands under a picture is said with it. */
const withWords = (message: Message): Message =>
  message.document || message.caption === undefined ? message : { ...message, text: message.caption };

/** What Telegram does not take is kept for later by itself (../replies.ts); this is for the rest. */
async function attempt<T>(outer: BotContext, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (findPassingCause(error)) outer.replyChannel.lose(error);
    else outer.replyChannel.forgive(error);
    return undefined;
  }
}
