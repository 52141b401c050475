// The loops over the life of a shop: each verb again and again, with its first, second, third … commit, statement or
// call struck, until one run of it is through without. SQLite is tested so against memory and disks that fail.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import { restore } from '../../../src/store/backup/restore.ts';
import { removeDatabase } from '../../../src/store/backup/snapshot-file.ts';
import type { Findings } from '../../torture/findings.ts';
import { FAULTS, type FaultyCall } from '../../telegram/faults.ts';
import { bindConnections } from '../machine/disk.ts';
import { GOOD_MANNERS, type Manners } from '../machine/platform.ts';
import { bindRequests } from '../machine/receivers.ts';
import { bindThreads } from '../machine/threads.ts';
import { KEY } from '../machine/service.ts';
import { closeBooks } from '../run/rest.ts';
import { judge, type Lenience } from './holds.ts';
import { LIFE } from './life.ts';
import { bindStatements, failAt, WAYS } from './statements.ts';
import { openShop, type Shop } from './shop.ts';

export interface SweepOptions {
  /** Every how manieth is struck. */
  stride: number;
  /** Where among them it begins. */
  from?: number;
  tell?: ((line: string) => void) | undefined;
}

/** Something that strikes the `nth` of its kind from now on. */
interface Strike {
  name: string;
  lenience?: Lenience;
  /** Returns whether it has struck; and nothing strikes any more. */
  arm(shop: Shop, nth: number): () => boolean;
}

const AWAY_MS = 300;
/** Updates that Telegram delivers once more after a kill. */
const TOLD_AGAIN = 5;
/** A process that is killed once more is killed early. */
const AGAIN_AT = 4;

/** The process ends right after a commit, and the next goes on with the files as they lie. */
const killed: Strike = {
  name: 'killed after commit',
  arm: (shop, nth) => killAt(shop, [nth]),
};

const killedTwice: Strike = {
  name: 'killed while it recovers, and before after commit',
  arm: (shop, nth) => killAt(shop, [nth, 1 + (nth % AGAIN_AT)]),
};

const powerLost: Strike = {
  name: 'power lost after commit',
  arm: (shop, nth) => killAt(shop, [nth], 'power lost'),
};

function killAt(
  { service, time, telegram: { api } }: Shop,
  at: readonly number[],
  how?: 'power lost',
): () => boolean {
  const waiting = [...at];
  let left = waiting.shift() ?? 0;
  let isStruck = false;
  service.onCommit = () => {
    left -= 1;
    if (left !== 0) return;
    isStruck = true;
    left = waiting.shift() ?? 0;
    service.kill(how);
    void time
      .outside(() => time.sleep(AWAY_MS))
      .then(async () => {
        await service.start();
        for (const update of api.updates().slice(-TOLD_AGAIN))
          if (!('pre_checkout_query' in update)) api.redeliver(update.update_id);
      });
  };
  return () => {
    service.onCommit = () => undefined;
    return isStruck;
  };
}

const restored = (lostAfter: number): Strike => ({
  name: lostAfter < Infinity ? `${lostAfter} commits lost after commit` : 'all lost after commit',
  lenience: { restored: true },
  arm(shop, nth) {
    let [commits, isLost] = [0, false];
    const copy = join(shop.disk.backups, `${nth}-${lostAfter}.db`);
    shop.service.onCommit = () => {
      commits += 1;
      if (commits === nth) copyTo(shop, copy);
      if (commits !== nth + lostAfter) return;
      isLost = true;
      putInPlace(shop, copy);
    };
    const loseAll = () => {
      shop.service.onCommit = () => undefined;
      if (commits >= nth && !isLost) putInPlace(shop, copy);
      return commits >= nth;
    };
    return loseAll;
  },
});

function copyTo({ disk }: Shop, copy: string): void {
  rmSync(copy, { force: true });
  const file = new Database(disk.databasePath(), { readonly: true });
  file.prepare('vacuum into ?').run(copy);
  file.close();
}

/** The machine is lost with its folder, and another begins with the backup. */
function putInPlace({ service, disk, time }: Shop, copy: string): void {
  service.kill();
  closeBooks();
  removeDatabase(disk.databasePath());
  restore({ file: copy, databasePath: disk.databasePath(), key: KEY, now: time.machine.now() });
  void time.outside(() => time.sleep(AWAY_MS)).then(() => service.start());
}

/** In a row: the disk fails for minutes. */
const MANY = 40;

