// Host alerts over a real store: each trouble told once when it has lasted, once when it is over, over restarts and
// full disks.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createCoreClock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { createHostAlerts } from './host-alerts.ts';
import { HOST_CONDITIONS, type HostAlertName } from './host-conditions.ts';
import type { KnownToHost, Surroundings } from './known-to-host.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];
const WELL = {
  isPlatformReachable: () => Promise.resolve(true),
  listRefusals: () => ({}),
  listUnread: () => [],
  listUnserved: () => [],
  listResting: () => [],
  oldestDoubt: () => undefined,
  isWritable: () => true,
  isInPlace: () => true,
  readRoom: () => Promise.resolve([{ folder: 'database', free: 50e9, total: 100e9 }]),
  standing: () => 'reachable',
  readBackups: () => ({ newestAt: () => Date.now(), everyMs: HOUR_MS, failure: null, damagedRows: 0 }),
  hasCheckFoundDamage: () => undefined,
  lost: undefined,
  hasOpenSweep: () => false,
  takeUncleanEnd: () => undefined,
  takeClockJumpMs: () => 0,
} satisfies Partial<KnownToHost>;

let t: TestStore;
let known: Partial<KnownToHost>;
let warned: object[];
beforeEach(() => {
  t = openTestStore();
  known = {};
  warned = [];
});
afterEach(() => t.close());

