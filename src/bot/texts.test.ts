import { readdirSync, readFileSync } from 'node:fs';
import { FluentResource } from '@fluent/bundle';
import { describe, expect, test } from 'vitest';

import { AUDITED_ACTS, createGames } from '../core/index.ts';
import { TEST_GAMES } from '../../test/harness/core.ts';
import { createTexts, LANGUAGES, name, readLocale, toKeyPart, type Language } from './texts.ts';

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

/** All words of a language, by the message: what is written, without the names of variables and without comments. */
function readWords(language: Language): { key: string; words: string }[] {
  const { body } = new FluentResource(readLocale(language));
  return body.map(({ id, value }) => ({ key: id, words: findWords(value).join('\n') }));
}

/** Every variant of a selection is words; what it is chosen by is not. */
function findWords(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (Array.isArray(node)) return node.flatMap(findWords);
  if (typeof node !== 'object' || node === null) return [];
  if ('variants' in node && Array.isArray(node.variants)) {
    return node.variants.flatMap((variant: { value: unknown }) => findWords(variant.value));
  }
  return 'type' in node && node.type === 'str' && 'value' in node ? [String(node.value)] : [];
}

const english = readMessages('en');

test('a message that is in the file is parsed: none is lost to a mistake of syntax', () => {
  for (const language of LANGUAGES) {
    const written = [...readLocale(language).matchAll(/^([a-z][a-z0-9-]*) *=/gm)].map((match) => match[1]);
    const parsed = readMessages(language);
    expect(written.filter((key) => !parsed.has(key ?? ''))).toEqual([]);
    expect(
      written.filter((key, index) => written.indexOf(key) !== index),
      'defined twice',
    ).toEqual([]);
  }
});

test('both languages have the same messages with the same variables', () => {
  expect(readMessages('ru')).toEqual(english);
});

/** One word for one thing. Left: the word that is used; right: others for the same thing, which are not. */
const NO_OTHER_WORDS: Record<Language, readonly (readonly [string, RegExp])[]> = {
  en: [
    ['stock', /\b(databases?|inventory|warehouse|supply|supplies)\b/i],
    ['receipt', /\b(slips?|bills?|tickets?|vouchers?)\b/i],
    ['activation', /\b(credits|units|points|charges)\b/i],
    ['subscription', /\b(membership|tariff|licen[cs]e)\b/i],
    ['redemption', /\b(top-up order|transactions?|exchange)\b/i],
    ['the service administrator', /\b(whoever hosts|the host|hosts? of (this|the) service|hoster)\b/i],
    ['Cancelled. Nothing was done.', /\bLeft\. Nothing\b/],
    ['1 code', /\b(code|file|message|day|activation)\(s\)/i],
  ],
  ru: [
    [
      'склад',
      /(?<!\p{L})(баз[аыуе]|базой|запас\p{L}*|остатк(и|ов|ам|ах)|(в )?наличи[ие]|инвентар\p{L}*)(?!\p{L})/iu,
    ],
    ['чек', /(?<!\p{L})(квитанци\p{L}*|талон\p{L}*|ваучер\p{L}*)(?!\p{L})/iu],
    ['активация', /(?<!\p{L})(погашени\p{L}*|погасить|кредит(ы|ов)|транзакци\p{L}*)(?!\p{L})/iu],
    ['подписка', /(?<!\p{L})(абонемент\p{L}*|тариф\p{L}*|лицензи\p{L}*)(?!\p{L})/iu],
    ['администратор сервиса', /(?<!\p{L})(хозя\p{L}*|хост(а|у|ом|ер\p{L}*)?|администраци\p{L}*)(?!\p{L})/iu],
    ['номинал', /(?<!\p{L})(деноминаци\p{L}*|достоинств\p{L}*)(?!\p{L})/iu],
    ['У меня ошибка', /сломал/iu],
    ['Отменено', /(?<!\p{L})прервано(?!\p{L})/iu],
    ['1 код', /(код|файл|сообщени\p{L}*|д(ень|ней)|активаци\p{L}*)\((ы|а|ов|я|и)\)/iu],
  ],
};

