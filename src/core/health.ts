// How the service stands, for `/readyz`, `/metrics` and the host: what is open, what was counted, and whether others
// can be reached.
import { type Clock, aheadOf } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { within } from '../waiting.ts';
import type { Contest } from './contest.ts';
import type { InFlight } from './redemption/in-flight.ts';
import type { Counted, Door, DoubtOutcome, OutcomeMetrics } from './redemption/outcome-metrics.ts';
import type { Upstreams, UpstreamState } from './upstreams/upstreams.ts';
import type { Witnesses } from './upstreams/witnesses.ts';
import { sumStock, type StockTotal } from './stock/stock-totals.ts';

export interface Health {
  platformReachable(): Promise<boolean>;
  /** Whether it was when that was asked last; undefined before. */
  wasPlatformReachable(): boolean | undefined;
  isStopping(): boolean;
  /** False from a write that the disk refused until one has gone through. */
  isWritable(): boolean;
  /** False while the database lies elsewhere than where it was opened, or nowhere. */
  isInPlace(): boolean;
  /** Another machine seems to serve the same shop (contest.ts). */
  isContested(): boolean;
  /** As its last answer told; undefined where it has our clock, or has told nothing. */
  platformAheadMs(): number | undefined;
  /** The platform is for trying: nothing is redeemed in truth. */
  isSandbox: boolean;
  /** The platform keeps no list of orders: a receipt without one is all that there is. */
  hasNoOrderList?: boolean;
  /** Redemptions that are open now. */
  countOpen(): { pending: number; inDoubt: number };
  /** Since when the doubt is open that is open for longest; undefined where none is. */
  oldestDoubt(): number | undefined;
  /** Updates of the chat that interrupted the process three times. */
  countSetAside(): number;
  /** The oldest of them. */
  listSetAside(): { updateId: number; receivedAt: number }[];
  /** Since the start: redemptions that ended, once each, by door and outcome; `UNKNOWN` among them are in doubt. */
  listEnded(): (Counted<string> & { door: Door })[];
  /** Since the start: what became of doubts. */
  listSettled(): Counted<DoubtOutcome>[];
  /** How each upstream stands, in the order of the settings. */
  upstreamStates(): UpstreamState['state'][];
  /** The same by name, and how many attempts at it nobody knows the end of. */
  listUpstreams(): (UpstreamState & { unknown: number })[];
  /** Has `listen` told of every order that came back from an upstream. */
  onAttempt: Upstreams['onAttempt'];
  /** The codes of all accounts together. */
  sumStock(): Promise<StockTotal[]>;
  /** Games with codes that are unverified since a restore, of which nobody's word that they are unspent counts. */
  listUnproven(): Promise<string[]>;
}

const PING_TIMEOUT_MS = 3_000;
const LISTED = 50;

interface HealthDeps {
  store: Store;
  upstreams: Upstreams;
  inFlight: InFlight;
  outcomeMetrics: OutcomeMetrics;
  clock: Clock;
  contest: Pick<Contest, 'isContested'>;
  witnesses: Pick<Witnesses, 'canProve'>;
}

export function createHealth(deps: HealthDeps, isStopping: () => boolean): Health {
  const { store, upstreams, inFlight, outcomeMetrics, clock, contest, witnesses } = deps;
  let wasReachable: boolean | undefined;
  return {
    async platformReachable() {
      wasReachable = await within((signal) => upstreams.isReachable({ signal }), PING_TIMEOUT_MS, {
        signal: inFlight.giveUp.signal,
        late: () => false,
      });
      return wasReachable;
    },
    wasPlatformReachable: () => wasReachable,
    platformAheadMs: () => aheadOf(clock, upstreams.findNow()),
    isStopping,
    isWritable: () => store.isWritable(),
    isInPlace: () => store.isInPlace(),
    isContested: () => contest.isContested(),
    isSandbox: upstreams.all.every(({ platform }) => platform.name === 'sandbox'),
    hasNoOrderList: upstreams.all.every(({ platform }) => platform.hasNoOrderList),
    countOpen: () => store.read((tables) => tables.redemptions.countOpen()),
    oldestDoubt: () => store.read((tables) => tables.doubts.oldestAt()),
    countSetAside: () => store.read((tables) => tables.inbox.countSetAside()),
    listSetAside: () => store.read((tables) => tables.inbox.listSetAside(LISTED)),
    listEnded: () => outcomeMetrics.listEnded(),
    listSettled: () => outcomeMetrics.listSettled(),
    upstreamStates: () => upstreams.list().map(({ state }) => state),
    listUpstreams() {
      const unproven = store.read(({ attemptFigures }) => attemptFigures.countUnproven());
      return upstreams.list().map((each) => {
        const own = unproven.find(({ upstream, state }) => upstream === each.name && state === 'unknown');
        return { ...each, unknown: own?.count ?? 0 };
      });
    },
    onAttempt: upstreams.onAttempt,
    sumStock: () => sumStock(store),
    async listUnproven() {
      if (!store.lost) return [];
      const unverified = (await sumStock(store)).filter(
        ({ state, count }) => state === 'unverified' && count > 0,
      );
      const gameIds = new Set(unverified.map(({ gameId }) => gameId));
      return [...gameIds].filter((gameId) => !witnesses.canProve(gameId));
    },
  };
}
