// What is derived from the encryption key and the naming key and lies in files, or is told to people, under a fixed key: a changed
// derivation would not find an idempotency key, a receipt by its code, or the order that was carried out before the
// update.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createApiKeys } from '../src/core/accounts/api-keys.ts';
import { createInvitations } from '../src/core/accounts/invitations.ts';
import { createCoreClock, createManualClock } from '../src/clock.ts';
import { randomIds } from '../src/ids.ts';
import { writeMeta } from '../src/store/engine/meta.ts';
import { createSecrets } from '../src/store/engine/secrets.ts';
import { createStore, type Store } from '../src/store/index.ts';
import { hashHead, hashTail } from '../src/store/tables/code-ends.ts';

const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const NAMES = Buffer.from(KEY.toReversed());
const OWNER = { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' } as const;
const manual = createManualClock(1_000);
const clock = { ...manual, ...createCoreClock(manual) };

let folder: string;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'derived-'));
  const place = { path: join(folder, 'redemption.db'), encryptionKey: KEY, exclusive: false };
  await createStore(place).close();
  const file = new Database(place.path);
  writeMeta(file, 'names', createSecrets(KEY).seal('meta:names', NAMES.toString('base64')));
  file.close();
  store = createStore(place);
  await store.write((tables) => {
    tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
    tables.members.insert({ telegramId: 5, accountId: 1, role: 'owner', name: 'O', username: null, now: 0 });
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const hex = (bytes: Buffer | undefined) => bytes?.toString('hex');

test('the hashes of idempotency keys and their requests', () => {
  const hashes = store.read(({ idempotencyKeys }) => [
    hex(idempotencyKeys.hashKey('order-1')),
    hex(idempotencyKeys.hashRequest('["redeem","game_id_1"]')),
  ]);
  expect(hashes).toMatchInlineSnapshot(`
    [
      "ab5cae470840583ac7b8159a571fb5a97c79eb5f2d05c360394a8342290f7ec3",
      "1400531b3aa8486e056d035776339719b53882aa10c8871043d072d92c585f07",
    ]
  `);
});

test('the hashes that find a redemption by the ends of its code', () => {
  const { secrets } = store;
  const code = 'abcd-1234-EFGH-5678';
  expect([
    hex(hashHead(secrets, code)),
    hex(hashHead(secrets, 'ABCD12')),
    hex(hashHead(secrets, 'ABCD1')),
    hex(hashTail(secrets, code)),
  ]).toMatchInlineSnapshot(`
    [
      "1513dc2d1e17b2f7",
      "1513dc2d",
      undefined,
      "3ee58ea8326f6e32",
    ]
  `);
});

test('the API key and the links of an order', async () => {
  const ids = randomIds;
  const issued = await createApiKeys({ store, clock, ids }).issueOrdered(OWNER, 'order-1');
  expect('key' in issued && issued.key).toMatchInlineSnapshot(
    `"crs_ogvCD2tcsKMHXdxPQ_MOvsaMhiqlZ8h3Z-UNYNEUoik"`,
  );
  const invitations = createInvitations({ store, clock, ids });
  const { token } = await invitations.invite(OWNER, 'operator', 'order-1');
  const opened = await invitations.openForOwner(
    { kind: 'host', by: 'cli' },
    { name: 'New', orderId: 'order-1' },
  );
  const again = await invitations.inviteOwner({ kind: 'host', by: 'cli' }, opened.accountId, 'order-1');
  expect([token, opened.token, again?.token]).toMatchInlineSnapshot(`
    [
      "vXClUU9SSGcw55uKX5Oct0_fkEt9uNEW",
      "XIP81jm8Gl7nzRKqmfqUbZiOEIP_gxQE",
      "XSy7jTnzDs2sYo7eRHZn5o6zDN_GtaMy",
    ]
  `);
});
