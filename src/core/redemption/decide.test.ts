// Every combination of what can be known about a doubt, against a table of which exactly one line fits each.
import { describe, expect, test } from 'vitest';

import type { CharacterOutcome, CodeOutcome } from '../../platform/port.ts';
import { decide, SKEW_MS, type DecisionContext } from './decide.ts';

const BEGUN = Date.UTC(2026, 0, 13);
const DOUBT = { playerId: '5170925570', playerName: null };
const OURS = 'openid-of-ours';

const KNOWN = {
  told: ['underWay', 'unreachable', 'notRedeemed', 'redeemed'],
  isFinal: ['yes', 'no'],
  /** Redeemed: before our first attempt by more than a clock may be behind, by no more than that, not before it. */
  when: ['long before', 'just before', 'since'],
  /** Whom the platform names as the player. */
  named: ['nobody', 'ours', 'another'],
  /** Another account's doubtful attempt: when it began, against when it was redeemed. */
  others: ['none', 'before', 'at once', 'after'],
  /** What the look-up of our player says. */
  player: ['not asked', 'not found', 'unreachable', 'ours', 'another'],
} as const;
type Known = { [Name in keyof typeof KNOWN]: (typeof KNOWN)[Name][number] };
type Line = { [Name in keyof Known]?: Known[Name] | readonly Known[Name][] };

const redeemed = { told: 'redeemed' } as const;
/** As far as time tells it may be ours. */
const MAY_BE_OURS: Line[] = [
  { ...redeemed, when: 'since' },
  { ...redeemed, when: 'just before', others: ['none', 'at once', 'after'] },
];
const mayBeOurs = (more: Line, decision: string): [Line, string][] =>
  MAY_BE_OURS.map((line) => [{ ...line, ...more }, decision]);

const TABLE: [Line, string][] = [
  [{ told: 'underWay' }, 'postponed: underWay'],
  [{ told: 'unreachable' }, 'postponed: unreachable'],
  [{ told: 'notRedeemed', isFinal: 'yes' }, 'returned'],
  [{ told: 'notRedeemed', isFinal: 'no' }, 'postponed: notFinal'],
  [{ ...redeemed, when: 'long before' }, 'conceded'],
  [{ ...redeemed, when: 'just before', others: 'before' }, 'conceded'],
  ...mayBeOurs({ named: 'ours' }, 'received'),
  ...mayBeOurs({ named: 'another' }, 'conceded'),
  ...mayBeOurs({ named: 'nobody', player: 'ours' }, 'received'),
  ...mayBeOurs({ named: 'nobody', player: 'another' }, 'conceded'),
  ...mayBeOurs({ named: 'nobody', player: 'not asked' }, 'postponed: playerNotAsked'),
  ...mayBeOurs({ named: 'nobody', player: 'not found' }, 'postponed: playerNotFound'),
  ...mayBeOurs({ named: 'nobody', player: 'unreachable' }, 'postponed: playerUnreachable'),
];

/** All combinations, one object each. */
function combine(): Known[] {
  let combined: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(KNOWN)) {
    combined = combined.flatMap((each) => values.map((value) => ({ ...each, [name]: value })));
  }
  return combined as Known[];
}

const fits = (line: Line, known: Known) =>
  Object.entries(line).every(([name, wanted]) =>
    ([] as string[]).concat(wanted).includes(known[name as keyof Known]),
  );

/** The moments at the very edges. */
const REDEEMED_AT = {
  'long before': BEGUN - SKEW_MS - 1,
  'just before': BEGUN - SKEW_MS,
  since: BEGUN,
};
const PLAYER_ID = { nobody: undefined, ours: DOUBT.playerId, another: '99999999' };
const PLAYERS: Record<Known['player'], CharacterOutcome | undefined> = {
  'not asked': undefined,
  'not found': { status: 'notFound' },
  unreachable: { status: 'unreachable', message: '' },
  ours: { status: 'found', openid: OURS, name: 'As looked up' },
  another: { status: 'found', openid: 'openid-of-another', name: 'As looked up' },
};

