// /members: who is in the account, and the ways to change it. What a confirmation then does is in member-changes.ts.
import { InlineKeyboard, type Api } from 'grammy';

import { grantOf, type GivenRole, type Member, type MemberActor } from '../../core/index.ts';
import { formatHandle } from '../actor.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, word, type Feature } from '../feature.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { name } from '../texts.ts';
import { createChanging, type Changing } from './member-changes.ts';
import { findGivenRole, rolesToGive } from './roles.ts';
import { addBack, addPages, cutListPage } from '../prompts/paging-keyboard.ts';

const PAGE = 8;

export function createMembersFeature(deps: BotDeps, api: Api, features: readonly Feature[]): Feature {
  const changing = createChanging(deps, api, features);
  const asks = (kind: 'remove' | 'own') => (ctx: BotContext, id: number) =>
    question(deps, changing, ctx, id, { kind });
  return {
    commands: {
      members: {
        needs: 'members',
        menu: 'manageStaff',
        run: (ctx, text) => answerCommand(deps, changing, ctx, text),
      },
    },
    // The buttons that ask once more look the person and the permission up again.
    buttons: {
      'members:list': button('manageStaff', [wholeNumber(4)], (ctx, page) =>
        showList(deps, ctx, page, 'edit'),
      ),
      'members:one': button('manageStaff', [wholeNumber()], (ctx, id) => {
        const member = findMember(deps, ctx, id);
        return member && showCard(ctx, member, 'edit');
      }),
      'members:role': button('manageStaff', [wholeNumber(), word], (ctx, id, given) => {
        const role = findGivenRole(deps.texts, given);
        return question(deps, changing, ctx, id, role && { kind: 'role', role });
      }),
      'members:remove': button('manageStaff', [wholeNumber()], asks('remove')),
      // Ownership is asked about twice: this is the first warning, the confirmation comes with the second.
      'members:own': button('handOver', [wholeNumber()], (ctx, id) => {
        const member = findMember(deps, ctx, id);
        if (!member) return undefined;
        const keyboard = new InlineKeyboard().text(ctx.label('members-button-sure'), `members:sure:${id}`);
        addBack(keyboard, ctx, 'members:list:0');
        return editHtml(ctx, ctx.say('members-ask-own-first', { person: name(member.name) }), keyboard);
      }),
      'members:sure': button('handOver', [wholeNumber()], asks('own')),
      'members:stay': button('handOver', [], async (ctx) => {
        await deps.core.members.stayOwner(actorOf(ctx));
        return editHtml(ctx, ctx.say('members-stayed'));
      }),
      'members:leave': button('members', [], (ctx) => askToLeave(deps, changing, ctx)),
      ...changing.button,
    },
  };
}

/** The bare list; with a person their card; with a person and a role, or `remove`, the confirmation. */
async function answerCommand(
  deps: BotDeps,
  changing: Changing,
  ctx: BotContext,
  text: string,
): Promise<unknown> {
  if (grantOf(actorOf(ctx), 'manageStaff') === 'no') {
    const keyboard = new InlineKeyboard().text(ctx.label('members-button-leave'), 'members:leave');
    return reply(ctx, ctx.say('members-refused'), keyboard);
  }
  const [who = '', what = ''] = text.split(/\s+/);
  if (who === '') return showList(deps, ctx, 0, 'reply');
  const member = deps.core.members
    .list(actorOf(ctx))
    .find((each) => String(each.telegramId) === who || isUsername(each, who));
  if (!member) {
    await reply(ctx, ctx.say('members-unknown', { person: name(who) }));
    return showList(deps, ctx, 0, 'reply');
  }
  const role = findGivenRole(deps.texts, what);
  if (role) return ask(changing, ctx, { kind: 'role', role }, member, 'reply');
  if (what.toLowerCase() === 'remove') return ask(changing, ctx, { kind: 'remove' }, member, 'reply');
  return showCard(ctx, member, 'reply');
}

function isUsername({ username }: Member, typed: string): boolean {
  return username !== undefined && typed.toLowerCase().replace(/^@/, '') === username.toLowerCase();
}

async function askToLeave(deps: BotDeps, changing: Changing, ctx: BotContext): Promise<unknown> {
  const { role, accountId, telegramId } = actorOf(ctx);
  if (role === 'owner') return answerTap(ctx, ctx.label('members-owner-stays'), true);
  const account = deps.core.accounts.find(accountId)?.name ?? '';
  return changing.ask(ctx, { kind: 'leave', accountId, telegramId, name: account }, 'edit');
}

type MemberAction = { kind: 'role'; role: GivenRole } | { kind: 'remove' } | { kind: 'own' };

async function question(
  deps: BotDeps,
  changing: Changing,
  ctx: BotContext,
  id: number,
  action: MemberAction | undefined,
): Promise<void> {
  const member = findMember(deps, ctx, action ? id : 0);
  if (member && action) await ask(changing, ctx, action, member, 'edit');
}

const ask = (
  changing: Changing,
  ctx: BotContext,
  action: MemberAction,
  { telegramId, name: called }: Member,
  how: 'reply' | 'edit',
): Promise<unknown> =>
  changing.ask(ctx, { ...action, accountId: actorOf(ctx).accountId, telegramId, name: called }, how);

/** undefined: nobody is there, which the tap is told. */
function findMember({ core }: BotDeps, ctx: BotContext, id: number): Member | undefined {
  const found = core.members.list(actorOf(ctx)).find(({ telegramId }) => telegramId === id);
  if (!found) answerTap(ctx, ctx.label('members-gone'), true);
  return found;
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
