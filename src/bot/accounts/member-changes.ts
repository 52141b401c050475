// A confirmed change of members: done once by its draft, then told to the person it concerns, then shown.
import { Composer, type Api } from 'grammy';

import { CoreError, type GivenRole } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { takeDraft } from '../talk/drafts.ts';
import type { Feature } from '../feature.ts';
import { setOwnMenu } from '../talk/menus.ts';
import { findLanguageOf, tellLater, toPerson } from '../delivery/people.ts';
import { answerTap, editHtml } from '../replies.ts';
import { name } from '../texts.ts';

/** The action of the drafts. */
export const DO_CHANGE = 'members-do';

/** What a draft changes: in which account, and whom (`name` as it was shown; of the account for `leave`). */
export type MemberChange = { accountId: number; telegramId: number; name: string } & (
  { deed: 'role'; role: GivenRole } | { deed: 'remove' } | { deed: 'own' } | { deed: 'leave' }
);

/** Done, so that the person is told; or not, with the key of the sentence why. */
type Outcome =
  'done' | 'members-unchanged' | 'members-gone' | 'members-changed-meanwhile' | 'members-owner-stays';

interface Made {
  change: MemberChange;
  draftId: string;
  /** A crash may have come after it was done. */
  again: boolean;
}

export function createMemberChanges(
  deps: BotDeps,
  api: Api,
  features: readonly Feature[],
): Composer<BotContext> {
  const handlers = new Composer<BotContext>();
  // Who may do it is asked by the core, in the transaction: after the change the actor may not be who he was.
  handlers.callbackQuery(new RegExp(`^${DO_CHANGE}:`), async (ctx) => {
    const taken = await takeDraft<MemberChange>(deps, ctx, DO_CHANGE);
    if (taken.status === 'refused') return answerTap(ctx, ctx.label(taken.key), true);
    await answerTap(ctx);
    const made = { change: taken.payload, draftId: taken.id, again: taken.again };
    const outcome = await carryOut(deps, ctx, made);
    const { change } = made;
    if (outcome !== 'done') return editHtml(ctx, ctx.say(outcome, { person: name(change.name) }));
    await tell(deps, ctx, made);
    const role = change.deed === 'role' ? ctx.label(`role-${change.role}`) : '';
    await editHtml(ctx, ctx.say(`members-done-${change.deed}`, { person: name(change.name), role }));
    await setMenus(deps, api, features, ctx, change);
  });
  return handlers;
}

async function carryOut(deps: BotDeps, ctx: BotContext, { change, again }: Made): Promise<Outcome> {
  const { members } = deps.core;
  const actor = ctx.actor;
  if (actor?.accountId !== change.accountId) {
    if (again && change.deed === 'leave') return 'done';
    throw new CoreError('FORBIDDEN', 'You are not a member of this account any more.');
  }
  if (change.deed === 'own' && again && isOwner(deps, change)) return 'done';
  const answer =
    change.deed === 'role'
      ? await members.changeRole(actor, change.telegramId, change.role)
      : change.deed === 'own'
        ? await members.handOver(actor, change.telegramId)
        : await members.remove(actor, change.telegramId);
  switch (answer.status) {
    case 'changed':
    case 'removed':
    case 'left':
    case 'handedOver':
      return 'done';
    case 'unchanged':
      return again ? 'done' : 'members-unchanged';
    case 'notMember':
      return again && change.deed === 'remove' ? 'done' : 'members-gone';
    case 'changedMeanwhile':
      return 'members-changed-meanwhile';
    case 'alreadyOwner':
      return 'members-unchanged';
  }
}

function isOwner({ core }: BotDeps, { accountId, telegramId }: MemberChange): boolean {
  return core.members.findOwner(accountId)?.telegramId === telegramId;
}

/** Once a draft: the one it happened to; of a member who left, the owner. */
async function tell(deps: BotDeps, ctx: BotContext, { change, draftId }: Made): Promise<void> {
  const owner = deps.core.members.findOwner(change.accountId)?.telegramId;
  const recipient = change.deed === 'leave' ? owner : change.telegramId;
  if (recipient === undefined) return;
  const account = name(deps.core.accounts.find(change.accountId)?.name ?? '');
  const person = name(ctx.from ? toPerson(ctx.from).name : '');
  await tellLater(deps, `members:${draftId}`, recipient, (language) => {
    const role = change.deed === 'role' ? deps.texts.label(language, `role-${change.role}`) : '';
    return { html: deps.texts.say(language, `members-told-${change.deed}`, { account, person, role }) };
  });
}

/** The menus of both people, as they stand now. */
async function setMenus(
  deps: BotDeps,
  api: Api,
  features: readonly Feature[],
  ctx: BotContext,
  change: MemberChange,
): Promise<void> {
  const ids = new Set([ctx.from?.id ?? change.telegramId, change.telegramId]);
  for (const telegramId of ids) {
    const actor = deps.core.members.findActor(telegramId);
    const isHost = deps.settings.hostIds.includes(telegramId);
    const language = telegramId === ctx.from?.id ? ctx.language : findLanguageOf(deps, telegramId);
    await setOwnMenu(api, deps, features, { telegramId, actor, isHost, language });
  }
}
