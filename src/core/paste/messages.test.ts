// What stood between two messages: nothing, the blank that the client dropped, or they are two texts.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { findBetween } from './messages.ts';
import { createLexicon } from './lexicon.ts';

const lexicon = createLexicon(pasteGame([60, 325, 660, 1800]));
const CODE = 'ABCD1234efgh5678';
const [CUT, SHORT] = [4_000, 3_999];

test.each<[left: string, right: string, lastLength: number, between: string | undefined]>([
  // A short message: joined where only the whole is a code.
  ['ABCD1234', 'efgh5678', SHORT, ''],
  ['A\nABCD1234', 'efgh5678\nB', SHORT, ''],
  ['ABCD1234 ', 'efgh5678', SHORT, undefined],
  [CODE, 'efgh', SHORT, undefined],
  ['ABCD', CODE, SHORT, undefined],
  [CODE, CODE, SHORT, undefined],
  ['hello', 'world', SHORT, undefined],
  ['12345678', '12345678', SHORT, undefined],
  ['660', 'ABCD1234efg', SHORT, undefined],
  ['ABCD1234efg', '660', SHORT, undefined],
  ['60 UC', 'efgh5678abcd', SHORT, undefined],
  // One that was cut: joined, unless both halves are whole.
  ['hello', 'world', CUT, ''],
  ['hello ', 'world', CUT, ''],
  ['ABCD1234', 'efgh5678', CUT, ''],
  [CODE, CODE, CUT, ''],
  [`${CODE}\nABCD1234`, `efgh5678\n${CODE}`, CUT, ''],
  [`${CODE}\n${CODE}`, `${CODE}\n${CODE}`, CUT, '\n'],
  [CODE, `60 UC\n${CODE}`, CUT, '\n'],
  [`${CODE}\n60 UC`, CODE, CUT, '\n'],
  // The row of a table that was cut at its blank.
  [`${CODE} 60\n${CODE}`, `60\n${CODE} 60`, CUT, ' '],
  [`${CODE}\t60\n${CODE}`, '60\n', CUT, '\t'],
  [`60 ${CODE}\n60`, `${CODE}\n`, CUT, ' '],
  [`60\t${CODE}\n60`, `${CODE}\n`, CUT, '\t'],
  // What is no blank is never dropped, and a blank beside no amount is not the one of a row.
  [`${CODE},60\n${CODE}`, `60\n${CODE},60`, CUT, '\n'],
  [`60;${CODE}\n60`, `${CODE}\n`, CUT, '\n'],
  [` ${CODE}\n${CODE}`, '60\n', CUT, '\n'],
  [`${CODE} 60\n${CODE}`, `${CODE}\n60`, CUT, '\n'],
])('behind %j, before %j (of %i characters): %j', (left, right, lastLength, between) => {
  expect(findBetween({ text: left, lastLength }, right, lexicon)).toBe(between);
});
