// Redemptions as a list: one line each, with the command that opens its receipt. Never a credential, never a whole code.
import type { Games, PastLine } from '../../core/index.ts';
import { LOCALES } from '../moments.ts';
import { name, type Language, type Texts } from '../texts.ts';

/** How many lines a page has. */
export const PAGE_SIZE = 10;

const MARKS = { redeemed: '✅', failed: '❌', in_doubt: '❔', pending: '⏳' } as const;

/** The lines of a page, and what the marks mean; HTML. */
export function renderPastLines(
  { texts, games, language }: { texts: Texts; games: Games; language: Language },
  lines: readonly PastLine[],
): string {
  const rendered = lines.map((line) =>
    texts.say(language, 'past-line', {
      mark: line.state === 'redeemed' && line.warning ? '⚠️' : MARKS[line.state],
      when: formatShort(language, line.createdAt),
      what: describeAmount(texts, games, language, line),
      player: line.playerName === undefined ? name(line.playerId) : describePlayer(line, line.playerName),
      code: line.codeTail === undefined ? '' : ` · …${line.codeTail}`,
      id: String(line.id),
    }),
  );
  return [...rendered, '', texts.say(language, 'past-legend')].join('\n');
}

function describePlayer({ playerId }: PastLine, playerName: string): string {
  return `${name(playerName)} (${name(playerId)})`;
}

function describeAmount(
  texts: Texts,
  games: Games,
  language: Language,
  { amount, gameId }: PastLine,
): string {
  if (amount === undefined) return texts.label(language, 'past-amount-unknown');
  return `${amount} ${games.find(gameId)?.currency ?? ''}`.trim();
}

/** `21 Nov 2026 07:36`; that it is UTC stands above the list. */
function formatShort(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'UTC',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return format.format(at).replace(',', '');
}
