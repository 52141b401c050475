// API keys: what each is for, when it was used last, a new one (shown once), and its end.
import { html } from 'hono/html';

import type { ApiKeySummary } from '../../core/index.ts';
import {
  ConsoleProblem,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { act, get, secretPage, type ActQuestion } from '../parts/acts.ts';
import { actionButton, form, hidden, textField } from '../parts/form.ts';
import { badge, labelKey, link, linkButton, whenFresh } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';
import { absoluteTime, relativeTime } from '../parts/time.ts';
import { describeLimits } from './key-limits.ts';

export const keysScreen: Screen = {
  name: 'keys',
  inMenu: true,
  routes: [
    get('/keys', 'manageApiKeys', show),
    act('/keys/new', 'manageApiKeys', { fresh: true, run: issue, form: show }),
    act('/keys/revoke', 'manageApiKeys', {
      fresh: true,
      find: findKey,
      ask: askRevoke,
      async run(context, key) {
        const removed = context.field('addresses') === 'yes' ? addressesOf(context, key) : [];
        await context.core.apiKeys.revoke(
          memberOf(context),
          key.id,
          undefined,
          removed.map(({ id }) => id),
        );
      },
      ...{ to: '/keys', said: 'key-revoked' },
    }),
  ],
};

function show(context: ScreenContext): Html {
  const { core, t, ids, session, field: typed } = context;
  const list = table(
    t('keys-title'),
    core.apiKeys.list(memberOf(context)).toReversed(),
    [
      [
        t('keys-key'),
        ({ id, name, prefix }) =>
          html`${link(`/receipts?key=${id}`, name ?? t('keys-unnamed'))} <code>${prefix}…</code>`,
      ],
      [t('keys-made'), ({ createdAt }) => absoluteTime(context, createdAt), 'narrow'],
      [t('key-limits'), (key) => describeLimits(context, key) ?? '—', 'narrow'],
      [t('keys-used'), ({ lastUsedAt }) => relativeTime(context, lastUsedAt) ?? t('keys-never')],
      [
        '',
        (key) =>
          key.revoked
            ? badge('calm', t('keys-revoked'))
            : html`${linkButton(`/keys/${key.id}/limits`, t('key-limits'))}
              ${session.isFresh && revokeButton(context, key)}`,
      ],
    ],
    t('keys-none'),
  );
  const field = textField({ name: 'name', label: t('keys-for'), maxlength: 100, value: typed('name') });
  const making = html`${hidden({ order: typed('order') || ids.uuid() })}${field}<button class="main">
      ${t('keys-new')}
    </button>`;
  const body = html`${list}
    <h2>${t('keys-new')}</h2>
    ${whenFresh(context, form('/keys/new', making, { className: 'row' }))}`;
  return page(context, { title: t('keys-title'), body });
}

const revokeButton = ({ t }: ScreenContext, key: ApiKeySummary): Html =>
  actionButton('/keys/revoke', t('keys-revoke'), { about: labelKey(key), fields: { key: key.id } });

/** The page sent again shows the same key. */
async function issue(context: ScreenContext) {
  const { core, t, field } = context;
  if (!/^[\w-]{36}$/.test(field('order'))) throw new ConsoleProblem(400, 'bad-form');
  const name = field('name').trim() || undefined;
  const order = `page:${field('order')}`;
  const issued = await core.apiKeys.issueOrdered(memberOf(context), order, undefined, name);
  if (issued.status === 'alreadyRevoked') return issued;
  const text = t('keys-issued-text');
  return secretPage(context, { title: t('keys-issued'), back: '/keys', text, secret: issued.key });
}

function findKey(context: ScreenContext): ApiKeySummary | undefined {
  const id = requireNumber(context.field('key'));
  return context.core.apiKeys.list(memberOf(context)).find((key) => key.id === id);
}

const addressesOf = (context: ScreenContext, { id }: ApiKeySummary) =>
  context.core.apiKeys.listAddresses(memberOf(context), id);

function askRevoke(context: ScreenContext, key: ApiKeySummary): ActQuestion {
  const { t } = context;
  const hosts = addressesOf(context, key).map(({ host }) => host);
  const more = html`<label class="check">
    <input type="checkbox" name="addresses" value="yes" />
    ${t('keys-with-addresses', { hosts: hosts.join(', ') })}
  </label>`;
  return {
    ...{ text: t('keys-ask-revoke', { key: labelKey(key) }), label: t('keys-revoke'), back: '/keys' },
    more: hosts.length > 0 ? more : undefined,
  };
}
