// /members: who is in the account, and the ways to change it. What a confirmation then does is in member-changes.ts.
import { InlineKeyboard, type Api } from 'grammy';

import { grantOf, type GivenRole, type Member, type MemberActor } from '../../core/index.ts';
import { requires, requiresMember, formatHandle } from '../actor.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { name } from '../texts.ts';
import { createMemberChanges, DO_CHANGE, type MemberChange } from './member-changes.ts';
import { findGivenRole, rolesToGive } from './roles.ts';
import { addBack, addPages, cutListPage } from '../prompts/paging-keyboard.ts';

const PAGE = 8;

export function createMembersFeature(deps: BotDeps, api: Api, features: readonly Feature[]): Feature {
  const handlers = new Handlers();
  handlers.command('members', requiresMember(), (ctx) => answerCommand(deps, ctx));
  mountList(deps, handlers);
  mountQuestions(deps, handlers);
  handlers.use(createMemberChanges(deps, api, features));
  return { commands: [{ name: 'members', for: 'manageStaff' }], handlers };
}

/** The bare list; with a person their card; with a person and a role, or `remove`, the confirmation. */
async function answerCommand(deps: BotDeps, ctx: BotContext): Promise<void> {
  if (grantOf(actorOf(ctx), 'manageStaff') === 'no') {
    const keyboard = new InlineKeyboard().text(ctx.label('members-button-leave'), 'members:leave');
    await reply(ctx, ctx.say('members-refused'), keyboard);
    return;
  }
  const [who = '', what = ''] = String(ctx.match ?? '')
    .trim()
    .split(/\s+/);
  if (who === '') return showList(deps, ctx, 0, 'reply');
  const member = deps.core.members
    .list(actorOf(ctx))
    .find((each) => String(each.telegramId) === who || isUsername(each, who));
  if (!member) {
    await reply(ctx, ctx.say('members-unknown', { person: name(who) }));
    return showList(deps, ctx, 0, 'reply');
  }
  const role = findGivenRole(deps.texts, what);
  if (role) return ask(deps, ctx, { kind: 'role', role }, member, 'reply');
  if (what.toLowerCase() === 'remove') return ask(deps, ctx, { kind: 'remove' }, member, 'reply');
  await showCard(ctx, member, 'reply');
}

function isUsername({ username }: Member, typed: string): boolean {
  return username !== undefined && typed.toLowerCase().replace(/^@/, '') === username.toLowerCase();
}

function mountList(deps: BotDeps, handlers: Handlers): void {
  handlers.callbackQuery(/^members:list:(\d{1,4})$/, requires('manageStaff'), async (ctx) => {
    answerTap(ctx);
    await showList(deps, ctx, Number(ctx.match[1]), 'edit');
  });
  handlers.callbackQuery(/^members:one:(\d{1,15})$/, requires('manageStaff'), async (ctx) => {
    const member = findMember(deps, ctx);
    if (!member) return answerTap(ctx, ctx.label('members-gone'), true);
    answerTap(ctx);
    await showCard(ctx, member, 'edit');
  });
}

/** The buttons that ask once more. Each looks the person and the permission up again. */
function mountQuestions(deps: BotDeps, handlers: Handlers): void {
  handlers.callbackQuery(/^members:role:(\d{1,15}):([a-z]+)$/, requires('manageStaff'), async (ctx) => {
    const role = findGivenRole(deps.texts, ctx.match[2] ?? '');
    await question(deps, ctx, role && { kind: 'role', role });
  });
  handlers.callbackQuery(/^members:remove:(\d{1,15})$/, requires('manageStaff'), (ctx) =>
    question(deps, ctx, { kind: 'remove' }),
  );
  // Ownership is asked about twice: this is the first warning, the confirmation comes with the second.
  handlers.callbackQuery(/^members:own:(\d{1,15})$/, requires('handOver'), async (ctx) => {
    const member = findMember(deps, ctx);
    if (!member) return answerTap(ctx, ctx.label('members-gone'), true);
    answerTap(ctx);
    const keyboard = new InlineKeyboard().text(
      ctx.label('members-button-sure'),
      `members:sure:${member.telegramId}`,
    );
    addBack(keyboard, ctx, 'members:list:0');
    await editHtml(ctx, ctx.say('members-ask-own-first', { person: name(member.name) }), keyboard);
  });
  handlers.callbackQuery(/^members:sure:(\d{1,15})$/, requires('handOver'), (ctx) =>
    question(deps, ctx, { kind: 'own' }),
  );
  handlers.callbackQuery('members:leave', requiresMember(), async (ctx) => {
    const actor = actorOf(ctx);
    if (actor.role === 'owner') return answerTap(ctx, ctx.label('members-owner-stays'), true);
    answerTap(ctx);
    const change: MemberChange = {
      kind: 'leave',
      accountId: actor.accountId,
      telegramId: actor.telegramId,
      name: deps.core.accounts.find(actor.accountId)?.name ?? '',
    };
    await saveAndAsk(deps, ctx, change, ctx.say('members-ask-leave', { account: name(change.name) }), 'edit');
  });
}

