// The host pauses an account, closes it, and undoes both: each is asked once more, and the owner is told.
import { InlineKeyboard } from 'grammy';

import type { Account, SuspendAnswer, Suspension } from '../../core/index.ts';
import { findLanguageOf, requiresHost, renderFor } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { Handlers } from '../handlers.ts';
import { runAction } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { editHtml } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { name, type Language } from '../texts.ts';
import { describeAccount, takeAccount } from './host-menus.ts';

const SUSPEND = 'host-suspend';

interface Order {
  accountId: number;
  change: Suspension;
}

/** What may be done to an account as it stands. */
const OFFERED: Record<Account['state'], readonly Suspension[]> = {
  open: ['pause', 'close'],
  paused: ['resume', 'close'],
  closed: ['reopen'],
};

export function addSuspensions(keyboard: InlineKeyboard, ctx: BotContext, { id, state }: Account): void {
  keyboard.row();
  for (const change of OFFERED[state])
    keyboard.text(ctx.label(`host-button-${change}`), `host:${change}:${id}`);
}

export function createSuspensions(deps: BotDeps): Handlers {
  const handlers = new Handlers();
  handlers.callbackQuery(/^host:(pause|resume|close|reopen):(\d{1,15})$/, requiresHost(), async (ctx) => {
    const account = takeAccount(deps, ctx, ctx.match[2]);
    if (account) await ask(deps, ctx, account, ctx.match[1] as Suspension);
  });
  handlers.callbackQuery(new RegExp(`^${SUSPEND}:`), requiresHost(), (ctx) => suspend(deps, ctx));
  return handlers;
}

async function ask(deps: BotDeps, ctx: BotContext, account: Account, change: Suspension): Promise<void> {
  const payload: Order = { accountId: account.id, change };
  const data = await createConfirmation(deps, ctx, { action: SUSPEND, payload });
  const isStop = change === 'pause' || change === 'close';
  const keyboard = confirmKeyboard(ctx, data, {
    label: ctx.label(`host-button-${change}`),
    ...(isStop && { style: 'danger' as const }),
  });
  const html = `${describeAccount(deps, ctx, account)}\n\n${ctx.say(`host-ask-${change}`)}`;
  await editHtml(ctx, html, keyboard);
}

function suspend(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<Order>(deps, ctx, SUSPEND, async ({ id, payload, confirmation, isDone, result }) => {
    if (isDone) return;
    const { accountId, change } = payload;
    const account = name(deps.core.accounts.find(accountId)?.name ?? '');
    const owner = deps.core.accounts.findOwnerId(accountId);
    const language = owner === undefined ? undefined : findLanguageOf(deps, owner);
    const card = new InlineKeyboard().text(
      ctx.label('host-button-open-card'),
      commandData(`accounts ${accountId}`),
    );
    const inTransaction = deps.store.inTransaction((answer: SuspendAnswer) => {
      const isChanged = answer.status === 'changed';
      const word = (of: Language) => ({ html: deps.texts.say(of, `account-${change}`) });
      const told =
        isChanged && owner !== undefined && renderFor(deps, `suspend:${id}`, owner, word, language);
      const key = isChanged ? `host-${change}-done` : 'host-suspend-unchanged';
      const shown = result(toOutgoing(ctx.say(key, { account }), card));
      return { confirmation, messages: told ? [shown, told] : [shown] };
    });
    await deps.core.accounts.suspend(hostOf(ctx), accountId, change, inTransaction);
  });
}
