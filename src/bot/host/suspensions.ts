// The host pauses an account, closes it, and undoes both: each is asked once more, and the owner is told.
import { InlineKeyboard } from 'grammy';

import type { Account, SuspendAnswer, Suspension } from '../../core/index.ts';
import { findLanguageOf, renderFor } from '../actor.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, type Button, type Feature } from '../feature.ts';
import { confirming, type Action } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name, type Language } from '../texts.ts';
import { askAbout, takeAccount } from './host-menus.ts';

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

const CHANGES: readonly Suspension[] = ['pause', 'resume', 'close', 'reopen'];

export function addSuspensions(keyboard: InlineKeyboard, ctx: BotContext, { id, state }: Account): void {
  keyboard.row();
  for (const change of OFFERED[state])
    keyboard.text(ctx.label(`host-button-${change}`), `host:${change}:${id}`);
}

export function createSuspensions(deps: BotDeps): Feature {
  const suspending = confirming<Order>(deps, 'host-suspend', {
    needs: 'hosts',
    asks: (ctx, { accountId, change }) => ({
      html: askAbout(deps, ctx, accountId, ctx.say(`host-ask-${change}`)),
      label: ctx.label(`host-button-${change}`),
      style: change === 'pause' || change === 'close' ? 'danger' : undefined,
    }),
    does: (ctx, action) => suspend(deps, ctx, action),
  });
  const asking = CHANGES.map((change): [string, Button] => [
    `host:${change}`,
    button('hosts', [wholeNumber()], (ctx, id) => {
      const account = takeAccount(deps, ctx, id);
      return account && suspending.ask(ctx, { accountId: id, change }, 'edit');
    }),
  ]);
  return { buttons: { ...Object.fromEntries(asking), ...suspending.button } };
}

async function suspend(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload, ends, result }: Action<Order>,
): Promise<void> {
  const { accountId, change } = payload;
  const account = name(deps.core.accounts.find(accountId)?.name ?? '');
  const owner = deps.core.accounts.findOwnerId(accountId);
  const language = owner === undefined ? undefined : findLanguageOf(deps, owner);
  const card = new InlineKeyboard().text(
    ctx.label('host-button-open-card'),
    commandData(`accounts ${accountId}`),
  );
  const inTransaction = ends(({ status }: SuspendAnswer) => {
    const isChanged = status === 'changed';
    const word = (of: Language) => ({ html: deps.texts.say(of, `account-${change}`) });
    const told = isChanged && owner !== undefined && renderFor(deps, `suspend:${id}`, owner, word, language);
    const key = isChanged ? `host-${change}-done` : 'host-suspend-unchanged';
    const shown = result(toOutgoing(ctx.say(key, { account }), card));
    return told ? [shown, told] : [shown];
  });
  await deps.core.accounts.suspend(hostOf(ctx), accountId, change, inTransaction);
}
