// Rounds in the life of shops: people act, programs wish for much at once, in the middle the process is killed,
// deployed, deployed with another catalogue, or its disk is full; a backup is made beside it, and put in place of the
// database. Afterwards everybody goes on, and every code is in exactly one place.
import Database from 'better-sqlite3';

import { listWithRecipients } from '../../../harness/notices.ts';
import { makeUnreadable } from '../../../harness/damaged-file.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import { USUAL_MANNERS } from '../../machine/platform.ts';
import type { CoreWorld, Living } from '../world.ts';
import { doSomething, repeat, repeatLost } from './acts.ts';
import { audit, nothingGoesOnAfterARestore } from './audit.ts';
import { openShop } from './people.ts';
import { makeWishes, noteReceipt, pursue, wishToExtract, wishToRedeem } from './wishes.ts';
import { CATALOGUES, listOpen, openShops, query, STOCK_KEYS, type Shops } from './world.ts';

const MINUTE_MS = 60_000;
const MOST_ACTS = 5;
const MOST_WISHES = 4;
/** In one of so many commits a process is struck. */
const COMMITS = [6, 20, 60];
const STRUCK_WITHIN_MS = 8_000;
/** How many commits of others a backup waits for. */
const MOST_COMMITS = 12;
const TRIES = 12;
const DOUBTS = 60;
const LOOKED_MS = 3_000;
const SETTLE_STEP_MS = 20 * MINUTE_MS;
/** How many restores lose minutes alone. */
const SHORT = 0.4;
const ORDERS = 4;
const ALL = 10_000;

const INTERRUPTIONS = {
  ...{ kill: 5, 'power loss': 2, 'kill at the platform': 1, 'full disk': 2 },
  ...{ deployment: 3, 'another catalogue': 4, rot: 1 },
};
type Interruption = keyof typeof INTERRUPTIONS;

/** A third of the worlds is never interrupted, a third never restored. */
const SWARM = { interrupted: 1, restored: 1, both: 1 };

export async function openShopsLife(opened: CoreWorld): Promise<Living> {
  const world = openShops(opened);
  world.platform.manners = USUAL_MANNERS;
  const swarm = world.random.weigh(SWARM);
  world.note(`this world is ${swarm}`);
  let isWhole = true;
  await openShop(world);
  await openShop(world);
  return {
    async act(random) {
      world.count('rounds');
      for (let left = 1 + random.below(MOST_ACTS); left > 0; left -= 1) await doSomething(world, random);
      for (let left = 1 + random.below(MOST_WISHES); left > 0; left -= 1)
        world.wishes.push(...(await makeWishes(world, random)));
      await interrupt(world, random, swarm === 'restored' ? undefined : random.weigh(INTERRUPTIONS));
      await finish(world);
      if (swarm !== 'interrupted' && random.chance(0.6)) {
        const isRestored = await restore(world, random);
        isWhole &&= !isRestored;
      }
      world.time.skip(1 + random.below(2 * MINUTE_MS));
      world.amiss.push(...audit(world, { isWhole }));
    },
    async end() {
      for (let left = 3; left > 0; left -= 1) await repeat(world, world.random);
      await emptyStock(world, isWhole);
      await finish(world);
      world.amiss.push(...audit(world, { isWhole, isLast: true }));
    },
  };
}

/** Lets everybody ask, and interrupts it. */
async function interrupt(world: Shops, random: Seeded, how: Interruption | undefined): Promise<void> {
  const { service, platform, time } = world;
  world.note(how ?? 'nothing happens');
  world.count(how ?? 'uninterrupted');
  const usual = platform.onOrder;
  const isStop = how === 'deployment' || how === 'another catalogue';
  let [isOver, isDue] = [false, false];
  const strike = () => {
    if (how === 'full disk') service.disk.setFull(true);
    else if (isStop) isDue = true;
    else service.kill(how === 'power loss' ? 'power lost' : 'killed');
  };
  if (how === 'kill at the platform') platform.onOrder = once(1 + random.below(3), strike);
  else if (how !== undefined) service.onCommit = once(1 + random.below(random.pick(COMMITS)), strike);
  const asking = Promise.all([askAll(world), random.chance(0.4) ? backUp(world) : undefined]);
  void asking.finally(() => (isOver = true));
  await time.passUntil(() => isOver || isDue || !service.isRunning(), STRUCK_WITHIN_MS);
  service.onCommit = () => undefined;
  platform.onOrder = usual;
  service.disk.setFull(false);
  if (isStop) await service.within(service.stop(random.pick([0, 10, 200])));
  else if (how !== undefined && how !== 'full disk') service.kill();
  await service.within(asking);
  if (how === 'another catalogue') return liveWithout(world, random);
  if (how === 'rot') rotSlice(world, random);
  if (!service.isRunning()) await service.within(service.start());
  if (how === 'rot') await tellsOfWhatIsSetAside(world);
  // What is set aside, and what a disk refuses, is logged.
  if (how === 'rot' || how === 'full disk') service.takeErrors();
}

