// What /stats shows, as results that are brought by the chat's lane: the picture is drawn when it is sent, and again where it is
// sent again; no row of the outbox holds a figure.
import { InlineKeyboard, InputFile, type Api } from 'grammy';

import { CoreError, type RangeStatistics } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { describeError, keyOf } from '../errors.ts';
import { toOutgoing, type Outgoing, type Sending, type View } from '../outgoing.ts';
import { HTML } from '../replies.ts';
import type { Pictures } from './pictures.ts';
import { describeFigures, mergeAmounts, toPicture, type LabelledCounts, type Wording } from './text.ts';

/** The picture, with the figures under it where they have room there. */
export const STATISTICS = 'statistics';
/** The figures alone, where they are longer than a caption. */
export const STATISTICS_FIGURES = 'statistics-figures';

export interface StatisticsResult {
  days: number;
}

export const OFFERED_DAYS = [7, 30, 90] as const;
const LONGEST_CAPTION = 1024;

type Deps = Pick<BotDeps, 'core' | 'texts' | 'log'>;

/** What is shown, looked up with the rights of whoever asked, as they are by now. */
interface Found {
  words: Wording;
  statistics: RangeStatistics;
  amounts: LabelledCounts[];
  figures: Outgoing;
  fits: boolean;
}

export function createStatisticsViews(deps: Deps, pictures: Pictures): Record<string, View> {
  const forMembers =
    (show: (found: Found) => Outgoing | Sending | undefined | Promise<Outgoing | Sending>): View =>
    async ({ of, telegramId, language }) => {
      const { core, texts } = deps;
      const say = texts.say.bind(undefined, language);
      const words: Wording = { language, say, label: texts.label.bind(undefined, language) };
      const actor = core.members.findActor(telegramId);
      if (!actor) return { html: say('refusal-stranger') };
      try {
        const statistics = await core.rangeStatistics(actor, (of as StatisticsResult).days);
        return await show(describe(deps, words, statistics));
      } catch (error) {
        const key = error instanceof CoreError ? keyOf(error) : undefined;
        if (key === undefined) throw error;
        return { html: say(key) };
      }
    };
  return {
    [STATISTICS]: forMembers((found) => showPicture(deps, pictures, found)),
    [STATISTICS_FIGURES]: forMembers(({ figures, fits }) => (fits ? undefined : figures)),
  };
}

function describe({ core }: Deps, words: Wording, statistics: RangeStatistics): Found {
  const amounts = mergeAmounts(words, core.games, statistics);
  const html = describeFigures(words, statistics, amounts);
  const keyboard = new InlineKeyboard([
    OFFERED_DAYS.map((days) => InlineKeyboard.text(words.label('stats-days', { days }), `stats:${days}`)),
  ]);
  const fits = html.length <= LONGEST_CAPTION;
  return { words, statistics, amounts, figures: toOutgoing(html, keyboard), fits };
}

/** The figures alone are an answer, too. */
async function showPicture(
  { log }: Deps,
  pictures: Pictures,
  { words, statistics, amounts, figures, fits }: Found,
): Promise<Outgoing | Sending> {
  const title = { html: words.say('stats-title', { days: statistics.days.length }) };
  const beside = fits ? figures : title;
  try {
    const png = await pictures.drawStatistics(toPicture(words, statistics, amounts));
    return toPhoto(png, beside);
  } catch (error) {
    log.error({ error: describeError(error) }, 'the picture of the statistics could not be drawn');
    return beside;
  }
}

function toPhoto(png: Buffer, beside: Outgoing): Sending {
  const { html: caption, keyboard } = beside;
  const options = { caption, parse_mode: HTML.parse_mode, ...(keyboard && { reply_markup: keyboard }) };
  return {
    async send(api: Api, chatId, signal) {
      await api.sendPhoto(chatId, new InputFile(png, 'statistics.png'), options, signal as never);
    },
    otherwise: beside,
  };
}
