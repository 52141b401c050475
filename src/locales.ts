// The words of a surface: Fluent files in a folder a language, read once and worded by key; with them those that every
// surface says alike (./locales/).
import { readdirSync, readFileSync } from 'node:fs';
import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle';

import { asset } from './files.ts';

export const LANGUAGES = ['en', 'ru'] as const;
export type Language = (typeof LANGUAGES)[number];

/** How dates are written in each language. */
export const LOCALES = { en: 'en-GB', ru: 'ru-RU' } as const satisfies Record<Language, string>;

/**
 * Variables of a text. Numbers keep Fluent's plurals, and are grouped from 10,000 on; ids and counts in labels go in as
 * strings, so that nothing is grouped. `game` is the id of one, and read by its name.
 */
export type Variables = Record<string, string | number>;

/** Throws where a variable is missing. Every key is there in every language (the tests hold it). */
export type WordBy = (language: Language, key: string, variables: Variables) => string;

/** Reads the locales in a folder. Throws when a file does not parse. */
export function openLocales(folder: string): WordBy {
  const bundles = { en: readBundle(folder, 'en'), ru: readBundle(folder, 'ru') };
  return (language, key, variables) => {
    const bundle = bundles[language];
    const pattern = bundle.getMessage(key)?.value;
    return pattern ? bundle.formatPattern(pattern, mapValues(variables, 'number', toFigure)) : `{${key}}`;
  };
}

function readBundle(folder: string, language: Language): FluentBundle {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const [error] = bundle.addResource(new FluentResource(readLocaleIn(folder, language)));
  if (error) throw error;
  return bundle;
}

/** The whole source of one language, the shared words among it. */
export function readLocaleIn(folder: string, language: Language): string {
  return [SHARED, folder]
    .flatMap((each) => readdirSync(`${each}/${language}`).map((file) => `${each}/${language}/${file}`))
    .filter((file) => file.endsWith('.ftl'))
    .sort()
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const SHARED = asset('src/locales');

/** A word of the core as it stands in the key of a sentence: `noRoom` in `…-no-room`. */
export function toKeyPart(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The language that a code means, in ours. */
export function toLanguage(code: string | null | undefined): Language {
  return code?.toLowerCase().startsWith('ru') ? 'ru' : 'en';
}

/** A language that we have; undefined otherwise. */
export function findLanguage(code: string | null | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === code);
}

/** Without the marks of direction that people typed: they would turn the text of a page around them. */
export const withoutTurning = (page: string): string =>
  page.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');

const toFigure = (count: number) => new FluentNumber(count, { useGrouping: 'min2' as unknown as boolean });

/** Every value of that type, mapped. */
export function mapValues<V, T>(
  variables: Record<string, V>,
  type: 'string' | 'number',
  map: (value: never) => T,
) {
  const entries = Object.entries(variables);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === type ? map(value as never) : value]),
  ) as Record<string, V | T>;
}
