// Laws that hold for every paste, over random ones: nothing lost, nothing invented, nothing slow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CORPUS, toPaste } from '../../../test/harness/paste-corpus.ts';
import { pasteGame } from '../../../test/harness/paste-game.ts';
import { foldWritten } from '../folding.ts';
import { createCodeFinder } from './codes.ts';
import { decodePaste } from './files.ts';
import { lexLine } from './lexer.ts';
import { createLexicon } from './lexicon.ts';
import { readNumbers } from './numbers.ts';
import { createLexer, readPaste } from './reading.ts';
import type { PastePiece } from './messages.ts';

/** More, and larger, in the project of what is long. */
const RUNS = Number(process.env['LAW_RUNS'] ?? 100);
const HOW = { numRuns: RUNS };
// The same each time: what decides over a change is no lottery. Others are tried by hand.
fc.configureGlobal({ seed: Number(process.env['LAW_SEED'] ?? 1) });
const LENGTH = RUNS * 1_000;

const game = pasteGame([60, 325, 660, 1800]);
const ALPHABET = [...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789'];
/** A code has a digit. */
const code = (minLength: number, maxLength: number) =>
  fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...ALPHABET), minLength, maxLength }),
      fc.nat(),
      fc.nat({ max: 9 }),
    )
    .map(([text, place, digit]) => {
      const at = place % Math.max(text.length, 1);
      return /\d/.test(text) || text === '' ? text : text.slice(0, at) + String(digit) + text.slice(at + 1);
    });
const separator = fc.constantFrom(
  ...['\n', '\r\n', ' ', '  ', ', ', ';', '\t', ' | ', '\0', '\u00a0', '\u200b\u00a0', '\n- ', ' — ', '"\n"'],
  ...['`\n`', '\n\n'],
);
const meaning: Record<string, number | undefined> = {
  '77 UC': undefined,
  '60 UC': 60,
  '325:': 325,
  '660 uc:': 660,
  '#60': 60,
  '1,800 UC': 1800,
  '— 325 UC —': 325,
  '1800uc': 1800,
  '[660]': 660,
};
const heading = fc.constantFrom(...Object.keys(meaning));

/** A paste, and the codes in it by denomination. */
const paste = (anyCode: fc.Arbitrary<string>, maxLength = 12) =>
  fc
    .array(
      fc.record({ heading, codes: fc.array(fc.tuple(anyCode, separator), { minLength: 1, maxLength }) }),
      { minLength: 1, maxLength },
    )
    .map((parts) => ({
      text: parts.map((part) => `\n${part.heading}\n${part.codes.flat().join('')}`).join(''),
      codes: parts.flatMap((part) =>
        part.codes.map(([code]) => ({ kind: 'code', code, denomination: meaning[part.heading] })),
      ),
    }));
/** Of one length, as real ones are, or of lengths of which no two make one code. */
const manyPastes = fc
  .oneof(
    fc.integer({ min: 12, max: 32 }).map((length) => code(length, length)),
    fc.constant(code(12, 23)),
  )
  .chain((anyCode) => paste(anyCode));

const message = (text: string): PastePiece => ({ kind: 'message', text });
/** What was found, without what lines and headings said. */
interface Found {
  kind: 'code' | 'unknown';
  text?: string;
  code?: string;
  denomination?: number | undefined;
}
function read(pieces: readonly PastePiece[]): Found[] {
  return [...readPaste(pieces, game, {})].flatMap((token): Found[] => {
    if (token.kind === 'unknown') return [{ kind: token.kind, text: token.text }];
    if (token.kind !== 'code') return [];
    return [{ kind: token.kind, code: token.code, denomination: token.denomination }];
  });
}

/** Text of at least 4,000 characters that ends in a whole line. */
const FILLER = 'a line of plain words, nothing else\n'.repeat(112);

