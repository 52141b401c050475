import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

import { integer, openOrm, preparingAtOnce, sql, sqliteTable } from './drizzle.ts';

const numbers = sqliteTable('numbers', { id: integer('id').primaryKey() });

test('a statement is prepared at its first run, once; at once where somebody wants to see all', () => {
  const connection = new Database(':memory:');
  connection.exec('create table numbers (id integer primary key)');
  const seen: string[] = [];
  const { prepare } = connection;
  connection.prepare = ((source: string) => {
    seen.push(source.split(' ')[0] ?? '');
    return prepare.call(connection, source);
  }) as typeof prepare;
  const orm = openOrm(connection);
  const insert = orm
    .insert(numbers)
    .values({ id: sql.placeholder('id') })
    .prepare();
  const list = orm.select().from(numbers).prepare();
  expect(seen).toEqual([]);
  insert.run({ id: 1 });
  insert.run({ id: 2 });
  expect(seen).toEqual(['insert']);
  expect(list.all()).toEqual([{ id: 1 }, { id: 2 }]);
  expect(list.get()).toEqual({ id: 1 });
  expect(seen).toEqual(['insert', 'select']);
  preparingAtOnce(() => orm.delete(numbers).prepare());
  expect(seen).toEqual(['insert', 'select', 'delete']);
  connection.close();
});
