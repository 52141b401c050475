// The top-up platform as the world has it, with a ledger of its own: it redeems any code once, and what it answers is
// told by its faults. What it may do is what platform/port.ts says of a platform, no worse and no better.
import type {
  CallOptions,
  CodeOutcome,
  PlatformOrder,
  OrderOutcome,
  Platform,
  PlatformReceipt,
  RedeemOutcome,
  RefusalCode,
} from '../../../src/platform/port.ts';
import { behaviourOf } from '../../../src/platform/sandbox/codes.ts';
import { accountOf, describePlayer, sessionOf } from '../../../src/platform/sandbox/people.ts';
import type { Seeded } from '../../harness/seeded.ts';
import type { Life, Time } from './time.ts';
import { seedOf } from '../run/seeds.ts';

/** A code that was redeemed, for whom and for which order of ours; none where somebody redeemed it elsewhere. */
interface Spent {
  gameId: string;
  code: string;
  reference: string | undefined;
  playerId: string;
  redeemedAt: number;
  /** How far its own calendar was behind. */
  behindMs: number;
}

/** How likely one of its ways is, from 0 to 1; they come in this order. */
export interface Manners {
  /** Redeems, and never answers. */
  hidesSuccess: number;
  /** Does not redeem, and never answers. */
  hidesFailure: number;
  /** Says nothing, and redeems within its settling time after the caller has given up. */
  redeemsLate: number;
  /** Redeems, and answers what cannot be read. */
  garbles: number;
  refuses: number;
  /** Says of a good code that there is none. */
  rejects: number;
  /** Answers after tens of seconds. */
  dawdles: number;
  /** Cannot be reached. */
  isAway: number;
  /** Cannot say what became of a code: that search fails by itself, too. */
  losesCodes: number;
  /** Does not find a player who is there: its search fails by itself now and then. */
  losesPlayers: number;
  /** Never answers who a player is. */
  hidesPlayers: number;
  /** Something between, as a proxy, answers in its place: a page, or what it says of itself. */
  isHidden: number;
  /** The same, where a receipt is asked for. */
  hidesReceipts: number;
  /** Says that it is still worked on, where a receipt is asked for. */
  worksOnReceipts: number;
}

export const GOOD_MANNERS: Manners = {
  hidesSuccess: 0,
  hidesFailure: 0,
  redeemsLate: 0,
  garbles: 0,
  refuses: 0,
  rejects: 0,
  dawdles: 0,
  isAway: 0,
  losesCodes: 0,
  losesPlayers: 0,
  hidesPlayers: 0,
  isHidden: 0,
  hidesReceipts: 0,
  worksOnReceipts: 0.3,
};

/** Of every day. */
export const USUAL_MANNERS: Manners = {
  hidesSuccess: 0.03,
  hidesFailure: 0.02,
  redeemsLate: 0.02,
  garbles: 0.02,
  refuses: 0.03,
  rejects: 0,
  dawdles: 0.02,
  isAway: 0.01,
  losesCodes: 0,
  losesPlayers: 0,
  hidesPlayers: 0,
  isHidden: 0.02,
  hidesReceipts: 0.05,
  worksOnReceipts: 0.3,
};

export interface SimulatedPlatform {
  /** As a process of the service reaches it. */
  reachedBy(life: Life): Platform;
  spent: ReadonlyMap<string, Spent>;
  find(gameId: string, code: string): Spent | undefined;
  /** When it last told what became of a code. */
  lookedAt(gameId: string, code: string): number | undefined;
  /** Of good codes, those of which it said that there are none. */
  rejected: ReadonlySet<string>;
  /** How often it did not find this player. */
  timesLost(playerId: string): number;
  /** The order whose receipt has this login. */
  findByLogin(login: string): string | undefined;
  /** The receipt of an order that it carried out, and whether its order list shows it whole, as far as it said so. */
  receiptOf(reference: string): { receipt: PlatformReceipt; fullReceipt: boolean | undefined } | undefined;
  /** Whether it shows the receipt of this order to whoever asks about its code, once it is worked out. */
  showsReceipt(reference: string): boolean;
  /** Orders that have reached it, by their references. */
  asked: ReadonlySet<string>;
  /** Of those that it had carried out, the ones that were sent once more. */
  resent: ReadonlySet<string>;
  /** Orders that only a past knew that is lost, or that were in doubt then: they are sent once more, to learn whose it was. */
  lost: Set<string>;
  /** What it answered to this order, where the service was there to hear it: `redeemed`, an error code, `unknown`. */
  toldOf(reference: string): string | undefined;
  /** It carries out an order that came to it by another way than its own. */
  carryOut(order: PlatformOrder): RedeemOutcome;
  /** Somebody redeems a code without the service, or did so a while ago. */
  redeemElsewhere(gameId: string, code: string, playerId: string, agoMs?: number): void;
  manners: Manners;
  /** What it does with an order, and what it says: one of its ways, or this; by chance and its manners, as a rule. */
  wayOf: (order: PlatformOrder) => keyof Manners | RedeemOutcome | undefined;
  /** How long a redemption takes there. */
  answersInMs: () => number;
  /** Whether it can tell of this code at all. */
  tellsOf: (code: string) => boolean;
  /** How far its calendar is behind: by what it tells of codes that are redeemed from now on. */
  behindMs: number;
  /** Whether it tells when a code was redeemed. */
  tellsTimes: boolean;
  /** What its calendar says. */
  now(): number;
  /** Asked before an order is looked at and once it is carried out: where a kill may strike. */
  onOrder: (moment: 'before' | 'after') => void;
  underWay(): number;
}

