// What the numbers of a line say, from its items alone: which number the line, which are amounts of its codes, and where two of
// them leave it open.
import { describe, expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import type { Amount } from './amounts.ts';
import { chooseAmounts, firstOf, isCounting, type Item, type Reading } from './line-items.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325, 660]));
const withOnes = createVocabulary(pasteGame([1, 60]));

const newReading = (): Reading => ({
  denomination: undefined,
  fresh: false,
  bare: undefined,
  foreign: undefined,
  below: false,
  line: undefined,
  numbered: undefined,
});

/** `60!`: with its currency; `60:` opens; `60.` is a marker; `^60` begins the line; `C`: a code; `M`: a malformed one. */
function toItem(written: string): Item {
  if (written === 'C') return { kind: 'code', text: written };
  if (written === 'M') return { kind: 'malformed', text: written };
  if (!/\d/.test(written)) return { kind: 'word', text: written };
  return {
    kind: 'amount',
    text: written,
    value: Number(/\d+/.exec(written)?.[0]),
    certain: written.includes('!'),
    opens: written.includes(':'),
    marker: written.includes('.'),
    leads: written.startsWith('^'),
  };
}
const toItems = (line: string) => line.split(' ').map(toItem);
const isAmount = (item: Item): item is Amount => item.kind === 'amount';

describe('a line is numbered', () => {
  test.each([
    ['^0 ^1 ^2 ^3', '0 1 2 3'],
    ['^1 ^1 ^2', '1 1 2'],
    ['^1 ^3 ^4', '1 4'],
    ['^2 ^3', '3'],
    ['^60 ^61', ''],
    ['^60 ^61 ^62', '62'],
    ['^59 ^60 ^61', '60 61'],
    ['^61 ^60', ''],
    ['^7 ^7', ''],
    // What is certain, or stands further on, numbers nothing, and does not break the row.
    ['^1! 1', ''],
    ['^1 ^5! 7 ^2', '1 2'],
  ])('%s: %s', (line, counting) => {
    const reading = newReading();
    const found = toItems(line)
      .filter(isAmount)
      .filter((amount) => isCounting(amount, reading, vocabulary));
    expect(found.map(({ value }) => value).join(' ')).toBe(counting);
  });

  test('never by what is sold', () => {
    const reading = newReading();
    const counting = ['^0', '^1', '^2'].map((each) => isCounting(toItem(each) as Amount, reading, withOnes));
    expect(counting).toEqual([true, false, false]);
  });

  test('and the next is compared with the number before, whatever that was', () => {
    const reading = newReading();
    isCounting(toItem('^5') as Amount, reading, vocabulary);
    expect(reading.numbered).toEqual({ value: 5, counting: false });
    isCounting(toItem('^6') as Amount, reading, vocabulary);
    expect(reading.numbered).toEqual({ value: 6, counting: true });
  });
});

describe('amounts of a line, `?` where it is not clear', () => {
  test.each([
    ['5 C', ''],
    ['5! C', '5'],
    ['5: C', '5'],
    ['^60 C', '60'],
    ['^60. C', ''],
    ['^1 60 C', '60'],
    ['60', '60'],
    // The certain ones say it, and what opens beside them.
    ['60! 325 C', '60'],
    ['60! 325: C', '? ?'],
    ['60! 325! C', '? ?'],
    ['60! C C 325! C', '60 325'],
    // What opens says it beside plain denominations, never beside other numbers.
    ['60: 5 C', '60'],
    ['60: 325 C', '? ?'],
    ['5: 60 C', '? ?'],
    // One code and two denominations.
    ['60 C 325', '?'],
    ['60 M 325', '?'],
    ['60 325', '?'],
    ['60 C 60', '60 60'],
    ['660 60 C C', '? ?'],
    ['660 word 60 C C', '? ?'],
    ['660 5 60 C C', '? ?'],
    ['660 C 60 C', '660 60'],
    // The last has nothing behind it that it could be of.
    ['60 C C 325', '? ?'],
    ['60 M M 325', '? ?'],
    ['60 C C 60', '60 60'],
    ['60 C C 325:', '60 325'],
    ['C 60 C 325', '60 325'],
    ['60 C 325 C 660', '? ? ?'],
    ['60 C 325 C 325', '60 325 325'],
    ['60 C 325 C 60', '? ? ?'],
  ])('%s: %s', (line, amounts) => {
    const chosen = chooseAmounts(toItems(line), newReading(), vocabulary);
    expect([...chosen].map(({ value }) => (Number.isNaN(value) ? '?' : value)).join(' ')).toBe(amounts);
  });
});

test.each([
  ['word 5 60 C', '60'],
  ['word C 60', 'C'],
  ['word M 60', 'M'],
  ['word 5', undefined],
])('the first code or amount of %s is %s', (line, first) => {
  const items = toItems(line);
  expect(firstOf(items, chooseAmounts(items, newReading(), vocabulary))?.text).toBe(first);
});
