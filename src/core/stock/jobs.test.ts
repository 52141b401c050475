import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { checkConservation } from '../../store/backup/conservation.ts';
import type { Store } from '../../store/index.ts';
import { createGames, type Core } from '../index.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(async () => {
  const { rows } = overTheFile((file) => checkConservation(file, { secrets: t.store.secrets }));
  await t.close();
  expect(rows).toEqual([]);
});

function overTheFile<T>(work: (file: Database.Database) => T): T {
  const file = new Database(t.store.path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

/** The disk rots where the last codes of a job are kept. */
function spoilLastSlice(file: Database.Database): void {
  file.exec(`update job_slices set content_secret = zeroblob(40)
    where position = (select max(position) from job_slices)`);
}

/** For the check of every test: such a slice is what it would name. */
function forgetSpoiltSlices(file: Database.Database): void {
  file.exec('delete from job_slices where length(content_secret) = 40');
}

const GAME = 'game_id_1';
const UNREADABLE = 'What was kept for it cannot be read any more.';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const stock = (core: Core) => core.codes.countAvailable(account.members.admin, GAME).get(60);
const extract = (core: Core, amount: number, key?: string) =>
  core.codes.extract(account.members.admin, {
    gameId: GAME,
    denomination: 60,
    amount,
    ...(key !== undefined && { idempotencyKey: { scope: 'http' as const, key } }),
  });
const notices = (core: Core) => listWithRecipients(core, t.store).map(({ notice }) => notice);

async function collect(core: Core, codes: readonly string[]): Promise<number> {
  const { admin } = account.members;
  const id = await core.imports.begin(admin, { gameId: GAME });
  const text = `60 UC\n${codes.join('\n')}`;
  await core.imports.addPiece(admin, id, { key: '1', position: 1, kind: 'file', text });
  return id;
}

/** Begins to add, and stops the process once `done` codes were gone through. */
async function interruptImport(codes: readonly string[], done: number): Promise<number> {
  let stopped: Promise<void> | undefined;
  const core: Core = t.restart({
    store: {
      ...t.store,
      async write(...args) {
        const written = await t.store.write(...args);
        const gone = t.store.read(({ jobs }) => jobs.findOfSubject('add', 1)?.done ?? -1);
        if (gone >= done) stopped ??= core.stop(0);
        return written;
      },
    },
  });
  const id = await collect(core, codes);
  const adding = core.imports.commit(account.members.admin, id);
  await expect(adding).rejects.toMatchObject({ code: 'STOPPING' });
  await stopped;
  return id;
}

describe('an import that was interrupted', () => {
  test.each([0, 1, 150, 300, 450])('after %i codes is added whole, each once', async (done) => {
    const codes = makeCodes(700);
    const id = await interruptImport(codes, done);
    const next = t.restart();
    await next.start();
    await t.until(() => stock(next) === 700);
    expect(await next.imports.commit(account.members.admin, id)).toMatchObject({ added: 700 });
    expect((await extract(next, 1_000)).codes).toEqual(codes);
  });

  test('takes back nothing that was handed out before it went on', async () => {
    const codes = makeCodes(1_000);
    await interruptImport(codes, 300);
    const between = t.restart();
    const { codes: handedOut } = await extract(between, 200);
    expect(handedOut.every((code) => codes.includes(code))).toBe(true);
    await between.stop(0);
    const next = t.restart();
    await next.start();
    await t.until(() => stock(next) === 800);
    const rest = (await extract(next, 1_000)).codes;
    expect([...handedOut, ...rest].sort()).toEqual([...codes].sort());
  });

  test('whose game left the catalogue is set aside, its owner told, and stops nobody', async () => {
    await interruptImport(makeCodes(400), 150);
    const games = createGames([
      {
        id: 'another',
        currency: 'BP',
        database: true,
        denominations: [60],
        codePattern: '^[A-Z0-9]{12,32}$',
        receipts: 'account',
      },
    ]);
    const next = t.restart({ games });
    await next.start();
    await next.codes.add(account.members.admin, 'another', [{ denomination: 60, codes: makeCodes(200) }]);
    await t.until(() => notices(next).length > 0);
    expect(notices(next)).toMatchObject([
      { kind: 'jobSetAside', work: 'add', total: 400, reason: 'notManaged' },
    ]);
    await next.stop(0);
    // Nothing is tried again at every start: it was told once.
    const last = t.restart();
    await last.start();
    expect(notices(last)).toHaveLength(1);
  });

  test('is undone with everything it has added, and adds no more', async () => {
    const codes = makeCodes(700);
    const id = await interruptImport(codes, 150);
    const next = t.restart();
    const { batchId } = t.store.read((tables) => tables.imports.find(id)) ?? {};
    const answer = await next.imports.undo(account.members.admin, batchId ?? 0);
    expect(answer).toMatchObject({ status: 'undone' });
    await next.start();
    expect(await next.imports.commit(account.members.admin, id)).toMatchObject({ batchId });
    expect(stock(next)).toBe(0);
    expect((await next.codes.add(t.actor, GAME, [{ denomination: 60, codes }])).accepted.get(60)).toBe(700);
  });
});

test('an extraction that was interrupted goes on under its key, and tells each code once', async () => {
  const codes = makeCodes(1_000);
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes }]);
  const first = extract(t.core, 900, 'order-1');
  await t.until(() => Number(stock(t.core)) < 1_000);
  await t.core.stop(0);
  await first.catch(() => undefined);
  const next = t.restart();
  await next.start();
  const told = await extract(next, 900, 'order-1');
  expect(told).toMatchObject({ codes: codes.slice(100), replayed: true });
  expect(stock(next)).toBe(100);
});

