// The schema as the program reads and writes it is the schema that the newest migration leaves: to the column, index
// and check.
import { readdirSync, readFileSync } from 'node:fs';
import { is, SQL } from 'drizzle-orm';
import { getTableConfig, SQLiteSyncDialect, SQLiteTable, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';

import * as schema from './index.ts';

const META = new URL('../../../drizzle/meta/', import.meta.url);
const newest = readdirSync(META)
  .filter((name) => name.endsWith('_snapshot.json'))
  .toSorted()
  .at(-1)!;
const { tables: kept } = JSON.parse(readFileSync(new URL(newest, META), 'utf8')) as {
  tables: Record<string, object>;
};

const dialect = new SQLiteSyncDialect();
const word = (text: SQL) => dialect.sqlToQuery(text).sql;
const named = <Item extends { name: string }>(items: readonly Item[]) =>
  Object.fromEntries(items.map((item) => [item.name, item]));
const nameOf = (column: unknown) => (is(column, SQL) ? word(column) : (column as SQLiteColumn).name);

/** In the form of a snapshot of drizzle-kit. */
function describeTable(table: SQLiteTable): object {
  const { name, columns, indexes, foreignKeys, primaryKeys, uniqueConstraints, checks } =
    getTableConfig(table);
  return {
    name,
    columns: named(
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        primaryKey: column.primary,
        notNull: column.notNull,
        autoincrement: 'autoIncrement' in column && column.autoIncrement === true,
        ...(column.default !== undefined && { default: formatDefault(column.default) }),
      })),
    ),
    indexes: named([
      ...indexes.map(({ config }) => ({
        name: config.name,
        columns: config.columns.map(nameOf),
        isUnique: config.unique,
        ...(config.where && { where: word(config.where) }),
      })),
      ...columns
        .filter(({ isUnique }) => isUnique)
        .map((column) => ({ name: column.uniqueName!, columns: [column.name], isUnique: true })),
    ]),
    foreignKeys: named(
      foreignKeys.map((key) => {
        const { columns: from, foreignTable, foreignColumns: to } = key.reference();
        return {
          name: key.getName(),
          tableFrom: name,
          tableTo: getTableConfig(foreignTable).name,
          columnsFrom: from.map(nameOf),
          columnsTo: to.map(nameOf),
          onDelete: key.onDelete ?? 'no action',
          onUpdate: key.onUpdate ?? 'no action',
        };
      }),
    ),
    compositePrimaryKeys: named(
      primaryKeys.map((key) => ({ columns: key.columns.map(nameOf), name: key.getName() })),
    ),
    uniqueConstraints: named(uniqueConstraints.map((each) => ({ name: each.getName()! }))),
    checkConstraints: named(checks.map(({ name: check, value }) => ({ name: check, value: word(value) }))),
  };
}

const formatDefault = (value: unknown) =>
  is(value, SQL) ? word(value) : typeof value === 'string' ? `'${value}'` : value;

const tables = Object.values(schema)
  .filter((each) => is(each, SQLiteTable))
  .map((table) => [getTableConfig(table).name, table] as const);

test('there are the tables of the newest migration', () => {
  expect(tables.map(([name]) => name).toSorted()).toEqual(Object.keys(kept).toSorted());
});

test.each(tables)('%s', (name, table) => {
  expect(describeTable(table)).toEqual(kept[name]);
});
