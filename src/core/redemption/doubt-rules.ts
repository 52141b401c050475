// How a doubt ends, as a table: what was said, against what is known of the redemption. The row that fits decides. What
// no row knows decides nothing: whoever is next is asked, and in the end it is waited.

/** What is known before anybody is asked. */
export interface KnownOfDoubt {
  /** The code came out of our stock, and no other account ever sent it. */
  isOursAlone: boolean;
  /** This account had a doubt at this code for this player before, which was not proven to be somebody else's. */
  hadEarlier: boolean;
  /** It was begun in a time that a restore may have lost a part of: the code may have been given to somebody else then. */
  isRestored: boolean;
  /** Nothing that was sent can be carried out any more. */
  isQuiet: boolean;
  /** It was asked about for an hour. */
  isWaitedFor: boolean;
  /** It was asked about for six hours, and nothing has come that ends it. */
  isStuck: boolean;
  /** It was sent once more before, and that left this machine. */
  wasSentAgain: boolean;
  /** It may be sent once more: it is wanted still, its upstream is there, and something would be learned. */
  maySend: boolean;
  /** Nothing is sent in this moment: another machine may be at work, or this one stops. */
  isHeldBack: boolean;
}

/** What each says of it. */
interface Told {
  /** Its upstream's own record of one attempt. */
  record: 'redeemed' | 'usedByPlayer' | 'used' | 'invalid' | 'refused' | 'unknown';
  /** One that was asked what became of the code; `silent`: it may tell another time, `notTold`: it never does. */
  code:
    | 'ours'
    | 'anothers'
    | 'unused'
    | 'underWay'
    | 'playerNotFound'
    | 'playerUnreachable'
    | 'silent'
    | 'notTold';
  /** Of before a restore, and ours by the code: what its own reference says, sent once more (repeated.ts). */
  reference: 'replayed' | 'unproven' | 'anothers' | 'unclear';
  /** All together; `undecided`: somebody knows something, and it is no end. */
  silence: 'undecided' | 'silent' | 'notTold';
  /** What became of it as it was sent once more. */
  resend: Told['record'];
  /** Whoever hosts the service. */
  person: 'redeemed' | 'notRedeemed';
}

/** What is looked at, of each. */
interface KnownOf {
  record: Pick<KnownOfDoubt, 'isOursAlone' | 'hadEarlier' | 'isRestored'> & {
    /** Of the redemption something was sent before that attempt. */
    wereSentBefore: boolean;
  };
  code: Pick<KnownOfDoubt, 'isOursAlone' | 'isRestored' | 'isQuiet' | 'isStuck'> & {
    /** It was redeemed after this redemption began, as ages tell it. */
    isSinceBegun: boolean;
    /** Its receipt could not be shown, and was not waited for long enough. */
    isReceiptAwaited: boolean;
    /** Its "unused" counts (witnesses.ts). */
    isBelieved: boolean;
    /** A record says that it is still worked on. */
    isUnderWay: boolean;
  };
  reference: Pick<KnownOfDoubt, 'isQuiet' | 'isStuck'>;
  silence: Omit<KnownOfDoubt, 'isOursAlone' | 'hadEarlier' | 'isRestored'>;
  resend: Pick<KnownOfDoubt, 'isOursAlone'>;
  person: Pick<KnownOfDoubt, 'isQuiet'> & {
    /** It is being sent. */
    isOpen: boolean;
  };
}

export type DoubtVerdict =
  /** Redeemed by our attempt. */
  | 'spent'
  /** Redeemed for somebody else. */
  | 'conceded'
  /** The same, perhaps in the lost time for another order, which is kept then: nothing was redeemed for this one. */
  | 'lost'
  /** Not redeemed, for good: the code goes back, the usage is returned. */
  | 'returned'
  /** This attempt did not spend it. */
  | 'passed'
  | 'resend'
  | 'person'
  | 'wait';

type RuleOf<O extends keyof Told> = {
  of: O;
  is: Told[O];
  when?: (known: KnownOf[O]) => boolean;
  then: DoubtVerdict;
};
export type DoubtRule = { [O in keyof Told]: RuleOf<O> }[keyof Told];

