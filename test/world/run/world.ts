// The world: the service, Telegram, the platform, people and what befalls them, all of it from one seed. A day of it is
// two moments in which many people act side by side, since it is their meeting that finds something; between them
// nothing happens.
import type { Role } from '../../../src/core/index.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { loadCatalogue } from '../machine/catalogue.ts';
import { auditOneShop } from '../audit/auditing.ts';
import { auditTheChat } from '../audit/chat.ts';
import { createDiary, type Diary } from './diary.ts';
import { createDisk, type Disk } from '../machine/disk.ts';
import type { Fault } from '../faults/index.ts';
import { drawFaults, suspendedBy } from '../faults/worlds.ts';
import { learnNotices } from '../audit/notices.ts';
import { gather, type Person } from '../people/index.ts';
import type { Shop } from '../people/shop.ts';
import { createPlatform, GOOD_MANNERS, USUAL_MANNERS, type SimulatedPlatform } from '../machine/platform.ts';
import { handOut } from '../promises/handed-out.ts';
import { listHeldBeside, type Promised } from '../promises/index.ts';
import { learnWhoWorksHere } from '../promises/staff.ts';
import { createReceivers, type Receivers } from '../machine/receivers.ts';
import { becomesQuiet, closeBooks, newestOf, saysWhatIsLeft } from './rest.ts';
import { listen, type Said } from '../audit/said.ts';
import { seedOf } from './seeds.ts';
import { createService, KEY, type Service } from '../machine/service.ts';

import { createTelegram, type Telegram } from '../machine/telegram.ts';
import { keepTranscript } from './transcript.ts';
import { beginTime, type Time } from '../machine/time.ts';
import { createWhose, type Whose } from '../audit/whose.ts';

export interface World {
  seed: number;
  day: number;
  time: Time;
  /** For what is nobody's own. */
  random: Seeded;
  telegram: Telegram;
  platform: SimulatedPlatform;
  disk: Disk;
  service: Service;
  diary: Diary;
  said: Said;
  secrets: Whose;
  /** Whoever was ever a member, by their Telegram id. */
  members: Map<number, { accountId: number; role: Role }>;
  people: readonly Person[];
  shops: readonly Shop[];
  receivers: Receivers;
  /** What may befall this one. */
  faults: readonly Fault[];
  /** What is held here: all that none of its faults suspends. */
  held: readonly [name: string, hold: Promised][];
  /** Nothing befalls the service, and the platform does what is asked. */
  isQuiet: boolean;
}

/** Where a promise reads nothing else. */
export type Books = Pick<World, 'disk' | 'platform' | 'diary'>;

/** What a world is made of, and what it leaves out. */
export interface WorldOptions {
  seed: number;
  days: number;
  /** Of all kinds together. */
  people: number;
  /** Names of people and faults that are not there, or `faults`, which are all: how a finding shrinks. */
  without?: ReadonlySet<string>;
  /** Names of faults that are there, whatever the seed has drawn. */
  with?: ReadonlySet<string>;
  /** Whether `tell` asks for digests: they take their time. */
  isTold?: boolean;
  /**
   * Told once everybody is there, and at the end of every day, with the digest of all until then where it is asked for.
   */
  tell?: (day: number, digest: () => string) => void;
}

export interface Finding {
  seed: number;
  day: number;
  promise: string;
  what: string;
  steps: readonly string[];
}

const MOMENTS = 2;
const DAY_MS = 24 * 60 * 60_000;
const ACT_WITHIN_MS = 4_000;
const MOMENT_MS = 300_000;
/** For what somebody who is still there brings about. */
const EVENINGS = 3;
const HOME_MS = 10 * 60_000;
const CALLS_MS = 10_000;
/** What was answered is written down. */
const SETTLING_MS = 1_000;
const AUDIT_MS = 60_000;
const CHAT_AUDIT_MS = 10 * 60_000;
const FAULTS_A_DAY = 0.8;

/** Lives so many days, or until the first finding. */
export async function liveIn(options: WorldOptions): Promise<{ finding: Finding | undefined; world: World }> {
  const world = await create(options);
  const digest = options.isTold === false ? () => '' : keepTranscript(world);
  options.tell?.(0, () => digest(world));
  try {
    for (world.day = 1; world.day <= options.days; world.day += 1) {
      const found = await liveADay(world, options);
      if (found)
        return { finding: { seed: options.seed, day: world.day, ...found, steps: world.diary.steps }, world };
      options.tell?.(world.day, () => digest(world));
    }
    return { finding: undefined, world };
  } finally {
    world.service.kill();
    closeBooks();
    world.disk.remove();
  }
}

