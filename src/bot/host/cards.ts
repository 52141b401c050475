// The card of an account: who is in it, how it stands, and a button for everything that the host may do about it.
import { InlineKeyboard } from 'grammy';

import type { Account, Member, Replacement } from '../../core/index.ts';
import { formatPerson } from '../actor.ts';
import { button, wholeNumber, type Feature } from '../feature.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { confirming } from '../outbox/actions.ts';
import { toOutgoing } from '../outgoing.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { joinLink, linkKeyboard } from '../accounts/invite.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name, writeActivations } from '../texts.ts';
import { countOf } from './doubts.ts';
import { askAbout, day, moment, takeAccount, formatSubscription } from './host-menus.ts';
import { addSuspensions } from './suspensions.ts';

/** People that a message names. */
const MOST_PEOPLE = 15;

export function createAccountCards(deps: BotDeps): Feature {
  const inviteOwner = async (ctx: BotContext, accountId: number): Promise<void> => {
    const account = deps.core.accounts.find(accountId);
    // The same update again shows the same link.
    const order = String(ctx.update.update_id);
    const invitation = account && (await deps.core.members.inviteOwner(hostOf(ctx), account.id, order));
    if (!invitation) return answerTap(ctx, ctx.label('host-has-owner'), true);
    const link = formatOwnerLink(ctx, { account: account.name, token: invitation.token });
    await reply(ctx, link, linkKeyboard(ctx, joinLink(ctx, invitation.token)));
  };
  const replacing = createReplacing(deps);
  return {
    buttons: {
      'host:account': button('hosts', [wholeNumber()], (ctx, id) => {
        const account = takeAccount(deps, ctx, id);
        return account && showAccountCard(deps, ctx, account.id, 'edit');
      }),
      'host:owner': button('hosts', [wholeNumber()], inviteOwner),
      // Asked about twice, as when an owner hands over: this is the warning, the confirmation comes with the second.
      'host:replace': button('hosts', [wholeNumber()], (ctx, id) => {
        if (!takeAccount(deps, ctx, id)) return undefined;
        const keyboard = new InlineKeyboard().text(
          ctx.label('members-button-sure'),
          `host:replace-sure:${id}`,
        );
        addBack(keyboard, ctx, `host:account:${id}`);
        return editHtml(ctx, askAbout(deps, ctx, id, ctx.say('host-warn-replace-owner')), keyboard);
      }),
      'host:replace-sure': button('hosts', [wholeNumber()], (ctx, id) => {
        const account = takeAccount(deps, ctx, id);
        return account && replacing.ask(ctx, { accountId: account.id }, 'edit');
      }),
      ...replacing.button,
    },
  };
}

/** A link by which somebody owns an account in its owner's place, for where the owner is gone. */
const createReplacing = (deps: BotDeps) =>
  confirming<{ accountId: number }>(deps, 'host-replace', {
    needs: 'hosts',
    asks: (ctx, { accountId }) => ({
      html: askAbout(deps, ctx, accountId, ctx.say('host-ask-replace-owner')),
      label: ctx.label('host-button-replace-owner'),
      style: 'danger',
    }),
    async does(ctx, { id, payload: { accountId }, ends, result }) {
      const account = name(deps.core.accounts.find(accountId)?.name ?? '');
      const inTransaction = ends((made: Replacement | undefined) => {
        if (!made) return [result({ html: ctx.say('host-replace-nobody') })];
        const link = joinLink(ctx, made.token);
        const opens = moment(deps, ctx, made.opensAt);
        const html = ctx.say('host-replace-link', { account, link, opens });
        return [result(toOutgoing(html, linkKeyboard(ctx, link)))];
      });
      await deps.core.members.replaceOwner(hostOf(ctx), accountId, id, inTransaction);
    },
  });

/** The invitation to own an account, ready to be sent on. */
export function formatOwnerLink(ctx: BotContext, of: { account: string; token: string }): string {
  return ctx.say('host-owner-link', { account: name(of.account), link: joinLink(ctx, of.token) });
}

/** Shows an account that is there. */
export async function showAccountCard(
  deps: BotDeps,
  ctx: BotContext,
  accountId: number,
  how: 'reply' | 'edit',
): Promise<void> {
  const account = deps.core.accounts.find(accountId);
  if (!account) return void (await reply(ctx, ctx.say('host-no-account')));
  const [html, keyboard] = renderCard(deps, ctx, account);
  await show(ctx, html, keyboard, how);
}

function renderCard(deps: BotDeps, ctx: BotContext, account: Account): [string, InlineKeyboard] {
  const { core } = deps;
  const { id } = account;
  const people = core.members.listOf(hostOf(ctx), id);
  const { doubts, isPart } = core.doubts.listOf(hostOf(ctx), id);
  const { daily, purchased, boughtInAll } = core.quotaOf(hostOf(ctx), id);
  const lines = [
    ctx.say('host-card', {
      id: String(id),
      account: name(account.name),
      opened: day(deps, ctx, account.createdAt),
      subscription: formatSubscription(deps, ctx, account),
    }),
    ctx.say('host-card-use', {
      used: writeActivations(ctx.language, daily.used),
      limit: String(daily.limit),
      purchased: writeActivations(ctx.language, purchased),
      bought: String(boughtInAll),
    }),
    ...(doubts.length > 0 ? [ctx.say('host-card-doubts', { count: countOf(doubts.length, isPart) })] : []),
    '',
    ...formatPeople(ctx, people),
  ];
  const keyboard = new InlineKeyboard()
    .text(ctx.label('host-button-grant-days'), `host:grant:days:${id}`)
    .text(ctx.label('host-button-grant-activations'), `host:grant:activations:${id}`)
    .row()
    .text(ctx.label('host-button-payments'), `host:payments:${id}:first`);
  if (doubts.length > 0)
    keyboard.text(
      ctx.label('host-button-doubts', { count: countOf(doubts.length, isPart) }),
      `host:doubts:${id}`,
    );
  addSuspensions(keyboard, ctx, account);
  const isOwned = people.some(({ role }) => role === 'owner');
  if (isOwned) keyboard.row().text(ctx.label('host-button-replace-owner'), `host:replace:${id}`);
  else if (account.state !== 'closed')
    keyboard.row().text(ctx.label('host-button-owner'), `host:owner:${id}`);
  return [lines.join('\n'), keyboard.row().text(ctx.label('host-button-accounts'), commandData('accounts'))];
}

function formatPeople(ctx: BotContext, people: readonly Member[]): string[] {
  if (people.length === 0) return [ctx.say('host-card-nobody')];
  const lines = people
    .slice(0, MOST_PEOPLE)
    .map((one) =>
      ctx.say('host-card-person', { person: formatPerson(one), role: ctx.label(`role-${one.role}`) }),
    );
  const more = people.length - lines.length;
  return [
    ctx.say('host-card-people', { count: people.length }),
    ...lines,
    ...(more > 0 ? [ctx.say('host-more', { count: String(more) })] : []),
  ];
}
