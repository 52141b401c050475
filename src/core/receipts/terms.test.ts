// What one word can mean, for one account: players, receipts, codes and actors, and nothing of any other account. What
// is done with it: find-receipts.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { BriefRow } from '../../store/index.ts';
import { isStrong, matches, readTerm, type Term } from './terms.ts';

const GAME = 'game_id_1';
const CODE = 'ABCD1EFGH2IJKL3M';
let t: TestStore;
let shop: TestAccount;
let rival: TestAccount;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  shop = await openTestAccount(t.store);
  rival = await openTestAccount(t.store);
});
afterEach(() => t.close());

let made = 0;
const keep = (account: TestAccount, code: string, playerId = '5170925570') =>
  t.store.write((tables) => {
    made += 1;
    return tables.redemptions.begin({
      ...{ reference: `r${made}`, accountId: account.accountId, actor: 'apiKey:1', gameId: GAME },
      ...{ playerId, playerName: 'Ann', now: TEST_START },
      ...{ mode: 'direct', denomination: null, codeId: null, usageId: null },
      code: { text: code, ...t.store.seals.seal(GAME, code) },
    });
  });
const read = async (word: string, { isAlone = false, of = shop } = {}) => {
  const { players, rows, actors, asksForMore } = await readTerm(t.store, of.accountId, word, { isAlone });
  return { players, ids: [...new Set(rows.map(({ id }) => id))], actors: [...actors], asksForMore };
};
const nameOwner = (name: string, username: string | null) =>
  t.store.write((tables) => {
    const { telegramId, accountId } = shop.members.owner;
    tables.members.remove(accountId, telegramId, 'owner');
    tables.members.insert({ telegramId, accountId, role: 'owner', name, username, now: 0 });
  });

test.each(['5170925570', 'id5170925570', '(5170925570)', '«5170925570»!', 'a5170925570b'])(
  'a player that has redemptions here: %s',
  async (word) => {
    await keep(shop, CODE);
    expect((await read(word)).players).toEqual(['5170925570']);
    expect((await read(word, { of: rival })).players).toEqual([]);
  },
);

test('a player of five digits is found within a word, one of four alone', async () => {
  await keep(shop, CODE, '12345');
  await keep(shop, 'NOPQ4RSTU5VWXY6Z', '1234');
  expect((await read('id12345')).players).toEqual(['12345']);
  expect((await read('id1234')).players).toEqual([]);
  expect((await read('1234')).players).toEqual(['1234']);
});

test.each([
  ['5571', '5571'],
  ['id5571', '5571'],
  ['…5571', '5571'],
  ['５５７１', '5571'],
  ['557', undefined],
  ['#5571', undefined],
  ['5170925571', undefined],
  ['5571x', undefined],
])('%s may be an end of an ID: %s', async (word, idPart) => {
  await keep(shop, CODE, '5170925571');
  expect((await readTerm(t.store, shop.accountId, word, { isAlone: true })).idPart).toBe(idPart);
});

test('a receipt by its marked number, by a bare one where that stands alone, and of this account alone', async () => {
  await keep(rival, 'NOPQ4RSTU5VWXY6Z');
  const id = await keep(shop, CODE);
  for (const word of [`#${id}`, `№${id}`, `receipt_${id}`, `/RECEIPT_${id}`, `#${id}!?`]) {
    expect((await read(word)).ids, word).toEqual([id]);
    expect((await read(word, { of: rival })).ids, word).toEqual([]);
  }
  expect((await read(`${id}`, { isAlone: true })).ids).toEqual([id]);
  expect((await read(`${id}`, { isAlone: true, of: rival })).ids).toEqual([]);
  expect((await read(`${id}`)).ids).toEqual([]);
  for (const word of [`x#${id}`, `#${id}x`, `${id}!`])
    expect((await read(word, { isAlone: true })).ids, word).toEqual([]);
});

