// A backup is made by hand, beside those that the service makes by itself; and one of some days ago is put in place of
// the database, which is refused where that is sound. Where it is damaged, or given up, nothing is given twice but what
// nobody could know. Right after it people go on as before.
import { closeSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Seeded } from '../../harness/seeded.ts';
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { StoreRefusal } from '../../../src/store/index.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { restore } from '../../../src/store/backup/restore.ts';
import { digestOf } from '../audit/auditing.ts';
import { learnWhoWorksHere } from '../promises/staff.ts';
import { wishFor } from '../people/client.ts';
import { selvesOf } from '../people/index.ts';
import { hashOf } from '../promises/ledger.ts';
import { GOOD_MANNERS, type Manners } from '../machine/platform.ts';
import { drawnFrom } from '../machine/chance.ts';
import { closeBooks, look, newestOf } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';
import { expectStillOwed } from './owed.ts';
import { actAtTheLastMoment } from './since-backup.ts';
import { tellOfPaymentsAgain } from './telegram.ts';

const sealing = createSecrets(KEY);
const KEPT = 4;
const ACTING = 8;
const CARRIED_ON = new Set([
  ...['stocker', 'admin', 'client', 'payer', 'operator', 'several', 'checker', 'orderer'],
]);
/** Who takes codes out of stocks, one way or another. */
const TAKING = new Set(['stocker', 'client', 'operator', 'several']);
const ORDERING = new Set(['operator', 'several']);
const SEVERAL = new Set(['several', 'orderer']);
const UNDER_WAY_MS = 6_000;
/** How long a host takes who is in no hurry. */
const RESTORING_MS = 80_000;

export const backingUp: Fault = {
  name: 'backup',
  weight: 2,
  async happen(world, random) {
    const { disk, time, diary } = world;
    const acting = random.chance(0.5) ? await beginOrders(world, random) : undefined;
    const file = join(disk.backups, `by-hand-${time.clock.now()}.db`);
    const now = time.machine.now();
    await time
      .native(() => backup(disk.databasePath(), file, { secrets: sealing, now }))
      .catch((error: Error) => diary.note(`no backup: ${error.message}`));
    diary.note(`backup ${file.slice(-16)}`);
    const old = readdirSync(disk.backups)
      .filter((name) => name.startsWith('by-hand-'))
      .sort()
      .slice(0, -KEPT);
    for (const name of old) rmSync(join(disk.backups, name), { force: true });
    await acting?.orders;
  },
};

/**
 * What is under way is in the backup, too: orders that nobody knows the end of, or of several codes of which some are
 * redeemed.
 */
const beginOrders = (world: World, random: Seeded) =>
  random.chance(0.5)
    ? orderWith(world, random, { hidesFailure: 0.7 }, UNDER_WAY_MS)
    : orderSeveral(world, random);

const GOES_ON = `
  select 1 from orders o join order_items i on i.order_id = o.id join redemptions r on r.id = i.redemption_id
  where o.ended_at is null and r.state = 'redeemed'`;
const LOOK_MS = 100;

async function orderSeveral(world: World, random: Seeded): Promise<{ orders: Promise<void> }> {
  const { disk, time } = world;
  const orders = act(world, random, SEVERAL, 3);
  const goesOn = () => look(disk.databasePath(), (file) => file.prepare(GOES_ON).get() !== undefined);
  for (let waited = 0; waited < UNDER_WAY_MS && !goesOn(); waited += LOOK_MS) await time.sleep(LOOK_MS);
  return { orders };
}

/** Orders that a platform of such manners meets, and so much time. */
async function orderWith(
  world: World,
  random: Seeded,
  manners: Partial<Manners>,
  ms: number,
): Promise<{ orders: Promise<void> }> {
  const { platform, time } = world;
  const { manners: before } = platform;
  platform.manners = { ...GOOD_MANNERS, ...manners };
  const orders = act(world, random, ORDERING, 3);
  await time.sleep(ms);
  platform.manners = before;
  return { orders };
}

export const restoring: Fault = {
  name: 'restore',
  weight: 3,
  of: 'restore',
  happen: (world, random) => restoreOne(world, random, random.chance(0.3) ? 'given up' : 'sound'),
};

export const disaster: Fault = {
  name: 'restore over a damaged disk',
  weight: 2,
  of: 'restore',
  happen: (world, random) => restoreOne(world, random, 'damaged'),
};

const act = (world: World, random: Seeded, kinds: ReadonlySet<string>, count: number): Promise<void> =>
  actSome(world, random, { count, by: ({ kind }) => kinds.has(kind) });

async function restoreOne(
  world: World,
  random: Seeded,
  predecessor: 'sound' | 'given up' | 'damaged',
): Promise<void> {
  const { disk, service, time, secrets } = world;
  const files = readdirSync(disk.backups)
    .filter((name) => /^(by-hand|redemption)-.*\.db$/.test(name))
    .sort();
  const name = random.chance(0.5) ? files.at(-1) : random.pick(files);
  if (name === undefined) return backingUp.happen(world, random);
  const goOn = service.isServing() ? await actAtTheLastMoment(world, random) : undefined;
  const sent = predecessor === 'damaged' && random.chance(0.5) ? await sendLate(world, random) : undefined;
  if (random.chance(0.5)) service.kill();
  // One that was killed while it stopped has been started again by somebody else.
  while (service.app()) await service.stop();
  const path = disk.databasePath();
  const file = join(disk.backups, name);
  secrets.remember();
  if (predecessor === 'damaged') damage(path);
  else {
    expectRefused(world, file);
    if (predecessor === 'sound') {
      await service.start();
      return goOn?.();
    }
    closeBooks();
    renameSync(path, `${path}.given-up`);
  }
  putInPlace(world, file);
  if (!sent && random.chance(0.6)) await time.sleep(RESTORING_MS);
  await service.start();
  tellOfPaymentsAgain(world);
  // What is in question is asked about, and there may be nobody to ask.
  const { platform } = world;
  const { manners } = platform;
  const isAway = random.chance(0.35);
  if (isAway) platform.manners = { ...manners, isAway: 0.6 };
  await Promise.all([
    act(world, random, isAway || sent ? TAKING : CARRIED_ON, ACTING),
    goOn?.(),
    random.chance(0.5) ? redeemOneOfStock(world, random) : undefined,
    sent?.orders,
  ]);
  platform.manners = manners;
}

