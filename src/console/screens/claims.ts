// Claim links: the list, and one of them with what happened to it and what may be done about it. The links themselves are
// on no page: what they end in is kept nowhere.
import { html } from 'hono/html';

import { MOST_LOOKS, type ClaimDetail, type ClaimRecord, type Core } from '../../core/index.ts';
import { ConsoleProblem, memberOf, type Html, type Screen, type ScreenContext } from '../context.ts';
import { listRoutes } from '../lists/routes.ts';
import { DAYS, gameFilter, momentColumn, type ListView } from '../lists/view.ts';
import { act, get, type ActQuestion } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import {
  badge,
  labelAmount,
  labelGame,
  labelPerson,
  link,
  linkButton,
  playerCell,
  type Tone,
} from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts, type Fact } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { askClaimPlayer, setClaimPlayer } from './claim-player.ts';
import { itemTable } from './orders.ts';

const TONES: Record<ClaimRecord['state'], Tone> = {
  open: 'calm',
  confirmed: 'wait',
  settled: 'good',
  stuck: 'bad',
  revoked: 'calm',
  expired: 'calm',
};
const TROUBLES = [
  'shortage',
  'lookUps',
  'stopped',
  'afterRestore',
] as const satisfies ClaimRecord['trouble'][];

const claimsView: ListView<ClaimRecord, Parameters<Core['claimList']['page']>[1]> = {
  path: '/claims',
  name: 'claims',
  needs: 'manageClaims',
  csvNeeds: 'exportReceipts',
  columns: [
    [
      'claimId',
      ({ id }) => id,
      'claim',
      // Those that were made together have one reference.
      ({ id, reference }) => html`${link(pathOf(id), tailOf(id))} <small>${reference}</small>`,
    ],
    ['reference', ({ reference }) => reference],
    momentColumn('createdAt', ({ createdAt }) => createdAt, 'at'),
    ['state', ({ state }) => state, 'state', (claim, context) => claimBadge(context, claim)],
    ['trouble', ({ trouble }) => trouble],
    ['gameId', ({ gameId }) => gameId, 'game', ({ gameId }, context) => labelGame(context, gameId), 'narrow'],
    ['amount', ({ amount }) => amount, 'amount', amountOf, 'number'],
    ['promised', ({ promised }) => promised],
    ['playerId', ({ playerId }) => playerId, 'player', playerOf, 'narrow'],
    momentColumn('confirmedAt', ({ confirmedAt }) => confirmedAt),
    momentColumn('expiresAt', ({ expiresAt }) => expiresAt),
    ['orderId', ({ orderId }) => orderId],
  ],
  filters: [
    {
      ...{ key: 'state', kind: 'choice' },
      choices: ({ t }) => Object.keys(TONES).map((state) => [state, t(`claim-state-${state}`)]),
    },
    ...DAYS,
    { key: 'reference', kind: 'text', most: 64 },
    { key: 'amount', kind: 'number', most: 10_000_000 },
    { ...gameFilter('managed'), rare: true },
    {
      ...{ key: 'trouble', kind: 'choice', rare: true },
      choices: ({ t }) => TROUBLES.map((trouble) => [trouble, t(`claim-trouble-${trouble}`)]),
    },
  ],
  sorts: ['-at', 'at'],
  page: (context, query) => context.core.claimList.page(memberOf(context), query.filter, query),
  walk: (context, query) => context.core.claimList.walk(memberOf(context), query.filter, query.order),
  actions: (context) =>
    context.core.claims.hasRestored(memberOf(context)) &&
    actionButton('/claims', context.t('claims-reopen'), { tone: 'main' }),
};

export const claimsScreen: Screen = {
  name: 'claims',
  // A service without an address for them may have had one.
  inMenu: ({ core, settings, member }) =>
    settings.hasLinks === true || (member !== undefined && core.claimList.hasAny(member)),
  routes: [
    ...listRoutes(claimsView),
    // The one act on all of them.
    act('/claims', 'manageClaims', {
      ask: ({ t }) => ({ text: t('claims-reopen-ask'), label: t('claims-reopen'), back: '/claims' }),
      run: (context) => context.core.claims.reopenRestored(memberOf(context)),
      to: '/claims',
      said: 'claims-reopened',
    }),
    get('/claims/:id', 'manageClaims', (context) => show(context, find(context))),
    act('/claims/:id/revoke', 'manageClaims', {
      find,
      ask: ({ t }, { id }) => ({ text: t('claim-revoke-ask'), label: t('claim-revoke'), back: pathOf(id) }),
      run: (context, { id }) => context.core.claims.revoke(memberOf(context), id),
      refused: { inUse: [409, 'meanwhile'] },
      to: ({ id }) => pathOf(id),
      said: 'claim-revoked',
    }),
    act('/claims/:id/reopen', 'manageClaims', {
      find,
      ask: askToDecide,
      run: (context, { id }) => context.core.claims.reopen(memberOf(context), id),
      refused: { notStuck: [409, 'claim-not-stuck'] },
      to: ({ id }) => pathOf(id),
      said: 'claim-reopened',
    }),
    get('/claims/:id/player', 'manageClaims', (context) => askClaimPlayer(context, find(context))),
    act('/claims/:id/player', 'manageClaims', {
      ...{ find, run: setClaimPlayer },
      form: (context) => askClaimPlayer(context, find(context)),
    }),
  ],
};