test('an undo that was interrupted goes on by itself', async () => {
  const { admin } = account.members;
  const { batchId } = await t.core.codes.add(admin, GAME, [{ denomination: 60, codes: makeCodes(2_000) }]);
  const first = t.core.imports.undo(admin, batchId);
  await t.until(() => Number(stock(t.core)) < 2_000);
  await t.core.stop(0);
  await first.catch(() => undefined);
  const next = t.restart();
  await next.start();
  const findUndo = () => t.store.read((tables) => tables.jobs.findOfSubject('undo', batchId));
  await t.until(() => findUndo()?.state === 'done');
  expect(stock(next)).toBe(0);
  expect(await next.imports.undo(admin, batchId)).toEqual({ status: 'alreadyUndone' });
});

test('a slice that does not open sets its job aside; what was added stands', async () => {
  await interruptImport(makeCodes(400), 150);
  overTheFile(spoilLastSlice);
  const next = t.restart();
  await next.start();
  await t.until(() => notices(next).length > 0);
  expect(notices(next)).toMatchObject([
    { kind: 'jobSetAside', done: 320, total: 400, reason: 'unreadable', problem: UNREADABLE },
  ]);
  expect(stock(next)).toBe(320);
  overTheFile(forgetSpoiltSlices);
});

test('a job whose codes are gone is set aside once, and says what to do', async () => {
  await interruptImport(makeCodes(400), 150);
  overTheFile((file) => file.exec('delete from job_slices'));
  const next = t.restart();
  await next.start();
  await t.until(() => notices(next).length === 1);
  expect(notices(next)).toMatchObject([
    {
      kind: 'jobSetAside',
      work: 'add',
      reason: 'interrupted',
      problem: 'It was interrupted by an upgrade of the service. Paste what is missing again.',
    },
  ]);
});

test('whoever repeats a request of which a slice does not open is told what was added', async () => {
  const codes = makeCodes(1_500);
  const add = (core: Core) =>
    core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes }], {
      idempotencyKey: { scope: 'http', key: 'add-1' },
    });
  let stopped: Promise<void> | undefined;
  const core: Core = t.restart({
    store: {
      ...t.store,
      async write(work, options) {
        const result = await t.store.write(work, options);
        if (stock(t.core) !== 0) stopped ??= core.stop(0);
        return result;
      },
    },
  });
  await expect(add(core)).rejects.toMatchObject({ code: 'STOPPING' });
  await stopped;
  overTheFile(spoilLastSlice);
  const told = await add(t.restart());
  expect(told).toMatchObject({ accepted: new Map([[60, 1_440]]), used: [], replayed: true });
  overTheFile(forgetSpoiltSlices);
});

