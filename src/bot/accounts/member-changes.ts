// A confirmed change of members: done once by its confirmation, then told to the person it concerns, then shown.
import type { Api } from 'grammy';

import { CoreError, type GivenRole } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { confirming, type Action } from '../outbox/actions.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import type { Feature } from '../feature.ts';
import { setOwnMenu } from '../prompts/menus.ts';
import { findLanguageOf, toPerson, renderFor } from '../actor.ts';
import { editHtml } from '../replies.ts';
import { name } from '../texts.ts';

/** What a confirmation changes: in which account, and whom (`name` as it was shown; of the account for `leave`). */
type MemberChange = { accountId: number; telegramId: number; name: string } & (
  { kind: 'role'; role: GivenRole } | { kind: 'remove' } | { kind: 'own' } | { kind: 'leave' }
);

/** Done, so that the person is told; or not, with the key of the sentence why. */
type Outcome =
  'done' | 'members-unchanged' | 'members-gone' | 'members-changed-meanwhile' | 'members-owner-stays';

/** Who may do it is asked by the core, in the transaction: after the change the actor may not be who they were. */
export const createChanging = (deps: BotDeps, api: Api, features: readonly Feature[]) =>
  confirming<MemberChange>(deps, 'members-do', {
    needs: 'everyone',
    asks: askAbout,
    async does(ctx, action) {
      const change = action.payload;
      const outcome = await makeChange(deps, ctx, action);
      if (outcome !== 'done') return editHtml(ctx, ctx.say(outcome, { person: name(change.name) }));
      setMenus(deps, api, features, ctx, change);
      return undefined;
    },
  });

export type Changing = ReturnType<typeof createChanging>;

function askAbout(ctx: BotContext, change: MemberChange) {
  const { kind, name: called } = change;
  const role = kind === 'role' ? ctx.label(`role-${change.role}`) : '';
  return {
    html: ctx.say(`members-ask-${kind}`, { [kind === 'leave' ? 'account' : 'person']: name(called), role }),
    label: ctx.label(`members-button-${kind}`, { role }),
    style: kind === 'role' ? undefined : ('danger' as const),
  };
}

async function makeChange(deps: BotDeps, ctx: BotContext, action: Action<MemberChange>): Promise<Outcome> {
  const { members } = deps.core;
  const change = action.payload;
  const actor = ctx.actor;
  if (actor?.accountId !== change.accountId) {
    throw new CoreError('FORBIDDEN', 'You are not a member of this account any more.');
  }
  const results = formatResults(deps, ctx, action);
  const inTransaction = action.ends(() => results);
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
