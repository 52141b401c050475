// The words of the console: each is there in both languages, of the same variables, and none falls out of its file.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import { TEST_GAMES } from '../../test/harness/core.ts';
import { LANGUAGES, readLocaleIn, type Language } from '../locales.ts';
import { createWord } from './words.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** By key: its variables, sorted. */
function readWords(language: Language): Map<string, string> {
  const source = readLocaleIn(`${HERE}locales`, language);
  const messages = source.matchAll(/^([a-z][\w-]*) =(.*\n(?:[ \t].*\n|\n(?=[ \t]))*)/gm);
  return new Map(
    [...messages].map(([, key = '', text = '']) => {
      const variables = new Set([...text.matchAll(/\$(\w+)/g)].map(([, name]) => name));
      return [key, [...variables].toSorted().join(' ')];
    }),
  );
}

const words = { en: readWords('en'), ru: readWords('ru') };

test('are the same in both languages', () => {
  expect(Object.fromEntries(words.ru)).toEqual(Object.fromEntries(words.en));
});

test.each(LANGUAGES)('can all be read in %s', (language) => {
  const t = createWord(TEST_GAMES, language);
  const unread = [...words[language]].filter(([key, variables]) => {
    const given = Object.fromEntries(
      variables.split(' ').map((name) => [name, name === 'game' ? 'game_id_1' : 1]),
    );
    return t(key, given) === `{${key}}`;
  });
  expect(unread).toEqual([]);
  expect(words[language].size).toBeGreaterThan(300);
});

test('that are asked for by their name are there', () => {
  const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!test)\.ts$/.test(file),
  );
  const asked = files.flatMap((file) =>
    [...readFileSync(HERE + file, 'utf8').matchAll(/\bt\('([\w-]+)'/g)].map(([, key = '']) => key),
  );
  expect(asked.length).toBeGreaterThan(150);
  expect(asked.filter((key) => !words.en.has(key))).toEqual([]);
});
