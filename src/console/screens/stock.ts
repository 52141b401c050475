// The stock: a row a denomination, with what is promised and in doubt of it, and for how long it lasts.
import { html } from 'hono/html';

import type { BadStockKey, Game } from '../../core/index.ts';
import { BASE, memberOf, requireNumber, type Html, type Screen, type ScreenContext } from '../context.ts';
import { act, get } from '../parts/acts.ts';
import { actionButton } from '../parts/form.ts';
import { badge, link, receiptsPath } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { table } from '../parts/table.ts';

export const stockScreen: Screen = {
  name: 'stock',
  inMenu: true,
  routes: [
    get('/stock', 'seeStock', show),
    act('/stock/go-on', 'handleBadCodes', { run: goOn, to: '/stock', said: 'stock-goes-on' }),
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
  receiptsPath({ state: 'in_doubt', game: game.id, amount: String(denomination) });

async function show(context: ScreenContext): Promise<Html> {
  const { t, can, core, language } = context;
  const several = core.games.managed.length > 1;
  const bad = can('handleBadCodes') ? core.badCodes.list(memberOf(context)) : [];
  const nameOf = ({ game, denomination }: StockRow) =>
    `${several ? `${core.games.nameOf(game.id, language)} · ` : ''}${labelDenomination(game, denomination)}`;
  const body = table(
    t('stock-title'),
    await listStockRows(context),
    [
      [t('stock-denomination'), nameOf],
      [t('stock-available'), ({ available }) => available, 'number'],
      [t('stock-promised'), ({ promised }) => promised, 'number narrow'],
      [
        t('stock-in-doubt'),
        (row) => (row.inDoubt === 0 ? 0 : link(doubtsOf(row), row.inDoubt)),
        'number narrow',
      ],
      [t('stock-today'), ({ today }) => today, 'number'],
      [t('stock-week'), ({ week }) => week, 'number narrow'],
      [
        t('stock-lasts'),
        ({ lasts }) => (lasts === undefined ? '—' : t('stock-days', { days: lasts })),
        'number narrow',
      ],
      [t('stock-state'), (row) => html`${state(context, row)} ${inQuestion(context, row, bad)}`],
    ],
    t('stock-none'),
  );
  const add = html`<a class="button main" href="${BASE}/stock/add">${t('stock-add')}</a>`;
  return page(context, { title: t('stock-title'), body, actions: can('addCodes') ? add : undefined });
}

function state({ t, can }: ScreenContext, row: StockRow): Html {
  const { game, denomination, available, threshold, isPaused } = row;
  if (isPaused) {
    const button = actionButton('/stock/go-on', t('stock-go-on'), {
      ...{ fields: { game: game.id, denomination }, about: labelDenomination(game, denomination) },
    });
    return html`${badge('bad', t('stock-paused'))} ${can('handleBadCodes') && button}`;
  }
  if (available === 0) return badge('bad', t('stock-empty'));
  return available < threshold ? badge('doubt', t('stock-low')) : badge('good', t('stock-enough'));
}

/** What a restore has taken out of its tail, for whoever may put it back. */
function inQuestion({ t }: ScreenContext, { game, denomination }: StockRow, bad: readonly BadStockKey[]) {
  const isIt = (each: BadStockKey) => each.gameId === game.id && each.denomination === denomination;
  const count = bad.find(isIt)?.inQuestion ?? 0;
  const query = new URLSearchParams({ game: game.id, denomination: String(denomination) });
  return count > 0 && link(`/stock/in-question?${String(query)}`, t('put-back-some', { count }));
}

async function goOn(context: ScreenContext): Promise<void> {
  const { core, field } = context;
  const stockKey = { gameId: field('game'), denomination: requireNumber(field('denomination')) };
  await core.badCodes.goOn(memberOf(context), stockKey);
}
