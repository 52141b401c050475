// A receipt and everything that happened to it. Its code and login are shown on demand, to whoever may read receipts
// and has just entered, and that is written down.
import { html } from 'hono/html';

import type { ReceiptStory, Redemption } from '../../core/index.ts';
import { ConsoleProblem, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { actionButton } from '../parts/form.ts';
import { labelAmount, labelGame, labelPerson, playerHref, receiptBadge } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { story } from '../parts/story.ts';
import { facts } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { receiptsView } from './receipts.ts';

export const receiptsScreen: Screen = {
  name: 'receipts',
  inMenu: true,
  routes: [
    ...listRoutes(receiptsView),
    {
      method: 'GET',
      path: '/receipts/:id',
      needs: 'readReceipts',
      run: (context) => show(context, find(context)),
    },
    { method: 'POST', path: '/receipts/:id/show', needs: 'readReceipts', fresh: true, run: showSecrets },
  ],
};

function find({ core, c, host, ...rest }: ScreenContext): ReceiptStory {
  const id = c.req.param('id') ?? '';
  const found = /^\d{1,15}$/.test(id)
    ? core.receiptStories.find(memberOf(rest), Number(id), host)
    : undefined;
  if (!found) throw new ConsoleProblem(404, 'not-found');
  return found;
}

async function showSecrets(context: ScreenContext): Promise<Html> {
  const { redemption } = find(context);
  await context.core.receiptStories.note(memberOf(context), 'credentialsShown', { receipt: redemption.id });
  return show(context, find(context), true);
}

function show(context: ScreenContext, { redemption, events }: ReceiptStory, withSecrets = false): Html {
  const { t } = context;
  const { id } = redemption;
  const body = html`${facts([...describe(context, redemption), ...describeCode(context, redemption, withSecrets)])}
    <h2>${t('story-title')}</h2>
    ${story(context, events)}`;
  return page(context, {
    title: t('receipt-title', { id: String(id) }),
    actions: receiptBadge(context, redemption),
    current: 'receipts',
    body,
  });
}

type Fact = readonly [name: string, value: Html | string | number];

function describe(context: ScreenContext, redemption: Redemption): Fact[] {
  const { t, core } = context;
  const { playerId, playerName, gameId, amount, denomination, region, productName } = redemption;
  const details = core.receiptDetails(memberOf(context), redemption);
  return [
    [t('receipt-player'), html`<a href="${playerHref(playerId)}">${playerId}</a> ${playerName ?? ''}`],
    ...(region ? [[t('receipt-region'), region] as const] : []),
    [t('receipts-amount'), labelAmount(context, gameId, amount ?? denomination)],
    [t('receipts-game'), html`${labelGame(context, gameId)} <small>${productName ?? ''}</small>`],
    [t('receipts-at'), absoluteTime(context, redemption.createdAt)],
    [t('receipts-by'), labelPerson(context, details.actorLabel)],
    [t('receipt-code-now'), t(`receipt-code-${details.code}`)],
  ];
}

/** Masked, with the way to see it; or in full. */
function describeCode(context: ScreenContext, redemption: Redemption, withSecrets: boolean): Fact[] {
  const { t } = context;
  const { id, code, credentials } = redemption;
  if (code === undefined && credentials === undefined) return [];
  if (withSecrets)
    return [
      ...(code === undefined ? [] : [[t('receipts-code'), html`<code>${code}</code>`] as const]),
      ...Object.entries(credentials ?? {}).map(([name, value]): Fact => [
        t(`receipt-${name}`),
        html`<code>${value}</code>`,
      ]),
    ];
  const button = actionButton(context, { action: `/receipts/${id}/show`, label: t('receipt-show') });
  const masked =
    code === undefined ? '' : html`<code>••••${code.slice(-Math.min(6, Math.floor(code.length / 2)))}</code>`;
  const fresh = context.session.isFresh ? button : html`<small>${t('receipt-show-fresh')}</small>`;
  return [[t('receipts-code'), html`${masked} ${fresh}`]];
}
