import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { readPieces } from './import-codes.ts';
import { UNDO_WITHIN_MS } from './undo-batch.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const stock = (denomination = 60) =>
  t.core.codes.countAvailable(account.members.admin, GAME).get(denomination);

async function collect(texts: string[], actor = account.members.admin) {
  const id = await t.core.imports.begin(actor, { gameId: GAME });
  for (const [position, text] of texts.entries()) {
    const piece = { key: `update:${position}`, position, kind: 'message' as const, text };
    expect(await t.core.imports.addPiece(actor, id, piece)).toBe('added');
  }
  return id;
}

test('the preview tells new, ours, others, malformed, repeated and those without a denomination apart', async () => {
  const [ours, theirs, fresh, other] = makeCodes(4) as [string, string, string, string];
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes: [ours] }]);
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [theirs] }]);
  const id = await collect([`${other}\n60 UC\n${ours}\n${theirs}\n${fresh} ${fresh}\nABCD-1234`]);
  expect(await t.core.imports.preview(account.members.admin, id)).toEqual({
    headings: [{ text: '60 UC', denomination: 60, codes: 3 }],
    asked: [{ key: 'none', text: undefined, codes: 1 }],
    stockKeys: [{ denomination: 60, fresh: 1, ours: 1, others: 1, first: fresh, last: fresh }],
    leftOut: 0,
    notUnderstood: 1,
    notUnderstoodExamples: ['ABCD-1234'],
    mayBeCodes: 0,
    repeated: 1,
    isChanged: false,
    tooMany: false,
    messages: [0],
  });
  expect(stock()).toBe(1);
});

test('what is not understood and would be codes without its marks is added where a person says so', async () => {
  const { admin } = account.members;
  const id = await collect(['60 UC\nAB12CD34 EF56GH78\nk7Qz/2mXb/9tRw/4hNe\nABC-123']);
  const before = await t.core.imports.preview(admin, id);
  expect(before).toMatchObject({ mayBeCodes: 2, notUnderstood: 3, stockKeys: [] });
  await t.core.imports.answer(admin, id, { key: 'unread', denomination: 'good' });
  const { mayBeCodes, notUnderstood, stockKeys } = await t.core.imports.preview(admin, id);
  expect({ mayBeCodes, notUnderstood, stockKeys }).toMatchObject({
    ...{ mayBeCodes: 0, notUnderstood: 1 },
    stockKeys: [{ denomination: 60, fresh: 2 }],
  });
});

test('of two mentions of a code the worse one counts, in whichever order they come', async () => {
  const { admin } = account.members;
  const [code, other, third] = makeCodes(3) as [string, string, string];
  for (const texts of [
    [`60 UC\n${code}\n${other}\n${third}\n${other} used`],
    [`60 UC\n${code}\n${other} used\n${other}\n${third}`],
    [`60 UC\n${code}\n${other}\n${third}`, `used already: ${other}`],
  ]) {
    const id = await collect(texts);
    const preview = await t.core.imports.preview(admin, id);
    expect(preview).toMatchObject({ asked: [{ codes: 1 }], stockKeys: [{ denomination: 60, fresh: 2 }] });
    await t.core.imports.answer(admin, id, { key: preview.asked[0]!.key, denomination: 'good' });
    const good = await t.core.imports.preview(admin, id);
    expect(good).toMatchObject({ asked: [], stockKeys: [{ denomination: 60, fresh: 3 }] });
    await t.core.imports.cancel(admin, id);
  }
});

test('what is said in a message after the codes takes them back until a person has told', async () => {
  const { admin } = account.members;
  const [code] = makeCodes(1) as [string];
  for (const said of ['sorry, those are 325 UC not 60', 'dont add, they are used']) {
    const id = await collect([`60 UC\n${code}`, said]);
    const preview = await t.core.imports.preview(admin, id);
    expect(preview).toMatchObject({
      asked: [{ text: `60 / ${said}`, codes: 1 }],
      notUnderstoodExamples: [said],
    });
    await t.core.imports.cancel(admin, id);
  }
});

test('a code that stands under two denominations is asked about', async () => {
  const { admin } = account.members;
  const [code, other] = makeCodes(2) as [string, string];
  const id = await collect([`60 UC\n${code}\n${other}\n${other}`, `325 UC\n${code}\n60 UC\n${code}`]);
  const preview = await t.core.imports.preview(admin, id);
  expect(preview).toMatchObject({
    asked: [{ text: '60 / 325', codes: 1 }],
    stockKeys: [{ denomination: 60, fresh: 1 }],
  });
  await t.core.imports.answer(admin, id, { key: preview.asked[0]!.key, denomination: 325 });
  expect(
    (await t.core.imports.preview(admin, id)).stockKeys.map(({ denomination, fresh }) => [
      denomination,
      fresh,
    ]),
  ).toEqual([
    [60, 1],
    [325, 1],
  ]);
});

