// The people of an account: their roles, who is removed, who is invited, and who becomes the owner.
import { html } from 'hono/html';

import { grantOf, ROLES, type GivenRole, type Member } from '../../core/index.ts';
import {
  BASE,
  ConsoleProblem,
  goTo,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { badge } from '../parts/badge.ts';
import { actionButton, choiceField, form, hiddenField } from '../parts/form.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { confirmation, secretPage } from './asking.ts';

export const peopleScreen: Screen = {
  name: 'people',
  inMenu: true,
  routes: [
    { method: 'GET', path: '/people', needs: 'manageStaff', run: show },
    { method: 'POST', path: '/people/role', needs: 'manageStaff', fresh: true, run: changeRole },
    { method: 'POST', path: '/people/remove', needs: 'manageStaff', fresh: true, run: remove },
    { method: 'POST', path: '/people/own', needs: 'handOver', fresh: true, run: handOver },
    { method: 'POST', path: '/people/invite', needs: 'manageStaff', fresh: true, run: invite },
  ],
};

const GIVEN = ROLES.filter((role): role is GivenRole => role !== 'owner');

/** The roles that whoever looks may give, change and take. */
function rolesToGive(context: ScreenContext): GivenRole[] {
  const actor = memberOf(context);
  return GIVEN.filter((role) => grantOf(actor, role === 'admin' ? 'manageAdmins' : 'manageStaff') === 'yes');
}

function show(context: ScreenContext): Html {
  const { core, t, can } = context;
  const actor = memberOf(context);
  const given = rolesToGive(context);
  const mayTouch = ({ role, telegramId }: Member) =>
    telegramId !== actor.telegramId && given.some((each) => each === role);
  const list = table({
    caption: t('people-title'),
    rows: core.members.list(actor),
    empty: '',
    columns: [
      {
        header: t('people-person'),
        cell: ({ name, username, telegramId }) =>
          html`${can('readLog') ? html`<a href="${BASE}/log?person=${telegramId}">${name}</a>` : name}
            <small>${username === undefined ? telegramId : `@${username}`}</small>
            ${telegramId === actor.telegramId ? badge('good', t('people-you')) : ''}`,
      },
      {
        header: t('people-role'),
        cell: (member) => (mayTouch(member) ? roleForm(context, member, given) : t(`role-${member.role}`)),
      },
      {
        header: t('people-since'),
        hidden: 'narrow',
        cell: ({ joinedAt }) => absoluteTime(context, joinedAt),
      },
      { header: '', cell: (member) => acts(context, member, mayTouch(member)) },
    ],
  });
  const inviting = form(context, {
    action: '/people/invite',
    className: 'row',
    body: html`${choiceField({
        ...{ name: 'role', label: t('people-invite-as') },
        choices: given.toReversed().map((role) => [role, t(`role-${role}`)]),
      })}<button class="main">${t('people-invite')}</button>`,
  });
  const body = html`${list}
    <h2>${t('people-invite-title')}</h2>
    ${inviting}
    <p class="hint">${t('people-hint')}</p>`;
  return page(context, { title: t('people-title'), current: 'people', body });
}

function roleForm(
  context: ScreenContext,
  { telegramId, name, role }: Member,
  given: readonly GivenRole[],
): Html {
  const { t } = context;
  return form(context, {
    action: '/people/role',
    className: 'inline',
    body: html`${hiddenField('person', telegramId)}${hiddenField('from', role)}<select
        name="role"
        class="small"
        aria-label="${t('people-role-of', { person: name })}"
      >
        ${given.map(
          (each) =>
            html`<option value="${each}" ${each === role ? 'selected' : ''}>${t(`role-${each}`)}</option>`,
        )}</select
      ><button>${t('people-change')}</button>`,
  });
}

function acts(context: ScreenContext, { telegramId, name }: Member, mayTouch: boolean): Html {
  const { t, can, member } = context;
  const fields = { person: telegramId };
  const about = name;
  return html`${
    mayTouch
      ? actionButton(context, {
          ...{ action: '/people/remove', fields, about },
          label: t('people-remove'),
        })
      : ''
  }
  ${
    can('handOver') && telegramId !== member?.telegramId
      ? actionButton(context, { ...{ action: '/people/own', fields, about }, label: t('people-own') })
      : ''
  }`;
}

function findPerson(context: ScreenContext): Member {
  const telegramId = requireNumber(context.field('person'));
  const found = context.core.members.list(memberOf(context)).find((each) => each.telegramId === telegramId);
  if (!found) throw new ConsoleProblem(404, 'not-found');
  return found;
}

function readRole({ field }: ScreenContext): GivenRole {
  const role = GIVEN.find((each) => each === field('role'));
  if (!role) throw new ConsoleProblem(400, 'bad-form');
  return role;
}

/** From the role that the page showed: of two changes at once the second is told, not obeyed. */
async function changeRole(context: ScreenContext): Promise<Response> {
  const { telegramId, role } = findPerson(context);
  if (role !== context.field('from')) throw new ConsoleProblem(409, 'meanwhile');
  const answer = await context.core.members.changeRole(memberOf(context), telegramId, readRole(context));
  return told(context, answer.status, 'role-changed');
}

async function remove(context: ScreenContext): Promise<Html | Response> {
  const { t, core } = context;
  const { telegramId, name } = findPerson(context);
  const asked = { action: '/people/remove', fields: { person: telegramId }, current: 'people' };
  const question = t('people-ask-remove', { person: name });
  if (context.field('sure') !== 'yes')
    return confirmation(context, { ...asked, question, label: t('people-remove') });
  const answer = await core.members.remove(memberOf(context), telegramId);
  return told(context, answer.status, 'person-removed');
}

async function handOver(context: ScreenContext): Promise<Html | Response> {
  const { t, core } = context;
  const { telegramId, name } = findPerson(context);
  const asked = { action: '/people/own', fields: { person: telegramId }, current: 'people' };
  const question = t('people-ask-own', { person: name });
  if (context.field('sure') !== 'yes')
    return confirmation(context, { ...asked, question, label: t('people-own') });
  const answer = await core.members.handOver(memberOf(context), telegramId);
  return told(context, answer.status, 'handed-over');
}

function told(context: ScreenContext, status: string, said: string): Response {
  if (status === 'notMember') throw new ConsoleProblem(404, 'not-found');
  if (status === 'changedMeanwhile') throw new ConsoleProblem(409, 'meanwhile');
  // Whoever handed over has another role now, and no session of it.
  return goTo(context, '/people', said);
}

async function invite(context: ScreenContext): Promise<Html> {
  const { core, t, settings, accountName } = context;
  const botName = settings.botName?.();
  if (botName === undefined) throw new ConsoleProblem(409, 'no-bot');
  const role = readRole(context);
  const { token } = await core.members.invite(memberOf(context), role);
  return secretPage(context, {
    ...{ title: t('people-invited'), current: 'people', back: '/people' },
    text: t('people-invited-as', { shop: accountName, role: t(`role-${role}`) }),
    secret: `https://t.me/${botName}?start=join_${token}`,
  });
}
