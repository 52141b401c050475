// The stock: a row a denomination, with what is promised and in doubt of it, and for how long it lasts.
import { html } from 'hono/html';

import type { Game } from '../../core/index.ts';
import {
  BASE,
  goTo,
  memberOf,
  requireNumber,
  type Html,
  type Screen,
  type ScreenContext,
} from '../context.ts';
import { badge } from '../parts/badge.ts';
import { actionButton } from '../parts/form.ts';
import { receiptsHref } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';

export const stockScreen: Screen = {
  name: 'stock',
  inMenu: true,
  routes: [
    { method: 'GET', path: '/stock', needs: 'seeStock', run: show },
    { method: 'POST', path: '/stock/go-on', needs: 'handleBadCodes', run: goOn },
  ],
};

/** A stock that lasts longer is not worth a figure. */
const MOST_DAYS = 60;
const WEEK = 7;

interface StockRow {
  game: Game;
  denomination: number;
  available: number;
  promised: number;
  inDoubt: number;
  today: number;
  week: number;
  /** Whole days at the pace of the last week; undefined where nothing was spent, or it lasts for long. */
  lasts: number | undefined;
  isPaused: boolean;
  threshold: number;
}

/** Of every game whose codes are kept, what there ever was. */
export async function listStockRows(context: ScreenContext): Promise<StockRow[]> {
  const { core } = context;
  const actor = memberOf(context);
  const alerts = core.stockAlerts.list(actor);
  const rows: StockRow[] = [];
  for (const game of core.games.managed) {
    const spent = await core.extractionHistory.countSpentToday(actor, game.id);
    const pace = await core.extractionHistory.paceOf(actor, game.id);
    for (const { denomination, wasStocked, ...counts } of core.codes.countStock(actor, game.id)) {
      if (!wasStocked) continue;
      const daily = pace.get(denomination) ?? 0;
      const days = Math.floor(counts.available / daily);
      const isIt = (each: { gameId: string; denomination: number }) =>
        each.gameId === game.id && each.denomination === denomination;
      rows.push({
        ...{ game, denomination, ...counts },
        today: spent.get(denomination) ?? 0,
        week: Math.round(daily * WEEK),
        lasts: counts.available > 0 && days <= MOST_DAYS ? days : undefined,
        isPaused: core.badCodes.isPaused(actor, { gameId: game.id, denomination }),
        threshold: alerts.find(isIt)?.threshold ?? 0,
      });
    }
  }
  return rows;
}

/** `60 UC`. */
export const labelDenomination = ({ currency }: Pick<Game, 'currency'>, denomination: number): string =>
  `${denomination} ${currency}`;

const doubtsOf = ({ game, denomination }: StockRow): string =>
  receiptsHref({ state: 'in_doubt', game: game.id, amount: String(denomination) });

async function show(context: ScreenContext): Promise<Html> {
  const { t, can, core } = context;
  const rows = await listStockRows(context);
  const several = core.games.managed.length > 1;
  const named = (game: Game) => (several ? `${core.games.nameOf(game.id, context.language)} · ` : '');
  const body = table({
    caption: t('stock-title'),
    rows,
    empty: t('stock-none'),
    columns: [
      {
        header: t('stock-denomination'),
        cell: ({ game, denomination }) => `${named(game)}${labelDenomination(game, denomination)}`,
      },
      { header: t('stock-available'), kind: 'number', cell: ({ available }) => available },
      { header: t('stock-promised'), kind: 'number', hidden: 'narrow', cell: ({ promised }) => promised },
      {
        header: t('stock-in-doubt'),
        kind: 'number',
        hidden: 'narrow',
        cell: (row) => (row.inDoubt === 0 ? 0 : html`<a href="${doubtsOf(row)}">${row.inDoubt}</a>`),
      },
      { header: t('stock-today'), kind: 'number', cell: ({ today }) => today },
      { header: t('stock-week'), kind: 'number', hidden: 'narrow', cell: ({ week }) => week },
      {
        header: t('stock-lasts'),
        kind: 'number',
        hidden: 'narrow',
        cell: ({ lasts }) => (lasts === undefined ? '—' : t('stock-days', { days: lasts })),
      },
      { header: '', cell: (row) => state(context, row) },
    ],
  });
  const add = html`<a class="button main" href="${BASE}/stock/add">${t('stock-add')}</a>`;
  return page(context, {
    title: t('stock-title'),
    current: 'stock',
    body,
    ...(can('addCodes') && { actions: add }),
  });
}

function state(context: ScreenContext, row: StockRow): Html {
  const { t, can } = context;
  const { game, denomination, available, threshold, isPaused } = row;
  if (isPaused) {
    const fields = { game: game.id, denomination };
    const about = labelDenomination(game, denomination);
    const button = actionButton(context, {
      action: '/stock/go-on',
      label: t('stock-go-on'),
      fields,
      about,
    });
    return html`${badge('bad', t('stock-paused'))} ${can('handleBadCodes') ? button : ''}`;
  }
  if (available === 0) return badge('bad', t('stock-empty'));
  return available < threshold ? badge('doubt', t('stock-low')) : badge('good', t('stock-enough'));
}

async function goOn(context: ScreenContext): Promise<Response> {
  const stockKey = {
    gameId: context.field('game'),
    denomination: requireNumber(context.field('denomination')),
  };
  await context.core.badCodes.goOn(memberOf(context), stockKey);
  return goTo(context, '/stock', 'stock-goes-on');
}
