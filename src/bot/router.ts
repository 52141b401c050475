// The way of an update to what answers it, in this order: what is edited, money, what a group may say, a conversation
// under way, a tap, a command, plain words, and the sentence for the rest. Who may is looked up here, for every command
// and at every press.
import type { Api, MiddlewareFn } from 'grammy';

import { may } from './actor.ts';
import { answerEdit, answerRest, createAlbums } from './basics/fallback.ts';
import { answersHere } from './basics/groups.ts';
import type { BotContext, BotDeps } from './context.ts';
import { listCommands, type Button, type Feature, type NamedCommand, type Question } from './feature.ts';
import { askAgain, asking, createConversations } from './prompts/ask.ts';
import {
  actAsCommand,
  createButtonWords,
  findCommand,
  readAnyCase,
  readInvitation,
} from './prompts/command-buttons.ts';
import { updateOwnMenu } from './prompts/menus.ts';
import { leaveOnCommand } from './basics/cancelling.ts';
import { answerTap, reply } from './replies.ts';

export function createRouter(
  deps: BotDeps,
  api: Api,
  features: readonly Feature[],
): MiddlewareFn<BotContext> {
  const commands = new Map(listCommands(features).map((each) => [each.name, each]));
  const buttons = new Map(features.flatMap((each) => Object.entries(each.buttons ?? {})));
  const questions = new Map(features.flatMap((each) => Object.entries(each.questions ?? {})));
  const readButtonWord = createButtonWords(deps);
  const albums = createAlbums();
  const conversations = createConversations(deps);

  async function answer(ctx: BotContext): Promise<unknown> {
    if (ctx.callbackQuery) return press(buttons, ctx);
    const { message } = ctx;
    if (!message) return undefined;
    const typed = findCommand(ctx);
    const found = typed === undefined ? undefined : findNamed(commands, typed);
    if (found)
      return (await may(ctx, found.command.needs)) && found.command.run(ctx, found.text ?? textOf(ctx));
    if (!ctx.isPrivate) return undefined;
    for (const feature of features) if (await feature.message?.(ctx)) return undefined;
    return albums.isLater(ctx) ? undefined : answerRest(deps, features, ctx);
  }

  async function converse(ctx: BotContext): Promise<void> {
    actAsCommand(ctx);
    const question = questions.get(ctx.asked?.question ?? '');
    readButtonWord(ctx, question?.takesWords);
    const { message } = ctx;
    const canTake = message && (!message.document || question?.takesFiles);
    ctx.isAnswer = ctx.asked !== undefined && canTake === true && findCommand(ctx) === undefined;
    const isOver = await leaveOnCommand(deps, features, ctx);
    if (!isOver)
      await asking(ctx, async () => {
        // A question that such a word was no answer to is left by now.
        readButtonWord(ctx);
        if (!(await hear(questions, ctx))) await answer(ctx);
      });
    updateOwnMenu(api, deps, features, ctx);
  }

  return async (ctx) => {
    if (ctx.editedMessage) return answerEdit(deps, features, ctx);
    readInvitation(ctx);
    readAnyCase(ctx);
    albums.note(ctx);
    if (!(await answersHere((typed) => findNamed(commands, typed)?.command, ctx))) return;
    for (const feature of features) if (await feature.payment?.(ctx)) return;
    await conversations(ctx, () => converse(ctx));
  };
}

/** Whether the message has answered what was asked, or may not. */
async function hear(questions: ReadonlyMap<string, Question>, ctx: BotContext): Promise<boolean> {
  const { asked, message, isAnswer } = ctx;
  if (!asked || !message || !isAnswer) return false;
  const question = asked.isOver ? undefined : questions.get(asked.question);
  if (!question) await reply(ctx, ctx.say(`conversation-${asked.isOver ?? 'changed'}`));
  if (!question || !(await may(ctx, question.needs))) return true;
  const heard = await question.hear(ctx, asked.of, message.text ?? message.caption ?? '');
  if (typeof heard === 'boolean') return heard;
  await reply(ctx, heard);
  await askAgain(ctx);
  return true;
}

/** `text`: what stands behind it, where that is a part of its name. */
function findNamed(
  commands: ReadonlyMap<string, NamedCommand>,
  typed: string,
): { command: NamedCommand; text?: string } | undefined {
  const command = commands.get(typed);
  if (command) return { command };
  const [, name = '', number] = /^(.+)_(\d+)$/.exec(typed) ?? [];
  const numbered = commands.get(name);
  // A number that nothing can have is as unknown as any other.
  return numbered?.isNumbered ? { command: numbered, text: (number ?? '').slice(0, 15) } : undefined;
}

function textOf({ message }: BotContext): string {
  const length = message?.entities?.[0]?.length ?? 0;
  return (message?.text ?? '').slice(length).trim();
}

/** By the longest name that the data begins with. */
async function press(buttons: ReadonlyMap<string, Button>, ctx: BotContext): Promise<void> {
  const data = ctx.callbackQuery?.data ?? '';
  let end = data.length;
  while (end > 0 && !buttons.has(data.slice(0, end))) end = data.lastIndexOf(':', end - 1);
  const found = buttons.get(data.slice(0, Math.max(0, end)));
  const run = found?.read(end < data.length ? data.slice(end + 1) : undefined);
  if (!found || !run) return answerTap(ctx, ctx.label('button-old'), true);
  if (!(await may(ctx, found.needs))) return;
  await run(ctx);
  answerTap(ctx);
}
