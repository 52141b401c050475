// A statement is a function: what it is given, what it answers, and that only a write changes anything.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { createSql, texts, type Sql } from './sql.ts';

let connection: Database.Database;
let sql: Sql;
beforeEach(() => {
  connection = new Database(':memory:');
  connection.exec(`
    create table shops (id integer primary key, shop_name text not null, is_open integer, secret blob);
    insert into shops values (1, 'One', 1, x'0aff'), (2, 'Two', 0, null)`);
  sql = createSql(connection);
});
afterEach(() => void connection.close());

interface Shop {
  id: number;
  shopName: string;
  isOpen: number;
  secret: Buffer | null;
}

test('a row has its columns in camel case, and a null is a null', () => {
  const find = sql.one<{ id: number }, Shop>('select * from shops where id = @id');
  expect(find({ id: 1 })).toEqual({ id: 1, shopName: 'One', isOpen: 1, secret: Buffer.of(10, 255) });
  expect(find({ id: 2 })?.secret).toBeNull();
  expect(find({ id: 3 })).toBeUndefined();
  expect(
    sql
      .all<void, Shop>('select * from shops order by id desc')()
      .map(({ id }) => id),
  ).toEqual([2, 1]);
});

test('a name stands for its value wherever it is said, a boolean for 1 or 0, and none may be missing', () => {
  const twice = sql.one<{ name: string; isOpen: boolean }, { found: string }>(
    "select shop_name || '/' || @name as found from shops where shop_name = @name and is_open = @isOpen",
  );
  expect(twice({ name: 'One', isOpen: true })).toEqual({ found: 'One/One' });
  expect(twice({ name: 'One', isOpen: false })).toBeUndefined();
  const find = sql.one<{ id?: number }, Shop>('select * from shops where id = @id');
  expect(() => find({})).toThrow('its id');
});

test('what changes rows says how many, or the number of the new one, and throws outside a write', () => {
  const close = sql.run<void>('update shops set is_open = 0');
  const add = sql.insert<{ name: string }>('insert into shops (shop_name) values (@name)');
  const rename = sql.one<{ name: string }, { id: number }>(
    'update shops set shop_name = @name where id = 1 returning id',
  );
  for (const change of [close, () => add({ name: 'Three' }), () => rename({ name: 'First' })])
    expect(change).toThrow('readonly');
  connection.exec('begin');
  expect([close(), add({ name: 'Three' }), rename({ name: 'First' })]).toEqual([2, 3, { id: 1 }]);
});

test('a statement is prepared when it is first run, once, and known before', () => {
  const seen: string[] = [];
  const { prepare } = connection;
  connection.prepare = ((text: string) => {
    seen.push(text);
    return prepare.call(connection, text);
  }) as typeof prepare;
  const find = sql.one<{ id: number }, Shop>('select id from shops where id = @id');
  expect([seen, texts.has('select id from shops where id = @id')]).toEqual([[], true]);
  find({ id: 1 });
  find({ id: 2 });
  expect(seen).toEqual(['select id from shops where id = ?']);
});