function once(nth: number, work: () => void): () => void {
  let left = nth;
  return () => {
    left -= 1;
    if (left === 0) work();
  };
}

async function askAll(world: Shops): Promise<void> {
  await Promise.all(world.wishes.filter(({ state }) => state === 'open').map((wish) => pursue(world, wish)));
}

async function backUp(world: Shops): Promise<void> {
  const { service } = world;
  for (let left = world.random.below(MOST_COMMITS); left > 0; left -= 1) await service.nextCommit();
  if (!service.isRunning()) return;
  const known = new Set(world.known);
  const { number, wrong } = await service.backUp();
  if (world.rotten.size === 0) world.amiss.push(...wrong);
  world.backups.push({ number, known });
}

/** What has lost its game is set aside, and stops nobody else; then the catalogue is whole again. */
async function liveWithout(world: Shops, random: Seeded): Promise<void> {
  const { service } = world;
  service.games = CATALOGUES[random.pick(['without the game', 'without the denomination'] as const)];
  await service.within(service.start());
  if (random.chance(0.5)) await service.within(askAll(world));
  await tellsOfWhatIsSetAside(world);
  await service.within(service.stop(0));
  service.takeErrors();
  service.games = CATALOGUES.whole;
  await service.within(service.start());
}

const RUNNING = `
  select (select count(*) from jobs where state = 'running') + (select count(*) from imports where state = 'committing') as count`;
const OPEN = `select count(*) as count from redemptions
  where state = 'pending' or (state = 'in_doubt' and exists (select 1 from tasks where job_key = 'doubt:' || redemptions.id and run_at is not null))`;

const countOf = (world: Shops, sql: string): number => query<{ count: number }>(world, sql)[0]?.count ?? 0;

async function jobsEnd(world: Shops): Promise<void> {
  const isOver = () => countOf(world, RUNNING) === 0;
  if (!(await world.time.passUntil(isOver, MINUTE_MS))) world.amiss.push('jobs go on for ever');
}

/** Everybody is answered in the end; nothing goes on, and no doubt is left that anybody but a person can end. */
async function finish(world: Shops): Promise<void> {
  const { service, platform, time, amiss } = world;
  for (let tries = 0; tries < TRIES && world.wishes.some(({ state }) => state === 'open'); tries += 1)
    await service.within(askAll(world));
  for (const { name, state } of world.wishes) if (state === 'open') amiss.push(`${name} is never answered`);
  world.wishes = [];
  await jobsEnd(world);
  const isQuiet = () => platform.underWay() === 0 && countOf(world, OPEN) === 0;
  for (let looks = 0; looks < DOUBTS && !(await time.passUntil(isQuiet, LOOKED_MS)); looks += 1)
    time.skip(SETTLE_STEP_MS);
  if (!isQuiet()) amiss.push(`${countOf(world, OPEN)} redemptions are open for ever`);
  const redeemed = query<{ id: number; gameId: string }>(
    world,
    "select id, game_id as gameId from redemptions where state = 'redeemed' and actor <> 'lost'",
  );
  for (const { id, gameId } of redeemed) {
    const { code } = service.store().read((tables) => tables.redemptions.get(id));
    if (code !== null) noteReceipt(world, { id, state: 'redeemed', code }, gameId, false);
  }
}