test('a code by six characters of either end, in this account alone', async () => {
  await keep(rival, 'ABCD1EXXXXXXKL3M');
  const id = await keep(shop, CODE);
  await keep(shop, 'ZBCD1EFGH2IJKL3Z');
  for (const word of [CODE, 'abcd1e', 'ABCD-1E', '(abcd1efgh', 'IJKL3M', 'h2ij-kl3m'])
    expect((await read(word)).ids, word).toEqual([id]);
  for (const word of ['ABCD1', 'JKL3M', 'BCD1EF', 'ABCD1F', 'EFGH2I', 'XXKL3M'])
    expect((await read(word)).ids, word).toEqual([]);
  expect((await read(CODE, { of: rival })).ids).toEqual([]);
});

test('an actor by his name, a word of it or his username, folded', async () => {
  await nameOwner('Anna Ivanova', 'anna_shop');
  const hers = [`member:${shop.members.owner.telegramId}`];
  for (const word of ['ANNA', 'ivanova', 'Anna Ivanova', 'Anna_Shop', '@anna_shop'])
    expect((await read(word)).actors, word).toEqual(hers);
  for (const word of ['ann', 'shop', '@anna', 'annaivanova'])
    expect((await read(word)).actors, word).toEqual([]);
  expect((await read('anna', { of: rival })).actors).toEqual([]);
});

test('nobody is found by a name that is not there', async () => {
  await nameOwner('Anna', null);
  for (const word of ['null', '@null', '@', 'undefined']) expect((await read(word)).actors, word).toEqual([]);
});

test('a key by its beginning, or by more of it than is shown', async () => {
  const prefix = 'crs_Ab12';
  const id = await t.store.write((tables) => {
    const row = { digest: Buffer.alloc(32, 1), prefix, createdBy: 'host', now: TEST_START };
    return tables.apiKeys.insert({ accountId: shop.accountId, ...row });
  });
  for (const word of ['crs_A', prefix, `${prefix}…`, `${prefix}rest`, 'crs_Ab…'])
    expect((await read(word)).actors, word).toEqual([`apiKey:${id}`]);
  for (const word of ['crs_', 'crs_…', 'crs_B', 'rs_Ab12', 'crs_Ab13'])
    expect((await read(word)).actors, word).toEqual([]);
  expect((await read(prefix, { of: rival })).actors).toEqual([]);
});

const TERM: Term = { word: 'x', folded: 'x', players: [], rows: [], actors: new Set(), asksForMore: false };
const ROW = {
  id: 7,
  playerId: '12345',
  actor: 'member:1',
  playerName: null,
  amount: null,
  denomination: null,
} as BriefRow;

test.each<[what: string, term: Partial<Term>, row: Partial<BriefRow>, isMatch: boolean, strong: boolean]>([
  ['nothing', {}, {}, false, false],
  ['the player', { players: ['12345'] }, {}, true, true],
  ['another player', { players: ['12346'] }, {}, false, true],
  ['the beginning of an ID', { idPart: '1234' }, {}, true, false],
  ['the end of an ID', { idPart: '2345' }, {}, true, false],
  ['what is inside of an ID', { idPart: '234' }, {}, false, false],
  ['its number, which may be an end of an ID', { idPart: '9999', rows: [{ ...ROW }] }, {}, true, false],
  ['its number', { rows: [{ ...ROW }] }, {}, true, true],
  ['another number', { rows: [{ ...ROW, id: 8 }] }, {}, false, true],
  ['who began it', { actors: new Set(['member:1']) }, {}, true, false],
  ['somebody else', { actors: new Set(['member:2']) }, {}, false, false],
  ['a part of the name', {}, { playerName: 'aXb' }, true, false],
  ['another name', {}, { playerName: 'ab' }, false, false],
])('a redemption is said by %s', (_, term, row, isMatch, strong) => {
  expect(matches({ ...TERM, ...term }, { ...ROW, ...row })).toBe(isMatch);
  expect(isStrong({ ...TERM, ...term })).toBe(strong);
});