test('whoever repeats a request is told how many were added, also where what became of the others does not open', async () => {
  const [code = '', ...others] = makeCodes(3);
  const add = () =>
    t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes: [code, ...others] }], {
      idempotencyKey: { scope: 'http', key: 'add-1' },
    });
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes: [code] }]);
  expect(await add()).toMatchObject({ accepted: new Map([[60, 2]]), used: [code] });
  overTheFile(spoilLastSlice);
  expect(await add()).toMatchObject({ accepted: new Map([[60, 2]]), used: [], replayed: true });
  overTheFile(forgetSpoiltSlices);
});

/** A core whose bulk writes fail so often at each size of the stock. */
function failing(timesAt: Record<number, number>): Core {
  const write: Store['write'] = (work, options) => {
    const at = stock(t.core) ?? 0;
    if (options?.bulk !== true || !timesAt[at]) return t.store.write(work, options);
    timesAt[at] -= 1;
    return Promise.reject(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' }));
  };
  return t.restart({ store: { ...t.store, write } });
}

test('a slice that the disk refuses is tried again until it is written, after pauses that grow, up to ten seconds', async () => {
  const pauses: (number | undefined)[] = [];
  const later = setTimeout;
  const waits = vi.spyOn(globalThis, 'setTimeout').mockImplementation((work, ms) => {
    pauses.push(ms);
    return later(work, 0);
  });
  const codes = makeCodes(400);
  const added = await failing({ 80: 9, 160: 1 }).codes.add(account.members.admin, GAME, [
    { denomination: 60, codes },
  ]);
  waits.mockRestore();
  expect(added.accepted.get(60)).toBe(400);
  // After a slice that succeeded they grow from the beginning.
  expect(pauses).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000, 200]);
});

test('a stop ends the pause, and the job with it, which goes on at the next start', async () => {
  // Time does not pass: what waits for it waits for ever.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const core = failing({ 80: Infinity });
  const add = core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes: makeCodes(400) }]);
  const rejected = expect(add).rejects.toMatchObject({ code: 'STOPPING' });
  while (stock(t.core) !== 80 || vi.getTimerCount() === 0) await new Promise(setImmediate);
  const stopped = core.stop(0);
  await vi.advanceTimersByTimeAsync(0);
  await stopped;
  await rejected;
  vi.useRealTimers();
  await t.restart().start();
  await t.until(() => stock(t.core) === 400);
});

test('a member who may not add any more adds nothing', async () => {
  const { admin, owner } = account.members;
  const id = await collect(t.core, makeCodes(3));
  await t.core.members.changeRole(owner, admin.telegramId, 'support');
  await expect(t.core.imports.commit(admin, id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(t.core.imports.describe(admin, id).state).toBe('collecting');
  await t.restart().start();
  expect(stock(t.core)).toBe(0);
});

test('an import whose pieces do not open comes to its end, and holds up none behind it', async () => {
  const { admin, owner } = account.members;
  const codes = makeCodes(2);
  for (const [index, who] of [admin, owner].entries()) {
    const { batchId } = await t.core.codes.add(who, GAME, [
      { denomination: 60, codes: [codes[index] ?? ''] },
    ]);
    const id = await t.core.imports.begin(who, { gameId: GAME });
    await t.core.imports.addPiece(who, id, {
      key: '1',
      position: 1,
      kind: 'message',
      text: `60 ${codes[index]}`,
    });
    // As the process was killed between the last code and the end.
    overTheFile((file) =>
      file.prepare("update imports set state = 'committing', batch_id = ? where id = ?").run(batchId, id),
    );
  }
  overTheFile((file) => file.exec('update import_pieces set text_secret = zeroblob(40) where import_id = 1'));
  await t.core.imports.closeInterrupted();
  const read = (column: string) => overTheFile((file) => file.prepare(`select ${column}`).pluck().all());
  expect(read('state from imports order by id')).toEqual(['committed', 'committed']);
  expect(read('count(*) from import_pieces')).toEqual([0]);
  expect((await t.core.imports.findPasted(owner, 2)).added).toEqual([1]);
});
