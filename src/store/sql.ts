// A statement is a function: SQL as text, prepared when it is first run. What it is given it names with `@`; of a row
// `account_id` is `accountId`, and a null is a null.
import type { Database as Connection, Statement } from 'better-sqlite3';

/** What a statement can be given: a boolean is 1 or 0. */
type Value = string | number | bigint | boolean | Buffer | null;

/** `void`: it names nothing. */
type Run<Args, Result> = Args extends void ? () => Result : (args: Args) => Result;

/** Makes functions of statements. What changes rows throws outside a write. */
export interface Sql {
  /** The first row. */
  one<Args, Row>(text: string): Run<Args, Row | undefined>;
  all<Args, Row>(text: string): Run<Args, Row[]>;
  /** How many rows it changed. */
  run<Args>(text: string): Run<Args, number>;
  /** The number of the row that it inserted. */
  insert<Args>(text: string): Run<Args, number>;
}

/** Every statement that a function was made of: each is prepared and explained by plans.test.ts. */
export const texts = new Set<string>();

export function createSql(connection: Connection): Sql {
  /** `use` of the statement, with its values in their places, once it is prepared. */
  function make<Result>(text: string, use: (statement: Prepared, values: Value[]) => Result) {
    texts.add(text);
    let prepared: Prepared | undefined;
    return (args: Record<string, Value> = {}): Result => {
      prepared ??= prepare(connection, text);
      const { statement, names } = prepared;
      assertInWrite(connection, statement);
      const values: Value[] = [];
      for (const name of names) values.push(toBound(args, name));
      return use(prepared, values);
    };
  }
  const makers = {
    one: (text: string) =>
      make(text, ({ statement, toRow }, values) => {
        const row = statement.get(...values);
        return row && toRow(row);
      }),
    all: (text: string) => make(text, ({ statement, toRow }, values) => statement.all(...values).map(toRow)),
    run: (text: string) => make(text, ({ statement }, values) => statement.run(...values).changes),
    insert: (text: string) =>
      make(text, ({ statement }, values) => Number(statement.run(...values).lastInsertRowid)),
  };
  // What a statement takes and answers is what its text says: the types are the word of whoever wrote it.
  return makers as unknown as Sql;
}

/** Throws for what changes rows where no write is under way. */
function assertInWrite(connection: Connection, statement: { readonly: boolean }): void {
  if (!statement.readonly && !connection.inTransaction)
    throw new Error('A read is readonly: what changes rows is handed to `write`.');
}

interface Prepared {
  statement: Statement<Value[], unknown[]>;
  /** What is bound, place by place: to bind by name costs more. */
  names: readonly string[];
  toRow: (values: unknown[]) => object;
}

function prepare(connection: Connection, text: string): Prepared {
  const names: string[] = [];
  const statement = connection.prepare<Value[], unknown[]>(
    text.replace(/@(\w+)/g, (_, name: string) => {
      names.push(name);
      return '?';
    }),
  );
  if (!statement.reader) return { statement, names, toRow: () => ({}) };
  statement.raw();
  const columns = statement.columns().map(({ name }) => toCamelCase(name));
  const toRow = (values: unknown[]) => {
    const row: Record<string, unknown> = {};
    for (let place = 0; place < columns.length; place += 1) row[columns[place]!] = values[place];
    return row;
  };
  return { statement, names, toRow };
}

const toCamelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function toBound(args: Record<string, Value>, name: string): Value {
  const value = args[name];
  if (value === undefined) throw new Error(`A statement was not given its ${name}.`);
  return typeof value === 'boolean' ? Number(value) : value;
}