async function create({ seed, people, with: also, without = new Set() }: WorldOptions): Promise<World> {
  const time = beginTime();
  const stream = (name: string) => createSeeded(seedOf(seed, name));
  const disk = createDisk(KEY);
  const telegram = createTelegram(time, stream('telegram'));
  const platform = createPlatform(time, stream('platform'));
  const games = loadCatalogue();
  const service = createService({ time, random: stream('ids'), disk, telegram, platform, games });
  const diary = createDiary(time.clock.now);
  const { faults } = drawFaults({ seed, with: also, without });
  const world: World = {
    seed,
    day: 0,
    time,
    random: stream('world'),
    telegram,
    platform,
    disk,
    service,
    diary,
    said: listen(telegram, time.clock.now, (of, codes) => handOut(world, of, codes)),
    secrets: createWhose({ platform, disk }),
    members: new Map(),
    people: [],
    shops: [],
    receivers: createReceivers(time, stream('receivers')),
    faults,
    held: listHeldBeside(suspendedBy(faults)),
    isQuiet: without.has('faults'),
  };
  await within(world, service.start(), 60_000);
  Object.assign(world, await within(world, gather(world, people, stream), 600_000));
  learnWhoWorksHere(world);
  world.people = world.people
    .filter(({ name, kind }) => !without.has(name) && !without.has(kind))
    .map((person) => ({ ...person, act: (now: World) => diary.during(() => person.act(now)) }));
  return world;
}

/** What is wrong at its end, if anything is. */
async function liveADay(
  world: World,
  options: WorldOptions,
): Promise<{ promise: string; what: string } | undefined> {
  const { time } = world;
  const end = time.clock.elapsed() + DAY_MS;
  const random = createSeeded(seedOf(options.seed, `day ${world.day}`));
  world.platform.manners = world.isQuiet ? GOOD_MANNERS : USUAL_MANNERS;
  const [acting, alone] = [new Set<Promise<void>>(), new Set<Promise<void>>()];
  for (let moment = 0; moment < MOMENTS; moment += 1) {
    const next = time.clock.elapsed() + (end - time.clock.elapsed()) / (MOMENTS - moment);
    await liveAMoment(world, { random, acting, alone });
    time.skip(Math.max(0, Math.floor(next - time.clock.elapsed())));
  }
  world.platform.manners = GOOD_MANNERS;
  // Whoever waits long for something goes home, too, before the day is judged.
  let waiting: string | undefined;
  for (
    let evenings = 0;
    evenings < EVENINGS && !waiting && (evenings === 0 || acting.size > 0);
    evenings += 1
  ) {
    await time.passUntil(() => acting.size === 0, HOME_MS);
    // What ended late has put back the manners that it found.
    world.platform.manners = GOOD_MANNERS;
    waiting = await becomesQuiet(world);
  }
  if (waiting) return { promise: 'nothingWaitsForEver', what: waiting };
  await within(world, auditOneShop(world), AUDIT_MS);
  await within(world, auditTheChat(world), CHAT_AUDIT_MS);
  await saysWhatIsLeft(world);
  learnNotices(world);
  const found = judge(world);
  learnWhoWorksHere(world);
  Object.assign(world.diary, {
    judgedRedemption: newestOf(world, 'redemptions'),
    judgedNotice: newestOf(world, 'tasks'),
    judgedBatch: newestOf(world, 'batches'),
    judgedExtraction: newestOf(world, 'extractions'),
  });
  world.diary.turnThePage();
  world.said.today.splice(0);
  world.receivers.delivered.splice(0);
  return found;
}

interface Moment {
  random: Seeded;
  /** Who has not come to an end yet, also of the moments before. */
  acting: Set<Promise<void>>;
  /** What of it befalls the service beside nothing else. */
  alone: Set<Promise<void>>;
}

async function liveAMoment(world: World, { random, acting, alone }: Moment): Promise<void> {
  const { time, diary } = world;
  const begin = (work: () => Promise<void>, inMs: number, isAlone = false) => {
    const begun = time
      .outside(() => time.sleep(inMs).then(() => diary.during(work)))
      .finally(() => {
        acting.delete(begun);
        alone.delete(begun);
      });
    acting.add(begun);
    if (isAlone) alone.add(begun);
  };
  const isUnderWay = acting.size > 0;
  for (const person of world.people)
    if (random.chance(person.actsADay / MOMENTS)) begin(() => person.act(world), random.below(ACT_WITHIN_MS));
  if (random.chance(FAULTS_A_DAY / MOMENTS)) {
    const fault = random.pick(world.faults.flatMap((each) => Array<Fault>(each.weight).fill(each)));
    if (fault && !(fault.isAlone && isUnderWay) && alone.size === 0)
      begin(
        async () => {
          diary.note(`fault: ${fault.name}`);
          await fault.happen(world, random);
        },
        random.below(ACT_WITHIN_MS),
        fault.isAlone,
      );
  }
  await time.passUntil(() => acting.size === 0, MOMENT_MS);
  await time.passUntil(() => world.telegram.underWay() + world.platform.underWay() === 0, CALLS_MS);
  await time.passUntil(() => false, SETTLING_MS);
  if (world.service.isServing()) learnNotices(world);
}

function judge(world: World): { promise: string; what: string } | undefined {
  for (const [promise, hold] of world.held) {
    const [what] = hold(world);
    if (what !== undefined) return { promise, what };
  }
  return undefined;
}

/** Lets time pass until it is done. */
async function within<T>({ time }: Pick<World, 'time'>, work: Promise<T>, ms: number): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  if (!(await time.passUntil(() => isOver, ms))) throw new Error('What was waited for did not end.');
  return ended;
}