const pathOf = (id: string): string => `/claims/${id}`;
const tailOf = (id: string): string => `…${id.slice(-8)}`;

function amountOf({ gameId, amount }: ClaimRecord, context: ScreenContext): string {
  return labelAmount(context, gameId, amount);
}

function playerOf({ playerId, playerName }: ClaimRecord): Html | undefined {
  return playerId === undefined ? undefined : playerCell({ playerId, playerName });
}

/** Why it is stuck is part of its state. */
function claimBadge({ t }: ScreenContext, { state, trouble }: ClaimRecord): Html {
  const label = t(`claim-state-${state}`);
  return badge(TONES[state], trouble === undefined ? label : `${label}: ${t(`claim-trouble-${trouble}`)}`);
}

function find(context: ScreenContext): ClaimDetail {
  const name = (context.c.req.param('id') ?? '').slice(0, 100);
  const claim = context.core.claimList.read(memberOf(context), name);
  if (!claim) throw new ConsoleProblem(404, 'not-found');
  return claim;
}

/** Where nobody can tell whether it is used, whoever opens it says that it is not. */
function askToDecide({ t }: ScreenContext, claim: ClaimDetail): ActQuestion | undefined {
  if (claim.trouble !== 'afterRestore' || !claim.isUndecided) return undefined;
  return { text: t('claim-undecided'), label: t('claim-reopen'), back: pathOf(claim.id) };
}

function show(context: ScreenContext, claim: ClaimDetail): Html {
  const { t, core } = context;
  const { id, orderId, trouble, isUndecided } = claim;
  const order = orderId === undefined ? undefined : core.orders.find(memberOf(context), orderId);
  const next = isUndecided && trouble === 'afterRestore' ? 'claim-undecided' : `claim-next-${trouble}`;
  const body = html`${trouble !== undefined && html`<p class="hint">${t(next)}</p>`}
  ${facts(factsOf(context, claim))}
  ${
    order &&
    html`<h2>${t('order-codes')}</h2>
      ${itemTable(context, order)}`
  }`;
  const isConfirmed = claim.confirmedAt !== undefined;
  const isRevocable = (claim.state === 'open' || claim.state === 'stuck') && !isConfirmed;
  // What of an order is redeemed already is not sent to somebody else: the rest of it is resumed.
  const isReopenable = claim.state === 'stuck' && (order?.redeemed.codes ?? 0) === 0;
  const button = (name: 'revoke' | 'reopen', label: string, tone: 'main' | 'danger') =>
    actionButton(`${pathOf(id)}/${name}`, t(label), { tone });
  const actions = html`${isRevocable && button('revoke', 'claim-revoke', 'danger')}
  ${(isReopenable || claim.state === 'open') && linkButton(`${pathOf(id)}/player`, t('claim-player'))}
  ${isReopenable && button('reopen', trouble === 'lookUps' ? 'claim-allow-more' : 'claim-reopen', 'main')}`;
  return page(context, { title: t('claim-title', { name: tailOf(id) }), body, actions });
}

function factsOf(context: ScreenContext, claim: ClaimDetail): Fact[] {
  const { t } = context;
  const { id, gameId, items, promised, orderId, looks, misses } = claim;
  const wanted = items.reduce((sum, { count }) => sum + count, 0);
  const codes = items.map(
    ({ denomination, count }) => `${labelAmount(context, gameId, denomination)} × ${count}`,
  );
  return [
    [t('claims-state'), claimBadge(context, claim)],
    [t('claims-amount'), amountOf(claim, context)],
    [t('claim-codes'), wanted > 1 && codes.join(', ')],
    [t('claim-promised'), promised > 0 && promised],
    [t('claims-game'), labelGame(context, gameId)],
    [t('claims-reference'), claim.reference],
    [t('claims-claim'), html`<code>${id}</code>`],
    [t('claims-at'), absoluteTime(context, claim.createdAt)],
    [t('claim-by'), labelPerson(context, claim.actorLabel)],
    [t('claim-until'), absoluteTime(context, claim.expiresAt)],
    [t('claim-looks'), t('claim-looks-used', { looks, most: MOST_LOOKS, misses })],
    [t('claims-player'), playerOf(claim)],
    [t('claim-confirmed'), absoluteTime(context, claim.confirmedAt)],
    [t('claim-order'), orderId !== undefined && link(`/orders/${orderId}`, html`<code>${orderId}</code>`)],
  ];
}
