// Hot statements tell and take what drizzle's own prepared queries do.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { eq, openOrm, sql, type Orm, prepareHot } from './drizzle.ts';
import { migrate } from './migrations.ts';
import { quotas, accounts, invitations } from '../schema/index.ts';

const ph = sql.placeholder;
let connection: Database.Database;
let orm: Orm;
beforeEach(() => {
  connection = new Database(':memory:');
  migrate(connection);
  orm = openOrm(connection);
  connection.exec(`insert into accounts (id, name, created_at) values (1, 'Shop', 5), (2, 'Other', 6);
    insert into quotas (account_id, used, noticed_80_at) values (1, 3, 7);
    insert into invitations (token_hash, account_id, role, created_by, created_at, expires_at) values (x'0aff', 1, 'admin', 'host', 1, 2)`);
});
afterEach(() => connection.close());

const selects = () => [
  orm.select().from(accounts).orderBy(accounts.id),
  orm
    .select()
    .from(quotas)
    .where(sql`account_id = ${ph('id')}+0`),
  orm
    .select()
    .from(quotas)
    .where(eq(quotas.accountId, ph('id'))),
  orm.select({ tokenHash: invitations.tokenHash, usedBy: invitations.usedBy }).from(invitations),
  orm.select({ sum: sql<number>`sum(used)`.as('sum') }).from(quotas),
];

test('rows and lists of rows are the same, field by field, bytes and nulls included', () => {
  for (const select of selects()) {
    const [hot, cold] = [prepareHot(orm, select), select.prepare()];
    expect(hot.all({ id: 1 })).toStrictEqual(cold.all({ id: 1 }));
    expect(hot.get({ id: 1 })).toStrictEqual(cold.get({ id: 1 }));
  }
});

test('no row is undefined', () => {
  const select = orm
    .select()
    .from(accounts)
    .where(eq(accounts.id, ph('id')));
  expect(prepareHot(orm, select).get({ id: 99 })).toBeUndefined();
  expect(prepareHot(orm, select).all({ id: 99 })).toEqual([]);
});

test('a value that the statement names twice is bound twice, and what it has of itself stays', () => {
  const insert = prepareHot(
    orm,
    orm.insert(accounts).values({ name: ph('name'), createdAt: ph('at'), subscriptionExpiresAt: 40 }),
  );
  const { lastInsertRowid } = insert.run({ name: 'New', at: 9 });
  const update = prepareHot(
    orm,
    orm
      .update(accounts)
      .set({ createdAt: sql`${ph('at')} + 1`, endNotifiedOf: sql`${ph('at')}` })
      .where(sql`id = ${ph('id')}+0`)
      .returning({ createdAt: accounts.createdAt, endNotifiedOf: accounts.endNotifiedOf }),
  );
  expect(update.get({ id: Number(lastInsertRowid), at: 20 })).toEqual({ createdAt: 21, endNotifiedOf: 20 });
  expect(
    connection.prepare("select subscription_expires_at from accounts where name = 'New'").pluck().get(),
  ).toBe(40);
});

test('a value that is not given is an error, and nothing is written', () => {
  const insert = prepareHot(orm, orm.insert(accounts).values({ name: ph('name'), createdAt: ph('at') }));
  expect(() => insert.run({ name: 'New' })).toThrow();
  expect(connection.prepare('select count(*) from accounts').pluck().get()).toBe(2);
});
