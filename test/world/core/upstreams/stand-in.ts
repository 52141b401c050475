// A service that stands in for an upstream: it keeps to the truth or loses, delays, cuts and lies, as its seed has it,
// in the words of its wire. What it does with an order goes on when the caller is gone.
import type { Seeded } from '../../../harness/seeded.ts';
import { broken, cutOff, readBody, type Answer, type FarSide } from '../../machine/network.ts';
import type { SimulatedPlatform } from '../../machine/platform.ts';
import type { Time } from '../../machine/time.ts';
import type { Asked, CodeSaid, Said, Wire, WireOrder } from './wires.ts';

/** What may happen to an order. */
export type Fault =
  | ('none' | 'dawdles')
  /** Certainly not spent, and said so truly. */
  | ('neverSent' | 'refusedUs' | 'noAccount' | 'login' | 'risk')
  /** Nobody who sent it can know. */
  | ('requestLost' | 'replyLost' | 'late' | 'cut' | 'garbled' | 'maintenance' | 'gateway')
  | ('jobTwice' | 'jobCrossed')
  /** Spent, and said to be not. */
  | 'lie';

export type Faults = Partial<Record<Fault, number>>;

export const GAME = 'game_id_1';

export interface StandInOptions {
  name: string;
  wire: Wire;
  time: Time;
  random: Seeded;
  /** Whose ledger is the truth under all of them. */
  platform: SimulatedPlatform;
  /** How likely each is, as weights. */
  faults: Faults;
  /** How likely a look-up fails. */
  lookFaults: number;
  /** By how much its calendar is ahead. */
  skewMs: number;
  /** It knows what it has spent itself, and calls all else unused. */
  isRegional: boolean;
  /** It is away every other so long; 0: never. */
  flapsMs: number;
}

export interface StandIn extends FarSide {
  /** It works on something still, whoever waits for it. */
  isBusy(): boolean;
  /** From now on nothing of it fails. */
  heal(): void;
}

interface Job {
  id: string;
  order: WireOrder;
  reference: string;
  /** Its end; undefined while it is worked on. */
  said: Said | undefined;
  isCrossed: boolean;
}

interface State extends StandInOptions {
  /** Under keys of ours, where the wire has them. */
  jobs: Map<string, Job>;
  all: Job[];
  underWay: number;
}

export function createStandIn(options: StandInOptions): StandIn {
  const { time, wire, name, skewMs } = options;
  const state: State = { ...options, jobs: new Map(), all: [], underWay: 0 };
  return {
    url: `https://${name}.invalid`,
    now: () => time.clock.now() + skewMs,
    isBusy: () => state.underWay > 0 || state.all.some(({ said }) => said === undefined),
    heal: () => void Object.assign(state, { faults: { none: 1 }, lookFaults: 0, flapsMs: 0 }),
    answer(url, init, sent) {
      const asked = wire.read(init.method ?? 'GET', url, readBody(init), new Headers(init.headers));
      state.underWay += 1;
      return time
        .outside(() => handle(state, asked, sent?.reference ?? ''))
        .finally(() => (state.underWay -= 1));
    },
  };
}

async function handle(state: State, asked: Asked, reference: string): Answer {
  const { time, random, wire } = state;
  if (isAway(state)) throw broken('ECONNREFUSED', 'connect');
  if (asked.what === 'redeem') return redeem(state, asked, reference);
  await time.sleep(50 + random.below(900));
  if (asked.what === 'ping') return new Response('{}');
  if (asked.what === 'job') return tellJob(state, asked.id);
  if (random.chance(state.lookFaults)) return failLook(random);
  if (asked.what === 'code') return wire.formatCode(asked.code, toCodeSaid(state, asked.code));
  const { playerId } = asked;
  const player = { playerId, openid: `open-${playerId}`, name: nameOf(playerId) };
  return new Response(JSON.stringify(player));
}

const nameOf = (playerId: string) => `Player ${playerId}`;

const isAway = ({ flapsMs, time }: State) =>
  flapsMs > 0 && Math.floor(time.clock.elapsed() / flapsMs) % 2 === 1;

async function redeem(
  state: State,
  { order, key }: Extract<Asked, { what: 'redeem' }>,
  reference: string,
): Answer {
  const { random, time, wire } = state;
  const fault = random.weigh({ none: 0, ...state.faults } as Record<Fault, number>);
  if (fault === 'neverSent') {
    await time.sleep(5 + random.below(300));
    throw random.pick([broken('ECONNREFUSED', 'connect'), broken('ENOTFOUND', 'getaddrinfo')]);
  }
  await time.sleep(50 + random.below(400));
  const earlier = key === undefined ? undefined : state.jobs.get(key);
  if (fault === 'requestLost') return hangUp(random);
  if (earlier) return formatJob(state, earlier);
  if (fault === 'refusedUs') return wire.formatOrder(order, { word: fault }, { id: '', reference });
  const job = begin(state, { order, reference, key }, fault);
  if (wire.hasJobs && !LOST.includes(fault)) {
    if (fault === 'jobTwice') return formatJob(state, random.pick(state.all));
    return formatJob(state, job);
  }
  if (!LOST.includes(fault)) {
    const ms = fault === 'dawdles' ? 8_000 + random.below(42_000) : 100 + random.below(2_500);
    await time.sleep(ms);
    return formatJob(state, job);
  }
  return lose(state, fault, job);
}

