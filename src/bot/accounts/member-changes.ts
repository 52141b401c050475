// A confirmed change of members: done once by its confirmation, then told to the person it concerns, then shown.
import type { Api } from 'grammy';

import { CoreError, type GivenRole } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { runAction, type Action } from '../outbox/actions.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { setOwnMenu } from '../prompts/menus.ts';
import { findLanguageOf, toPerson, renderFor } from '../actor.ts';
import { editHtml } from '../replies.ts';
import { name } from '../texts.ts';

/** The action of the confirmations. */
export const DO_CHANGE = 'members-do';

/** What a confirmation changes: in which account, and whom (`name` as it was shown; of the account for `leave`). */
export type MemberChange = { accountId: number; telegramId: number; name: string } & (
  { kind: 'role'; role: GivenRole } | { kind: 'remove' } | { kind: 'own' } | { kind: 'leave' }
);

/** Done, so that the person is told; or not, with the key of the sentence why. */
type Outcome =
  'done' | 'members-unchanged' | 'members-gone' | 'members-changed-meanwhile' | 'members-owner-stays';

export function createMemberChanges(deps: BotDeps, api: Api, features: readonly Feature[]): Handlers {
  const handlers = new Handlers();
  // Who may do it is asked by the core, in the transaction: after the change the actor may not be who they were.
  handlers.callbackQuery(new RegExp(`^${DO_CHANGE}:`), async (ctx) => {
    await runAction<MemberChange>(deps, ctx, DO_CHANGE, async (action) => {
      const change = action.payload;
      const outcome = action.isDone ? 'done' : await makeChange(deps, ctx, action);
      if (outcome !== 'done') return editHtml(ctx, ctx.say(outcome, { person: name(change.name) }));
      setMenus(deps, api, features, ctx, change);
    });
  });
  return handlers;
}

async function makeChange(deps: BotDeps, ctx: BotContext, action: Action<MemberChange>): Promise<Outcome> {
  const { members } = deps.core;
  const change = action.payload;
  const actor = ctx.actor;
  if (actor?.accountId !== change.accountId) {
    throw new CoreError('FORBIDDEN', 'You are not a member of this account any more.');
  }
  const kept = { confirmation: action.confirmation, messages: formatResults(deps, ctx, action) };
  const inTransaction = deps.store.inTransaction(() => kept);
  const answer =
    change.kind === 'role'
      ? await members.changeRole(actor, change.telegramId, change.role, inTransaction)
      : change.kind === 'own'
        ? await members.handOver(actor, change.telegramId, inTransaction)
        : await members.remove(actor, change.telegramId, inTransaction);
  switch (answer.status) {
    case 'changed':
    case 'removed':
    case 'left':
    case 'handedOver':
      return 'done';
    case 'unchanged':
      return 'members-unchanged';
    case 'notMember':
      return 'members-gone';
    case 'changedMeanwhile':
      return 'members-changed-meanwhile';
    case 'alreadyOwner':
      return 'members-unchanged';
  }
}

/** What whoever ordered it sees; and what the one reads whom it happened to, or the owner of whom a member left. */
function formatResults(
  deps: BotDeps,
  ctx: BotContext,
  { id, payload: change, result }: Action<MemberChange>,
): OutgoingRow[] {
  const given = change.kind === 'role' ? ctx.label(`role-${change.role}`) : '';
  const shown = ctx.say(`members-done-${change.kind}`, { person: name(change.name), role: given });
  const owner = deps.core.members.findOwner(change.accountId)?.telegramId;
  const recipient = change.kind === 'leave' ? owner : change.telegramId;
  if (recipient === undefined) return [result({ html: shown })];
  const account = name(deps.core.accounts.find(change.accountId)?.name ?? '');
  const person = name(ctx.from ? toPerson(ctx.from).name : '');
  const told = renderFor(deps, `members:${id}`, recipient, (language) => {
    const role = change.kind === 'role' ? deps.texts.label(language, `role-${change.role}`) : '';
    return { html: deps.texts.say(language, `members-told-${change.kind}`, { account, person, role }) };
  });
  return [result({ html: shown }), told];
}

/** The menus of both people, as they stand now. */
function setMenus(
  deps: BotDeps,
  api: Api,
  features: readonly Feature[],
  ctx: BotContext,
  change: MemberChange,
): void {
  const ids = new Set([ctx.from?.id ?? change.telegramId, change.telegramId]);
  for (const telegramId of ids) {
    const actor = deps.core.members.findActor(telegramId);
    const isHost = deps.settings.hostIds.includes(telegramId);
    const language = telegramId === ctx.from?.id ? ctx.language : findLanguageOf(deps, telegramId);
    setOwnMenu(api, deps, features, { telegramId, actor, isHost, language });
  }
}