describe('every paste', () => {
  test('gives each code once, in order, with its denomination', () => {
    fc.assert(
      fc.property(manyPastes, ({ text, codes }) => {
        expect(read([message(text)])).toEqual(codes);
        expect(read([{ kind: 'file', text }])).toEqual(codes);
        expect(read([message(FILLER + text)])).toEqual(codes);
      }),
    );
  });

  test('cut at any two places after 4,000 characters reads as the whole', () => {
    fc.assert(
      fc.property(manyPastes, manyPastes, fc.nat(), fc.nat(), (one, other, first, second) => {
        const begun = `${FILLER}${one.text}\n${FILLER}`;
        const text = begun + other.text;
        const cut = FILLER.length + (first % one.text.length);
        const again = begun.length + (second % other.text.length);
        const pieces = [text.slice(0, cut), text.slice(cut, again), text.slice(again)].map(message);
        expect(read(pieces)).toEqual([...one.codes, ...other.codes]);
      }),
      HOW,
    );
  });

  test('cut inside a code, however short the message, reads as the whole', () => {
    fc.assert(
      fc.property(paste(code(12, 22), 4), fc.nat(), fc.nat(), ({ text, codes }, which, where) => {
        const chosen = codes[which % codes.length]?.code ?? '';
        fc.pre(text.indexOf(chosen) === text.lastIndexOf(chosen));
        const inside = Math.max(chosen.length - 11, 1) + (where % Math.min(11, 22 - chosen.length + 1));
        const at = text.indexOf(chosen) + Math.min(inside, 11);
        // What begins as a heading and stands alone at the end of a short message is one.
        fc.pre(!/^(60|325|660|1800)$/.test(text.slice(text.indexOf(chosen), at)));
        expect(read([message(text.slice(0, at)), message(text.slice(at))])).toEqual(codes);
      }),
    );
  });

  test('cut between two codes whose blank was dropped reads as the whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 32 }), fc.nat(), fc.gen(), (length, place, gen) => {
        const codes = Array.from({ length: 8 }, () => gen(code, length, length));
        const cut = 2 + (place % 5);
        const pieces = [FILLER + codes.slice(0, cut).join('\n'), codes.slice(cut).join('\n')].map(message);
        expect(read(pieces).map((token) => token.code ?? token)).toEqual(codes);
      }),
    );
  });

  test('invents nothing and never throws', () => {
    const bit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      code(1, 40),
      separator,
      heading,
      fc.constantFrom(
        'code,denomination\n',
        ',60',
        '\t325',
        '1 800',
        '-',
        '"',
        '\\n',
        '...',
        '\ud800',
        '\udc00A',
      ),
    );
    const piece = fc.record({
      kind: fc.constantFrom('message' as const, 'file' as const),
      text: fc.array(bit, { maxLength: 15 }).map((bits) => bits.join('')),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        // Groups are one code together.
        const text = foldWritten(pieces.map((each) => each.text).join('')).replace(/[^A-Za-z0-9]/g, '');
        for (const token of readPaste(pieces, game, {})) {
          if (token.kind !== 'code') continue;
          expect(text).toContain(token.code);
          expect(token.code).toMatch(game.codePattern);
          expect([...game.denominations, undefined]).toContain(token.denomination);
        }
      }),
      HOW,
    );
  });

  test('any bytes decode', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof decodePaste(bytes) === 'string'),
    );
  });
});

