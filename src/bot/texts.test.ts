import { readdirSync, readFileSync } from 'node:fs';
import { FluentResource } from '@fluent/bundle';
import { describe, expect, test } from 'vitest';

import { createGames } from '../core/index.ts';
import { TEST_GAMES } from '../../test/harness/core.ts';
import { createTexts, LANGUAGES, name, readLocale, type Language } from './texts.ts';

/** Every message of a language, with the variables it uses. */
function readMessages(language: (typeof LANGUAGES)[number]): Map<string, string[]> {
  const { body } = new FluentResource(readLocale(language));
  return new Map(body.map((message) => [message.id, [...new Set(findVariables(message))].sort()]));
}

function findVariables(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(findVariables);
  if (typeof node !== 'object' || node === null) return [];
  const own = 'type' in node && node.type === 'var' && 'name' in node ? [String(node.name)] : [];
  return [...own, ...Object.values(node).flatMap(findVariables)];
}

function readSources(): { file: string; source: string }[] {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, source: readFileSync(new URL(file, folder), 'utf8') }));
}

const english = readMessages('en');

test('a message that is in the file is parsed: none is lost to a mistake of syntax', () => {
  for (const language of LANGUAGES) {
    const written = [...readLocale(language).matchAll(/^([a-z][a-z0-9-]*) *=/gm)].map((match) => match[1]);
    expect(written.filter((key) => !readMessages(language).has(key ?? ''))).toEqual([]);
    expect(
      written.filter((key, index) => written.indexOf(key) !== index),
      'defined twice',
    ).toEqual([]);
  }
});

test('both languages have the same messages with the same variables', () => {
  expect(readMessages('ru')).toEqual(english);
});

test('a key that the sources name is defined', () => {
  const missing = readSources().flatMap(({ file, source }) =>
    [
      ...source.matchAll(
        /\b(?:say|label)\(\s*(?:'(?:en|ru)',\s*|[a-zA-Z.]*[lL]anguage,\s*)?'([a-z][a-z0-9-]*)'/g,
      ),
    ]
      .map((match) => match[1] ?? '')
      .filter((key) => !english.has(key))
      .map((key) => `${file}: ${key}`),
  );
  expect(missing).toEqual([]);
});

test('a message that no source could name is not kept', () => {
  const sources = readSources();
  const text = sources.map(({ source }) => source).join('\n');
  // Keys made of a literal and a variable part: `command-${name}`.
  const prefixes = [...text.matchAll(/`([a-z][a-z0-9-]*-)\$\{/g)].map((match) => match[1] ?? '');
  const unused = [...english.keys()].filter(
    (key) => !text.includes(`'${key}'`) && !prefixes.some((prefix) => key.startsWith(prefix)),
  );
  expect(unused).toEqual([]);
});

test('a game is shown by its name in the language of who reads, and by its id where it has none', () => {
  const [game] = TEST_GAMES.all;
  const named = createGames([
    { ...game, codePattern: '.', name: { en: 'Game 1', ru: 'Игра 1' } },
    { ...game, codePattern: '.', id: 'game_id_9' },
  ]);
  const texts = createTexts(named);
  const read = (language: Language, game: string) => texts.label(language, 'game-name', { game });
  expect(read('en', game?.id ?? '')).toBe('Game 1');
  expect(read('ru', game?.id ?? '')).toBe('Игра 1');
  expect(read('ru', 'game_id_9')).toBe('game_id_9');
  expect(read('en', 'sold no more')).toBe('sold no more');
});

describe('what people typed', () => {
  const texts = createTexts(TEST_GAMES);
  test('is escaped in messages and left alone in labels', () => {
    const reference = '<b>&"';
    expect(texts.say('en', 'error-ours', { reference })).toContain('&lt;b&gt;&amp;&quot;');
    expect(texts.label('en', 'error-ours', { reference })).toContain('<b>&"');
  });

  test.each(['\u202eevil', 'a\nb', '\u200b\u200b', 'x'.repeat(4_000), '👩‍👩‍👧‍👦'.repeat(40), ''])(
    'a name is one short isolated line: %j',
    (typed) => {
      const shown = name(typed);
      expect(shown.startsWith('\u2068') && shown.endsWith('\u2069')).toBe(true);
      expect([...shown].length).toBeLessThanOrEqual(66);
      expect(shown).not.toMatch(/[\n\u202a-\u202e\u200b]/);
    },
  );
});

test('half a character of some other side is never sent: Telegram would refuse the whole message', () => {
  const half = 'Fal\ud83dcon';
  const texts = createTexts(TEST_GAMES);
  const said = [
    name(half),
    texts.say('en', 'start-role', { role: half }),
    texts.label('en', 'start-role', { role: half }),
    name('x'.repeat(62) + '👍👍👍'),
  ];
  for (const text of said) expect(text.isWellFormed()).toBe(true);
  expect(said[1]).toContain('Fal\ufffdcon');
});