test.each(LANGUAGES)('there is one word for one thing in %s', (language) => {
  // What people write may be any of them.
  const said = readWords(language).filter(({ key }) => key !== 'button-words');
  const wrong = said.flatMap(({ key, words }) =>
    NO_OTHER_WORDS[language].flatMap(([used, others]) => {
      const found = others.exec(words)?.[0];
      return found === undefined ? [] : [`${key}: "${found}" instead of "${used}"`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('no text holds the identifier of a game, nor asks for a variable that would be shown as one', () => {
  const ids = TEST_GAMES.all.map(({ id }) => id);
  for (const language of LANGUAGES) {
    const messages = readMessages(language);
    for (const { key, words } of readWords(language)) {
      expect(ids.filter((id) => words.includes(id)).concat(/game_id/i.exec(words)?.[0] ?? [])).toEqual([]);
      expect(messages.get(key), key).not.toContain('gameId');
    }
  }
});

test.each(LANGUAGES)(
  '%s has nothing of the letters of another script, of double spaces and of loose ends',
  (language) => {
    const wrong = readWords(language).filter(({ words }) =>
      [language === 'en' ? /\p{Script=Cyrillic}/u : /\0/u, /\S {2,}\S/u, /\p{L} [,.;!?](?!\p{L})/u].some(
        (sign) => sign.test(words),
      ),
    );
    expect(wrong.filter(({ key }) => key !== 'language-ru')).toEqual([]);
  },
);

describe('what is counted', () => {
  const texts = createTexts(TEST_GAMES);
  const counted = (language: Language) =>
    [1, 2, 5, 11, 21, 1200].map((n) => texts.label(language, 'button-add-codes', { n, count: String(n) }));

  test('is in the number that the language asks for, and not grouped in labels', () => {
    expect(counted('en')).toEqual([
      'Add 1 code',
      ...['Add 2 codes', 'Add 5 codes', 'Add 11 codes', 'Add 21 codes', 'Add 1200 codes'],
    ]);
    expect(counted('ru')).toEqual([
      'Добавить 1 код',
      ...['Добавить 2 кода', 'Добавить 5 кодов', 'Добавить 11 кодов'],
      ...['Добавить 21 код', 'Добавить 1200 кодов'],
    ]);
  });

  test.each(LANGUAGES)('has every form of %s where a text has forms', (language) => {
    const needed = language === 'en' ? ['one', 'other'] : ['one', 'few', 'many'];
    const { body } = new FluentResource(readLocale(language));
    const poor = body.filter(({ value }) =>
      findForms(value).some((forms) => {
        // What is left over takes what is not named; `other` and `many` are one form where whole numbers are counted.
        const named = forms.map((form) => (language === 'ru' && form === 'other' ? 'many' : form));
        return named.includes('one') && needed.some((form) => !named.includes(form));
      }),
    );
    expect(poor.map(({ id }) => id).filter((id) => !WITH_TWO_FORMS.includes(id))).toEqual([]);
  });
});

/** In Russian, where the number stands alone, or its case has one plural: nothing changes between 2 and 5. */
const WITH_TWO_FORMS: readonly string[] = [
  'button-drop',
  'button-leave-out',
  'host-asked',
  'pasted-deleted',
  'plain-player-and-code',
  'plain-which-player',
];

/** The names of the variants of each selection. */
function findForms(node: unknown): string[][] {
  if (Array.isArray(node)) return node.flatMap(findForms);
  if (typeof node !== 'object' || node === null) return [];
  const own =
    'variants' in node && Array.isArray(node.variants)
      ? [node.variants.map((variant: { key: { value: unknown } }) => String(variant.key.value))]
      : [];
  return [...own, ...Object.values(node).flatMap(findForms)];
}

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
  const ofActs = new Set(AUDITED_ACTS.map((what) => `log-${toKeyPart(what)}`));
  const isNamed = (key: string) => text.includes(`'${key}'`) || ofActs.has(key);
  const unused = [...english.keys()].filter(
    (key) => !isNamed(key) && !prefixes.some((prefix) => key.startsWith(prefix)),
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
    texts.say('en', 'members-ask-remove', { person: half }),
    texts.label('en', 'members-ask-remove', { person: half }),
    name('x'.repeat(62) + '👍👍👍'),
  ];
  for (const text of said) expect(text.isWellFormed()).toBe(true);
  expect(said[1]).toContain('Fal\ufffdcon');
});
