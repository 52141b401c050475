// Redemptions as a list: one line each, with the command that opens its receipt. Never a credential, never a whole
// code.
import { formatAmount, type Games, type HistoryLine } from '../../core/index.ts';
import { formatShort, formatTime } from '../moments.ts';
import { name, type Language, type Texts } from '../texts.ts';

/** How many lines a page has. */
export const PAGE_SIZE = 10;

const MARKS = { redeemed: '✅', failed: '❌', in_doubt: '❔', pending: '⏳' } as const;

export interface LinesPlace {
  texts: Texts;
  games: Games;
  language: Language;
  timeZone: string;
  /** In a list of one day the time says it. */
  when: 'time' | 'moment';
}

/** The lines of a page, and what the marks mean; HTML. */
export function renderHistoryLines(place: LinesPlace, lines: readonly HistoryLine[]): string {
  const { texts, language, timeZone } = place;
  const rendered = lines.map((line) =>
    texts.say(language, 'history-entry', {
      mark: line.state === 'redeemed' && line.warning ? '⚠️' : MARKS[line.state],
      when:
        place.when === 'time'
          ? formatTime(line.createdAt, timeZone)
          : formatShort(language, line.createdAt, timeZone),
      what: describeAmount(place, line),
      player: line.playerName === null ? name(line.playerId) : describePlayer(line, line.playerName),
      // Joined, so that no line breaks between the dots and what they stand for.
      code: line.codeTail === null ? '' : ` · …\u2060${line.codeTail}`,
      id: String(line.id),
    }),
  );
  return [...rendered, '', texts.say(language, 'past-legend')].join('\n');
}

function describePlayer({ playerId }: HistoryLine, playerName: string): string {
  return `${name(playerName)} (${name(playerId)})`;
}

function describeAmount({ texts, games, language }: LinesPlace, { amount, gameId }: HistoryLine): string {
  if (amount === null) return texts.label(language, 'past-amount-unknown');
  return formatAmount(amount, games.find(gameId));
}
