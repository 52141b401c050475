// Statements tell and take what drizzle's own session has them tell and take, and are prepared when they are first run.
import { createRequire } from 'node:module';
import Database from 'better-sqlite3';
import type * as Driver from 'drizzle-orm/better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { asc, blob, eq, integer, openOrm, ph, sql, sqliteTable, text, type Orm } from './drizzle.ts';

const { drizzle } = createRequire(import.meta.url)('drizzle-orm/better-sqlite3') as typeof Driver;
const shops = sqliteTable('shops', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  isOpen: integer('is_open', { mode: 'boolean' }),
  openedAt: integer('opened_at', { mode: 'timestamp_ms' }),
  settings: text('settings', { mode: 'json' }),
  secret: blob('secret', { mode: 'buffer' }),
});
const goods = sqliteTable('goods', { id: integer('id').primaryKey(), shopId: integer('shop_id') });

let connection: Database.Database;
let orm: Orm;
beforeEach(() => {
  connection = new Database(':memory:');
  orm = openOrm(connection);
  connection.exec(`
    create table shops (id integer primary key, name text not null, is_open, opened_at, settings, secret);
    create table goods (id integer primary key, shop_id);
    insert into shops values (1, 'One', 1, 5, '{"a":[1]}', x'0aff'), (2, 'Two', 0, null, null, null);
    insert into goods values (1, 1), (2, null)`);
});
afterEach(() => connection.close());

const selects = (db: Orm) => [
  db.select().from(shops).orderBy(asc(shops.id)),
  db
    .select()
    .from(shops)
    .where(sql`id = ${ph('id')}+0`),
  db
    .select({ title: shops.name, secret: shops.secret })
    .from(shops)
    .where(eq(shops.id, ph('id'))),
  db
    .select({
      plain: sql<number>`is_open`,
      named: sql<number>`count(*)`.as('count'),
      isOpen: sql`is_open`.mapWith(Boolean),
      isNamed: sql`is_open`.mapWith(Boolean).as('open'),
    })
    .from(shops)
    .groupBy(shops.id),
  db
    .select({ id: goods.id, shop: { id: shops.id, isOpen: shops.isOpen } })
    .from(goods)
    .leftJoin(shops, eq(shops.id, goods.shopId)),
  db.select().from(goods).leftJoin(shops, eq(shops.id, goods.shopId)),
];

test('rows and lists of rows are the same, field by field', () => {
  const own = selects(drizzle(connection));
  for (const [index, select] of selects(orm).entries()) {
    const [fast, slow] = [select.prepare(), own[index]!.prepare()];
    expect(fast.all({ id: 1 })).toStrictEqual(slow.all({ id: 1 }));
    expect(fast.get({ id: 1 })).toStrictEqual(slow.get({ id: 1 }));
    expect(fast.get({ id: 1 })).toBeDefined();
  }
});

test('a limit is kept, and never bound as it is', () => {
  const list = (db: Orm, limit: number | ReturnType<typeof ph>) =>
    db.select().from(shops).orderBy(asc(shops.id)).limit(limit).prepare();
  const seen: string[] = [];
  const { prepare } = connection;
  connection.prepare = ((source: string) => {
    seen.push(source.slice(source.indexOf(' limit')));
    return prepare.call(connection, source);
  }) as typeof prepare;
  for (const most of [0, 1, 2]) {
    const expected = list(drizzle(connection), most).all();
    expect(expected).toHaveLength(most);
    seen.length = 0;
    expect(list(orm, most).all()).toStrictEqual(expected);
    expect(list(orm, ph('most')).all({ most })).toStrictEqual(expected);
    expect(seen).toEqual([` limit ${most}`, ' limit ?+0']);
  }
});

test('no row is undefined', () => {
  const find = selects(orm)[1]!.prepare();
  expect(find.get({ id: 99 })).toBeUndefined();
  expect(find.all({ id: 99 })).toEqual([]);
});

test('values are bound as their columns keep them, one that the statement names twice twice, and what it has of itself stays', () => {
  connection.exec('begin');
  const insert = orm
    .insert(shops)
    .values({
      name: ph('name'),
      isOpen: ph('isOpen'),
      openedAt: new Date(7),
      settings: ph('settings'),
      secret: ph('secret'),
    })
    .prepare();
  const { lastInsertRowid } = insert.run({
    name: 'Three',
    isOpen: true,
    settings: { b: 2 },
    secret: Buffer.of(1),
  });
  const id = Number(lastInsertRowid);
  expect(connection.prepare('select * from shops where id = ?').get(id)).toEqual({
    id: 3,
    name: 'Three',
    is_open: 1,
    opened_at: 7,
    settings: '{"b":2}',
    secret: Buffer.of(1),
  });
  const update = orm
    .update(shops)
    .set({ openedAt: sql`${ph('at')} + 1`, name: sql`'at ' || ${ph('at')}` })
    .where(sql`id = ${ph('id')}+0`)
    .returning({ name: shops.name, openedAt: shops.openedAt, isOpen: shops.isOpen })
    .prepare();
  expect(update.get({ id, at: 20 })).toEqual({ name: 'at 20.0', openedAt: new Date(21), isOpen: true });
});

test('a value that is not given is an error, and nothing is written', () => {
  const insert = orm
    .insert(shops)
    .values({ name: ph('name') })
    .prepare();
  expect(() => insert.run({})).toThrow();
  expect(connection.prepare('select count(*) from shops').pluck().get()).toBe(2);
});

test('a statement is prepared at its first run, once', () => {
  connection.exec('begin');
  const seen: string[] = [];
  const { prepare } = connection;
  connection.prepare = ((source: string) => {
    seen.push(source.split(' ')[0] ?? '');
    return prepare.call(connection, source);
  }) as typeof prepare;
  const insert = orm
    .insert(goods)
    .values({ id: ph('id') })
    .prepare();
  const list = orm.select({ id: goods.id }).from(goods).prepare();
  const remove = orm.delete(goods).prepare();
  expect(seen).toEqual([]);
  insert.run({ id: 3 });
  insert.run({ id: 4 });
  expect(seen).toEqual(['insert']);
  expect(list.all()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  expect(list.get()).toEqual({ id: 1 });
  expect(seen).toEqual(['insert', 'select']);
  expect(remove.run().changes).toBe(4);
});
