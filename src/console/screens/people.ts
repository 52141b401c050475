// The people of an account: their roles, who is removed, who is invited, and who becomes the owner.
import { html } from 'hono/html';

import { grantOf, ROLES, type GivenRole, type Member } from '../../core/index.ts';
import {
  ConsoleProblem,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get, secretPage, type ActQuestion } from '../parts/acts.ts';
import { actionButton, choiceField, form, hidden } from '../parts/form.ts';
import { badge, link, whenFresh } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';

/** Whoever hands over has another role afterwards, and no session of it. */
const toPeople = { fresh: true, find: findPerson, to: '/people' } as const;

export const peopleScreen: Screen = {
  name: 'people',
  inMenu: true,
  routes: [
    get('/people', 'manageStaff', show),
    act('/people/role', 'manageStaff', { ...toPeople, run: changeRole, said: 'role-changed' }),
    act('/people/remove', 'manageStaff', {
      ...{ ...toPeople, ask: asking('remove'), said: 'person-removed' },
      run: (context, { telegramId }) => context.core.members.remove(memberOf(context), telegramId),
    }),
    act('/people/own', 'handOver', {
      ...{ ...toPeople, ask: asking('own'), said: 'handed-over' },
      run: (context, { telegramId }) => context.core.members.handOver(memberOf(context), telegramId),
    }),
    act('/people/invite', 'manageStaff', { fresh: true, run: invite }),
  ],
};

const GIVEN = ROLES.filter((role): role is GivenRole => role !== 'owner');

/** The roles that whoever looks may give, change and take. */
function rolesToGive(context: ScreenContext): GivenRole[] {
  const actor = memberOf(context);
  return GIVEN.filter((role) => grantOf(actor, role === 'admin' ? 'manageAdmins' : 'manageStaff') === 'yes');
}

function show(context: ScreenContext): Html {
  const { core, t, can, session } = context;
  const actor = memberOf(context);
  const given = rolesToGive(context);
  const isMe = ({ telegramId }: Member) => telegramId === actor.telegramId;
  const isOther = (member: Member) => session.isFresh && !isMe(member);
  const mayTouch = (member: Member) => isOther(member) && given.some((each) => each === member.role);
  const button = (what: 'remove' | 'own', { telegramId, name }: Member) =>
    actionButton(`/people/${what}`, t(`people-${what}`), { about: name, fields: { person: telegramId } });
  const list = table(t('people-title'), core.members.list(actor), [
    [
      t('people-person'),
      (member) =>
        html`${can('readLog') ? link(`/log?person=${member.telegramId}`, member.name) : member.name}
          <small>${member.username === undefined ? member.telegramId : `@${member.username}`}</small>
          ${isMe(member) && badge('good', t('people-you'))}`,
    ],
    [
      t('people-role'),
      (member) => (mayTouch(member) ? roleForm(context, member, given) : t(`role-${member.role}`)),
    ],
    [t('people-since'), ({ joinedAt }) => absoluteTime(context, joinedAt), 'narrow'],
    [
      '',
      (member) =>
        html`${mayTouch(member) && button('remove', member)}
        ${can('handOver') && isOther(member) && button('own', member)}`,
    ],
  ]);
  const role = choiceField({
    ...{ name: 'role', label: t('people-invite-as') },
    choices: given.toReversed().map((each) => [each, t(`role-${each}`)]),
  });
  const inviting = html`${role}<button class="main">${t('people-invite')}</button>`;
  const body = html`${list}
    <h2>${t('people-invite-title')}</h2>
    ${whenFresh(context, form('/people/invite', inviting, { className: 'row' }))}
    <p class="hint">${t('people-hint')}</p>`;
  return page(context, { title: t('people-title'), body });
}

function roleForm(
  { t }: ScreenContext,
  { telegramId, name, role }: Member,
  given: readonly GivenRole[],
): Html {
  const option = (each: GivenRole) =>
    html`<option value="${each}" ${each === role && 'selected'}>${t(`role-${each}`)}</option>`;
  return form(
    '/people/role',
    html`${hidden({ person: telegramId, from: role })}<select
        name="role"
        class="small"
        aria-label="${t('people-role-of', { person: name })}"
      >
        ${given.map(option)}</select
      ><button>${t('people-change')}</button>`,
    { className: 'inline' },
  );
}

function findPerson(context: ScreenContext): Member | undefined {
  const telegramId = requireNumber(context.field('person'));
  return context.core.members.list(memberOf(context)).find((each) => each.telegramId === telegramId);
}

function asking(what: 'remove' | 'own'): (context: ScreenContext, member: Member) => ActQuestion {
  return ({ t }, { name }) => ({
    text: t(`people-ask-${what}`, { person: name }),
    ...{ label: t(`people-${what}`), back: '/people' },
  });
}

function readRole({ field }: ScreenContext): GivenRole {
  const role = GIVEN.find((each) => each === field('role'));
  if (!role) throw new ConsoleProblem(400, 'bad-form');
  return role;
}

/** From the role that the page showed: of two changes at once the second is told, not obeyed. */
function changeRole(context: ScreenContext, { telegramId, role }: Member) {
  if (role !== context.field('from')) return { status: 'changedMeanwhile' };
  return context.core.members.changeRole(memberOf(context), telegramId, readRole(context));
}

async function invite(context: ScreenContext): Promise<Html> {
  const { core, t, settings, accountName } = context;
  const botName = settings.botName?.();
  if (botName === undefined) throw new ConsoleProblem(409, 'no-bot');
  const role = readRole(context);
  const { token } = await core.members.invite(memberOf(context), role);
  return secretPage(context, {
    ...{ title: t('people-invited'), back: '/people' },
    text: t('people-invited-as', { shop: accountName, role: t(`role-${role}`) }),
    secret: `https://t.me/${botName}?start=join_${token}`,
  });
}
