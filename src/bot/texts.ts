// The words: Fluent files in locales/, one language a folder. Messages are HTML with every variable escaped; labels are
// plain.

import type { Games } from '../core/index.ts';
import { asset } from '../files.ts';
import {
  mapValues,
  openLocales,
  readLocaleIn,
  type Language,
  type Variables,
  type WordBy,
} from '../locales.ts';

export { LANGUAGES, toKeyPart, toLanguage, type Language, type Variables } from '../locales.ts';

/** What the words of many rooms tell of the service: what it costs, and whom to ask. */
export interface Shop {
  /** Of 30 days of subscription, as it is shown; undefined: it is not for sale. */
  subscriptionPrice: string | undefined;
  /** undefined: nobody is named. */
  contact: string | undefined;
  /** Whether everybody may open an account of their own. */
  opensSignup: boolean;
}

export interface Texts {
  /**
   * A message: HTML, every variable escaped. `name` marks variables that people typed, isolated from the text around.
   */
  say(language: Language, key: string, variables?: Variables): string;
  /** A label, a toast, a plain text: nothing is escaped. */
  label(language: Language, key: string, variables?: Variables): string;
}

const FOLDER = asset('src/bot/locales');
/** First-strong isolate and its end: what people typed does not turn the text around it. */
const ISOLATE = ['\u2068', '\u2069'] as const;

/** Reads the locales. Throws when a file does not parse. Without a shop nothing is sold, and nobody is named. */
export function createTexts(games: Pick<Games, 'nameOf'>, shop?: Shop): Texts {
  const word = (words ??= openLocales(FOLDER));
  const ofShop = toVariables(shop);
  const formatBy = (map: (text: string) => string): Texts['say'] => {
    const mappedShop = mapStrings(ofShop, map);
    return (language, key, variables) =>
      word(language, key, {
        ...mappedShop,
        ...mapStrings(withGame(games, language, variables), map),
      });
  };
  return { say: formatBy(escapeHtml), label: formatBy(wellFormed) };
}

/** Read once in a process: to parse them is what a start of the bot costs most. */
let words: WordBy | undefined;

function toVariables({ subscriptionPrice, contact, opensSignup }: Partial<Shop> = {}): Variables {
  return {
    isSold: subscriptionPrice === undefined ? 'no' : 'yes',
    subscriptionPrice: subscriptionPrice ?? '',
    hasContact: contact === undefined ? 'no' : 'yes',
    contact: contact ?? '',
    signup: opensSignup ? 'yes' : 'no',
  };
}

function withGame(games: Pick<Games, 'nameOf'>, language: Language, variables: Variables = {}): Variables {
  const { game } = variables;
  return typeof game === 'string' ? { ...variables, game: games.nameOf(game, language) } : variables;
}

/** The whole source of one language. */
export const readLocale = (language: Language): string => readLocaleIn(FOLDER, language);

/** Activations, in quarters of one, as they are written in a language: `299.75`, `299,75`. Never grouped. */
export function writeActivations(language: Language, count: number): string {
  return language === 'ru' ? String(count).replace('.', ',') : String(count);
}

export function escapeHtml(text: string): string {
  return wellFormed(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Half a character, as some other side may send it, is refused by Telegram, and the whole message with it. */
const wellFormed = (text: string) => text.toWellFormed();

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const JOINERS = /^[\u200c\u200d]$/;
/** Of a name, as much as is shown. */
export const LONGEST_NAME = 64;

/** At most so many characters, the last of them a mark where some are left out. */
export function shorten(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}

/**
 * A name that people or the platform typed: one line, at most `most` characters, isolated; for `say` and `label` alike.
 */
export function name(text: string, most = LONGEST_NAME): string {
  const visible = wellFormed(text)
    .replace(INVISIBLE, (mark) => (JOINERS.test(mark) ? mark : ' '))
    .replace(/\s+/gu, ' ')
    .trim();
  const cut = shorten(visible, most);
  return `${ISOLATE[0]}${cut === '' ? '—' : cut}${ISOLATE[1]}`;
}

function mapStrings(variables: Variables, map: (text: string) => string): Variables {
  return mapValues(variables, 'string', map);
}
