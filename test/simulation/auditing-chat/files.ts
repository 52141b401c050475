// Of the evening's audit in the chat: an export holds the receipts of its days, line by line, and no code.
import { DAY_MS } from '../promises/quota.ts';
import { differ, readBooked, tailOf, type ChatAudit } from './books.ts';
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

/** More than is read at once. */
const MANY_DAYS = 40;

export async function exported({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const days = world.random.chance(0.4) ? MANY_DAYS : 1 + world.random.below(3);
  const shown = await ask(
    `/export ${days}`,
    ({ document, text }) => document !== undefined || /receipts/.test(text),
  );
  if (!shown) return [];
  const now = world.time.clock.now();
  const asked = lastDays(zone, now, days);
  const booked = readBooked({ rows }, 'r.created_at > @since', { since: now - (days + 2) * DAY_MS })
    .filter(({ createdAt }) => asked.includes(dayOf(zone, createdAt)))
    .reverse();
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
  const [head = [], ...lines] = readCsv(shown.document ?? '');
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
  const codes = booked.flatMap(({ code }) => (code !== undefined && code.length > 12 ? [code] : []));
  const leaked = codes.find((code) => shown.document?.includes(code));
  return [
    ...differ(`the export of ${days} days`, told, kept),
    ...(isOff ? ['the times of the export are not of the zone'] : []),
    ...(leaked === undefined ? [] : [`the export holds ${leaked}`]),
  ];
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
