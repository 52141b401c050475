// The words of the console: Fluent files in locales/, a section a screen (`receipts-…`, `stock-…`). They are plain: the
// templates escape them.
import type { Games } from '../core/index.ts';
import { asset } from '../files.ts';
import { openLocales, type Language, type Variables, type WordBy } from '../locales.ts';

const CONSOLE_LOCALES = asset('src/console/locales');

export type ConsoleWord = (key: string, variables?: Variables) => string;

/** Words of a language. `game` among the variables is the id of one, and read by its name. */
export function createWord(games: Pick<Games, 'nameOf'>, language: Language): ConsoleWord {
  const word = (words ??= openLocales(CONSOLE_LOCALES));
  return (key, { game, ...variables } = {}) =>
    word(language, key, {
      ...variables,
      ...(game !== undefined && { game: games.nameOf(String(game), language) }),
    });
}

/** Read once in a process. */
let words: WordBy | undefined;

/** What a browser asks for first among our languages. */
export function readAcceptLanguage(header: string | undefined): Language {
  const asked = (header ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return asked.find((code) => code === 'ru' || code === 'en') === 'ru' ? 'ru' : 'en';
}