test('of what is not understood the first five are shown', async () => {
  const words = Array.from({ length: 7 }, (_, index) => `ABCD-123${index}`);
  const id = await collect([`60 UC\n${makeCode()}\n${words.join('\n')}`]);
  expect(await t.core.imports.preview(account.members.admin, id)).toMatchObject({
    notUnderstood: 7,
    notUnderstoodExamples: words.slice(0, 5),
  });
});

test('a code cut in two by a message boundary is added whole', async () => {
  const codes = makeCodes(400);
  const text = `60 UC\n${codes.join('\n')}`;
  const id = await collect([text.slice(0, 4_096), text.slice(4_096)]);
  expect(await t.core.imports.commit(account.members.admin, id)).toMatchObject({ added: 400 });
  expect(stock()).toBe(400);
});

test('a piece delivered twice counts once, and nothing is taken after the decision', async () => {
  const { admin } = account.members;
  const [code] = makeCodes(1) as [string];
  const id = await collect([`60: ${code}`]);
  const again = { key: 'update:0', position: 0, kind: 'message' as const, text: `60: ${makeCode()}` };
  expect(await t.core.imports.addPiece(admin, id, again)).toBe('repeated');
  const [first, second] = await Promise.all([
    t.core.imports.commit(admin, id),
    t.core.imports.commit(admin, id),
  ]);
  expect(first).toEqual(second);
  expect(first).toMatchObject({ added: 1 });
  expect(await t.core.imports.addPiece(admin, id, { ...again, key: 'update:9' })).toBe('closed');
  expect(await t.core.imports.cancel(admin, id)).toBe(false);
});

test('a decision that is repeated when its work is forgotten is told the same', async () => {
  const { admin } = account.members;
  const id = await collect([`60: ${makeCode()}`]);
  const told = await t.core.imports.commit(admin, id);
  const job = t.store.read((tables) => tables.jobs.findOfSubject('add', told?.batchId ?? 0));
  await t.store.write((tables) => {
    tables.jobSlices.remove(job?.id ?? 0, 10);
    tables.jobs.remove(job?.id ?? 0);
  });
  expect(await t.core.imports.commit(admin, id)).toEqual(told);
  expect(told).toMatchObject({ added: 1 });
});

test('a cancelled import adds nothing', async () => {
  const { admin } = account.members;
  const id = await collect([`60: ${makeCode()}`]);
  expect(await t.core.imports.cancel(admin, id)).toBe(true);
  expect(await t.core.imports.commit(admin, id)).toBeUndefined();
  expect(stock()).toBe(0);
});

test('undo takes back what is still there, once, for an hour; an operator only his own batch', async () => {
  const { admin, operator } = account.members;
  const id = await collect([`60 UC ${makeCodes(3).join(' ')}`]);
  const { batchId } = (await t.core.imports.commit(admin, id)) ?? { batchId: 0 };
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: admin.accountId, days: 1 });
  await t.core.redeem(admin, { gameId: GAME, playerId: '5170925570', denomination: 60 });
  expect(await t.core.imports.undo(operator, batchId)).toEqual({ status: 'notFound' });
  expect(await t.core.imports.undo(admin, batchId)).toEqual({ status: 'undone', takenBack: 2 });
  expect(await t.core.imports.undo(admin, batchId)).toEqual({ status: 'alreadyUndone' });
  expect(stock()).toBe(0);

  const own = await collect([`60 UC ${makeCode()}`], operator);
  const late = (await t.core.imports.commit(operator, own))?.batchId ?? 0;
  t.clock.advance(UNDO_WITHIN_MS + 1);
  expect(await t.core.imports.undo(operator, late)).toEqual({ status: 'tooLate' });
});