type MemberAction = { kind: 'role'; role: GivenRole } | { kind: 'remove' } | { kind: 'own' };

async function question(deps: BotDeps, ctx: BotContext, action: MemberAction | undefined): Promise<void> {
  const member = findMember(deps, ctx);
  if (!member || !action) return answerTap(ctx, ctx.label('members-gone'), true);
  answerTap(ctx);
  await ask(deps, ctx, action, member, 'edit');
}

async function ask(
  deps: BotDeps,
  ctx: BotContext,
  action: MemberAction,
  member: Member,
  how: 'reply' | 'edit',
): Promise<void> {
  const change: MemberChange = {
    ...action,
    accountId: actorOf(ctx).accountId,
    telegramId: member.telegramId,
    name: member.name,
  };
  const role = action.kind === 'role' ? ctx.label(`role-${action.role}`) : '';
  await saveAndAsk(
    deps,
    ctx,
    change,
    ctx.say(`members-ask-${action.kind}`, { person: name(member.name), role }),
    how,
  );
}

async function saveAndAsk(
  deps: BotDeps,
  ctx: BotContext,
  change: MemberChange,
  html: string,
  how: 'reply' | 'edit',
): Promise<void> {
  const data = await createConfirmation(deps, ctx, { action: DO_CHANGE, payload: change });
  const facts = change.kind === 'role' ? { role: ctx.label(`role-${change.role}`) } : undefined;
  const label = ctx.label(`members-button-${change.kind}`, facts);
  const keyboard = confirmKeyboard(ctx, data, { label, ...(!facts && { style: 'danger' }) });
  await show(ctx, html, keyboard, how);
}

function findMember({ core }: BotDeps, ctx: BotContext): Member | undefined {
  const id = Number(ctx.match?.[1]);
  return core.members.list(actorOf(ctx)).find(({ telegramId }) => telegramId === id);
}

async function showList(deps: BotDeps, ctx: BotContext, page: number, how: 'reply' | 'edit'): Promise<void> {
  const actor = actorOf(ctx);
  const members = deps.core.members.list(actor);
  const dataOf = (other: number) => `members:list:${other}`;
  const { shown, beside } = cutListPage(members, { page, size: PAGE, dataOf });
  const account = deps.core.accounts.find(actor.accountId)?.name ?? '';
  const lines = shown.map((member) => describe(ctx, member));
  const keyboard = new InlineKeyboard();
  for (const member of shown) {
    keyboard.text(name(member.name), `members:one:${member.telegramId}`).row();
  }
  addPages(keyboard, ctx, beside);
  keyboard.row().text(ctx.label('members-button-invite'), commandData('invite'));
  if (actor.role !== 'owner') keyboard.text(ctx.label('members-button-leave'), 'members:leave');
  const title = ctx.say('members-title', { account: name(account), count: members.length });
  await show(ctx, `${title}\n\n${lines.join('\n')}\n\n${ctx.say('members-hint')}`, keyboard, how);
}

function describe(ctx: BotContext, { telegramId, name: typed, username, role }: Member): string {
  const handle = formatHandle(username);
  const key = telegramId === ctx.from?.id ? 'members-line-you' : 'members-line';
  return ctx.say(key, { person: name(typed), handle, role: ctx.label(`role-${role}`) });
}

async function showCard(ctx: BotContext, member: Member, how: 'reply' | 'edit'): Promise<void> {
  await show(ctx, describe(ctx, member), cardKeyboard(ctx, actorOf(ctx), member), how);
}

/** Only what this role may do to that one; the core looks again when it is done. */
function cardKeyboard(ctx: BotContext, actor: MemberActor, member: Member): InlineKeyboard {
  const { telegramId, role } = member;
  const keyboard = new InlineKeyboard();
  const isSelf = telegramId === actor.telegramId;
  const touchable = !isSelf && role !== 'owner' && rolesToGive(actor).includes(role);
  if (touchable) {
    for (const given of rolesToGive(actor).filter((each) => each !== role)) {
      const label = ctx.label('members-button-role', { role: ctx.label(`role-${given}`) });
      keyboard.text(label, `members:role:${telegramId}:${given}`).row();
    }
    keyboard.text(ctx.label('members-button-remove'), `members:remove:${telegramId}`).row();
  }
  if (!isSelf && grantOf(actor, 'handOver') === 'yes') {
    keyboard.text(ctx.label('members-button-own'), `members:own:${telegramId}`).row();
  }
  if (isSelf && role !== 'owner') keyboard.text(ctx.label('members-button-leave'), 'members:leave').row();
  return addBack(keyboard, ctx, 'members:list:0');
}
