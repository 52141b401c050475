// A new account: its name is asked for, and it is opened together with the link that makes somebody its owner.
import { InlineKeyboard } from 'grammy';

import type { OpenedForOwner } from '../../core/index.ts';
import { requiresHost } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { runAction } from '../outbox/actions.ts';
import { joinLink, linkKeyboard } from '../accounts/invite.ts';
import { prepareNewAccount } from '../outbox/new-accounts.ts';
import type { ConversationEntry } from '../conversation.ts';
import { Handlers } from '../handlers.ts';
import { toOutgoing } from '../outgoing.ts';
import { answerTap, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { findConfirmation, createConfirmation } from '../prompts/confirmations.ts';
import { enter } from '../prompts/start-conversation.ts';
import { askFor } from '../prompts/question.ts';
import { LONGEST_NAME, name } from '../texts.ts';
import { formatOwnerLink } from './cards.ts';
import { DAYS_OFFERED } from './host-menus.ts';

/** The data of the button, and the name of the conversation. */
export const NEW_ACCOUNT = 'host:new';
const OPEN = 'host-open';

interface Order {
  name: string;
  /** Of subscription, with which it begins. */
  days?: number;
}

export function createNewAccount(deps: BotDeps): Handlers {
  const handlers = new Handlers();
  handlers.callbackQuery(NEW_ACCOUNT, requiresHost(), async (ctx) => {
    answerTap(ctx);
    await enter(ctx, NEW_ACCOUNT, {});
  });
  // A choice is a question of its own: the days that it begins with.
  handlers.callbackQuery(/^host:with:(\d{1,3}):([\w-]{8,24})$/, requiresHost(), async (ctx) => {
    const days = DAYS_OFFERED.find((each) => String(each) === ctx.match[1]);
    const found = findConfirmation<Order>(deps, ctx, OPEN, ctx.match[2]);
    if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
    if (days === undefined) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    const { name: called, days: chosen } = found.payload;
    await ask(deps, ctx, chosen === days ? { name: called } : { name: called, days }, 'edit');
  });
  handlers.callbackQuery(new RegExp(`^${OPEN}:`), requiresHost(), (ctx) => open(deps, ctx));
  return handlers;
}

/** Asks for the name and ends in the question; it opens nothing. */
export function createNewAccountConversation(deps: BotDeps): ConversationEntry {
  return {
    name: NEW_ACCOUNT,
    async run(prompts, ctx) {
      const again = ctx.say('host-new-name-again', { most: String(LONGEST_NAME) });
      const called = await askFor(prompts, ctx, ctx.say('host-new-name'), (text) => {
        const answer = text.replace(/\s+/gu, ' ').trim();
        return answer === '' || [...answer].length > LONGEST_NAME ? { again } : { answer };
      });
      if (called !== undefined) await prompts.core((outer) => ask(deps, outer, { name: called }, 'reply'));
    },
  };
}

async function ask(deps: BotDeps, ctx: BotContext, order: Order, how: 'reply' | 'edit'): Promise<void> {
  const data = await createConfirmation(deps, ctx, { action: OPEN, payload: order });
  const keyboard = new InlineKeyboard();
  for (const days of DAYS_OFFERED) {
    const mark = days === order.days ? '✅ ' : '';
    keyboard.text(
      `${mark}${ctx.label('host-button-days', { days })}`,
      `host:with:${days}:${data.slice(OPEN.length + 1)}`,
    );
  }
  const html = ctx.say('host-ask-new', { account: name(order.name), days: order.days ?? 0 });
  await show(
    ctx,
    html,
    keyboard.append(confirmKeyboard(ctx, data, { label: ctx.label('host-button-open-it') })),
    how,
  );
}

function open(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Order>(deps, ctx, OPEN, async ({ id, payload, confirmation, isDone, result }) => {
    if (isDone) return;
    const formatOpened = ctx.from && prepareNewAccount(deps, ctx.from);
    const inTransaction = deps.store.inTransaction(({ accountId, name: called, token }: OpenedForOwner) => {
      const facts = { account: name(called), id: String(accountId) };
      const html = `${ctx.say('host-opened', facts)}\n\n${formatOwnerLink(ctx, { account: called, token })}`;
      // The link stays where it is: the account is shown in a message of its own.
      const keyboard = linkKeyboard(ctx, joinLink(ctx, token))
        .row()
        .text(ctx.label('host-button-open-card'), commandData(`accounts ${accountId}`));
      const told = formatOpened?.({ accountId, name: called }) ?? [];
      return { confirmation, messages: [result(toOutgoing(html, keyboard)), ...told] };
    });
    await deps.core.members.openForOwner(hostOf(ctx), { ...payload, orderId: id }, inTransaction);
  });
}