function begin(store: Store = t.store, kept: Surroundings = {}) {
  const clock = createCoreClock(t.clock);
  const log = {
    info: () => undefined,
    warn: (fields: object) => void warned.push(fields),
    error: () => undefined,
  };
  const alerts = createHostAlerts(fake({ store, clock, log, ...kept }), (_deps, isRestoreTold) => {
    const facts = { ...WELL, safeNow: clock.safeNow, isRestoreTold };
    return new Proxy(facts, {
      get: (all, key) => ({ ...all, ...known })[key as keyof KnownToHost],
    });
  });
  return {
    ...alerts,
    /** A look each second. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += SECOND_MS) {
        t.clock.advance(SECOND_MS);
        await alerts.check();
      }
    },
  };
}

const told = () =>
  listNotices(t.store)
    .filter(({ kind }) => kind === 'hostAlert')
    .map(({ payload }) => {
      const { alert, endedAt } = payload as { alert: { name: string }; endedAt: number | null };
      return `${alert.name}${endedAt === null ? '' : ' is over'}`;
    });

test('nothing is told while all is well', async () => {
  await begin().pass(10 * MINUTE_MS);
  expect([told(), warned]).toEqual([[], []]);
});

const NOW_WRONG: [HostAlertName, Partial<KnownToHost>, beginsWithin: number, overWithin: number][] = [
  [
    'platform-unreachable',
    { isPlatformReachable: () => Promise.resolve(false) },
    5.5 * MINUTE_MS,
    1.5 * MINUTE_MS,
  ],
  [
    'upstream-refusing',
    { listRefusals: () => ({ 'main: 401': { upstream: 'main' } }) },
    SECOND_MS,
    SECOND_MS,
  ],
  [
    'upstream-resting',
    { listResting: () => [{ name: 'east', since: 1 }] as never },
    SECOND_MS,
    5 * MINUTE_MS + SECOND_MS,
  ],
  ['upstream-none', { listUnserved: () => ['game_id_1'] }, SECOND_MS, 3_601 * SECOND_MS],
  ['upstream-unread', { listUnread: () => ['east'] }, SECOND_MS, SECOND_MS],
  ['doubt-old', { oldestDoubt: () => t.clock.now() - 15 * MINUTE_MS }, 5 * SECOND_MS, 65 * SECOND_MS],
  [
    'disk-low',
    { readRoom: () => Promise.resolve([{ folder: 'database', free: 1.9e9, total: 10e9 }]) },
    5.5 * MINUTE_MS,
    5.5 * MINUTE_MS,
  ],
  [
    'disk-low',
    { readRoom: () => Promise.resolve([{ folder: 'backups', free: 9.9e9, total: 100e9 }]) },
    5.5 * MINUTE_MS,
    5.5 * MINUTE_MS,
  ],
  ['token-contested', { standing: () => 'contested' }, SECOND_MS, 91 * SECOND_MS],
  [
    'backup-failing',
    { readBackups: () => ({ ...WELL.readBackups(), failure: { sentence: 'No.' } }) },
    SECOND_MS,
    SECOND_MS,
  ],
  [
    'backup-too-old',
    { readBackups: () => ({ ...WELL.readBackups(), newestAt: () => t.clock.now() - 2.1 * HOUR_MS }) },
    61 * MINUTE_MS,
    MINUTE_MS,
  ],
  [
    'database-damaged',
    { readBackups: () => ({ ...WELL.readBackups(), failure: { sentence: 'No.', reason: 'damaged' } }) },
    6 * SECOND_MS,
    6 * SECOND_MS,
  ],
  [
    'database-damaged',
    { readBackups: () => ({ ...WELL.readBackups(), damagedRows: 1 }) },
    6 * SECOND_MS,
    6 * SECOND_MS,
  ],
  ['database-damaged', { hasCheckFoundDamage: () => true }, 6 * SECOND_MS, 6 * SECOND_MS],
  ['unclean-end', { takeUncleanEnd: () => ({ backAt: 1, count: 0 }) }, SECOND_MS, 601 * SECOND_MS],
  ['clock-jumped', { takeClockJumpMs: () => -90 * MINUTE_MS }, SECOND_MS, 3_601 * SECOND_MS],
];

test.each(NOW_WRONG)(
  '%s is told once when it has lasted, and once when it is over',
  async (name, wrong, beginsWithin, overWithin) => {
    const alerts = begin();
    await alerts.pass(MINUTE_MS);
    known = wrong;
    await alerts.pass(beginsWithin);
    expect(told()).toEqual([name]);
    await alerts.pass(10 * MINUTE_MS);
    expect(alerts.list()).toMatchObject([{ name }]);
    known = {};
    await alerts.pass(overWithin);
    await alerts.pass(10 * MINUTE_MS);
    expect([told(), alerts.list()]).toEqual([[name, `${name} is over`], []]);
  },
);

test.each(['revoked', 'failed'])(
  'that the bot is %s is told when it is over: nobody hears it before',
  async (standing) => {
    const name = standing === 'revoked' ? 'token-revoked' : 'bot-start-failed';
    const alerts = begin();
    known = { standing: () => standing };
    await alerts.pass(MINUTE_MS);
    expect([told(), alerts.list(), warned]).toMatchObject([[], [{ name }], [{ alert: name }]]);
    known = { standing: () => 'unreachable' };
    await alerts.pass(MINUTE_MS);
    expect(told()).toEqual([]);
    known = {};
    await alerts.pass(SECOND_MS);
    expect(told()).toEqual([`${name} is over`]);
  },
);

test('what passes sooner than it must last is not told', async () => {
  const alerts = begin();
  for (let times = 0; times < 5; times += 1) {
    known = { isPlatformReachable: () => Promise.resolve(false) };
    await alerts.pass(4 * MINUTE_MS);
    known = {};
    await alerts.pass(MINUTE_MS);
  }
  expect(told()).toEqual([]);
});

test('between low and enough nothing changes, and where nobody can tell neither', async () => {
  const alerts = begin();
  const room = (free: number) => ({
    readRoom: () => Promise.resolve([{ folder: 'database', free, total: 10e9 }]),
  });
  known = room(2.1e9);
  await alerts.pass(10 * MINUTE_MS);
  expect(told()).toEqual([]);
  known = room(1.9e9);
  await alerts.pass(6 * MINUTE_MS);
  known = room(2.1e9);
  await alerts.pass(10 * MINUTE_MS);
  known = { readRoom: () => Promise.reject(new Error('no such folder')) };
  await alerts.pass(10 * MINUTE_MS);
  expect(told()).toEqual(['disk-low']);
  expect(warned.at(-1)).toMatchObject({ alert: 'disk-low', err: { message: 'no such folder' } });
});

test('a restart neither repeats nor forgets', async () => {
  known = { isPlatformReachable: () => Promise.resolve(false) };
  await begin().pass(6 * MINUTE_MS);
  await begin().pass(10 * MINUTE_MS);
  expect(told()).toEqual(['platform-unreachable']);
  known = {};
  await begin().pass(2 * MINUTE_MS);
  expect(told()).toEqual(['platform-unreachable', 'platform-unreachable is over']);
  await begin().pass(10 * MINUTE_MS);
  expect(told()).toHaveLength(2);
});

test('it was until it was over: what is waited to be sure of that is not counted', async () => {
  known = { isWritable: () => false };
  const alerts = begin();
  await alerts.pass(10 * SECOND_MS);
  known = {};
  const overAt = t.clock.now() + SECOND_MS;
  await alerts.pass(2 * MINUTE_MS);
  const [over] = listNotices(t.store).filter(({ kind }) => kind === 'hostAlert');
  expect(over?.payload).toMatchObject({ endedAt: overAt });
});

test('while nothing can be written its beginning is for whoever goes past the database; all else is told afterwards', async () => {
  let isFull = true;
  const refuse = () => Promise.reject(new Error('database or disk is full'));
  const write = ((work) => (isFull ? refuse() : t.store.write(work))) as Store['write'];
  const alerts = begin({ ...t.store, write });
  const passFull = () => alerts.pass(MINUTE_MS).catch(() => undefined);
  known = { isWritable: () => false, standing: () => 'contested' };
  await passFull();
  expect(alerts.listDirect().map(({ name }) => name)).toEqual(['database-unwritable']);
  isFull = false;
  known = {};
  await alerts.pass(2 * MINUTE_MS);
  expect(told()).toEqual(
    ['token-contested', 'token-contested is over', 'database-unwritable is over'].toSorted(
      (a, b) => told().indexOf(a) - told().indexOf(b),
    ),
  );
  expect(told()).toHaveLength(3);
  expect(alerts.listDirect()).toEqual([]);
  // What another process was told is not said again.
  known = { isWritable: () => false };
  await alerts.pass(SECOND_MS);
  expect([begin().listDirect(), begin().list()]).toMatchObject([[], [{ name: 'database-unwritable' }]]);
});

test('a restart on a full disk does not tell it again, and knows since when it is', async () => {
  let since: number | undefined;
  const full = { ...t.store, write: () => Promise.reject(new Error('database or disk is full')) };
  const start = (store: Store) =>
    begin(store, { unwritableSince: since, markUnwritable: (at) => void (since = at) });
  known = { isWritable: () => false };
  const first = start(full as Store);
  await first.pass(SECOND_MS).catch(() => undefined);
  expect(first.listDirect()).toMatchObject([{ name: 'database-unwritable', since }]);
  const [begunAt, again] = [since, start(t.store)];
  await again.pass(10 * SECOND_MS);
  expect([again.listDirect(), again.list()]).toMatchObject([[], [{ since: begunAt }]]);
  known = {};
  await again.pass(2 * MINUTE_MS);
  expect(told()).toEqual(['database-unwritable is over']);
  expect(since).toBeUndefined();
});

test('a file that is away is no full disk', async () => {
  const alerts = begin();
  known = { isWritable: () => false, isInPlace: () => false };
  await alerts.pass(SECOND_MS);
  expect(alerts.listDirect().map(({ name }) => name)).toEqual(['database-moved']);
});

test('of a restore hosts are told once, and every account; it is over when all is asked about', async () => {
  const until = t.clock.now();
  const lost = { asOf: until - MINUTE_MS, until, epoch: 'first' };
  const accounts = [1, 2].map((n) =>
    t.store.write((tables) =>
      tables.accounts.insert({ name: `Shop ${n}`, now: 0, subscriptionExpiresAt: null }),
    ),
  );
  const ids = await Promise.all(accounts);
  // The database knew of an alert of another machine.
  known = { standing: () => 'contested' };
  await begin().pass(SECOND_MS);
  known = { lost, hasOpenSweep: () => true };
  const store = { ...t.store, lost };
  await begin(store).pass(SECOND_MS);
  await begin(store).pass(2 * MINUTE_MS);
  known = { lost };
  await begin(store).pass(3 * MINUTE_MS);
  await begin(store).pass(3 * MINUTE_MS);
  expect(told()).toEqual(['token-contested', 'restored', 'restored is over']);
  const toOwners = listNotices(t.store).filter(({ kind }) => kind === 'timeLost');
  expect(toOwners.map(({ accountId }) => accountId)).toEqual(ids);
  expect(toOwners[0]?.payload).toEqual({ knownAt: lost.asOf, restoredAt: until });
});

test('of a restore it is over after a day, though a stock that nobody sells from was never asked about', async () => {
  const until = t.clock.now();
  known = { lost: { asOf: until, until, epoch: 'first' }, hasOpenSweep: () => true };
  const alerts = begin({ ...t.store, lost: known.lost });
  await alerts.pass(SECOND_MS);
  t.clock.advance(23 * HOUR_MS);
  await alerts.pass(5 * MINUTE_MS);
  expect(told()).toEqual(['restored']);
  t.clock.advance(HOUR_MS);
  await alerts.pass(5 * MINUTE_MS);
  expect(told()).toEqual(['restored', 'restored is over']);
});

test('an alert that this version does not know is left out', async () => {
  const alert = { name: 'of-tomorrow', since: 0, facts: {} };
  await t.store.write(({ hostAlerts }) => hostAlerts.save({ alerts: [alert] }));
  expect(begin().list()).toEqual([]);
});

test('every condition that can be told is tried here', () => {
  const tried = new Set<string>(NOW_WRONG.map(([name]) => name));
  const elsewhere = [
    'database-unwritable',
    'database-moved',
    'token-revoked',
    'bot-start-failed',
    'restored',
  ];
  expect(Object.keys(HOST_CONDITIONS).filter((name) => !tried.has(name))).toEqual(elsewhere);
});
