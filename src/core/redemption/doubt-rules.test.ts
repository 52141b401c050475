// Each row of the table of doubts by a case that it decides, and each of its conditions by one that it does not.
import { describe, expect, test } from 'vitest';

import { DOUBT_RULES, judgeDoubt, type DoubtRule, type DoubtVerdict } from './doubt-rules.ts';

/** A doubt at a code that was given, of which nothing special is known, long after all was quiet. */
const KNOWN = {
  ...{ isOursAlone: false, hadEarlier: false, isRestored: false, isQuiet: true },
  ...{ isWaitedFor: true, isStuck: false, wasSentAgain: false, maySend: true, isHeldBack: false },
  ...{ wereSentBefore: false, isSinceBegun: false, isReceiptAwaited: false },
  ...{ isBelieved: true, isUnderWay: false, isOpen: false },
};
type Known = typeof KNOWN;

type Case = [name: string, of: string, is: string, known: Partial<Known>, then: DoubtVerdict | undefined];

const CASES: Case[] = [
  ['its record has the receipt', 'record', 'redeemed', { isRestored: true }, 'spent'],
  ['its record refuses it', 'record', 'refused', { wereSentBefore: true, hadEarlier: true }, 'passed'],
  [
    'the same of before a restore, which may have sent it on',
    'record',
    'refused',
    { isRestored: true },
    undefined,
  ],
  ['its record calls it no code', 'record', 'invalid', { hadEarlier: true }, 'passed'],
  ['the same after another attempt', 'record', 'invalid', { wereSentBefore: true }, undefined],
  ['the same of before a restore', 'record', 'invalid', { isRestored: true }, undefined],
  ['its record calls it used', 'record', 'used', { isOursAlone: true }, 'passed'],
  [
    'the same after another attempt, which may have been the one',
    'record',
    'used',
    { wereSentBefore: true },
    undefined,
  ],
  ['the same where an earlier doubt of ours stands at it', 'record', 'used', { hadEarlier: true }, undefined],
  ['the same of before a restore', 'record', 'used', { isRestored: true }, undefined],
  ['its record says that the player had used a given code', 'record', 'usedByPlayer', {}, 'passed'],
  [
    'the same of a code that nobody else had: it is ours',
    'record',
    'usedByPlayer',
    { isOursAlone: true },
    undefined,
  ],
  [
    'the same where an earlier doubt of ours stands',
    'record',
    'usedByPlayer',
    { hadEarlier: true },
    undefined,
  ],
  ['it is worked on', 'record', 'unknown', {}, undefined],

  ['our player has a code of our stock', 'code', 'ours', { isOursAlone: true, isQuiet: false }, 'spent'],
  ['our player has a given code since it was begun', 'code', 'ours', { isSinceBegun: true }, 'spent'],
  ['our player had the given code before', 'code', 'ours', { isReceiptAwaited: true }, 'person'],
  ['the receipt is to come', 'code', 'ours', { isOursAlone: true, isReceiptAwaited: true }, 'wait'],
  ['another player has it', 'code', 'anothers', { isOursAlone: true, isQuiet: false }, 'conceded'],
  ['another player has it since the lost time, perhaps', 'code', 'anothers', { isRestored: true }, 'lost'],
  ['nobody has it', 'code', 'unused', { isRestored: true }, 'returned'],
  ['nobody has it yet', 'code', 'unused', { isQuiet: false }, undefined],
  ['nobody has it, says one that is not believed', 'code', 'unused', { isBelieved: false }, undefined],
  ['nobody has it, while a record is not final', 'code', 'unused', { isUnderWay: true }, undefined],
  ['the code is worked on', 'code', 'underWay', {}, 'wait'],
  [
    'the code is worked on for hours, something was sent just now',
    'code',
    'underWay',
    { isStuck: true, isQuiet: false },
    'wait',
  ],
  ['the code is worked on for hours', 'code', 'underWay', { isStuck: true }, 'person'],
  ['whose it is cannot be told', 'code', 'playerNotFound', { isStuck: true }, undefined],
  ['it does not answer', 'code', 'silent', { isStuck: true }, undefined],

  ['of before a restore it is this order’s', 'reference', 'replayed', { isQuiet: false }, 'spent'],
  ['of before a restore nobody takes references', 'reference', 'unproven', {}, 'spent'],
  ['of before a restore it is another order’s', 'reference', 'anothers', { isStuck: true }, 'lost'],
  ['of before a restore somebody cannot be asked', 'reference', 'unclear', {}, undefined],
  ['the same for hours', 'reference', 'unclear', { isStuck: true }, 'person'],
  [
    'the same, something was sent just now',
    'reference',
    'unclear',
    { isStuck: true, isQuiet: false },
    undefined,
  ],

  ['something is known, and no end', 'silence', 'undecided', {}, undefined],
  ['something is known for hours, and no end', 'silence', 'undecided', { isStuck: true }, 'person'],
  [
    'the same, something was sent just now',
    'silence',
    'undecided',
    { isStuck: true, isQuiet: false },
    undefined,
  ],
  ['nobody ever tells', 'silence', 'notTold', { isWaitedFor: false }, 'resend'],
  ['nobody ever tells, and it may still be carried out', 'silence', 'notTold', { isQuiet: false }, undefined],
  ['nobody ever tells, and nothing is sent now', 'silence', 'notTold', { isHeldBack: true }, undefined],
  ['nobody ever tells, and it is not to be sent', 'silence', 'notTold', { maySend: false }, 'person'],
  ['the same, while nothing is sent', 'silence', 'notTold', { maySend: false, isHeldBack: true }, undefined],
  [
    'the same, and it may still be carried out',
    'silence',
    'notTold',
    { maySend: false, isQuiet: false },
    undefined,
  ],
  ['one that may tell is silent for an hour', 'silence', 'silent', {}, 'resend'],
  ['one that may tell is silent', 'silence', 'silent', { isWaitedFor: false }, undefined],
  ['the same for an hour, and it is not to be sent', 'silence', 'silent', { maySend: false }, undefined],
  ['the same for six', 'silence', 'silent', { maySend: false, isStuck: true }, 'person'],
  [
    'it takes what is sent, and is silent',
    'silence',
    'silent',
    { maySend: false, wasSentAgain: true },
    'person',
  ],
  [
    'the same, and it may still be carried out',
    'silence',
    'silent',
    { maySend: false, isStuck: true, isQuiet: false },
    undefined,
  ],

  ['sent once more it is redeemed', 'resend', 'redeemed', {}, 'spent'],
  [
    'sent once more it is the player’s, and nobody else had it',
    'resend',
    'usedByPlayer',
    { isOursAlone: true },
    'spent',
  ],
  ['sent once more a given code is the player’s', 'resend', 'usedByPlayer', {}, undefined],
  ['sent once more it is used', 'resend', 'used', { isOursAlone: true }, undefined],
  ['sent once more it is no code', 'resend', 'invalid', { isOursAlone: true }, undefined],
  ['sent once more it is refused', 'resend', 'refused', {}, 'passed'],
  ['sent once more it is lost', 'resend', 'unknown', { isOursAlone: true }, undefined],

  ['a person says that it was redeemed', 'person', 'redeemed', { isQuiet: false }, 'spent'],
  ['the same while it is being sent', 'person', 'redeemed', { isOpen: true }, undefined],
  ['a person says that it was not', 'person', 'notRedeemed', {}, 'returned'],
  ['the same while it may be carried out', 'person', 'notRedeemed', { isQuiet: false }, undefined],
  ['the same while it is being sent', 'person', 'notRedeemed', { isOpen: true }, undefined],
];

