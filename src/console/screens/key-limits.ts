// The limits of one API key: activations a day, addresses, its end. A field that is left empty limits nothing.
import { html } from 'hono/html';

import { dayAt, formatIsoDay, parseIsoDay, rangeOfDays, type ApiKeySummary } from '../../core/index.ts';
import { ConsoleProblem, idIn, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { form, textField } from '../parts/form.ts';
import { labelKey, linkButton, whenFresh } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { dayOfMoment } from '../parts/time.ts';

const find = (context: ScreenContext): ApiKeySummary | undefined =>
  context.core.apiKeys.list(memberOf(context)).find(({ id, revoked }) => id === idIn(context) && !revoked);

export const keyLimitsScreen: Screen = {
  name: 'key-limits',
  routes: [
    get('/keys/:id/limits', 'manageApiKeys', show),
    act('/keys/:id/limits', 'manageApiKeys', {
      ...{ fresh: true, find, run: change, form: show, to: '/keys', said: 'key-limited' },
    }),
  ],
};

/** `50 a day · 2 addresses · until 31 Dec 2026`; undefined where nothing limits it. */
export function describeLimits(context: ScreenContext, { limits }: ApiKeySummary): string | undefined {
  const { dayLimit, addresses, expiresAt } = limits;
  const { t } = context;
  const parts = [
    dayLimit !== undefined && t('key-limits-a-day', { count: String(dayLimit) }),
    addresses !== undefined && t('key-limits-places', { count: addresses.length }),
    expiresAt !== undefined && t('key-limits-until', { day: dayOfMoment(context, expiresAt - 1) }),
  ];
  return parts.filter((part) => part !== false).join(' · ') || undefined;
}

function show(context: ScreenContext): Html {
  const key = find(context);
  if (!key) throw new ConsoleProblem(404, 'not-found');
  const { t, timeZone, field: typed, refused } = context;
  const { dayLimit, addresses = [], expiresAt } = key.limits;
  const kept = {
    dayLimit: dayLimit === undefined ? '' : String(dayLimit),
    addresses: addresses.join('\n'),
    lastDay: expiresAt === undefined ? '' : formatIsoDay(dayAt(timeZone, expiresAt - 1)),
  };
  const valueOf = (name: keyof typeof kept) => (refused === undefined ? kept[name] : typed(name));
  const fields = html` ${textField({
      ...{ name: 'dayLimit', label: t('key-limits-day'), hint: t('key-limits-day-hint') },
      value: valueOf('dayLimit'),
    })}
    <label class="field wide">
      <span>${t('key-limits-addresses')}</span>
      <textarea name="addresses" rows="4" spellcheck="false" autocomplete="off">
${valueOf('addresses')}</textarea>
      <small>${t('key-limits-addresses-hint')}</small>
    </label>
    <label class="field">
      <span>${t('key-limits-last-day')}</span>
      <input type="date" name="lastDay" value="${valueOf('lastDay')}" />
    </label>
    <button class="main">${t('key-limits-keep')}</button>`;
  const body = html`<p>${t('key-limits-text')}</p>
    ${whenFresh(context, form(`/keys/${key.id}/limits`, fields))}
    <p>${linkButton('/keys', t('cancel'))}</p>`;
  return page(context, { title: t('key-limits-title', { key: labelKey(key) }), body });
}

function change(context: ScreenContext, { id }: ApiKeySummary): Promise<unknown> {
  const { core, field, timeZone } = context;
  const [dayLimit, lastDay] = [field('dayLimit').trim().replace(',', '.'), field('lastDay').trim()];
  const day = parseIsoDay(lastDay);
  if (lastDay !== '' && !day) throw new ConsoleProblem(400, 'bad-form');
  const addresses = field('addresses')
    .split(/[\s,;]+/)
    .filter((each) => each !== '');
  return core.apiKeys.limit(memberOf(context), id, {
    dayLimit: dayLimit === '' ? null : Number(dayLimit),
    addresses: addresses.length > 0 ? addresses : null,
    expiresAt: day ? rangeOfDays({ to: day }, timeZone).until : null,
  });
}
