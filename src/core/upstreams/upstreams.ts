// The upstreams as one: which an order is sent to, and who is asked about a player or a code: the first that can tell,
// then the next.
import { DAY_MS, HOUR_MS, type CoreClock } from '../../clock.ts';
import type {
  CallOptions,
  CharacterOutcome,
  CodeOutcome,
  Platform,
  RedeemOutcome,
  Upstream,
} from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';
import { createAttemptMetrics, type AttemptMetrics } from './attempt-metrics.ts';
import { pauseUpstream, type UpstreamPause, type UpstreamPauses } from './pauses.ts';
import { isPausing, servedBy, createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.ts';

/** What decides where an order is sent. */
interface OrderToPlace {
  gameId: string;
  denomination: number | null;
  /** Its redemption's: by it the one that is a probe is known again. */
  uuid: string;
  /** Those that this redemption was sent to as an order. */
  tried: readonly string[];
}

/** Where an order is sent. `candidates`: the names of all it could be sent to, in their order. */
export interface ChosenUpstream {
  upstream: Upstream;
  candidates: readonly string[];
}

interface SentAway {
  upstream: Upstream;
  order: { uuid: string };
  outcome: RedeemOutcome;
}

/** How an upstream stands. Times in ms UTC. */
export interface UpstreamState extends Pick<Upstream, 'name' | 'tier' | 'witness'> {
  state: 'usable' | 'resting' | 'paused' | 'notChosen';
  since?: number;
  /** Of one that rests: when it is tried again. */
  until?: number;
  pause?: UpstreamPause;
  /** It fails, and does not rest: there is no other. */
  isFailing: boolean;
}

export interface Upstreams {
  /** In the order of the settings. */
  readonly all: readonly Upstream[];
  /** Milliseconds after which what was sent to any of them is carried out no more. */
  readonly settlingMs: number;
  /** Of the shortest pause between two looks at one doubt, wherever it was sent. */
  readonly lookPauseMs: number;
  /**
   * By the name that the ledger has; undefined where the settings name it no more. The only one there is goes on with
   * what it was called before.
   */
  find(name: string): Upstream | undefined;
  onAttempt: AttemptMetrics['onAttempt'];
  /** Where an order is sent; undefined where there is nobody. */
  choose(order: OrderToPlace): ChosenUpstream | undefined;
  /** Call it in the transaction that ends an attempt: an answer that pauses its upstream does so. */
  pauseRefusing(tables: Tables, sent: Omit<SentAway, 'order'>, now: number): void;
  /**
   * Call it in the transaction in which a code turned out to be used: one that twice within a day had spent what it was
   * said not to have, and that another can stand in for, is paused.
   */
  pauseBelied(tables: Tables, now: number): void;
  /** How it has served, once an attempt has ended. `wasGivenUp`: by us, for want of time. */
  note(sent: SentAway, wasGivenUp: boolean): void;
  list(): UpstreamState[];
  /** Games of which an order found nobody within the hour, and none was taken since. */
  listUnserved(): string[];
  /** `notOffered` where none knows names. */
  findCharacter: Platform['findCharacter'];
  /** `unreachable` where none has told. */
  findCode: Platform['findCode'];
  /** What the clock of the first of them says that tells one. */
  findNow(): number | undefined;
  /** Whether one of those that may be chosen answers. */
  isReachable(options: CallOptions): Promise<boolean>;
}

interface UpstreamsDeps {
  upstreams: readonly Upstream[];
  store: Pick<Store, 'read'>;
  clock: Pick<CoreClock, 'now' | 'elapsed'>;
  games: { all: readonly { id: string }[] };
}

/** `upstreams`: at least one. `watch`: what each is heard through. */
export function createUpstreams(
  given: UpstreamsDeps,
  watch: (upstream: Upstream) => Upstream = (upstream) => upstream,
): Upstreams {
  const metrics = createAttemptMetrics(given.clock);
  const all = given.upstreams.map(metrics.watch).map(watch);
  const deps = { ...given, upstreams: all };
  const byTier = all.filter(({ tier }) => tier > 0).sort((a, b) => a.tier - b.tier);
  return {
    all,
    settlingMs: Math.max(...all.map(({ platform }) => platform.settlingMs)),
    lookPauseMs: Math.max(...all.map(({ platform }) => platform.lookPauseMs)),
    find: (name) => all.find((each) => each.name === name) ?? (all.length === 1 ? all[0] : undefined),
    onAttempt: metrics.onAttempt,
    ...createChoosing(deps, byTier),
    ...createAsking(all, byTier),
  };
}

type Choosing = Pick<
  Upstreams,
  'choose' | 'pauseRefusing' | 'pauseBelied' | 'note' | 'list' | 'listUnserved'
>;

function createChoosing(deps: UpstreamsDeps, byTier: readonly Upstream[]): Choosing {
  const { upstreams: all, store, clock, games } = deps;
  const breakers = new Map(all.map(({ name }) => [name, createCircuitBreaker()]));
  const breakerOf = ({ name }: Pick<Upstream, 'name'>): CircuitBreaker =>
    breakers.get(name) ?? createCircuitBreaker();
  const unservedAt = new Map<string, number>();
  let pauses: UpstreamPauses = {};
  /** They are others' to change, too. */
  function readPauses(): void {
    try {
      pauses = store.read(({ upstreamPauses }) => upstreamPauses.find());
    } catch {
      // Of a database that does not answer they are as they were: how each stands is told all the same.
    }
  }

  /** Whether its orders of every game have another place to go. */
  function mayBeSpared(upstream: Upstream): boolean {
    readPauses();
    const others = byTier.filter(
      (other) =>
        other !== upstream &&
        (!other.platform.needs || upstream.platform.needs !== undefined) &&
        !pauses[other.name] &&
        !breakerOf(other).rest(),
    );
    return games.all.every(({ id }) => !upstream.knows(id) || others.some((other) => other.knows(id)));
  }

  return {
    choose(order) {
      readPauses();
      const open = byTier.filter((each) => mayBeSent(each, order) && !pauses[each.name]);
      const now = clock.elapsed();
      let candidates = open.filter((each) => breakerOf(each).mayTake(order.uuid, now));
      if (candidates.length === 0 && order.tried.length === 0) {
        // It has become the last one.
        candidates = open.slice(0, 1);
        for (const each of candidates) breakerOf(each).wake();
      }
      const [upstream] = candidates;
      if (upstream) {
        breakerOf(upstream).take(order.uuid, now);
        unservedAt.delete(order.gameId);
      } else if (order.tried.length === 0) unservedAt.set(order.gameId, now);
      return upstream && { upstream, candidates: candidates.map(({ name }) => name) };
    },
    ...createPausing(all, mayBeSpared),
    note({ upstream, order, outcome }, wasGivenUp) {
      const served = servedBy(outcome, wasGivenUp);
      const breaker = breakerOf(upstream);
      if (served) breaker.note(served, order.uuid, clock.elapsed(), mayBeSpared(upstream));
      else breaker.release(order.uuid);
    },
    listUnserved: () =>
      [...unservedAt].filter(([, at]) => clock.elapsed() - at < HOUR_MS).map(([gameId]) => gameId),
    list() {
      readPauses();
      return all.map((each) => describe(each, breakerOf(each), pauses[each.name], clock));
    },
  };
}

/** Pauses by the service itself: never of the only one that a game has. */
function createPausing(
  all: readonly Upstream[],
  mayBeSpared: (upstream: Upstream) => boolean,
): Pick<Upstreams, 'pauseRefusing' | 'pauseBelied'> {
  return {
    pauseRefusing(tables, { upstream, outcome }, now) {
      if (!isPausing(outcome) || !mayBeSpared(upstream)) return;
      const reason = `It refuses us (${outcome.answer?.httpStatus}).`;
      pauseUpstream(tables, upstream.name, { actor: { kind: 'service' }, reason, now });
    },
    pauseBelied(tables, now) {
      for (const upstream of all) {
        const isBelied = tables.auditLog.countLies(upstream.name, now - DAY_MS) > 1;
        if (!isBelied || !mayBeSpared(upstream)) continue;
        const reason = 'Codes that it had not spent, it was said, are used.';
        pauseUpstream(tables, upstream.name, { actor: { kind: 'service' }, reason, now });
      }
    },
  };
}

const mayBeSent = (
  { name, platform, knows }: Upstream,
  { gameId, denomination, tried }: OrderToPlace,
): boolean =>
  knows(gameId) &&
  !tried.includes(name) &&
  (denomination !== null || !platform.needs?.includes('denomination'));

function describe(
  { name, tier, witness }: Upstream,
  breaker: CircuitBreaker,
  pause: UpstreamPause | undefined,
  clock: UpstreamsDeps['clock'],
): UpstreamState {
  const told = { name, tier, witness, isFailing: breaker.isFailing() };
  const rest = breaker.rest();
  const ofCalendar = (at: number) => clock.now() + at - clock.elapsed();
  if (pause) return { ...told, state: 'paused', since: pause.at, pause };
  if (tier === 0) return { ...told, state: 'notChosen' };
  if (!rest) return { ...told, state: 'usable' };
  return { ...told, state: 'resting', since: ofCalendar(rest.since), until: ofCalendar(rest.until) };
}

const NOT_TOLD: CodeOutcome = { status: 'unreachable', message: 'No upstream tells of codes.' };

type Asking = Pick<Upstreams, 'findCharacter' | 'findCode' | 'findNow' | 'isReachable'>;

function createAsking(all: readonly Upstream[], byTier: readonly Upstream[]): Asking {
  const asked = [...byTier, ...all.filter(({ tier }) => tier === 0)];
  return {
    async findCharacter(player, options) {
      let told: CharacterOutcome = { status: 'notOffered' };
      for (const { platform, knows } of asked) {
        if (platform.hasNoNames || !knows(player.gameId)) continue;
        told = await platform.findCharacter(player, options);
        if (told.status === 'found' || told.status === 'notFound' || options.signal.aborted) return told;
      }
      return told;
    },
    async findCode(query, options) {
      let told = NOT_TOLD;
      for (const { name, platform, knows } of asked) {
        if (platform.hasNoLookUp || !knows(query.gameId)) continue;
        told = await platform.findCode(query, options);
        if (told.status === 'redeemed') return { ...told, toldBy: name };
        if (told.status !== 'unreachable' || options.signal.aborted) return told;
      }
      return told;
    },
    findNow: () => asked.map(({ platform }) => platform.findNow?.()).find((now) => now !== undefined),
    async isReachable(options) {
      const answers = byTier.map(({ platform }) => platform.isReachable(options).then(refuteUnlessSo));
      return Promise.any(answers).catch(() => false);
    },
  };
}

function refuteUnlessSo(isSo: boolean): true {
  if (!isSo) throw new Error('It does not answer.');
  return true;
}