function tellOf({ told, when, named }: Known): CodeOutcome {
  const redeemedAt = REDEEMED_AT[when];
  const playerId = PLAYER_ID[named];
  switch (told) {
    case 'underWay':
    case 'notRedeemed':
      return { status: told };
    case 'unreachable':
      return { status: told, message: '' };
    case 'redeemed':
      return {
        status: told,
        redeemedAt,
        expiresAt: redeemedAt + 1,
        channelName: 'shop',
        // The openid says nothing where the player is named.
        openid: named === 'nobody' ? OURS : 'openid-as-told',
        amount: 325,
        productName: '325 UC',
        ...(playerId !== undefined && { playerId }),
      };
  }
}

function contextOf({ isFinal, when, others }: Known): DecisionContext {
  const redeemedAt = REDEEMED_AT[when];
  const began = { none: undefined, before: redeemedAt - 1, 'at once': redeemedAt, after: redeemedAt + 1 };
  return { ownBegunAt: BEGUN, othersBegunAt: began[others], untilFinalMs: isFinal === 'yes' ? 0 : 1 };
}

describe('every combination', () => {
  const all = combine();

  test('fits exactly one line of the table', () => {
    expect(all).toHaveLength(4 * 2 * 3 * 3 * 4 * 5);
    for (const known of all)
      expect([known, TABLE.filter(([line]) => fits(line, known)).length]).toEqual([known, 1]);
  });

  test.each(TABLE)('%o is %s', (line, expected) => {
    const fitting = all.filter((known) => fits(line, known));
    expect(fitting).not.toEqual([]);
    for (const known of fitting) {
      const decision = decide(DOUBT, tellOf(known), PLAYERS[known.player], contextOf(known));
      const told = decision.status === 'postponed' ? `postponed: ${decision.why}` : decision.status;
      expect([known, told]).toEqual([known, expected]);
    }
  });
});

describe('the receipt', () => {
  const told = {
    ...(tellOf({ told: 'redeemed', when: 'since', named: 'ours' } as Known) as Extract<
      CodeOutcome,
      { status: 'redeemed' }
    >),
  };
  const context = { ownBegunAt: BEGUN, othersBegunAt: undefined, untilFinalMs: 1 };
  const receiptOf = (
    code: CodeOutcome,
    doubt: Parameters<typeof decide>[0] = DOUBT,
    player?: CharacterOutcome,
  ) => {
    const decision = decide(doubt, code, player, context);
    if (decision.status !== 'received') throw new Error(decision.status);
    return decision;
  };

  test('is what was told of the code, with a warning', () => {
    expect(receiptOf({ ...told, playerName: 'As told' })).toEqual({
      status: 'received',
      warning: true,
      receipt: { openid: 'openid-as-told', name: 'As told', productName: '325 UC', amount: 325 },
    });
  });

  test('has no amount where none is told', () => {
    expect(receiptOf({ ...told, amount: 0 }).receipt).not.toHaveProperty('amount');
  });

  test('names the player as the platform does, else as a person confirmed him, else by his ID', () => {
    const confirmed = { ...DOUBT, playerName: 'As confirmed' };
    expect(receiptOf({ ...told, playerName: 'As told' }, confirmed).receipt.name).toBe('As told');
    expect(receiptOf(told, confirmed).receipt.name).toBe('As confirmed');
    expect(receiptOf(told).receipt.name).toBe(DOUBT.playerId);
    const { playerId: _, ...unnamed } = told;
    expect(receiptOf({ ...unnamed, openid: OURS }, confirmed, PLAYERS.ours).receipt.name).toBe(
      'As looked up',
    );
  });

  test.each([true, false])(
    'is the one that the platform keeps, where it keeps one (full: %s)',
    (fullReceipt) => {
      const kept = { openid: 'kept', name: 'As kept', email: 'a@example.test', password: 'pw' };
      const decision = receiptOf({ ...told, playerName: 'As told', receipt: { ...kept, fullReceipt } });
      expect(decision).toEqual({ status: 'received', receipt: kept, warning: !fullReceipt });
    },
  );
});
