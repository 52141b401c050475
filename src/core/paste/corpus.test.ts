// The corpus of pastes (test/corpus/pastes.txt): each gives what it must, and what it is made of is accounted for.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { CODES, CORPUS, corpusGame, fill, toPaste, type Paste } from '../../../test/harness/paste-corpus.ts';
import { foldWritten } from '../folding.ts';
import { readPaste } from './reading.ts';
import type { PasteToken } from './token.ts';

function tokensOf({ pieces, denomination }: Paste): PasteToken[] {
  const options = { now: Date.UTC(2026, 10, 29), ...(denomination !== undefined && { denomination }) };
  return [...readPaste(pieces, corpusGame, options)];
}

/** As the corpus writes it; `withWords`: with the words in which it is asked about. */
function tell(tokens: readonly PasteToken[], withWords: boolean): string[] {
  let heading: string | undefined;
  return tokens.flatMap((token) => {
    if (token.kind === 'heading') heading = token.text;
    if (token.kind === 'unknown') return [`! ${token.text.replaceAll('\t', '⇥')}`];
    if (token.kind !== 'code') return [];
    if (token.denomination !== undefined) return [`${token.denomination} ${token.code}`];
    const words = token.own ?? heading;
    return [`? ${token.code}${withWords && words !== undefined ? `: ${words}` : ''}`];
  });
}

describe('what is pasted is read as the corpus says', () => {
  test.each(CORPUS)('%s', (pasted, expected) => {
    const read = tokensOf(toPaste(pasted));
    const wanted = expected === '-' ? [] : fill(expected).split(/ \| (?=(?:[!?]|\d+) )/);
    const told = tell(read, true).map((each, index) =>
      wanted[index]?.includes(': ') ? each : tell(read, false)[index],
    );
    expect(told).toEqual(wanted);
  });

  test('there are many, and none is there twice', () => {
    expect(CORPUS.length).toBeGreaterThanOrEqual(530);
    expect(new Set(CORPUS.map(([pasted]) => pasted)).size).toBe(CORPUS.length);
  });
});

const anyPaste = fc.constantFrom(
  ...CORPUS.filter(([pasted]) => !/^[/[]|⏸/.test(pasted)).map(([pasted]) => toPaste(pasted)),
);
const textOf = ({ pieces }: Paste) => pieces.map(({ text }) => text).join('\n');

describe('whatever is pasted with whatever', () => {
  test('a code stands where it was pasted, or is not understood: none vanishes', () => {
    fc.assert(
      fc.property(fc.array(anyPaste, { minLength: 1, maxLength: 5 }), (pastes) => {
        const text = pastes.map(textOf).join('\n\n');
        const found = tokensOf({ pieces: [{ kind: 'message', text }], denomination: undefined });
        const said = found
          .map((token) => ('code' in token ? token.code : 'text' in token ? token.text : ''))
          .join('\n');
        for (const code of Object.values(CODES)) {
          // A column of serial numbers is named as one.
          const times = text.split(code).length - 1;
          if (times > 0 && !/serial\t/.test(text)) expect(said, text).toContain(code);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('nothing is filed against what was chosen without a word that says so', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(60, 325, 660),
        fc.constantFrom('', ';', ' - ', '\t', ', '),
        fc.nat(2_000),
        (chosen, mark, value) => {
          const text = `${CODES['A']}${mark === '' ? ' ' : mark}${value}`;
          for (const token of tokensOf({ pieces: [{ kind: 'message', text }], denomination: chosen }))
            if (token.kind === 'code') expect([chosen, undefined]).toContain(token.denomination);
        },
      ),
    );
  });

  test('digits of every script, full width and what cannot be seen change nothing of a code', () => {
    const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10, 0x1d7ce];
    fc.assert(
      fc.property(
        fc.constantFrom(...zeros),
        fc.constantFrom('\u200b', '\u00ad', '\u2060', ''),
        fc.nat(15),
        (zero, mark, at) => {
          const code = CODES['A'] ?? '';
          const foreign = code.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
          const written = [...foreign].toSpliced(at, 0, mark).join('');
          expect(foldWritten(written)).toBe(code);
          const found = tokensOf({
            pieces: [{ kind: 'message', text: `60 UC\n${written}` }],
            denomination: undefined,
          });
          expect(tell(found, false)).toEqual([`60 ${code}`]);
        },
      ),
    );
  });

  test('every separator keeps codes apart, and none of them is lost', () => {
    const separators = [
      '\n',
      '\r\n',
      ' ',
      ', ',
      ';',
      '\t',
      ' | ',
      '\0',
      '\u00a0',
      '\n- ',
      ' — ',
      '"\n"',
      '`\n`',
      '\n\n',
      '/',
    ];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(Object.values(CODES), { minLength: 2 }),
        fc.constantFrom(...separators),
        (codes, mark) => {
          const found = tokensOf({
            pieces: [{ kind: 'file', text: `60 UC:\n${codes.join(mark)}` }],
            denomination: undefined,
          });
          expect(tell(found, false)).toEqual(codes.map((code) => `60 ${code}`));
        },
      ),
    );
  });
});
