// Answers of a command as tables, for a person at a terminal: what has the same fields stands in one table, a single
// one is a list of its fields. Nothing in a cell can speak to the terminal: a name is whatever somebody wrote.

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
const NOTHING = '-';

/** `lines` as they would be printed in JSON; '' for none. */
export function formatTables(lines: readonly object[]): string {
  const tables: Row[][] = [];
  for (const line of lines as readonly Row[]) {
    const last = tables.at(-1);
    if (last?.[0] && fieldsOf(last[0]) === fieldsOf(line)) last.push(line);
    else tables.push([line]);
  }
  return tables
    .map((rows) => `${rows.length === 1 ? formatFields(rows[0] ?? {}) : formatTable(rows)}\n`)
    .join('\n');
}

const fieldsOf = (row: Row) => Object.keys(row).join();

function formatFields(row: Row): string {
  const cells: string[][] = [];
  const below: string[] = [];
  for (const [field, value] of Object.entries(row)) {
    if (isRows(value)) below.push(`\n\n${formatTable(value)}`);
    else cells.push([formatField(field), formatValue(value)]);
  }
  return align(cells) + below.join('');
}

const formatTable = (rows: readonly Row[]): string =>
  align([
    Object.keys(rows[0] ?? {}).map(formatField),
    ...rows.map((row) => Object.values(row).map(formatValue)),
  ]);

const isRows = (value: unknown): value is Row[] => Array.isArray(value) && typeof value[0] === 'object';

function align(cells: string[][]): string {
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number) => cell.padEnd(widths[column] ?? 0);
  return cells.map((row) => row.map(pad).join(GAP).trimEnd()).join('\n');
}

/** `lastUsedAt` → LAST USED AT. */
const formatField = (field: string) => field.replaceAll(/[A-Z]/g, ' $&').toUpperCase();

function formatValue(value: unknown): string {
  if (value === null || value === '') return NOTHING;
  if (typeof value === 'string') return formatCellText(value);
  if (typeof value !== 'object') return JSON.stringify(value) ?? NOTHING;
  const inner = Array.isArray(value)
    ? value.map(formatValue)
    : Object.entries(value).map(([field, each]) => `${field} ${formatValue(each)}`);
  return inner.join(', ') || NOTHING;
}

/** A moment to the minute; what could move the cursor, or turn the line, is a question mark. */
function formatCellText(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\.\d{3}Z$/.exec(text) ?? [];
  return day === undefined ? text.replaceAll(/\p{C}/gu, '?') : `${day} ${time} UTC`;
}