test('another member, and another account, does not see an import', async () => {
  const id = await collect([`60 UC ${makeCode()}`]);
  await expect(t.core.imports.preview(account.members.operator, id)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(t.core.imports.commit(t.actor, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('what a preview showed is added only while nothing came since, and a denomination was not chosen', async () => {
  const { admin } = account.members;
  const id = await collect([`${makeCode()}`]);
  const { revision } = t.core.imports.describe(admin, id);
  expect(await t.core.imports.answer(admin, id, { key: 'none', denomination: 60 })).toBe(true);
  const outdated = { code: 'CONFLICT', message: 'More was pasted since this preview.' };
  await expect(t.core.imports.commit(admin, id, { revision })).rejects.toMatchObject(outdated);
  const chosen = t.core.imports.describe(admin, id);
  await t.core.imports.addPiece(admin, id, { key: 'b', position: 2, kind: 'message', text: makeCode() });
  await expect(t.core.imports.commit(admin, id, { revision: chosen.revision })).rejects.toMatchObject(
    outdated,
  );
  expect(stock()).toBe(0);
  const now = t.core.imports.describe(admin, id);
  expect(now).toMatchObject({ state: 'collecting', messages: 2, files: 0, denomination: 60 });
  expect(await t.core.imports.commit(admin, id, { revision: now.revision })).toMatchObject({ added: 2 });
  expect(await t.core.imports.commit(admin, id, { revision })).toMatchObject({ added: 2 });
  expect(await t.core.imports.answer(admin, id, { key: 'none', denomination: 325 })).toBe(false);
});

test('a file kept in chunks is one file, whole, also when it is kept again after a crash', async () => {
  const { admin } = account.members;
  const codes = makeCodes(30_000);
  const id = await t.core.imports.begin(admin, { gameId: GAME, denomination: 60 });
  const piece = { key: 'update:1', position: 1, kind: 'file' as const, text: codes.join('\n') };
  expect(piece.text.length).toBeGreaterThan(400_000);
  await t.store.write((tables) =>
    tables.imports.addPiece({
      importId: id,
      pieceKey: piece.key,
      position: 1,
      kind: 'file',
      text: piece.text.slice(0, 128 * 1024),
    }),
  );
  expect(await t.core.imports.addPiece(admin, id, piece)).toBe('added');
  expect(await t.core.imports.addPiece(admin, id, piece)).toBe('repeated');
  expect(t.core.imports.describe(admin, id)).toMatchObject({ messages: 0, files: 1 });
  // They sort as they follow.
  const keys = ['update:1', 'update:1#00001', 'update:1#00002', 'update:1#00003'];
  expect(t.store.read((tables) => tables.imports.listPieceKeys(id))).toEqual(keys);
  expect((await t.core.imports.preview(admin, id)).stockKeys).toMatchObject([{ fresh: 30_000 }]);
});

test('an import takes no more than it can hold, and says so before it keeps anything', async () => {
  const { admin } = account.members;
  const id = await t.core.imports.begin(admin, { gameId: GAME, denomination: 60 });
  const text = 'x'.repeat(22 * 1024 * 1024);
  expect(await t.core.imports.addPiece(admin, id, { key: 'a', position: 1, kind: 'file', text })).toBe(
    'added',
  );
  expect(await t.core.imports.addPiece(admin, id, { key: 'b', position: 2, kind: 'file', text })).toBe(
    'full',
  );
  expect(t.core.imports.describe(admin, id)).toMatchObject({ files: 1 });
});

test('a hundred headings can be answered for, and no more', async () => {
  const { admin } = account.members;
  const id = await t.core.imports.begin(admin, { gameId: GAME });
  const answer = (heading: number) =>
    t.core.imports.answer(admin, id, { key: `heading ${heading}`, denomination: 60 });
  await Promise.all(Array.from({ length: 100 }, (_, heading) => answer(heading)));
  await expect(answer(100)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'Too much was answered.',
  });
  expect(await answer(99)).toBe(true);
});

test('what was never decided is forgotten after two days', async () => {
  const { admin } = account.members;
  const id = await collect([makeCode()]);
  t.clock.advance(48 * 60 * 60 * 1000 - 1);
  expect(await t.core.imports.prune(10)).toBe(0);
  t.clock.advance(1);
  expect(await t.core.imports.prune(10)).toBe(1);
  expect(t.core.imports.describe(admin, id)).toMatchObject({ state: 'cancelled', messages: 0 });
});

test('what stands under a heading that was not understood is asked about, and goes where the answer says', async () => {
  const { admin } = account.members;
  const [a, b, c, d, e] = makeCodes(5) as [string, string, string, string, string];
  const id = await collect([
    `325 юс\n${a}\nNext 77:\n${b}\n${c}\nкоды по 60\n${d}\nNEXT 77:\n${makeCode()}\n${e} 325 UC\n№ 325\n${makeCode()}`,
  ]);
  const preview = await t.core.imports.preview(admin, id);
  expect(preview.headings).toEqual([
    { text: '325 юс', denomination: 325, codes: 1 },
    { text: 'коды по 60', denomination: 60, codes: 1 },
    { text: '325 UC', denomination: 325, codes: 1 },
  ]);
  expect(preview.asked.map(({ text, codes }) => [text, codes])).toEqual([
    ['Next 77:', 3],
    ['№ 325', 1],
  ]);
  const [first, second] = preview.asked.map(({ key }) => key) as [string, string];
  const wrong = t.core.imports.answer(admin, id, { key: first, denomination: 77 });
  await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect(await t.core.imports.answer(admin, id, { key: first, denomination: 325 })).toBe(true);
  expect(await t.core.imports.answer(admin, id, { key: second, denomination: 'leftOut' })).toBe(true);
  const answered = await t.core.imports.preview(admin, id);
  expect(answered).toMatchObject({ asked: [], leftOut: 1 });
  expect(answered.headings).toContainEqual({ text: 'Next 77:', denomination: 325, codes: 2 });
  expect(await t.core.imports.commit(admin, id)).toMatchObject({ added: 6 });
  expect([stock(60), stock(325)]).toEqual([1, 5]);
});

test('many things that are not understood are asked about in few questions', async () => {
  const { admin } = account.members;
  const id = await collect([
    Array.from({ length: 40 }, (_, n) => `stockKey ${n} of 77 UC\n${makeCode()}`).join('\n'),
  ]);
  const { asked } = await t.core.imports.preview(admin, id);
  expect(asked).toHaveLength(9);
  expect(asked.at(-1)).toEqual({ key: 'rest', text: undefined, codes: 32 });
});

test('the messages of a batch are known for two days: those that hold nothing else, and how many do', async () => {
  const { admin, operator } = account.members;
  const [a, b, ours, cutInTwo] = makeCodes(4) as [string, string, string, string];
  await t.core.codes.add(admin, GAME, [{ denomination: 60, codes: [ours] }]);
  const id = await t.core.imports.begin(admin, { gameId: GAME });
  const texts = [
    '60 UC',
    `${a}\n${b}`,
    `${makeCode()}\nABCD-1234`,
    `${makeCode()}\n${ours}`,
    'thank you!',
    a,
    cutInTwo.slice(0, 9),
    cutInTwo.slice(9),
    `Next 77\n${makeCode()}`,
  ];
  for (const [index, text] of texts.entries()) {
    const piece = { key: `update:${index}`, position: 100 + index, kind: 'message' as const, text };
    await t.core.imports.addPiece(admin, id, piece);
  }
  const { batchId, added } = (await t.core.imports.commit(admin, id)) ?? { batchId: 0, added: 0 };
  expect(added).toBe(5);
  expect(await t.core.imports.findPasted(admin, batchId)).toEqual({
    added: [100, 101, 105, 106, 107],
    kept: 4,
  });
  expect(await t.core.imports.findPasted(operator, batchId)).toEqual({ added: [], kept: 0 });
  t.clock.advance(49 * 60 * 60 * 1000);
  expect(await t.core.imports.findPasted(admin, batchId)).toEqual({ added: [], kept: 0 });
  await t.core.imports.prune(100);
  expect(t.store.read((tables) => tables.pastedMessages.list(batchId, 100))).toEqual([]);
});

test('where a piece does not open any more nothing is added, the person is told, and another import goes on', async () => {
  const { admin } = account.members;
  const id = await collect([`60 UC\n${makeCode()}`, makeCode()]);
  const connection = new Database(t.store.path);
  connection.exec('update import_pieces set text_secret = zeroblob(40) where position = 1');
  connection.close();
  const told = {
    name: 'CoreError',
    code: 'NOT_FOUND',
    message: expect.stringContaining('paste it again') as string,
  };
  await expect(t.core.imports.preview(admin, id)).rejects.toMatchObject(told);
  await expect(t.core.imports.commit(admin, id)).rejects.toMatchObject(told);
  expect(stock()).toBe(0);
  expect(await t.core.imports.cancel(admin, id)).toBe(true);
  const next = await collect([`60 UC\n${makeCode()}`]);
  expect(await t.core.imports.commit(admin, next)).toMatchObject({ added: 1 });
});

test('what is forgotten while it is read is passed over', async () => {
  const { admin } = account.members;
  const id = await collect([makeCode(), makeCode()]);
  const read: number[] = [];
  for (const { position } of readPieces(t.store, id)) {
    read.push(position);
    await t.core.imports.cancel(admin, id);
  }
  expect(read).toEqual([0]);
});

test('a piece as long as a client cuts them is probably not the last', async () => {
  const { admin } = account.members;
  const id = await collect(['60 UC']);
  expect(t.core.imports.isCut(admin, id)).toBe(false);
  const piece = { kind: 'message' as const, text: makeCodes(300).join('\n').slice(0, 4_096), position: 9 };
  await t.core.imports.addPiece(admin, id, { ...piece, key: 'z' });
  expect(t.core.imports.isCut(admin, id)).toBe(true);
  await t.core.imports.addPiece(admin, id, { ...piece, text: 'the rest', position: 10, key: 'a' });
  expect(t.core.imports.isCut(admin, id)).toBe(false);
});
