// Hot statements: drizzle writes their SQL once, better-sqlite3 runs it. A prepared query of drizzle's walks over every parameter
// and every field at each call, which costs a redemption as much as a statement or two.
import { is, Param, Placeholder, whenRun, type Orm } from './drizzle.ts';

/** What drizzle's builders are, as far as it matters here. */
interface Query {
  toSQL(): { sql: string; params: unknown[] };
  prepare(): { run(values?: Values): unknown; get(values?: Values): unknown; all(values?: Values): unknown };
}

type Values = Record<string, unknown>;
type Verbs = { [verb in 'run' | 'get' | 'all']: (values?: Values) => unknown };
type Prepared<Q extends Query> = Pick<ReturnType<Q['prepare']>, 'run' | 'get' | 'all'>;

/**
 * In place of `query.prepare()`, with the same verbs and types. Values are bound and rows told as they lie in the file, so only
 * for columns without a mapping (numbers, texts, bytes); a row's fields are named by its columns, `code_hash` is `codeHash`.
 */
export function prepareHot<Q extends Query>(orm: Orm, query: Q): Prepared<Q> {
  return whenRun(() => prepareNow(orm, query));
}

function prepareNow(orm: Orm, query: Query): Verbs {
  const { sql, params } = query.toSQL();
  const statement = orm.$client.prepare(sql);
  const slots = params.map(toSlot);
  const bind = (values: Values = {}) =>
    slots.map(({ name, value }) => (name === undefined ? value : values[name]));
  const names = statement.reader ? statement.columns().map(({ name }) => toField(name)) : [];
  if (statement.reader) statement.raw(true);
  const toRow = (row: unknown[]) => {
    const named: Values = {};
    for (const [index, name] of names.entries()) named[name] = row[index];
    return named;
  };
  return {
    run: (values) => statement.run(...bind(values)),
    get(values) {
      const row = statement.get(...bind(values)) as unknown[] | undefined;
      return row && toRow(row);
    },
    all: (values) => (statement.all(...bind(values)) as unknown[][]).map(toRow),
  };
}

interface Slot {
  /** Of the placeholder; undefined where the value is part of the statement. */
  name: string | undefined;
  value: unknown;
}

function toSlot(param: unknown): Slot {
  if (is(param, Placeholder)) return { name: param.name, value: undefined };
  if (is(param, Param)) return toSlot(param.value);
  return { name: undefined, value: param };
}

/** As the schema names them: `noticed_80_at` is `noticed80At`. */
function toField(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
