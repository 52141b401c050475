// What a paste says of its codes, section by section, and what is asked about with its answers.
import { expect, test } from 'vitest';

import {
  createSections,
  GOOD,
  joinRare,
  LEFT_OUT,
  NOTHING_SAID,
  readAnswers,
  type Answers,
} from './import-sections.ts';

type Entry = string | { heading: string; of?: number };

/**
 * Goes through headings and codes: a code as `60`, `?` where nothing is known of it, with `:text` beside it in its
 * line.
 */
function tell(entries: Entry[], answers: Answers = {}) {
  const sections = createSections(answers);
  const counted = entries.flatMap((entry) => {
    if (typeof entry !== 'string') {
      const { heading: text, of: denomination } = entry;
      sections.begin({ kind: 'heading', text, denomination, first: 0, last: 0 });
      return [];
    }
    const [told, own] = entry.split(':');
    const denomination = told === '?' ? undefined : Number(told);
    return [sections.count({ denomination, own })];
  });
  return { counted, ...sections.summarize() };
}
const keyOf = (text: string) => tell([`?:${text}`]).asked[0]?.key ?? '';

test('codes are counted under the heading that they stand under', () => {
  expect(tell([{ heading: '60 UC', of: 60 }, '60', '60', { heading: '325', of: 325 }, '325'])).toEqual({
    counted: [60, 60, 325],
    headings: [
      { text: '60 UC', denomination: 60, codes: 2 },
      { text: '325', denomination: 325, codes: 1 },
    ],
    asked: [],
    leftOut: 0,
  });
});

test('the same heading again is one, of another denomination it is another', () => {
  const { headings } = tell([
    { heading: 'A', of: 60 },
    '60',
    { heading: 'A', of: 325 },
    { heading: 'A', of: 60 },
    '60',
  ]);
  expect(headings).toEqual([
    { text: 'A', denomination: 60, codes: 2 },
    { text: 'A', denomination: 325, codes: 0 },
  ]);
});

test('what stands beside a code in its line is shown where the heading does not say the same', () => {
  const { headings } = tell([{ heading: '60', of: 60 }, '60:60 UC', '325:325 UC', '660']);
  expect(headings).toEqual([
    { text: '60', denomination: 60, codes: 1 },
    { text: '325 UC', denomination: 325, codes: 1 },
  ]);
});

test('codes that nothing is said of are asked about as one, those under unknown words by these', () => {
  const { counted, asked } = tell(['?', { heading: 'Others' }, '?', '?', '?:Beside']);
  expect(counted).toEqual([undefined, undefined, undefined, undefined]);
  expect(asked).toEqual([
    { key: NOTHING_SAID, text: undefined, codes: 1 },
    { key: keyOf('Others'), text: 'Others', codes: 2 },
    { key: keyOf('Beside'), text: 'Beside', codes: 1 },
  ]);
  expect(keyOf('Others')).toMatch(/^[\w-]{10}$/);
});

test('the same words in another case are asked about once', () => {
  expect(tell(['?:Others', '?: OTHERS ']).asked).toEqual([
    { key: keyOf('others'), text: 'Others', codes: 2 },
  ]);
});

test('an answer files the codes under their words, or leaves them out', () => {
  const answers = { [keyOf('Others')]: 60, [keyOf('Bad')]: LEFT_OUT, [NOTHING_SAID]: 325 };
  expect(tell(['?', { heading: 'Others' }, '?', '?:Bad', '?:Bad'], answers)).toEqual({
    counted: [325, 60, undefined, undefined],
    headings: [{ text: 'Others', denomination: 60, codes: 1 }],
    asked: [],
    leftOut: 2,
  });
});

test('codes that are good but for words beside them are one question for all denominations', () => {
  const count = (answers: Answers) => {
    const sections = createSections(answers);
    const counted = [60, 325, undefined].map((good) =>
      sections.count({ denomination: undefined, own: 'used', good }),
    );
    return { counted, ...sections.summarize() };
  };
  const [good, unknown] = count({}).asked;
  expect([good, unknown]).toEqual([
    { key: good?.key, text: 'used', codes: 2, isGood: true },
    { key: keyOf('used'), text: 'used', codes: 1 },
  ]);
  const key = good?.key ?? '';
  expect(count({ [key]: GOOD })).toMatchObject({ counted: [60, 325, undefined], asked: [unknown] });
  expect(count({ [key]: LEFT_OUT }).leftOut).toBe(2);
});

test('of many words beside codes the rare ones are one question', () => {
  const few = joinRare(['used', 'used', 'sold', 'Max']);
  expect(['used', 'sold', 'Max'].map(few), 'three are asked about each').toEqual(['used', 'sold', 'Max']);
  const names = Array.from({ length: 300 }, (_, index) => `note ${index % 80}`);
  const joined = joinRare([...names, ...Array<string>(90).fill('sold')]);
  expect(new Set(names.map(joined))).toEqual(new Set(['note 0, note 1, note 2, …']));
  expect(joined('sold')).toBe('sold');
});

test('eight different things are asked about one by one, whatever else there is as one more', () => {
  const { asked } = tell(Array.from({ length: 10 }, (_, index) => `?:Thing ${index}`));
  expect(asked.map(({ text, codes }) => `${text}: ${codes}`)).toEqual([
    ...Array.from({ length: 8 }, (_, index) => `Thing ${index}: 1`),
    'undefined: 2',
  ]);
  expect(asked.at(-1)?.key).toBe('rest');
});

test('two hundred headings are shown, and the codes of more are counted all the same', () => {
  const entries = Array.from({ length: 202 }, (_, index) => [{ heading: `H ${index}`, of: 60 }, '60']).flat();
  const { headings, counted } = tell(entries);
  expect([headings.length, headings.at(-1)?.text, counted.length]).toEqual([200, 'H 199', 202]);
});

test('answers are read as they were kept', () => {
  expect([readAnswers(null), readAnswers('{"none":60}')]).toEqual([{}, { none: 60 }]);
});
