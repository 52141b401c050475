// API keys: what each is for, when it was used last, a new one (shown once), and its end.
import { html } from 'hono/html';

import type { ApiKeySummary } from '../../core/index.ts';
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
import { actionButton, form, hiddenField, textField } from '../parts/form.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';
import { confirmation, secretPage } from './asking.ts';

export const keysScreen: Screen = {
  name: 'keys',
  inMenu: true,
  routes: [
    { method: 'GET', path: '/keys', needs: 'manageApiKeys', run: show },
    { method: 'POST', path: '/keys/new', needs: 'manageApiKeys', fresh: true, run: issue },
    { method: 'POST', path: '/keys/revoke', needs: 'manageApiKeys', fresh: true, run: revoke },
  ],
};

const nameOf = ({ name, prefix }: ApiKeySummary): string =>
  name === undefined ? `${prefix}…` : `${name}, ${prefix}…`;

function show(context: ScreenContext): Html {
  const { core, t, ids } = context;
  const list = table({
    caption: t('keys-title'),
    rows: core.apiKeys.list(memberOf(context)).toReversed(),
    empty: t('keys-none'),
    columns: [
      {
        header: t('keys-key'),
        cell: ({ id, name, prefix }) =>
          html`<a href="${BASE}/receipts?key=${id}">${name ?? t('keys-unnamed')}</a> <code>${prefix}…</code>`,
      },
      {
        header: t('keys-made'),
        hidden: 'narrow',
        cell: ({ createdAt }) => absoluteTime(context, createdAt),
      },
      {
        header: t('keys-used'),
        cell: ({ lastUsedAt }) =>
          lastUsedAt === undefined ? t('keys-never') : relativeTime(context, lastUsedAt),
      },
      {
        header: '',
        cell: (key) =>
          key.revoked
            ? badge('calm', t('keys-revoked'))
            : actionButton(context, {
                ...{ action: '/keys/revoke', label: t('keys-revoke'), about: nameOf(key) },
                fields: { key: key.id },
              }),
      },
    ],
  });
  const making = form(context, {
    action: '/keys/new',
    className: 'row',
    body: html`${hiddenField('order', ids.uuid())}${textField({
        ...{ name: 'name', label: t('keys-for'), maxlength: 100 },
      })}<button class="main">${t('keys-new')}</button>`,
  });
  const body = html`${list}
    <h2>${t('keys-new')}</h2>
    ${making}`;
  return page(context, { title: t('keys-title'), current: 'keys', body });
}

/** The page sent again shows the same key. */
async function issue(context: ScreenContext): Promise<Html> {
  const { core, t, field } = context;
  if (!/^[\w-]{36}$/.test(field('order'))) throw new ConsoleProblem(400, 'bad-form');
  const name = field('name').trim() || undefined;
  const issued = await core.apiKeys.issueOrdered(
    memberOf(context),
    `page:${field('order')}`,
    undefined,
    name,
  );
  if (issued.status === 'alreadyRevoked') throw new ConsoleProblem(409, 'meanwhile');
  return secretPage(context, {
    ...{ title: t('keys-issued'), current: 'keys', back: '/keys' },
    text: t('keys-issued-text'),
    secret: issued.key,
  });
}

async function revoke(context: ScreenContext): Promise<Html | Response> {
  const { core, t, field } = context;
  const actor = memberOf(context);
  const id = requireNumber(field('key'));
  const key = core.apiKeys.list(actor).find((each) => each.id === id);
  if (!key) throw new ConsoleProblem(404, 'not-found');
  const addresses = core.apiKeys.listAddresses(actor, id);
  if (field('sure') !== 'yes')
    return confirmation(context, {
      ...{ action: '/keys/revoke', fields: { key: id }, current: 'keys', label: t('keys-revoke') },
      question: t('keys-ask-revoke', { key: nameOf(key) }),
      more:
        addresses.length === 0
          ? ''
          : html`<label class="check">
              <input type="checkbox" name="addresses" value="yes" />
              ${t('keys-with-addresses', { hosts: addresses.map(({ host }) => host).join(', ') })}
            </label>`,
    });
  const removed = field('addresses') === 'yes' ? addresses.map((address) => address.id) : [];
  await core.apiKeys.revoke(actor, id, undefined, removed);
  return goTo(context, '/keys', 'key-revoked');
}