describe('nothing is unaccounted for', () => {
  const lexicon = createLexicon(game);
  const lex = createLexer(game, []);
  const takeCodes = createCodeFinder(lexicon);
  /** What cannot be seen is not there, and neither are accents over blanks and the reader's own marks. */
  const see = (text: string) => text.normalize('NFKC').replace(/[\s\p{M}\p{Cf}\ue000-\ue005]/gu, '');
  const texts = CORPUS.flatMap(([pasted]) => toPaste(pasted).pieces.map(({ text }) => text));

  function expectWhole(whole: string, runs: readonly { from: number; to: number }[]): void {
    let done = 0;
    for (const { from, to } of [...runs, { from: whole.length, to: whole.length }]) {
      expect(from).toBeGreaterThanOrEqual(done);
      expect(see(whole.slice(done, from))).toBe('');
      done = to;
    }
  }

  function expectTokens(line: string): void {
    const { text, slots } = takeCodes(line);
    const lexed = lexLine(text, { whole: slots.length > 0 });
    const { lexemes } = lexed;
    const found = lexemes.filter(({ kind }) => kind === 'code' || kind === 'unknown');
    expect(found).toHaveLength(slots.length);
    expectWhole(
      lexed.text,
      lexemes.map(({ start: from, end: to }) => ({ from, to })),
    );
    for (const [at, { start, end, text: code }] of slots.entries()) {
      const bare = (written: string) => foldWritten(written).replace(/[^\p{L}\p{N}]/gu, '');
      expect(bare(line.slice(start, end)).slice(0, 200)).toBe(bare(code).slice(0, 200));
      expect(start).toBeGreaterThanOrEqual(slots[at - 1]?.end ?? 0);
    }
    // No code is left in what is read as words and numbers; behind `9.` it goes on with a number. Folding may join some.
    const kept = lexed.shown === text ? lexed.text : '';
    for (const { index, 0: word } of kept.matchAll(
      /(?<![\p{L}\p{N}\p{M}])(?<!\d[.,])[a-z0-9]{12,32}(?![\p{L}\p{N}\p{M}])/gu,
    )) {
      const lexeme = lexemes.find((each) => each.start <= index && index < each.end);
      if (/[0-9]/.test(word)) expect(['word', 'number']).not.toContain(lexeme?.kind);
    }
    // A number is of some sense: what it counts, or an amount.
    const { quantities } = readNumbers(lexed, lexicon);
    for (const [at, { kind }] of lexed.lexemes.entries())
      if (kind === 'number') expect(quantities.some(({ from, to }) => from <= at && at < to)).toBe(true);
  }

  function expectAccounted(text: string): void {
    const lines = [...lex(text)].flatMap((each) =>
      'line' in each ? [{ from: each.start, to: each.end }] : [],
    );
    expectWhole(text, lines);
    for (const { from, to } of lines) if (to - from < 8_192) expectTokens(text.slice(from, to));
    expectFiled(text);
  }

  /** What the lines hold is told of the text; but a column of serial numbers is named as one. */
  function expectFiled(text: string): void {
    const lines = [...lex(text)].flatMap((each) => ('line' in each ? [each.line] : []));
    if (lines.some(({ frame }) => frame.columns)) return;
    const slots = lines.flatMap((line) => line.slots);
    const told = [...readPaste([{ kind: 'file', text }], game, {})].map((token) =>
      token.kind === 'code' ? token.code : token.kind === 'unknown' ? token.text : '',
    );
    for (const slot of new Set(slots)) {
      const times = (all: readonly string[]) => all.filter((each) => each === slot).length;
      expect(times(told)).toBeGreaterThanOrEqual(times(slots));
    }
  }

  test('in the corpus', () => {
    for (const text of texts) expectAccounted(text);
  });

  test('whatever it is cut and mixed with', () => {
    const cut = fc
      .tuple(fc.constantFrom(...texts), fc.nat(40), fc.nat(60))
      .map(([text, from, length]) => text.slice(from % Math.max(text.length, 1), from + length));
    const bit = fc.oneof(
      { weight: 4, arbitrary: cut },
      separator,
      heading,
      code(1, 40),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(
        '½',
        '№',
        '2️⃣',
        'İ',
        '①',
        '㎏',
        '\u200b',
        '٦٠',
        '10:45Z',
        '$5',
        '1,',
        '+7 900 123-45-67',
        'ucx',
      ),
    );
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 12 }), (bits) => expectAccounted(bits.join(''))),
      { ...HOW, examples: [[['john1234567890@example.', 'AB12-CD34-EF56', 'K7QZ2MXB']]] },
    );
  });
});

describe('large pastes', () => {
  test('100,000 codes on one line come out one by one', () => {
    const codes = Array.from({ length: 100_000 }, (_, index) => `CODE${String(index).padStart(12, '0')}`);
    const tokens = read([{ kind: 'file', text: `60 UC: ${codes.join(' ')}` }]);
    expect(tokens).toEqual(codes.map((each) => ({ kind: 'code', code: each, denomination: 60 })));
    const after = read([{ kind: 'file', text: codes.slice(0, 5_000).join(' 325 UC, ') + ' 325 UC' }]);
    expect(after.every((token) => token.kind === 'code' && token.denomination === 325)).toBe(true);
    expect(after).toHaveLength(5_000);
  });

  test.each(['\n', ' ', '-', 'a', 'a-', 'word ', '"', '",', '60 ', 'é', '👍', '1,', 'x\n'])(
    'however much of %j lets the caller pause',
    (unit) => {
      const text = `code,uc\n${unit.repeat(Math.ceil(LENGTH / unit.length))}\n60: CODE00000000001`;
      const tokens = [...readPaste([{ kind: 'file', text }], game, {})];
      expect(tokens.filter((token) => token.kind === 'pause').length).toBeGreaterThan(LENGTH / 100_000);
      expect(tokens.at(-1)).toMatchObject({ kind: 'code', code: 'CODE00000000001', denomination: 60 });
    },
  );

  test('an endless word is malformed as a whole, whatever follows it', () => {
    const tokens = read([
      { kind: 'file', text: `${'-'.repeat(20_000)}${'A1'.repeat(20_000)} CODE00000000001` },
    ]);
    expect(tokens).toEqual([
      { kind: 'unknown', text: 'A1'.repeat(128) },
      { kind: 'code', code: 'CODE00000000001', denomination: undefined },
    ]);
  });
});
