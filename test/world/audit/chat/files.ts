// Of the evening's audit in the chat: an export holds the receipts of its days, line by line, and no code; as CSV and
// as a spreadsheet.
import { readSpreadsheet } from '../../../harness/spreadsheet.ts';
import { DAY_MS } from '../../promises/quota.ts';
import { differ, readBooked, tailOf, type Booked, type ChatAudit } from './books.ts';
import { dayOf, lastDays, offsetOf } from './calendar.ts';

const COLUMNS = [
  'receiptId',
  'createdAt',
  'state',
  'playerId',
  'denomination',
  'amount',
  'codeEnding',
  'errorCode',
  'by',
] as const;

const EMPTY = new Uint8Array();
/** More than is read at once. */
const MANY_DAYS = 40;

/** Where they stand in a spreadsheet. */
const SHEET_COLUMNS = [0, 1, 5, 9, 10, 12];

export async function exported({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const days = world.random.chance(0.4) ? MANY_DAYS : 1 + world.random.below(3);
  const csv = world.random.chance(0.5);
  const shown = await ask(
    `/export ${days}${csv ? ' csv' : ''}`,
    ({ document, text }) => document !== undefined || /receipts/.test(text),
  );
  if (!shown) return [];
  const now = world.time.clock.now();
  const asked = lastDays(zone, now, days);
  const booked = readBooked({ rows }, 'r.created_at > @since', { since: now - (days + 2) * DAY_MS })
    .filter(({ createdAt }) => asked.includes(dayOf(zone, createdAt)))
    .reverse();
  const sheet = csv ? [] : readSpreadsheet(shown.message.document?.bytes ?? EMPTY);
  const found = csv ? compareCsv(shown.document ?? '', booked, zone) : compareSheet(sheet, booked, zone);
  const codes = booked.flatMap(({ code }) => (code !== undefined && code.length > 12 ? [code] : []));
  const text = csv ? (shown.document ?? '') : sheet.flat().join('\n');
  const leaked = codes.find((code) => text.includes(code));
  return [
    ...found.map((finding) => `the export of ${days} days: ${finding}`),
    ...(leaked === undefined ? [] : [`the export holds ${leaked}`]),
  ];
}

function compareCsv(document: string, booked: readonly Booked[], zone: string): string[] {
  const kept = booked.map(
    ({ id, createdAt, state, playerId, denomination, amount, code, errorCode, actor }) =>
      [
        id,
        new Date(createdAt).toISOString(),
        state,
        playerId,
        denomination ?? '',
        amount ?? '',
        tailOf(code) ?? '',
        errorCode ?? '',
        actor,
      ].join(),
  );
  const [head = [], ...lines] = readCsv(document);
  const told = lines.map((cells) =>
    COLUMNS.map((name) => {
      const cell = cells[head.indexOf(name)] ?? '';
      return name === 'createdAt' ? new Date(cell).toISOString() : cell.replace(/^'/, '');
    }).join(),
  );
  const isOff = lines.some((cells) => {
    const cell = cells[head.indexOf('createdAt')] ?? '';
    return !cell.endsWith(offsetOf(zone, Date.parse(cell)));
  });
  return [...differ('its lines', told, kept), ...(isOff ? ['its times are not of the zone'] : [])];
}

/** Moments stand there as the clocks of the zone show them. */
function compareSheet(sheet: string[][], booked: readonly Booked[], zone: string): string[] {
  const kept = booked.map(({ id, createdAt, playerId, denomination, amount, code }) => {
    const offset = offsetOf(zone, createdAt).replace(/[+-]/, (sign) => (sign === '+' ? '-' : '+'));
    const shown = new Date(`${new Date(createdAt).toISOString().slice(0, -1)}${offset}`).toISOString();
    return [id, shown, playerId, denomination ?? '', amount ?? '', tailOf(code) ?? ''].join();
  });
  const told = sheet.slice(1).map((cells) => SHEET_COLUMNS.map((at) => cells[at] ?? '').join());
  return differ('its rows', told, kept);
}

const CELL = /"((?:[^"]|"")*)"|([^,\n]*)/y;

function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = text.startsWith('\ufeff') ? 1 : 0; at < text.length;) {
    CELL.lastIndex = at;
    const [whole = '', quoted, plain = ''] = CELL.exec(text) ?? [];
    row.push((quoted ?? plain).replaceAll('""', '"').replace(/\r$/, ''));
    at += whole.length;
    if (text[at] !== ',') {
      rows.push(row);
      row = [];
    }
    at += 1;
  }
  return rows;
}