/** What is the same in every file that knows it. */
const FACTS = `
  select reference from attempts union all select 'redemption ' || id from redemptions union all select charge_id from purchases union all select hex(digest) from api_keys
  union all select hex(code_secret) from codes`;

/** A database that is sound stays as it is. */
function expectRefused({ disk, time, diary }: World, file: string): void {
  const path = disk.databasePath();
  const before = readFacts(path);
  // It takes the file for itself alone.
  closeBooks();
  try {
    restore({ file, databasePath: path, key: KEY, now: time.machine.now() });
    diary.amissBeside.push('a sound database was given up');
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    // The same world has other folders in another process.
    diary.note(`no restore: ${error.message.replaceAll(/\/\S*\//g, '')}`);
    const after = readFacts(path);
    if (after.size !== before.size || [...before].some((fact) => !after.has(fact)))
      diary.amissBeside.push('a restore that was refused changed the database');
  }
}

const readFacts = (path: string): Set<string> =>
  look(path, (file) => new Set(file.prepare(FACTS).pluck().all() as string[]));

/** What is not known to be unspent is asked about before it is used. */
const UNASKED = `
  select count(*) from codes where state = 'available' or (state in ('reserved', 'in_doubt') and claimed_from = 'available')`;

/** Whatever came after the backup is lost with it. */
export function putInPlace(world: World, file: string): void {
  const { disk, diary, time } = world;
  const path = disk.databasePath();
  const findNotOwed = expectStillOwed(file);
  closeBooks();
  const { unverified } = drawnFrom(world.random, () =>
    restore({ file, databasePath: path, key: KEY, now: time.machine.now() }),
  );
  diary.note(`restored ${basename(file)}: ${unverified} unverified`);
  beginAnotherPast(world);
  diary.amissBeside.push(...findNotOwed(path).slice(0, 3));
  const unasked = look(path, (books) => books.prepare(UNASKED).pluck().get() as number);
  if (unasked > 0) diary.amissBeside.push(`after a restore ${unasked} codes are taken for unspent unasked`);
  // By their numbers: a calendar may have been wrong before.
  diary.judgedRedemption = newestOf(world, 'redemptions');
  diary.restored = {
    at: time.clock.now(),
    redemption: diary.judgedRedemption,
    batch: newestOf(world, 'batches'),
  };
}

/** What is in doubt since before it is sent once more as what the lost time sent. */
const REFERENCES = "select reference from attempts where state <> 'unknown'";
const OPENS = 'select 1 from api_keys where digest = ? and revoked_at is null';

/** Who works here is whom the backup knows, beside who did today; codes are in nobody's hands; programs find a key. */
function beginAnotherPast(world: World): void {
  const { disk, diary, platform, members, shops } = world;
  for (const [id, held] of members) diary.staffing.push({ id, ...held });
  learnWhoWorksHere(world);
  diary.loseThePast();
  look(disk.databasePath(), (file) => {
    const known = new Set(file.prepare(REFERENCES).pluck().all() as string[]);
    for (const reference of platform.asked) if (!known.has(reference)) platform.lost.add(reference);
    const opens = file.prepare(OPENS);
    for (const shop of shops)
      shop.apiKey = shop.keys.findLast((key) => opens.get(digestOf(key))) ?? shop.apiKey;
  });
}

/** What was sent last is carried out when the past that sent it is lost. */
const sendLate = (world: World, random: Seeded) =>
  orderWith(world, random, { redeemsLate: 0.8 }, UNDER_WAY_MS);

const IN_QUESTION = `
  select hex(code_hash) as hash, account_id as accountId from codes
  where state = 'unverified' and game_id = 'game_id_1' order by id limit 400`;

/** A program sends one of the codes that are in question itself. */
async function redeemOneOfStock(world: World, random: Seeded): Promise<void> {
  const { disk, secrets } = world;
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(IN_QUESTION).all() as { hash: string; accountId: number }[],
  );
  const accounts = new Map(rows.map(({ hash, accountId }) => [hash.toLowerCase(), accountId]));
  const known = secrets.codes().flatMap((code) => {
    const accountId = accounts.get(hashOf('game_id_1', code));
    return accountId === undefined ? [] : [{ code, accountId }];
  });
  if (known.length === 0) return;
  const { code, accountId } = random.pick(known);
  const self = selvesOf(world, 'client').find(({ shop }) => shop.accountId === accountId);
  if (self) await wishFor(world, self, { gameId: 'game_id_1', codeOverride: code });
}

/** Its first page is gone: no program can read it any more. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4_096), 0, 4_096, 0);
  closeSync(file);
  rmSync(`${path}-wal`, { force: true });
}
