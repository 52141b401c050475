// What /stats shows, as results that are brought by the chat queue: the picture is drawn when it is sent, and again
// where it is sent again; no row of the outbox holds a figure.
import { InlineKeyboard } from 'grammy';

import type { RangeStatistics, SupplierFigures } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { createMemberView } from '../member-view.ts';
import { toOutgoing, type Outgoing, type Sending, type View } from '../outgoing.ts';
import { toPhoto } from '../telegram/photo.ts';
import { drawStatistics } from './picture.ts';
import {
  describeBeside,
  describeFigures,
  describeSuppliers,
  toPicture,
  type PictureShop,
  type Wording,
} from './text.ts';

/** The picture, and under it what it does not show. */
export const STATISTICS = 'statistics';
/** The figures as text. */
export const STATISTICS_FIGURES = 'statistics-figures';

export interface StatisticsResult {
  days: number;
}

const OFFERED_DAYS = [7, 30, 90] as const;

type Deps = Pick<BotDeps, 'core' | 'texts' | 'log'>;

/** What is shown, looked up with the rights of whoever asked, as they are by now. */
interface Found {
  words: Wording;
  statistics: RangeStatistics;
  suppliers: SupplierFigures[];
  shop: PictureShop;
}

export function createStatisticsViews(deps: Deps): Record<string, View> {
  const { core } = deps;
  const forMembers = (show: (found: Found) => Outgoing | Sending | Promise<Outgoing | Sending>): View =>
    createMemberView<StatisticsResult>(deps, async ({ actor, ...words }, { days }) => {
      const statistics = await core.rangeStatistics(actor, days);
      const suppliers = await core.suppliers.count(actor, days);
      const { name = '', createdAt = 0 } = core.accounts.find(actor.accountId) ?? {};
      return show({ words, statistics, suppliers, shop: { name, openedAt: createdAt } });
    });
  return {
    [STATISTICS]: forMembers((found) => showPicture(deps, found)),
    [STATISTICS_FIGURES]: forMembers((found) => showFigures(deps, found)),
  };
}

function showFigures({ core }: Deps, { words, statistics, suppliers }: Found): Outgoing {
  const figures = [describeFigures(words, core.games, statistics), ...describeSuppliers(words, suppliers)];
  return toOutgoing(figures.join('\n'), offerDays(words));
}

/** The figures alone are an answer, too. */
async function showPicture(deps: Deps, found: Found): Promise<Outgoing | Sending> {
  const { words, statistics, suppliers, shop } = found;
  const figures = showFigures(deps, found);
  try {
    const png = await drawStatistics(toPicture(words, deps.core.games, statistics, shop));
    const asText = InlineKeyboard.text(words.label('stats-as-text'), `stats:text:${statistics.days.length}`);
    const keyboard = offerDays(words).row(asText);
    const beside = [describeBeside(words, statistics), ...describeSuppliers(words, suppliers)];
    return toPhoto(png, 'statistics.png', toOutgoing(beside.join('\n').trim(), keyboard), figures);
  } catch (error) {
    deps.log.error({ error: describeError(error) }, 'the picture of the statistics could not be drawn');
    return figures;
  }
}

function offerDays({ label }: Pick<Wording, 'label'>): InlineKeyboard {
  return new InlineKeyboard([
    OFFERED_DAYS.map((days) => InlineKeyboard.text(label('stats-days', { days }), `stats:${days}`)),
  ]);
}
