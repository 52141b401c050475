// Bulk work is cut off: a long list is added, then taken out again, while the process is killed in the middle. Its
// program repeats it under its key until it is answered: every code was added once, and what was taken out is in one
// hand.
import type { Seeded } from '../../harness/seeded.ts';
import type { Extraction } from '../run/diary.ts';
import { undoOld } from '../people/admin.ts';
import { call } from '../people/client.ts';
import { selvesOf, type Self } from '../people/index.ts';
import { RELIED_ON_MS } from '../people/client.ts';
import { countUndone, wasSent, wasUndoneSince } from '../people/meanwhile.ts';
import { extract } from '../people/stocker.ts';
import { says } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';
import { killAtACommit } from './kill.ts';

const LISTED = 250;
const TAKEN = 150;
const MOST_COMMITS = 7;
const WATCHED_MS = 3_000;
const TRIES = 6;
const SEEN_WITHIN_MS = 400;
const APART_MS = 30_000;
/** Others take a few of them at the same time. */
const SPARE = 40;
const STATES =
  "select count(*) from codes where account_id = ? and game_id = 'game_id_1' and denomination = 660 and state = ?";

export const cutOffInBulk: Fault = {
  name: 'cut off in bulk',
  weight: 1,
  of: 'end',
  async happen(world, random) {
    const stockers = selvesOf(world, 'stocker');
    if (stockers.length === 0 || !world.service.isServing()) return;
    const self = random.pick(stockers);
    await addMany(world, random, self, killInBulk(world, random));
    // Both kills and one of somebody else's would be three for whoever waits for an answer, and they are set aside:
    // that is another fault.
    await world.time.sleep(APART_MS);
    await takeMany(world, random, self);
  },
};

type Meanwhile = () => Promise<void>;

/** A long list is added, whatever happens meanwhile. */
export async function addMany(world: World, random: Seeded, self: Self, meanwhile: Meanwhile): Promise<void> {
  const { diary } = world;
  const codes = self.shop.mint(660, LISTED);
  const key = `bulk-${random.text(12)}`;
  const undone = countUndone(world);
  const body = [{ denomination: 660, codes }];
  const takenBack = random.chance(0.4) ? takeBack(world, random, self) : undefined;
  const told = await untilAnswered(world, meanwhile, async () => {
    const answer = await call(world, self, '/db?gameId=game_id_1', { body, key });
    return answer?.status === 200 ? (answer.json as { accepted: Record<string, number> }) : undefined;
  });
  await takenBack;
  if (!told || told.accepted[660] === LISTED) return;
  // An admin who undoes the newest batch meanwhile has it end at once: what was in the stock by then was accepted. And
  // a program of the same shop may have redeemed one of them before it was in the stock.
  if (!wasUndoneSince(world, undone) && !codes.some((code) => wasSent(world, code)))
    diary.amissBeside.push(`${self.name} added ${LISTED} codes, and is told of ${told.accepted[660]}`);
}

/** An admin sees it in the list while it is still added, and takes it back. */
async function takeBack(world: World, random: Seeded, { shop }: Self): Promise<void> {
  const admin = selvesOf(world, 'admin').find((each) => each.shop === shop);
  await world.time.sleep(random.below(SEEN_WITHIN_MS));
  if (admin) await undoOld(admin, await admin.phone.ask('/batches', says(/./)), 'the newest');
}

async function takeMany(world: World, random: Seeded, self: Self): Promise<void> {
  const { diary, disk, time } = world;
  const { accountId } = self.shop;
  const count = (state: string) =>
    look(disk.databasePath(), (file) => file.prepare(STATES).pluck().get(accountId, state) as number);
  const [questioned, there] = [count('unverified'), count('available')];
  const undone = countUndone(world);
  const extraction: Extraction = {
    by: self.name,
    key: `bulk-${random.text(12)}`,
    body: { denomination: 660, amount: TAKEN },
    at: time.clock.now(),
    codes: undefined,
  };
  diary.extractions.push(extraction);
  const taken = await untilAnswered(world, killInBulk(world, random), async () => {
    await extract(world, self, extraction);
    return extraction.codes;
  });
  if (!taken || questioned !== 0) return;
  // What was not added, or was taken back, nobody can take out.
  if (there < TAKEN + SPARE || wasUndoneSince(world, undone)) return;
  if (new Set(taken).size !== TAKEN)
    diary.amissBeside.push(`${self.name} took ${TAKEN} codes out, and was given ${new Set(taken).size}`);
}

/** Once, in the middle. */
const killInBulk = (world: World, random: Seeded) => () =>
  killAtACommit(world, {
    what: 'in bulk',
    which: 1 + random.below(MOST_COMMITS),
    withinMs: WATCHED_MS,
  });

async function untilAnswered<T>(
  world: World,
  meanwhile: Meanwhile,
  ask: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { time } = world;
  const began = time.clock.now();
  const first = ask();
  await meanwhile();
  let told = await first;
  for (let tries = 0; told === undefined && tries < TRIES; tries += 1) {
    await time.sleep(1_000);
    if (time.clock.now() - began > RELIED_ON_MS) return undefined;
    told = await ask();
  }
  return told;
}
