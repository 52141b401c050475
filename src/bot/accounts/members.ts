// /members: who is in the account, and the ways to change it.
import { type Api, InlineKeyboard } from 'grammy';

import {
  CoreError,
  type GivenRole,
  grantOf,
  type Member,
  type MemberActor,
  ROLES,
} from '../../core/index.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { findLanguageOf, formatHandle, renderFor, toPerson } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature, wholeNumber, word } from '../feature.ts';
import { type Action, confirming } from '../outbox/actions.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { setOwnMenu } from '../prompts/menus.ts';
import { addBack, addPages, cutListPage } from '../prompts/paging-keyboard.ts';
import { answerTap, editHtml, reply, show } from '../replies.ts';
import { LANGUAGES, name, type Texts } from '../texts.ts';

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

// A confirmed change of members: done once by its confirmation, then told to the person it concerns, then shown.

/** What a confirmation changes: in which account, and whom (`name` as it was shown; of the account for `leave`). */
type MemberChange = { accountId: number; telegramId: number; name: string } & (
  { kind: 'role'; role: GivenRole } | { kind: 'remove' } | { kind: 'own' } | { kind: 'leave' }
);

/** Done, so that the person is told; or not, with the key of the sentence why. */
type Outcome =
  'done' | 'members-unchanged' | 'members-gone' | 'members-changed-meanwhile' | 'members-owner-stays';

/** Who may do it is asked by the core, in the transaction: after the change the actor may not be who they were. */
const createChanging = (deps: BotDeps, api: Api, features: readonly Feature[]) =>
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

type Changing = ReturnType<typeof createChanging>;

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

// Roles as the chat speaks of them: which ones a member may give, and which one a typed word names.

const GIVEN: readonly GivenRole[] = ROLES.filter((role): role is GivenRole => role !== 'owner');

/** The roles that this member may give, change and take. */
export function rolesToGive(actor: MemberActor): GivenRole[] {
  return GIVEN.filter((role) => grantOf(actor, role === 'admin' ? 'manageAdmins' : 'manageStaff') === 'yes');
}

/** The role that a word names, by its name or in any of our languages; ownership is no role to be given. */
export function findGivenRole(texts: Texts, word: string): GivenRole | undefined {
  const typed = word.toLowerCase();
  return GIVEN.find(
    (role) =>
      role === typed ||
      LANGUAGES.some((language) => texts.label(language, `role-${role}`).toLowerCase() === typed),
  );
}
