// Every combination of what can be known about a doubt, against a table of which exactly one line fits each.
import { describe, expect, test } from 'vitest';

import type { CharacterOutcome, CodeOutcome } from '../../platform/port.ts';
import { decide, SLACK_MS, type DecisionContext } from './decide-doubt.ts';

const DOUBT = { playerId: '5170925570', playerName: null };
const OURS = 'openid-of-ours';

const KNOWN = {
  told: ['underWay', 'unreachable', 'notRedeemed', 'redeemed'],
  isFinal: ['yes', 'no'],
  /**
   * How long ago it was redeemed, as the platform itself counts: before our first attempt, about when it began, since;
   * or it does not tell.
   */
  when: ['long before', 'just before', 'since', 'not told'],
  /** Whom the platform names as the player. */
  named: ['nobody', 'ours', 'another'],
  /** Where the code comes from. */
  from: ['stock', 'request'],
  /** Whether another account had it in doubt, too. */
  others: ['no', 'yes'],
  /** Whether this process has measured how long ago our attempt began. */
  isMeasured: ['yes', 'no'],
  /** What the look-up of our player says. */
  player: ['not asked', 'not found', 'unreachable', 'ours', 'another'],
} as const;
type Known = { [Name in keyof typeof KNOWN]: (typeof KNOWN)[Name][number] };
type Line = { [Name in keyof Known]?: Known[Name] | readonly Known[Name][] };

const redeemed = { told: 'redeemed' } as const;
/** Nobody but us had it in hand, or its age says that it was us. */
const MAY_BE_OURS: Line[] = [
  { ...redeemed, from: 'stock', others: 'no' },
  { ...redeemed, from: 'request', others: 'no', when: ['just before', 'since'] },
  { ...redeemed, others: 'yes', when: 'since', isMeasured: 'yes' },
];
const MAY_NOT: Line[] = [
  { ...redeemed, from: 'request', others: 'no', when: ['long before', 'not told'] },
  { ...redeemed, others: 'yes', when: ['long before', 'just before', 'not told'] },
  { ...redeemed, others: 'yes', when: 'since', isMeasured: 'no' },
];
const each = (lines: Line[], more: Line, decision: string): [Line, string][] =>
  lines.map((line) => [{ ...line, ...more }, decision]);

const TABLE: [Line, string][] = [
  [{ told: 'underWay' }, 'postponed: underWay'],
  [{ told: 'unreachable' }, 'postponed: unreachable'],
  [{ told: 'notRedeemed', isFinal: 'yes' }, 'returned'],
  [{ told: 'notRedeemed', isFinal: 'no' }, 'postponed: notFinal'],
  [{ ...redeemed, named: 'another' }, 'conceded'],
  [{ ...redeemed, named: 'nobody', player: 'another' }, 'conceded'],
  [{ ...redeemed, named: 'nobody', player: 'not asked' }, 'postponed: playerNotAsked'],
  [{ ...redeemed, named: 'nobody', player: 'not found' }, 'postponed: playerNotFound'],
  [{ ...redeemed, named: 'nobody', player: 'unreachable' }, 'postponed: playerUnreachable'],
  ...each(MAY_BE_OURS, { named: 'ours' }, 'received'),
  ...each(MAY_BE_OURS, { named: 'nobody', player: 'ours' }, 'received'),
  ...each(MAY_NOT, { named: 'ours' }, 'held'),
  ...each(MAY_NOT, { named: 'nobody', player: 'ours' }, 'held'),
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

/** By the platform's calendar, which is years behind ours. */
const TOLD_AT = Date.UTC(2020, 0, 1);
const AGE_MS = 30_000;
/** At the very edges. */
const TOLD_AGE = {
  'long before': AGE_MS + SLACK_MS + 1,
  'just before': AGE_MS + SLACK_MS,
  since: AGE_MS,
  'not told': AGE_MS,
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
  const redeemedAt = TOLD_AT - TOLD_AGE[when];
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
        ...(when !== 'not told' && { toldAt: TOLD_AT }),
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

function contextOf({ isFinal, from, others, isMeasured }: Known): DecisionContext {
  return {
    isOfStock: from === 'stock',
    ageMs: AGE_MS,
    isMeasured: isMeasured === 'yes',
    othersHadIt: others === 'yes',
    isPatienceOver: false,
    untilFinalMs: isFinal === 'yes' ? 0 : 1,
  };
}

describe('every combination', () => {
  const all = combine();

  test('fits exactly one line of the table', () => {
    expect(all).toHaveLength(4 * 2 * 4 * 3 * 2 * 2 * 2 * 5);
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
  const context = {
    isOfStock: true,
    ageMs: 0,
    isMeasured: true,
    othersHadIt: false,
    isPatienceOver: false,
    untilFinalMs: 1,
  };
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
      loginAwaited: false,
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
      expect(decision).toEqual({
        status: 'received',
        receipt: kept,
        warning: !fullReceipt,
        loginAwaited: false,
      });
    },
  );

  test('that could not be shown now is waited for, and goes without its login once it was waited for long enough', () => {
    const awaited = { ...told, receiptAwaited: true } as const;
    const decideAt = (isPatienceOver: boolean) =>
      decide(DOUBT, awaited, undefined, { ...context, isPatienceOver });
    expect(decideAt(false)).toEqual({ status: 'postponed', why: 'receiptAwaited' });
    expect(decideAt(true)).toMatchObject({ status: 'received', warning: true, loginAwaited: true });
  });
});