const SETTLING_MS = 20_000;
const LOOK_PAUSE_MS = 5_000;
/** Of ten receipts. */
const KEPT_OF_TEN = 7;
const KEPT_FOR_US = 7;
/** Nobody works on a receipt for longer. */
const WORKED_ON_MS = 60 * 60_000;
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
const REFUSALS: readonly RefusalCode[] = [
  'RISK_CONTROL',
  'LOGIN_FAILED',
  'NO_ACCOUNTS_AVAILABLE',
  'NETWORK_ERROR',
];
const LOST: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'No answer came in time.' };
const GARBLED: RedeemOutcome = {
  status: 'unknown',
  errorCode: 'INVALID_ACTIVATION_RESPONSE',
  message: 'The answer cannot be read.',
};
/** Is never answered, not even to who has given it up. */
const SILENCE: RedeemOutcome = { ...LOST, message: 'silence' };
/** Longer than anybody waits for a name. */
const HIDDEN_MS = 30_000;
const AWAY = { status: 'unreachable', message: 'The platform cannot be reached.' } as const;

export function createPlatform(time: Time, random: Seeded): SimulatedPlatform {
  const spent = new Map<string, Spent>();
  const receipts = new Map<string, { receipt: PlatformReceipt; fullReceipt: boolean | undefined }>();
  const logins = new Map<string, string>();
  const asked = new Set<string>();
  const resent = new Set<string>();
  const ofLostPasts = new Set<string>();
  const told = new Map<string, string>();
  const looked = new Map<string, number>();
  const lost = new Map<string, number>();
  const rejected = new Set<string>();
  const keyOf = (gameId: string, code: string) => `${gameId} ${code}`;
  const showsReceipt = (reference = '') => seedOf(KEPT_FOR_US, reference) % 10 < KEPT_OF_TEN;
  let underWay = 0;

  function spend({ gameId, code, reference, playerId }: PlatformOrder): RedeemOutcome {
    const earlier = spent.get(keyOf(gameId, code));
    if (earlier) {
      // The same order once more, under its own reference: its answer is what it was.
      const kept = earlier.playerId === playerId ? receipts.get(reference) : undefined;
      if (earlier.reference !== reference || !kept)
        return {
          ...refuse('CODE_USED', true, code),
          ...(earlier.playerId === playerId && { usedByPlayer: true }),
        };
      if (!ofLostPasts.has(reference)) resent.add(reference);
      const { receipt, fullReceipt = true } = kept;
      return { status: 'redeemed', receipt, fullReceipt };
    }
    const entry = {
      gameId,
      code,
      reference,
      playerId,
      redeemedAt: time.clock.now(),
      behindMs: platform.behindMs,
    };
    spent.set(keyOf(gameId, code), entry);
    const order = { gameId, code, reference, playerId };
    const credentials = gameId === 'game_id_3' ? sessionOf(order) : accountOf(order);
    const amount = /^(\d+)S/.exec(code)?.[1];
    const receipt = {
      ...describePlayer(gameId, playerId),
      ...credentials,
      ...(amount !== undefined && { amount: Number(amount) }),
    };
    if (credentials.email !== undefined) logins.set(credentials.email, reference);
    // Mostly the answer itself says whether the order list shows it.
    const fullReceipt = random.chance(0.1) ? undefined : !random.chance(0.05);
    receipts.set(reference, { receipt, fullReceipt });
    if (fullReceipt === undefined) return { status: 'redeemed', receipt };
    return { status: 'redeemed', receipt, fullReceipt };
  }

  async function redeem(life: Life, order: PlatformOrder, options: CallOptions): Promise<RedeemOutcome> {
    // Who is killed has hung up, too.
    const signal = AbortSignal.any([options.signal, life.gone]);
    platform.onOrder('before');
    if (life.isOver()) return LOST;
    const behaviour = behaviourOf(order.code);
    const way = platform.wayOf(order);
    if (way === 'isAway') return refuse('NETWORK_ERROR', false);
    asked.add(order.reference);
    if (typeof way === 'object') return answer(way, 300, signal);
    // What it has carried out it does not refuse when it is sent once more.
    const isDone = spent.get(keyOf(order.gameId, order.code))?.reference === order.reference;
    if (way === 'refuses' && !isDone)
      return answer(refuse(random.pick(REFUSALS), true, order.code), 200 + random.below(2_000), signal);
    if (way === 'rejects' && !isDone) rejected.add(order.code);
    if (way === 'rejects' && !isDone) return answer(refuse('INVALID_CODE', true, order.code), 300, signal);
    if (behaviour.kind === 'refuses') return answer(refuse(behaviour.errorCode), 300, signal);
    if (order.playerId.startsWith('404'))
      return answer(refuse('CHARACTER_NOT_FOUND', true, order.code), 300, signal);
    if (way === 'hidesFailure') return silence(signal);
    if (way === 'redeemsLate') {
      const givenUp = await answer(LOST, Infinity, signal);
      const endedAt = time.clock.elapsed();
      const spendLate = () => void (time.clock.elapsed() - endedAt < SETTLING_MS && spend(order));
      time.outside(() => void time.sleep(random.below(SETTLING_MS * 0.8)).then(spendLate));
      return givenUp;
    }
    const outcome = spend(order);
    platform.onOrder('after');
    if (way === 'hidesSuccess') return silence(signal);
    if (way === 'garbles' && outcome.status === 'redeemed') return answer(GARBLED, 500, signal);
    const ms = way === 'dawdles' ? 10_000 + random.below(30_000) : platform.answersInMs();
    return answer(outcome, ms, signal);
  }

  async function findCode(
    { gameId, code, withReceipt }: { gameId: string; code: string; withReceipt?: boolean },
    { signal }: CallOptions,
  ): Promise<CodeOutcome> {
    if (random.chance(platform.manners.isAway) || !platform.tellsOf(code)) return AWAY;
    if (platform.manners.losesCodes > 0 && random.chance(platform.manners.losesCodes)) return AWAY;
    if (!(await passes(200 + random.below(600), signal))) return AWAY;
    looked.set(keyOf(gameId, code), time.clock.now());
    const found = spent.get(keyOf(gameId, code));
    if (!found) return { status: 'notRedeemed' };
    const isFresh = time.clock.now() - found.redeemedAt < WORKED_ON_MS;
    if (withReceipt && isFresh && random.chance(platform.manners.worksOnReceipts))
      return { status: 'underWay' };
    const { openid, name } = describePlayer(gameId, found.playerId);
    const { receipt, fullReceipt = true } = receipts.get(found.reference ?? '') ?? {};
    return {
      status: 'redeemed',
      redeemedAt: found.redeemedAt - found.behindMs,
      toldAt: platform.now(),
      expiresAt: found.redeemedAt - found.behindMs + YEAR_MS,
      channelName: 'World',
      openid,
      amount: receipt?.amount ?? 0,
      productName: 'Top-up',
      ...(random.chance(0.5) && { playerId: found.playerId, playerName: name }),
      ...(withReceipt &&
        receipt &&
        showsReceipt(found.reference) && { receipt: { ...receipt, fullReceipt } }),
    };
  }

  async function findOrder({ gameId, code }: PlatformOrder, { signal }: CallOptions): Promise<OrderOutcome> {
    if (random.chance(0.2 + platform.manners.isAway) || !(await passes(300, signal))) return AWAY;
    return random.chance(0.2) || !spent.has(keyOf(gameId, code))
      ? { status: 'notFound' }
      : { status: 'found', productName: 'Top-up' };
  }

  /** A pause of the platform's: true when it has passed, false as soon as the caller gives up. */
  function passes(ms: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(false), { once: true });
      if (ms < Infinity) void time.sleep(ms).then(() => resolve(true));
    });
  }

  const answer = async (outcome: RedeemOutcome, ms: number, signal: AbortSignal) =>
    (await passes(ms, signal)) ? outcome : LOST;
  /** Who is given up may notice it, or go on saying nothing. */
  const silence = async (signal: AbortSignal): Promise<RedeemOutcome> => {
    const outcome = await answer(LOST, Infinity, signal);
    return random.chance(0.5) ? outcome : SILENCE;
  };

  /** A dead process gets nothing any more, and asks nothing. */
  function guard<A extends unknown[], T>(
    life: Life,
    work: (...args: A) => Promise<T>,
    heard: (outcome: T, ...args: A) => void = () => undefined,
  ): (...args: A) => Promise<T> {
    return (...args) =>
      new Promise((resolve, reject) => {
        if (life.isOver()) return;
        underWay += 1;
        const tell = (how: () => void) => {
          underWay -= 1;
          if (!life.isOver()) how();
        };
        time
          .outside(() => work(...args))
          .then(
            (outcome) =>
              tell(() => {
                if (outcome === SILENCE) return;
                heard(outcome, ...args);
                resolve(outcome);
              }),
            (error: Error) => tell(() => reject(error)),
          );
      });
  }

  const platform: SimulatedPlatform = {
    reachedBy: (life) => ({
      name: 'upstream',
      settlingMs: SETTLING_MS,
      lookPauseMs: LOOK_PAUSE_MS,
      redeem: guard(
        life,
        (order: PlatformOrder, options: CallOptions) => redeem(life, order, options),
        (outcome, { reference }) => void told.set(reference, nameOutcome(outcome)),
      ),
      findOrder: guard(life, (order: PlatformOrder, options: CallOptions) => findOrder(order, options)),
      findCharacter: guard(
        life,
        async ({ gameId, playerId }: { gameId: string; playerId: string }, { signal }: CallOptions) => {
          if (random.chance(platform.manners.isAway)) return AWAY;
          if (platform.manners.hidesPlayers > 0) {
            await passes(HIDDEN_MS, signal);
            return AWAY;
          }
          if (!(await passes(100 + random.below(900), signal))) return AWAY;
          if (playerId.startsWith('404') || random.chance(platform.manners.losesPlayers)) {
            lost.set(playerId, (lost.get(playerId) ?? 0) + 1);
            return { status: 'notFound' as const };
          }
          const { openid, name } = describePlayer(gameId, playerId);
          return { status: 'found' as const, openid, name };
        },
      ),
      findCode: guard(life, findCode),
      isReachable: () => Promise.resolve(platform.manners.isAway < 1),
      close: () => undefined,
    }),
    spent,
    find: (gameId, code) => spent.get(keyOf(gameId, code)),
    lookedAt: (gameId, code) => looked.get(keyOf(gameId, code)),
    rejected,
    timesLost: (playerId) => lost.get(playerId) ?? 0,
    findByLogin: (login) => logins.get(login),
    receiptOf: (reference) => receipts.get(reference),
    showsReceipt,
    asked,
    resent,
    lost: ofLostPasts,
    toldOf: (reference) => told.get(reference),
    carryOut: spend,
    redeemElsewhere(gameId, code, playerId, agoMs = 0) {
      if (!spent.has(keyOf(gameId, code)))
        spent.set(keyOf(gameId, code), {
          gameId,
          code,
          reference: undefined,
          playerId,
          redeemedAt: time.clock.now() - agoMs,
          behindMs: 0,
        });
    },
    manners: GOOD_MANNERS,
    wayOf: () => chooseWay(platform.manners, random),
    answersInMs: () => 300 + random.below(3_000),
    tellsOf: () => true,
    behindMs: 0,
    tellsTimes: true,
    now: () => time.clock.now() - platform.behindMs,
    onOrder: () => undefined,
    underWay: () => underWay,
  };
  return platform;
}

function nameOutcome(outcome: RedeemOutcome): string {
  return outcome.status === 'refused' ? outcome.errorCode : outcome.status;
}

function chooseWay(manners: Manners, random: Seeded): keyof Manners | undefined {
  for (const way of Object.keys(manners) as (keyof Manners)[])
    if (way !== 'worksOnReceipts' && random.chance(manners[way])) return way;
  return undefined;
}

/** Its words name the code now and then. */
function refuse(errorCode: RefusalCode, asked = true, code?: string): RedeemOutcome {
  const message = `The platform refuses${code === undefined ? '' : ` ${code}`}: ${errorCode}.`;
  return { status: 'refused', errorCode, message, asked };
}