const failingStatements = WAYS.flatMap((way) =>
  [1, MANY].map((count): Strike => ({
    name: `${way} × ${count} from statement`,
    lenience: { refusals: true, logs: true },
    arm({ disk }, nth) {
      const armed = failAt({ path: disk.databasePath, nth, count, way });
      return () => {
        armed.end();
        return armed.struck() > 0;
      };
    },
  })),
);

const MET = [
  'badGateway',
  'gatewayTimeoutAfter',
  'restart',
  'halfOfJson',
  'shortFlood',
  'longFlood',
] as const;
const MET_TOO = ['refused', 'messageGone', 'cut', 'cutAfter', 'hang', 'hangAfter', 'blocked'] as const;

const isStruckCall = ({ method }: FaultyCall) => !/^setMy|^sendChatAction/i.test(method);
const isEdit = ({ method }: FaultyCall) => /^edit/i.test(method);

/** What Telegram says no to is not tried again; what it refuses with buttons is said without, and nobody can press. */
const FINAL = new Set<string>(['refused', 'messageGone', 'blocked']);

const ofTelegram = [...MET, ...MET_TOO].map((name): Strike => ({
  name: `Telegram: ${name} at call`,
  lenience: { isUntold: name === 'blocked' || name === 'refused', givesUp: FINAL.has(name), logs: true },
  arm({ telegram: { api } }, nth) {
    const order = api.faults.at(nth, name === 'messageGone' ? isEdit : isStruckCall, FAULTS[name]);
    return () => {
      order.cancel();
      return order.met() > 0;
    };
  },
}));

const MANNERS = Object.keys(GOOD_MANNERS) as (keyof Manners)[];

const ofThePlatform = MANNERS.map((way): Strike => ({
  name: `platform: ${way} at call`,
  lenience: { refusals: true, logs: true },
  arm(shop, nth) {
    let calls = 0;
    shop.onPlatformCall = (call) => {
      calls += 1;
      if (calls !== nth) return call();
      const { manners } = shop.platform;
      shop.platform.manners = { ...GOOD_MANNERS, [way]: 1 };
      try {
        return call();
      } finally {
        shop.platform.manners = manners;
      }
    };
    return () => {
      shop.onPlatformCall = (call) => call();
      return calls >= nth;
    };
  },
}));

interface Loop {
  strikes: readonly Strike[];
  /** How many there are to strike at from now on. */
  count(shop: Shop): () => number;
}

const ofCommits = ({ service }: Shop) => {
  let count = 0;
  service.onCommit = () => void (count += 1);
  return () => {
    service.onCommit = () => undefined;
    return count;
  };
};

export const LOOPS = {
  commits: { strikes: [killed, killedTwice], count: ofCommits },
  power: { strikes: [powerLost], count: ofCommits },
  restores: { strikes: [restored(2), restored(9), restored(Infinity)], count: ofCommits },
  statements: {
    strikes: failingStatements,
    count({ disk }) {
      const armed = failAt({ path: disk.databasePath, nth: Infinity, count: 0, way: 'FULL' });
      return () => {
        armed.end();
        return armed.counted();
      };
    },
  },
  telegram: {
    strikes: ofTelegram,
    count({ telegram: { api } }) {
      let count = 0;
      const order = api.faults.next((call) => isStruckCall(call) && (count += 1) < 0, FAULTS.cut);
      return () => {
        order.cancel();
        return count;
      };
    },
  },
  platform: {
    strikes: ofThePlatform,
    count(shop) {
      let count = 0;
      shop.onPlatformCall = (call) => {
        count += 1;
        return call();
      };
      return () => {
        shop.onPlatformCall = (call) => call();
        return count;
      };
    },
  },
} satisfies Record<string, Loop>;

export type LoopName = keyof typeof LOOPS;

/** After so many verbs the shop closes, and another opens: books that grow make every look longer. */
const VERBS_OF_A_SHOP = 60;
const MOST_FINDINGS = 20;
/**
 * What the service does not hold, or nobody has said what is to come of it. In the chat a disk that fails is apologised
 * for, and whoever asked does it again.
 */
const UNHELD: Partial<Record<string, RegExp>> = {
  statements: /chat|stranger|pasted|bought|payment|host|key is|invited|threshold/,
};

