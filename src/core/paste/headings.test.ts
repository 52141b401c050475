// Every heading of the corpus (headings.txt) is read as it must be, alone and among others, and no code stands under
// one that was not understood. A line of the corpus: a denomination, `ask`, or `none` where it is no heading and what
// is in force goes on; a tab; the heading as people write it, after codes under another; those behind `beneath`
// directly under a heading.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import { PHONES } from './lexer.ts';
import { readPaste } from './reading.ts';

type Expected = number | 'ask' | 'none';

const [HEADINGS = [], BENEATH = []] = readFileSync(new URL('headings.txt', import.meta.url), 'utf8')
  .split('\n\nbeneath\n')
  .map((part) => part.trimEnd().split('\n').map(parse));

function parse(line: string): [text: string, expected: Expected] {
  const [told = '', text = ''] = line.split('\t');
  return [text, told === 'ask' || told === 'none' ? told : Number(told)];
}

const game = pasteGame([60, 325, 660, 1800, 3850, 8100]);
const A = 'AAAA1111bbbb2222';
const B = 'BBBB3333cccc4444';
const BEFORE = 3850;

const hasMalformed = (text: string) =>
  [...readPaste([{ kind: 'message', text }], game, {})].some(({ kind }) => kind === 'unknown');

function read(text: string): { code: string; denomination: number | undefined }[] {
  const pieces = [{ kind: 'message' as const, text }];
  return [...readPaste(pieces, game, {})].flatMap((token) =>
    token.kind === 'code' ? [{ code: token.code, denomination: token.denomination }] : [],
  );
}

/** What a code under it is filed under. */
function meaning(expected: Expected, before: number | undefined): number | undefined {
  if (expected === 'none') return before;
  return expected === 'ask' ? undefined : expected;
}

test('there are more than two hundred headings, in both languages, and none is there twice', () => {
  expect(HEADINGS.length).toBeGreaterThanOrEqual(200);
  expect(new Set(HEADINGS.map(([text]) => text)).size).toBe(HEADINGS.length);
  expect(HEADINGS.filter(([text]) => /[а-яё]/i.test(text)).length).toBeGreaterThan(50);
});

describe('a heading after codes of another', () => {
  test.each(HEADINGS)('%j is %j', (text, expected) => {
    expect(read(`${BEFORE} UC\n${A}\n${text}\n${B}`)).toEqual([
      { code: A, denomination: BEFORE },
      { code: B, denomination: meaning(expected, BEFORE) },
    ]);
  });
});

describe('a line directly under a heading', () => {
  test.each(BENEATH)('%j is %j', (text, expected) => {
    expect(read(`${BEFORE} UC\n${text}\n${B}`)).toEqual([
      { code: B, denomination: meaning(expected, BEFORE) },
    ]);
  });
});

const anyHeading = fc.constantFrom(...HEADINGS);
const anyCode = fc
  .string({ unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'), minLength: 15, maxLength: 15 })
  .map((text) => `${text}7`);
const sections = fc.array(fc.tuple(anyHeading, fc.array(anyCode, { minLength: 1, maxLength: 6 })), {
  minLength: 1,
  maxLength: 12,
});
/** What people put around a line without meaning anything by it. */
const frame = fc.constantFrom(...['', ' ', '\t', '\u200b', '\ufeff', '\u00a0 ', '\u202a']);

describe('many headings in one paste', () => {
  test('each code stands under the last heading that was understood, or under none', () => {
    fc.assert(
      fc.property(sections, frame, (parts, around) => {
        const text = parts
          .map(([[heading], codes]) => [around + heading + around, ...codes].join('\n'))
          .join('\n\n');
        let before: number | undefined;
        const expected = parts.flatMap(([[, what], codes]) => {
          before = meaning(what, before);
          return codes.map((code) => ({ code, denomination: before }));
        });
        expect(read(text)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  test('a line of any words, numbers and marks is understood only where nothing in it is unknown', () => {
    const part = fc.constantFrom(
      ...[
        '60',
        '325',
        '660',
        '7',
        '100',
        'UC',
        'юс',
        'x',
        '-',
        ':',
        '(',
        ')',
        '+',
        'k',
        'шт',
        'pcs',
        'codes',
        'по',
        '$',
        '?',
      ],
      ...['not', 'blah', 'не', '№', '/', ',', '.', 'total', 'Next'],
    );
    const known = /^(?:\d+|uc|юс|x|k|шт|pcs|codes|по|total|next)$/;
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 7 }), fc.constantFrom('', ' '), (parts, gap) => {
        const line = parts.join(gap === '' ? '' : ' ');
        const codes = read(`${BEFORE} UC\n${A}\n${line}\n${B}`);
        const [, found] = codes;
        // What fits the pattern is a code, and a broken one is told of as such.
        if (codes.length !== 2 || hasMalformed(line)) return;
        if (found === undefined || found.denomination === undefined) return;
        const words = line.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
        if (found.denomination === BEFORE) {
          const told = words.map(Number).filter((value) => game.denominations.includes(value));
          const ofOtherKind = /\$/.test(line) || line.search(PHONES) !== -1;
          expect(told.length === 0 || ofOtherKind, `${line} leaves ${BEFORE} in force`).toBe(true);
        } else if (gap === ' ') {
          expect(
            words.every((word) => known.test(word)),
            `${line} is read as ${found.denomination}`,
          ).toBe(true);
          expect(line).not.toMatch(/[?№]/);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('beside a code a number that could be its denomination is never left out', () => {
    const beside = fc.constantFrom(
      ...([
        'UC660',
        '660 юс',
        '660юс -',
        'коды по 660',
        '1.8k',
        '660x1',
        '660 x 1',
        'Номинал: 660',
        '660 lite',
        '№660',
        'UC1800',
      ] as const),
    );
    fc.assert(
      fc.property(beside, fc.boolean(), anyCode, (text, behind, code) => {
        const line = behind ? `${code} ${text}` : `${text} ${code}`;
        const [, found] = read(`${BEFORE} UC\n${A}\n${line}`);
        expect([660, 1800, undefined]).toContain(found?.denomination);
      }),
    );
  });
});