/** A few bits fall over in a slice of a job that goes on, while nobody has the file open. */
function rotSlice({ service, rotten, count }: Shops, random: Seeded): void {
  const connection = new Database(service.disk.databasePath());
  const slice = connection
    .prepare(
      `select s.rowid as id, s.content_secret as secret from job_slices s join jobs j on j.id = s.job_id
       where j.state = 'running' and s.added is null order by s.position desc limit 1`,
    )
    .get() as { id: number; secret: Buffer } | undefined;
  if (slice) {
    count('slices rotten');
    const at = random.below(slice.secret.length);
    slice.secret[at] = (slice.secret[at] ?? 0) ^ 1;
    rotten.add(slice.secret.toString('hex'));
    connection
      .prepare('update job_slices set content_secret = ? where rowid = ?')
      .run(slice.secret, slice.id);
  }
  connection.close();
}

/** Whoever's job was set aside has a notice of it. */
async function tellsOfWhatIsSetAside(world: Shops): Promise<void> {
  await jobsEnd(world);
  const { service } = world;
  const sql = `select kind || ' ' || subject_id as job from jobs where state = 'set_aside'`;
  const setAside = query<{ job: string }>(world, sql).map(({ job }) => job);
  const told = listWithRecipients(service.core(), service.store()).map(({ notice }) =>
    notice.kind === 'jobSetAside' ? `${notice.work} ${notice.subjectId}` : '',
  );
  const untold = setAside.filter((job) => !told.includes(job));
  if (untold.length > 0) world.amiss.push(`nobody was told that ${untold.join(', ')} was set aside`);
  if (setAside.length > 0) world.count('jobs set aside');
}

/**
 * Goes back to any of the backups, perhaps to one of minutes ago. A database that is sound is not replaced: then the
 * service goes on with it, or the host gives it up. True where a past was lost.
 */
async function restore(world: Shops, random: Seeded): Promise<boolean> {
  const { service, time } = world;
  const isShort = random.chance(SHORT);
  if (isShort) await orderAfterBackup(world, random);
  if (world.backups.length === 0) return false;
  const { number, known } = isShort ? world.backups.at(-1)! : random.pick(world.backups);
  const over = random.weigh({ sound: 3, unreadable: 4, missing: 1, 'by hand': 2 });
  world.note(`restore ${number} over ${over}`);
  for (const what of ['restores', over]) world.count(what);
  await service.within(service.stop(0));
  if (over !== 'sound') service.wipe();
  if (over === 'unreadable') makeUnreadable(service.disk.databasePath());
  if (over === 'by hand') service.copyBackup(random.pick(world.backups).number, service.disk.databasePath());
  let restored = service.restore(number);
  const isSound = over === 'sound' || over === 'by hand';
  if (restored && isSound) world.amiss.push(`a ${over} database was given up unasked`);
  if (!restored) {
    world.count('refused');
    if (over === 'sound' && random.chance(0.5)) {
      await service.within(service.start());
      await finish(world);
      return false;
    }
    service.wipe();
    restored = service.restore(number);
    if (!restored) throw new Error('A restore over nothing is refused.');
  }
  world.known = new Set(known);
  world.usedUnseen.clear();
  world.amiss.push(...nothingGoesOnAfterARestore(world, restored));
  // The host takes their time: what the lost past had sent has come to its end.
  time.skip(MINUTE_MS);
  await service.within(service.start());
  if (isShort) await repeatLost(world);
  await finish(world);
  return true;
}

async function orderAfterBackup(world: Shops, random: Seeded): Promise<void> {
  const { service, time } = world;
  await service.within(backUp(world));
  for (let order = 0; order < ORDERS; order += 1) {
    time.skip(1 + random.below(MINUTE_MS));
    const [someone] = listOpen(world);
    if (someone) await service.within(pursue(world, wishToRedeem(world, someone, random)));
  }
}

/** Takes out everything that is left, and looks whether all of it came. */
async function emptyStock(world: Shops, isWhole: boolean): Promise<void> {
  const { service } = world;
  for (const someone of listOpen(world)) {
    for (const stockKey of STOCK_KEYS) {
      const wish = wishToExtract(world, someone, stockKey, ALL, world.random);
      await service.within(pursue(world, wish));
      if (wish.state !== 'over') world.amiss.push(`${wish.name} at the end is ${wish.state}`);
      const left = service
        .core()
        .codes.countAvailable(someone.program, stockKey.gameId)
        .get(stockKey.denomination);
      // What a restore has put in question the platform may not tell of in this moment.
      if (isWhole && (left ?? 0) > 0) world.amiss.push(`when all is taken out there are ${left}`);
    }
  }
}