const judge = judgeDoubt as (of: string, is: string, known: Known) => DoubtVerdict | undefined;
const whenOf = ({ when }: DoubtRule) => (when ?? (() => true)) as (known: Known) => boolean;

test.each(CASES)('%s', (_, of, is, more, then) => {
  expect(judge(of, is, { ...KNOWN, ...more })).toBe(then);
});

/** All that may be known. */
function combine(): Known[] {
  let combined: Partial<Known>[] = [{}];
  for (const name of Object.keys(KNOWN))
    combined = combined.flatMap((each) => [true, false].map((value) => ({ ...each, [name]: value })));
  return combined as Known[];
}

describe('the table', () => {
  test.each(DOUBT_RULES.map((rule, row) => [row, rule] as const))('row %i has its case: %o', (_, rule) => {
    const isOfRow = ([, of, is, more, then]: Case) =>
      of === rule.of && is === rule.is && then === rule.then && whenOf(rule)({ ...KNOWN, ...more });
    expect(CASES.filter(isOfRow)).not.toEqual([]);
  });

  test('no two rows of one answer fit together', () => {
    const pairs = DOUBT_RULES.flatMap((one, at) =>
      DOUBT_RULES.slice(at + 1).flatMap((two) =>
        one.of === two.of && one.is === two.is ? [[one, two]] : [],
      ),
    );
    expect(pairs.length).toBeGreaterThan(0);
    const all = combine();
    for (const [one, two] of pairs as [DoubtRule, DoubtRule][])
      expect([one, two, all.some((known) => whenOf(one)(known) && whenOf(two)(known))]).toEqual([
        one,
        two,
        false,
      ]);
  });
});