/** What says that a code is spent may speak of an earlier attempt, or of ours. */
const isOfThisAttempt = (d: KnownOf['record']) => !d.isRestored && !d.wereSentBefore;
const isOfNoOther = (d: KnownOf['record']) => isOfThisAttempt(d) && !d.hadEarlier;
/** A code of our stock is ours whatever the times say; one that was given may have been redeemed by its giver before. */
const mayBeOurs = (d: KnownOf['code']) => d.isOursAlone || d.isSinceBegun;
const isOverdue = (d: { isQuiet: boolean; isStuck: boolean }) => d.isQuiet && d.isStuck;
const maySendNow = (d: KnownOf['silence']) => d.isQuiet && !d.isHeldBack && d.maySend;
const isAtItsEnd = (d: KnownOf['silence']) => d.isQuiet && !d.isHeldBack && !d.maySend;
/** One that comes back may tell, and is waited for; one that takes what is sent and says nothing is not. */
const isGivenUp = (d: KnownOf['silence']) => d.isWaitedFor && isAtItsEnd(d) && (d.wasSentAgain || d.isStuck);

export const DOUBT_RULES: readonly DoubtRule[] = [
  { of: 'record', is: 'redeemed', then: 'spent' },
  { of: 'record', is: 'refused', when: (d) => !d.isRestored, then: 'passed' },
  { of: 'record', is: 'invalid', when: isOfThisAttempt, then: 'passed' },
  { of: 'record', is: 'used', when: isOfNoOther, then: 'passed' },
  { of: 'record', is: 'usedByPlayer', when: (d) => isOfNoOther(d) && !d.isOursAlone, then: 'passed' },
  { of: 'code', is: 'ours', when: (d) => mayBeOurs(d) && !d.isReceiptAwaited, then: 'spent' },
  { of: 'code', is: 'ours', when: (d) => mayBeOurs(d) && d.isReceiptAwaited, then: 'wait' },
  { of: 'code', is: 'ours', when: (d) => !mayBeOurs(d), then: 'person' },
  { of: 'code', is: 'anothers', when: (d) => !d.isRestored, then: 'conceded' },
  { of: 'code', is: 'anothers', when: (d) => d.isRestored, then: 'lost' },
  { of: 'code', is: 'unused', when: (d) => d.isBelieved && d.isQuiet && !d.isUnderWay, then: 'returned' },
  { of: 'code', is: 'underWay', when: (d) => !isOverdue(d), then: 'wait' },
  { of: 'code', is: 'underWay', when: isOverdue, then: 'person' },
  { of: 'reference', is: 'replayed', then: 'spent' },
  { of: 'reference', is: 'unproven', then: 'spent' },
  { of: 'reference', is: 'anothers', then: 'lost' },
  { of: 'reference', is: 'unclear', when: isOverdue, then: 'person' },
  { of: 'silence', is: 'undecided', when: isOverdue, then: 'person' },
  { of: 'silence', is: 'notTold', when: maySendNow, then: 'resend' },
  { of: 'silence', is: 'notTold', when: isAtItsEnd, then: 'person' },
  { of: 'silence', is: 'silent', when: (d) => d.isWaitedFor && maySendNow(d), then: 'resend' },
  { of: 'silence', is: 'silent', when: isGivenUp, then: 'person' },
  { of: 'resend', is: 'redeemed', then: 'spent' },
  { of: 'resend', is: 'usedByPlayer', when: (d) => d.isOursAlone, then: 'spent' },
  { of: 'resend', is: 'refused', then: 'passed' },
  { of: 'person', is: 'redeemed', when: (d) => !d.isOpen, then: 'spent' },
  { of: 'person', is: 'notRedeemed', when: (d) => !d.isOpen && d.isQuiet, then: 'returned' },
];

/** By the first row that fits; undefined where none does. */
export function judgeDoubt<O extends keyof Told>(
  of: O,
  is: Told[O],
  known: KnownOf[O],
): DoubtVerdict | undefined {
  const isOf = (rule: DoubtRule): rule is DoubtRule & RuleOf<O> => rule.of === of && rule.is === is;
  return DOUBT_RULES.filter(isOf).find(({ when }) => when?.(known) ?? true)?.then;
}