/** Of the whole life every `stride`th thing that can be struck is, in one of the ways, each time in another. */
export async function sweep(name: LoopName, options: SweepOptions): Promise<Findings> {
  const { strikes } = LOOPS[name] as Loop;
  const { stride, tell } = options;
  const tried = { [name]: 0, struck: 0 };
  const violations: string[] = [];
  const counts = await countLife(name);
  let [shop, lived, at] = [await openShop(1), 0, options.from ?? 0];
  for (const [verb, count] of counts) {
    if (UNHELD[name]?.test(verb)) continue;
    tried[name]! += count;
    for (let nth = 1; nth <= count; nth += 1)
      for (const strike of strikes) {
        if ((at += 1) % stride !== 0) continue;
        const found = await live(shop, verb, strike, nth);
        lived += 1;
        tried.struck += found.isStruck ? 1 : 0;
        for (const what of found.wrong) violations.push(`${verb}, ${strike.name} ${nth}: ${what}`);
        // What follows from it is no finding.
        const isSpoilt = found.wrong.length > 0 || !found.hasEnded || strike.lenience?.isUntold;
        for (const what of found.wrong) tell?.(`${verb}, ${strike.name} ${nth}: ${what}`);
        if (isSpoilt || lived % VERBS_OF_A_SHOP === 0) shop = await reopen(shop);
        if (violations.length >= MOST_FINDINGS) return { tried, violations };
      }
    tell?.(`${verb}: ${JSON.stringify(tried)}, violations: ${violations.length}`);
  }
  await shop.close();
  return { tried, violations };
}

/** How many strikes there are in these loops. */
export async function countStrikes(names: readonly LoopName[]): Promise<number> {
  let all = 0;
  for (const name of names)
    for (const [verb, count] of await countLife(name))
      if (!UNHELD[name]?.test(verb)) all += count * LOOPS[name].strikes.length;
  return all;
}

/** What the loops simulate, they simulate for good: nothing else runs in this process. */
export function takeThisProcess(): void {
  bindConnections();
  bindThreads();
  bindRequests();
  bindStatements();
}

const counted = new Map<string, Map<string, number>>();

/** Of one life without anything: how much there is to strike at in each verb. */
async function countLife(name: LoopName): Promise<ReadonlyMap<string, number>> {
  const known = counted.get(name);
  if (known) return known;
  const shop = await openShop(1);
  for (const [verb, act] of Object.entries(LIFE)) {
    await shop.within(shop.refill());
    const counts = new Set(Object.values(LOOPS).map(({ count }) => count));
    const ends = new Map([...counts].map((count) => [count, count(shop)]));
    await shop.within(act(shop));
    await shop.quiet();
    const found = new Map([...ends].map(([count, end]) => [count, end()]));
    for (const [loop, { count }] of Object.entries(LOOPS))
      counted.set(loop, (counted.get(loop) ?? new Map<string, number>()).set(verb, found.get(count) ?? 0));
  }
  await shop.close();
  return counted.get(name) ?? new Map();
}

/** Time begins anew with each. */
async function reopen(old: Shop): Promise<Shop> {
  await old.close();
  return openShop(1);
}

async function live(
  shop: Shop,
  name: string,
  { arm, lenience = {} }: Strike,
  nth: number,
): Promise<{ isStruck: boolean; hasEnded: boolean; wrong: string[] }> {
  const wrong: string[] = [];
  let [disarm, hasEnded] = [() => false, true];
  try {
    await shop.within(shop.refill());
    shop.wishes.splice(0);
    shop.untrue.splice(0);
    disarm = arm(shop, nth);
    await shop.within(LIFE[name]!(shop));
  } catch (error) {
    hasEnded = false;
    // Where the platform has refused a code there may be too few.
    const isShort = lenience.refusals === true && String(error).includes('it does not come');
    if (!lenience.isUntold && !lenience.restored && !isShort)
      wrong.push(error instanceof Error ? (error.stack ?? '') : String(error));
  }
  let waiting = await shop.quiet();
  const isStruck = disarm();
  if (isStruck && lenience.restored) wrong.push(...(await askAgain(shop)));
  waiting ??= await shop.quiet();
  if (waiting) wrong.push(`${waiting} wait for ever`);
  const errors = shop.service.takeErrors().filter(() => !lenience.logs);
  return { isStruck, hasEnded, wrong: [...wrong, ...errors, ...judge(shop, lenience)] };
}

/** Programs send whatever they were answered once more, under the same keys, and are answered the same. */
async function askAgain(shop: Shop): Promise<string[]> {
  const wishes = shop.wishes.filter(({ path, status }) => path === '/redeem' && status === 200);
  const again = await shop
    .within(Promise.all(wishes.map(({ path, body, key }) => shop.program(path, body, key))))
    .catch(String);
  if (typeof again === 'string') return [again];
  return wishes.flatMap(({ key, json: { code } }, index) => {
    const { status, json } = again[index]!;
    return status === 200 && json.code === code
      ? []
      : [`${key} had a receipt of ${code}, and is answered ${status} ${JSON.stringify(json)}`];
  });
}
