// The words: Fluent files in locales/, one language a folder. Messages are HTML with every variable escaped; labels are
// plain.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle';

import type { Games } from '../core/index.ts';

export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * Variables of a text. Numbers keep Fluent's plurals, and are grouped from 10,000 on; ids and counts in labels go in as
 * strings, so that nothing is grouped. `game` is the id of one, and read by its name.
 */
export type Variables = Record<string, string | number>;

/** What the words of many rooms tell of the service: what it costs, and whom to ask. */
export interface Shop {
  /** Of 30 days of subscription, as it is shown; undefined: it is not for sale. */
  subscriptionPrice: string | undefined;
  /** undefined: nobody is named. */
  contact: string | undefined;
}

export interface Texts {
  /**
   * A message: HTML, every variable escaped. `name` marks variables that people typed, isolated from the text around.
   */
  say(language: Language, key: string, variables?: Variables): string;
  /** A label, a toast, a plain text: nothing is escaped. */
  label(language: Language, key: string, variables?: Variables): string;
}

const FOLDER = fileURLToPath(new URL('./locales', import.meta.url));
/** First-strong isolate and its end: what people typed does not turn the text around it. */
const ISOLATE = ['\u2068', '\u2069'] as const;

/** Reads the locales. Throws when a file does not parse. Without a shop nothing is sold, and nobody is named. */
export function createTexts(games: Pick<Games, 'nameOf'>, shop?: Shop): Texts {
  const read = (words ??= readWords());
  const ofShop = toVariables(shop);
  const wordBy = (map: (text: string) => string): Texts['say'] => {
    const mappedShop = mapStrings(ofShop, map);
    return (language, key, variables) =>
      format(read[language], key, {
        ...mappedShop,
        ...mapStrings(withGame(games, language, variables), map),
      });
  };
  return { say: wordBy(escapeHtml), label: wordBy(wellFormed) };
}

/** Throws where a variable is missing. Every key is there in every language (texts.test.ts). */
function format(bundle: FluentBundle, key: string, variables: Variables): string {
  const pattern = bundle.getMessage(key)?.value;
  return pattern ? bundle.formatPattern(pattern, mapValues(variables, 'number', toFigure)) : `{${key}}`;
}

/** Read once in a process: to parse them is what a start of the bot costs most. */
let words: Record<Language, FluentBundle> | undefined;

const readWords = (): Record<Language, FluentBundle> => ({ en: readBundle('en'), ru: readBundle('ru') });

function readBundle(language: Language): FluentBundle {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const [error] = bundle.addResource(new FluentResource(readLocale(language)));
  if (error) throw error;
  return bundle;
}

function toVariables({ subscriptionPrice, contact }: Partial<Shop> = {}): Variables {
  return {
    isSold: subscriptionPrice === undefined ? 'no' : 'yes',
    subscriptionPrice: subscriptionPrice ?? '',
    hasContact: contact === undefined ? 'no' : 'yes',
    contact: contact ?? '',
  };
}

function withGame(games: Pick<Games, 'nameOf'>, language: Language, variables: Variables = {}): Variables {
  const { game } = variables;
  return typeof game === 'string' ? { ...variables, game: games.nameOf(game, language) } : variables;
}

/** The whole source of one language. */
export function readLocale(language: Language): string {
  const folder = `${FOLDER}/${language}`;
  const files = readdirSync(folder).filter((file) => file.endsWith('.ftl'));
  return files
    .sort()
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n');
}

/** The language that Telegram says a person has, in ours. */
export function toLanguage(code: string | null | undefined): Language {
  return code?.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

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

/** A word of the core as it stands in the key of a sentence: `noRoom` in `…-no-room`. */
export function toKeyPart(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const toFigure = (count: number) => new FluentNumber(count, { useGrouping: 'min2' as unknown as boolean });

function mapStrings(variables: Variables, map: (text: string) => string): Variables {
  return mapValues(variables, 'string', map);
}

/** Every value of that type, mapped. */
function mapValues<V, T>(variables: Record<string, V>, type: 'string' | 'number', map: (value: never) => T) {
  const entries = Object.entries(variables);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === type ? map(value as never) : value]),
  ) as Record<string, V | T>;
}
