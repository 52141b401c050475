// A new account: its name is asked for, and it is opened together with the link that makes somebody its owner.
import { InlineKeyboard } from 'grammy';

import type { OpenedForOwner } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { confirming, type Action } from '../outbox/actions.ts';
import { joinLink, linkKeyboard } from '../accounts/invite.ts';
import { prepareNewAccount } from '../outbox/new-accounts.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { toOutgoing } from '../outgoing.ts';
import { answerTap } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { findConfirmation } from '../prompts/confirmations.ts';
import { askInWords } from '../prompts/ask.ts';
import { LONGEST_NAME, name } from '../texts.ts';
import { formatOwnerLink } from './cards.ts';
import { DAYS_OFFERED } from './host-menus.ts';

/** The data of the button, and the name of the question. */
export const NEW_ACCOUNT = 'host:new';
const OPEN = 'host-open';

interface Order {
  name: string;
  /** Of subscription, with which it begins. */
  days?: number;
}

export function createNewAccount(deps: BotDeps): Feature {
  const opening = createOpening(deps);
  return {
    buttons: {
      [NEW_ACCOUNT]: button('hosts', [], (ctx) => askInWords(ctx, ctx.say('host-new-name'), NEW_ACCOUNT)),
      // A choice is a question of its own: the days that it begins with.
      'host:with': button('hosts', [wholeNumber(3), word], (ctx, chosen, id) => {
        const days = DAYS_OFFERED.find((each) => each === chosen);
        const found = findConfirmation<Order>(deps, ctx, OPEN, id);
        if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
        if (days === undefined) return answerTap(ctx, ctx.label('button-old'), true);
        const { name: called, days: before } = found.payload;
        return opening.ask(ctx, before === days ? { name: called } : { name: called, days }, 'edit');
      }),
      ...opening.button,
    },
    questions: {
      [NEW_ACCOUNT]: {
        needs: 'hosts',
        takesWords: true,
        async hear(ctx, _of, text) {
          const called = text.replace(/\s+/gu, ' ').trim();
          if (called === '' || [...called].length > LONGEST_NAME)
            return ctx.say('host-new-name-again', { most: String(LONGEST_NAME) });
          await opening.ask(ctx, { name: called });
          return true;
        },
      },
    },
  };
}

const createOpening = (deps: BotDeps) =>
  confirming<Order>(deps, OPEN, {
    needs: 'hosts',
    asks: (ctx, order) => ({
      html: ctx.say('host-ask-new', { account: name(order.name), days: order.days ?? 0 }),
      label: ctx.label('host-button-open-it'),
      above(id) {
        const keyboard = new InlineKeyboard();
        for (const days of DAYS_OFFERED) {
          const mark = days === order.days ? '✅ ' : '';
          keyboard.text(`${mark}${ctx.label('host-button-days', { days })}`, `host:with:${days}:${id}`);
        }
        return keyboard;
      },
    }),
    does: (ctx, action) => open(deps, ctx, action),
  });

async function open(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload, ends, result }: Action<Order>,
): Promise<void> {
  const formatOpened = ctx.from && prepareNewAccount(deps, ctx.from);
  const inTransaction = ends(({ accountId, name: called, token }: OpenedForOwner) => {
    const facts = { account: name(called), id: String(accountId) };
    const html = `${ctx.say('host-opened', facts)}\n\n${formatOwnerLink(ctx, { account: called, token })}`;
    // The link stays where it is: the account is shown in a message of its own.
    const keyboard = linkKeyboard(ctx, joinLink(ctx, token))
      .row()
      .text(ctx.label('host-button-open-card'), commandData(`accounts ${accountId}`));
    return [result(toOutgoing(html, keyboard)), ...(formatOpened?.({ accountId, name: called }) ?? [])];
  });
  await deps.core.members.openForOwner(hostOf(ctx), { ...payload, orderId: id }, inTransaction);
}
