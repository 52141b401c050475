// Host alerts over a real store: each trouble told once when it has lasted, once when it is over, over restarts and
// full disks.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import { createCoreClock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { createHostAlerts } from './host-alerts.ts';
import { HOST_CONDITIONS, type HostAlertName } from './host-conditions.ts';
import type { AlertDetails, BackupStatus, DiskRoom, Surroundings } from './known-to-host.ts';

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000];

/** What is wrong now of what the process knows; without it all is well. */
interface Wrong {
  unreachable?: boolean;
  refused?: Record<string, AlertDetails>;
  unread?: string[];
  unserved?: string[];
  resting?: string;
  isWritable?: boolean;
  isInPlace?: boolean;
  room?: DiskRoom | 'unknown';
  standing?: string;
  backups?: Partial<BackupStatus>;
  damagedBy?: 'check';
}

let t: TestCore;
let wrong: Wrong;
let warned: object[];
beforeEach(async () => {
  t = await openTestCore();
  wrong = {};
  warned = [];
});
afterEach(() => t.close());

function begin(store: Store = t.store, kept: Surroundings = {}) {
  const clock = createCoreClock(t.clock);
  const warn = (fields: object) => void warned.push(fields);
  const backups = (): BackupStatus => {
    const newestAt = () => t.clock.now();
    return { newestAt, everyMs: HOUR_MS, failure: null, damagedRows: 0, ...wrong.backups };
  };
  const enough: DiskRoom = { folder: 'database', free: 50e9, total: 100e9 };
  const resting = (name: string) => ({ name, tier: 1, witness: false, isFailing: true, since: 1 });
  const alerts = createHostAlerts({
    ...{ clock, log: { info: () => undefined, warn, error: () => undefined }, countRecovered: () => 0 },
    store: {
      ...store,
      isWritable: () => wrong.isWritable ?? true,
      isInPlace: () => wrong.isInPlace ?? true,
    },
    health: { platformReachable: () => Promise.resolve(wrong.unreachable !== true) },
    refusals: { list: () => wrong.refused ?? {}, listUnread: () => wrong.unread ?? [] },
    upstreams: {
      list: () => (wrong.resting === undefined ? [] : [{ ...resting(wrong.resting), state: 'resting' }]),
      listUnserved: () => wrong.unserved ?? [],
    },
    readRoom: () =>
      wrong.room === 'unknown'
        ? Promise.reject(new Error('no such folder'))
        : Promise.resolve([wrong.room ?? enough]),
    standing: () => wrong.standing ?? 'reachable',
    readBackups: backups,
    hasCheckFoundDamage: () => wrong.damagedBy === 'check',
    ...kept,
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

const room = (free: number, total: number, folder = 'database') => ({ folder, free, total });
const failure = { sentence: 'No.' };
const damaged = { sentence: 'No.', reason: 'damaged' } as const;
const longAgo = () => t.clock.now() - 2.1 * HOUR_MS;
const NOW_WRONG: [HostAlertName, Wrong, beginsWithin: number, overWithin: number][] = [
  ['platform-unreachable', { unreachable: true }, 5.5 * MINUTE_MS, 1.5 * MINUTE_MS],
  ['upstream-refusing', { refused: { 'main: 401': { upstream: 'main' } } }, SECOND_MS, SECOND_MS],
  ['upstream-resting', { resting: 'east' }, SECOND_MS, 5 * MINUTE_MS + SECOND_MS],
  ['upstream-none', { unserved: ['game_id_1'] }, SECOND_MS, 3_601 * SECOND_MS],
  ['upstream-unread', { unread: ['east'] }, SECOND_MS, SECOND_MS],
  ['disk-low', { room: room(1.9e9, 10e9) }, 5.5 * MINUTE_MS, 5.5 * MINUTE_MS],
  ['disk-low', { room: room(9.9e9, 100e9, 'backups') }, 5.5 * MINUTE_MS, 5.5 * MINUTE_MS],
  ['token-contested', { standing: 'contested' }, SECOND_MS, 91 * SECOND_MS],
  ['backup-failing', { backups: { failure } }, SECOND_MS, SECOND_MS],
  ['backup-too-old', { backups: { newestAt: longAgo } }, 61 * MINUTE_MS, MINUTE_MS],
  ['database-damaged', { backups: { failure: damaged } }, 6 * SECOND_MS, 6 * SECOND_MS],
  ['database-damaged', { backups: { damagedRows: 1 } }, 6 * SECOND_MS, 6 * SECOND_MS],
  ['database-damaged', { damagedBy: 'check' }, 6 * SECOND_MS, 6 * SECOND_MS],
];

test.each(NOW_WRONG)(
  '%s is told once when it has lasted, and once when it is over',
  async (name, trouble, beginsWithin, overWithin) => {
    const alerts = begin();
    await alerts.pass(MINUTE_MS);
    wrong = trouble;
    await alerts.pass(beginsWithin);
    expect(told()).toEqual([name]);
    await alerts.pass(10 * MINUTE_MS);
    expect(alerts.list()).toMatchObject([{ name }]);
    wrong = {};
    await alerts.pass(overWithin);
    await alerts.pass(10 * MINUTE_MS);
    expect([told(), alerts.list()]).toEqual([[name, `${name} is over`], []]);
  },
);

test.each<[HostAlertName, () => unknown, beginsWithin: number, overWithin: number]>([
  ['doubt-old', () => leaveInDoubt(), 15 * MINUTE_MS + 5 * SECOND_MS, 65 * SECOND_MS],
  ['clock-jumped', () => t.clock.set(t.clock.now() - 90 * MINUTE_MS), SECOND_MS, 3_601 * SECOND_MS],
  ['unclean-end', () => ({ uncleanEnd: { aliveAt: 1 } }), SECOND_MS, 601 * SECOND_MS],
])('%s is told once when it is there, and once when it is over', async (name, happen, begins, over) => {
  const isOfStart = name === 'unclean-end';
  let alerts = begin();
  await alerts.pass(isOfStart ? 0 : MINUTE_MS);
  const done = (await happen()) as Partial<Store> | (() => Promise<void>) | undefined;
  if (isOfStart) alerts = begin({ ...t.store, ...done });
  await alerts.pass(begins);
  expect([told(), alerts.list()]).toMatchObject([[name], [{ name }]]);
  if (typeof done === 'function') await done();
  await alerts.pass(over);
  await alerts.pass(10 * MINUTE_MS);
  expect([told(), alerts.list()]).toEqual([[name, `${name} is over`], []]);
});

/** Of whom nobody tells, until what is returned is called. */
async function leaveInDoubt(): Promise<() => Promise<void>> {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await t.core.redeem(t.actor, { gameId: 'game_id_1', playerId: '5170925570', code: makeCode() });
  delete t.platform.script.redeem;
  return async () => {
    for (let looks = 0; looks < 2; looks += 1) {
      await t.core.settleDoubts();
      t.clock.advance(5_000);
    }
  };
}

test.each(['revoked', 'failed'])(
  'that the bot is %s is told when it is over: nobody hears it before',
  async (standing) => {
    const name = standing === 'revoked' ? 'token-revoked' : 'bot-start-failed';
    const alerts = begin();
    wrong = { standing };
    await alerts.pass(MINUTE_MS);
    expect([told(), alerts.list(), warned]).toMatchObject([[], [{ name }], [{ alert: name }]]);
    wrong = { standing: 'unreachable' };
    await alerts.pass(MINUTE_MS);
    expect(told()).toEqual([]);
    wrong = {};
    await alerts.pass(SECOND_MS);
    expect(told()).toEqual([`${name} is over`]);
  },
);

test('what passes sooner than it must last is not told', async () => {
  const alerts = begin();
  for (let times = 0; times < 5; times += 1) {
    wrong = { unreachable: true };
    await alerts.pass(4 * MINUTE_MS);
    wrong = {};
    await alerts.pass(MINUTE_MS);
  }
  expect(told()).toEqual([]);
});

test('between low and enough nothing changes, and where nobody can tell neither', async () => {
  const alerts = begin();
  wrong = { room: room(2.1e9, 10e9) };
  await alerts.pass(10 * MINUTE_MS);
  expect(told()).toEqual([]);
  wrong = { room: room(1.9e9, 10e9) };
  await alerts.pass(6 * MINUTE_MS);
  wrong = { room: room(2.1e9, 10e9) };
  await alerts.pass(10 * MINUTE_MS);
  wrong = { room: 'unknown' };
  await alerts.pass(10 * MINUTE_MS);
  expect(told()).toEqual(['disk-low']);
  expect(warned.at(-1)).toMatchObject({ alert: 'disk-low', err: { message: 'no such folder' } });
});

test('a restart neither repeats nor forgets', async () => {
  wrong = { unreachable: true };
  await begin().pass(6 * MINUTE_MS);
  await begin().pass(10 * MINUTE_MS);
  expect(told()).toEqual(['platform-unreachable']);
  wrong = {};
  await begin().pass(2 * MINUTE_MS);
  expect(told()).toEqual(['platform-unreachable', 'platform-unreachable is over']);
  await begin().pass(10 * MINUTE_MS);
  expect(told()).toHaveLength(2);
});

test('it was until it was over: what is waited to be sure of that is not counted', async () => {
  wrong = { isWritable: false };
  const alerts = begin();
  await alerts.pass(10 * SECOND_MS);
  wrong = {};
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
  wrong = { isWritable: false, standing: 'contested' };
  await passFull();
  expect(alerts.listDirect().map(({ name }) => name)).toEqual(['database-unwritable']);
  isFull = false;
  wrong = {};
  await alerts.pass(2 * MINUTE_MS);
  expect(told()).toEqual(
    ['token-contested', 'token-contested is over', 'database-unwritable is over'].toSorted(
      (a, b) => told().indexOf(a) - told().indexOf(b),
    ),
  );
  expect(told()).toHaveLength(3);
  expect(alerts.listDirect()).toEqual([]);
  // What another process was told is not said again.
  wrong = { isWritable: false };
  await alerts.pass(SECOND_MS);
  expect([begin().listDirect(), begin().list()]).toMatchObject([[], [{ name: 'database-unwritable' }]]);
});

test('a restart on a full disk does not tell it again, and knows since when it is', async () => {
  let since: number | undefined;
  const full = { ...t.store, write: () => Promise.reject(new Error('database or disk is full')) };
  const start = (store: Store) =>
    begin(store, { unwritableSince: since, markUnwritable: (at) => void (since = at) });
  wrong = { isWritable: false };
  const first = start(full as Store);
  await first.pass(SECOND_MS).catch(() => undefined);
  expect(first.listDirect()).toMatchObject([{ name: 'database-unwritable', since }]);
  const [begunAt, again] = [since, start(t.store)];
  await again.pass(10 * SECOND_MS);
  expect([again.listDirect(), again.list()]).toMatchObject([[], [{ since: begunAt }]]);
  wrong = {};
  await again.pass(2 * MINUTE_MS);
  expect(told()).toEqual(['database-unwritable is over']);
  expect(since).toBeUndefined();
});

test('a file that is away is no full disk', async () => {
  const alerts = begin();
  wrong = { isWritable: false, isInPlace: false };
  await alerts.pass(SECOND_MS);
  expect(alerts.listDirect().map(({ name }) => name)).toEqual(['database-moved']);
});

/** As of a database that took over, with codes to be asked about. */
function restored(): { store: Store; until: number } {
  const until = t.clock.now();
  const file = new Database(t.store.path);
  file.exec("insert into sweeps (account_id, game_id, denomination, needed) values (1, 'game_id_1', 60, 20)");
  file.close();
  return { store: { ...t.store, lost: { asOf: until - MINUTE_MS, until } }, until };
}

test('of a restore hosts are told once, and every account; it is over when all is asked about', async () => {
  await t.openAccount();
  // The database knew of an alert of another machine.
  wrong = { standing: 'contested' };
  await begin().pass(SECOND_MS);
  wrong = {};
  const { store, until } = restored();
  await begin(store).pass(SECOND_MS);
  await begin(store).pass(2 * MINUTE_MS);
  await t.store.write(({ takeover }) => takeover.endSweeps(t.clock.now()));
  await begin(store).pass(3 * MINUTE_MS);
  await begin(store).pass(3 * MINUTE_MS);
  expect(told()).toEqual(['token-contested', 'restored', 'restored is over']);
  const toOwners = listNotices(t.store).filter(({ kind }) => kind === 'timeLost');
  expect(toOwners.map(({ accountId }) => accountId)).toEqual([1, 2]);
  expect(toOwners[0]?.payload).toEqual({ knownAt: until - MINUTE_MS, restoredAt: until, inQuestion: 0 });
});

test('of a restore it is over after a day, though a stock that nobody sells from was never asked about', async () => {
  const alerts = begin(restored().store);
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
  const apart = ['doubt-old', 'database-unwritable', 'database-moved', 'token-revoked', 'bot-start-failed'];
  expect(Object.keys(HOST_CONDITIONS).filter((name) => !tried.has(name))).toEqual([
    ...apart,
    ...['unclean-end', 'restored', 'clock-jumped'],
  ]);
});