const LOST: readonly Fault[] = ['replyLost', 'late', 'cut', 'garbled', 'maintenance', 'gateway'];

/** Puts an order into work; it is carried out whoever waits. */
function begin(
  state: State,
  { order, reference, key }: { order: WireOrder; reference: string; key: string | undefined },
  fault: Fault,
): Job {
  const { random, time, wire } = state;
  const job: Job = {
    id: `job-${state.all.length + 1}`,
    ...{ order, reference, said: undefined, isCrossed: fault === 'jobCrossed' },
  };
  const isLate = fault === 'late' || (fault === 'gateway' && random.chance(0.3));
  const carryOut = () => void (job.said = saySomething(state, job, fault));
  const isDropped = fault === 'maintenance' ? random.chance(0.8) : LOST.includes(fault) && random.chance(0.4);
  if (isDropped && fault !== 'replyLost' && fault !== 'late') return job;
  state.all.push(job);
  if (key !== undefined) state.jobs.set(key, job);
  const ms = isLate ? random.below(wire.settlingMs * 0.9) : wire.hasJobs ? random.below(6_000) : 0;
  if (ms === 0) carryOut();
  else void time.sleep(ms).then(carryOut);
  return job;
}

/** Carries it out as the fault has it, and tells what is said of it. */
function saySomething({ platform }: State, { order, reference }: Job, fault: Fault): Said {
  const { code, playerId } = order;
  if (fault === 'noAccount' || fault === 'login' || fault === 'risk') return { word: fault };
  const earlier = platform.find(GAME, code);
  if (!earlier) platform.carryOut({ gameId: GAME, code, playerId, reference });
  if (fault === 'lie') return { word: 'noAccount' };
  if (!earlier) return { word: 'redeemed', name: nameOf(playerId) };
  return { word: earlier.playerId === playerId ? 'usedByPlayer' : 'used' };
}

const formatJob = ({ wire }: State, { order, said, id, reference }: Job): Response =>
  wire.formatOrder(order, said ?? { word: 'underWay' }, { id, reference });

/** A crossed id leads to the record of another. */
function tellJob(state: State, id: string): Response {
  const { random } = state;
  if (random.chance(state.lookFaults)) return failLook(random);
  const job = state.all.find((each) => each.id === id);
  if (!job) return new Response('{"error":"no such job"}', { status: 404 });
  return formatJob(state, job.isCrossed ? random.pick(state.all) : job);
}

function toCodeSaid({ platform, isRegional, skewMs, all, random }: State, code: string): CodeSaid {
  const spent = platform.find(GAME, code);
  if (spent && (!isRegional || all.some(({ reference }) => reference === spent.reference)))
    return { word: 'used', playerId: spent.playerId, at: spent.redeemedAt + skewMs };
  const isWorkedOn = all.some(({ order, said }) => order.code === code && !said);
  return isWorkedOn && random.chance(0.5) ? { word: 'underWay' } : { word: 'unused' };
}

function hangUp(random: Seeded): undefined {
  if (random.chance(0.5)) throw broken('ECONNRESET', 'read');
  return undefined;
}

function lose({ random, wire }: State, fault: Fault, job: Job): Response | undefined {
  switch (fault) {
    case 'cut':
      return cutOff(
        wire.formatOrder(job.order, { word: 'redeemed', name: 'N' }, job).status,
        '{"result_code":0,"activation_da',
      );
    case 'garbled':
      return new Response(random.pick(['{"status":"ok"}', '[]', '{"ok":tru', '"done"', '{"data":null}']));
    case 'maintenance':
      return new Response('<html>We will be back soon.</html>');
    case 'gateway':
      return new Response('<html><h1>Bad Gateway</h1></html>', {
        status: random.pick([502, 502, 504, 500, 408]),
      });
    default:
      return hangUp(random);
  }
}

function failLook(random: Seeded): Response {
  switch (random.weigh({ refused: 1, gateway: 2, page: 2, path: 1 })) {
    case 'refused':
      throw broken('ECONNREFUSED', 'connect');
    case 'gateway':
      return new Response('Bad Gateway', { status: 502 });
    case 'page':
      return new Response('<html>We will be back soon.</html>');
    case 'path':
      return new Response('{"error":"There is nothing at this path."}', { status: 404 });
  }
}
