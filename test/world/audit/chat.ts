// The evening's audit in the chat: when nothing is under way any more, somebody of one shop asks the bot for its lists,
// and what they are shown is held against the books, line by line, in the zone of their shop. How it is worded is a
// matter of the chats.
import { readSpreadsheet } from '../../harness/spreadsheet.ts';
import { managesOne } from '../machine/catalogue.ts';
import { DAILY_QUARTERS, DAY_MS } from '../promises/quota.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { differ, PATIENCE_MS, readBooked, readRows, tailOf, toRead } from './books.ts';
import type { Booked, ChatAudit } from './books.ts';
import { dayOf, lastDays, offsetOf, timeOf } from './calendar.ts';

const CHECKS: Readonly<Record<string, (audit: ChatAudit) => Promise<string[]>>> = {
  ...{ stock, quota, history, found, exported, statistics, batches, extractable, settings, forwarded },
};
/** In one evening; the others when the shop's turn comes again. */
const AT_ONCE = 4;
/** The longest pause after an outage, and a poll. */
const LISTENING_AGAIN_MS = 70_000;
const ANSWERED_MS = 1_500;
const MEMBERS =
  "select telegram_id as id, role from members where account_id = ? and role in ('owner', 'admin') order by telegram_id";
const CHOSEN = 'select language from preferences where telegram_id = ?';
const ZONE = 'select time_zone from accounts where id = ?';

export async function auditTheChat(world: World): Promise<void> {
  const { diary } = world;
  const shop = world.shops[world.day % world.shops.length];
  const reader = shop && findReader(world, shop.accountId);
  if (!shop || !reader) return;
  const zone = look(world.disk.databasePath(), (file) => file.prepare(ZONE).pluck().get(shop.accountId));
  const ask: ChatAudit['ask'] = async (text, fits = () => true) => {
    const message = await reader.phone.ask(text, fits, PATIENCE_MS);
    return message && toRead(message);
  };
  const audit: ChatAudit = { world, zone: String(zone), reader, ask, rows: readRows(world, shop.accountId) };
  await world.time.passUntil(world.telegram.isPolled, LISTENING_AGAIN_MS);
  const names = Object.keys(CHECKS);
  const first = Math.floor(world.day / world.shops.length) * AT_ONCE;
  for (let index = 0; index < AT_ONCE; index += 1) {
    const name = names[(first + index) % names.length] ?? 'stock';
    const wrong = (await CHECKS[name]?.(audit)) ?? [];
    const who = reader.phone.user.first_name;
    diary.miscounted.push(...wrong.slice(0, 1).map((what) => `${who} asked for ${name}: ${what}`));
  }
  // What was pressed is answered beside what it shows.
  await world.time.sleep(ANSWERED_MS);
}

/** Of those who may read everything of their shop, one who reads English. */
function findReader(world: World, accountId: number): ChatAudit['reader'] | undefined {
  const { disk, people, diary, random } = world;
  const readers = look(disk.databasePath(), (file) => {
    const members = file.prepare(MEMBERS).all(accountId) as { id: number; role: string }[];
    const chosen = file.prepare(CHOSEN).pluck();
    return members.flatMap(({ id, role }) => {
      const person = people.find(({ userId }) => userId === id);
      const language = (chosen.get(id) as string | null | undefined) ?? person?.language;
      return person?.phone && language === 'en' && !diary.isAway({ id })
        ? [{ phone: person.phone, role }]
        : [];
    });
  });
  return random.pick(readers);
}

const IN_STOCK = `
  select denomination, sum(state in ('available', 'unverified')) - coalesce((select p.count from stock_promises p where p.account_id = codes.account_id
    and p.game_id = codes.game_id and p.denomination = codes.denomination), 0) as available, sum(state = 'reserved') as reserved,
    sum(state = 'in_doubt') as doubt from codes where account_id = @account and game_id = 'game_id_1' group by 1`;
const LINE =
  /^(\d+) UC: (\d+) available(?:, (\d+) reserved)?(?:, (\d+) in doubt)?, (\d+) spent today(?= ·|$)/gm;
const SPENT = `r.game_id = 'game_id_1' and r.state = 'redeemed' and r.code_id is not null and r.created_at > @since`;
const DENOMINATION = 'select denomination from codes where id = @code';

async function stock({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/stock', ({ text }) => /began at 00:00/.test(text));
  if (!shown) return [];
  const now = world.time.clock.now();
  const today = readBooked({ rows }, SPENT, { since: now - 2 * DAY_MS })
    .filter(({ createdAt }) => dayOf(zone, createdAt) === dayOf(zone, now))
    .map(({ codeId }) => rows<{ denomination: number }>(DENOMINATION, { code: codeId })[0]?.denomination);
  const counts = rows<Record<'denomination' | 'available' | 'reserved' | 'doubt', number>>(IN_STOCK);
  // Where there are several games, each has its block.
  const block = shown.text.split(/\n\n/).find((each) => each.startsWith('Game 1\n')) ?? '';
  const told = [...block.matchAll(LINE)].map((line) => line.slice(1, 6).map((figure) => Number(figure ?? 0)));
  const kept = told.map(([of = 0]) => {
    const { available = 0, reserved = 0, doubt = 0 } = counts.find((row) => row.denomination === of) ?? {};
    return [of, available, reserved, doubt, today.filter((each) => each === of).length];
  });
  const missing = counts.find(
    ({ denomination, available }) => available > 0 && !told.some(([of]) => of === denomination),
  );
  return [
    ...differ('stock', told.map(String), kept.map(String)),
    ...(missing ? [`nothing of ${missing.denomination}`] : []),
  ];
}

const CHARGED =
  'select coalesce(sum(daily), 0) as used from usages where account_id = @account and returned_at is null and at > @since';
const ACCOUNT = `select coalesce((select purchased from quotas where account_id = @account), 0) as purchased,
  subscription_expires_at as until from accounts where id = @account`;

async function quota({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const since = world.service.monotonicNow() - DAY_MS;
  const shown = await ask('/quota', ({ text }) => text.includes('Daily quota'));
  if (!shown) return [];
  const [{ used } = { used: 0 }] = rows<{ used: number }>(CHARGED, { since });
  const [{ purchased, until } = { purchased: 0, until: 0 }] = rows<{ purchased: number; until: number }>(
    ACCOUNT,
  );
  const told = [
    /Used (\S+) of 300, left (\S+)/,
    /activations left: (\S+)/,
    /Subscription until (\S+ \S+ \d+), (\d\d:\d\d)/,
  ].flatMap((pattern) => pattern.exec(shown.text)?.slice(1) ?? ['nothing']);
  const kept = [
    used / 4,
    (DAILY_QUARTERS - used) / 4,
    purchased / 4,
    dayOf(zone, until),
    timeOf(zone, until),
  ];
  return differ('quota', told, kept.map(String));
}

const COUNTS = /^(.+?): (?:✅ (\d+))?(?: · )?(?:❌ (\d+))?/;

/** The last three days, one by one; what is still in doubt is neither. */
async function statistics({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/stats 3', ({ text, photo }) => photo !== undefined || /last 3 days/.test(text));
  const lines = shown?.message.photo ? undefined : shown?.text.split('\n');
  if (!lines) return [];
  const now = world.time.clock.now();
  const booked = readBooked({ rows }, 'r.created_at > @since', { since: now - 4 * DAY_MS });
  const from = lines.indexOf('By day');
  const told = (from < 0 ? [] : lines.slice(from + 1)).flatMap((line) => {
    const [, day, redeemed = '0', failed = '0'] = COUNTS.exec(line) ?? [];
    return day === undefined ? [] : [`${day} ${redeemed} ${failed}`];
  });
  const kept = lastDays(zone, now, 3)
    .toReversed()
    .flatMap((day) => {
      const of = booked.filter(({ createdAt }) => dayOf(zone, createdAt) === day);
      const count = (is: string) => of.filter(({ state }) => state === is).length;
      return of.length > 0 ? [`${day.replace(/ \d+$/, '')} ${count('redeemed')} ${count('failed')}`] : [];
    });
  return differ('by day', told, kept);
}

const PAGE = 10;
const MARKS = { failed: '❌', in_doubt: '❔', pending: '⏳' } as const;
const LISTED = /^(\S+) (.+?) · (.+?) · .*?(\d+)\)?(?: · …(\S*))? · \/receipt_(\d+)$/gmu;
const LIST = ({ text }: { text: string }) => /receipt_|^Nothing |no page|no receipts/i.test(text);

/** What was sent as an ID may be anything: only lists of players are compared. */
const isPlain = ({ playerId }: Booked) => /^\d{5,20}$/.test(playerId);

/** Mark, time, amount, player, end of the code, number. */
function compareList(text: string, booked: readonly Booked[], when: (at: number) => string): string[] {
  const shown = booked.slice(0, PAGE);
  if (!shown.every(isPlain)) return [];
  const told = [...text.matchAll(LISTED)].map(([, mark, at, what, player, tail, id]) =>
    [mark, at, /^\d+/.exec(what ?? '')?.[0] ?? '?', player, tail ?? '', id].join(' '),
  );
  const kept = shown.map(({ state, warning, createdAt, amount, denomination, playerId, code, id }) => {
    const mark = state === 'redeemed' ? (warning ? '⚠️' : '✅') : MARKS[state];
    return [mark, when(createdAt), amount ?? denomination ?? '?', playerId, tailOf(code) ?? '', id].join(' ');
  });
  return differ('the list', told, kept);
}

/** A day of the last few, and its second page. */
async function history({ world, zone, ask, rows, reader }: ChatAudit): Promise<string[]> {
  const now = world.time.clock.now();
  const day = world.random.pick(lastDays(zone, now, 3)) ?? dayOf(zone, now);
  const shown = await ask(`/history ${day}`, LIST);
  if (!shown) return [];
  const booked = readBooked({ rows }, 'r.created_at > @since', { since: now - 5 * DAY_MS });
  const kept = booked.filter(({ createdAt }) => dayOf(zone, createdAt) === day);
  const first = compareList(shown.text, kept, (at) => timeOf(zone, at));
  if (kept.length <= PAGE) return first;
  const turned = await reader.phone.press(shown.message, /Next/);
  if (turned?.id !== shown.message.id) return first;
  return [...first, ...compareList(toRead(turned).text, kept.slice(PAGE), (at) => timeOf(zone, at))];
}

const NEWEST = `r.id in (select id from redemptions where account_id = @account order by created_at desc, id desc limit 60)`;

/** By a player, by either end of their ID, by the end of a code, by a day with what became of it. */
async function found({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const { random } = world;
  const plain = readBooked({ rows }, NEWEST).filter((row) => isPlain(row) && row.code !== undefined);
  // What is of another day elsewhere is found by the day here.
  const apart = plain.filter(({ createdAt }) => dayOf(zone, createdAt) !== dayOf('UTC', createdAt));
  const some = random.pick(apart.length > 0 && random.chance(0.7) ? apart : plain);
  if (!some || world.time.clock.now() - some.createdAt > 4 * DAY_MS) return [];
  const day = dayOf(zone, some.createdAt);
  const isOfDay = ({ createdAt }: Booked) => dayOf(zone, createdAt) === day;
  const isPlayer = ({ playerId }: Booked) => playerId === some.playerId;
  const end = random.pick([some.playerId.slice(0, 6), some.playerId.slice(-6)]) ?? '';
  const tail = tailOf(some.code) ?? '';
  const ways: [text: string, isFound: (row: Booked) => boolean][] = [
    [some.playerId, isPlayer],
    [end, (row) => saysEnd(row, end)],
    [tail, (row) => saysEnd(row, tail)],
    [`failed ${day}`, (row) => isOfDay(row) && row.state === 'failed'],
    [`${day} ${some.playerId}`, (row) => isOfDay(row) && isPlayer(row)],
  ];
  const [text, isFound] = random.pick(ways) ?? ['', isPlayer];
  const shown = await ask(`/find ${text}`, LIST);
  if (!shown) return [];
  // What is looked for is listed by its number; a single one is shown whole.
  const kept = readBooked({ rows }, 'r.id > 0')
    .filter(isFound)
    .map(({ id }) => id)
    .sort((a, b) => b - a);
  const told = [...shown.text.matchAll(/\/receipt_(\d+)/g)].map(([, id]) => String(id));
  return differ(`what ${text} finds`, told, kept.slice(0, PAGE).map(String));
}

/** Six characters of either end of a code, or digits of an ID. */
function saysEnd({ id, playerId, code }: Booked, asked: string): boolean {
  const [whole, end] = [code?.toUpperCase() ?? '', asked.toUpperCase()];
  if (whole.startsWith(end) || whole.endsWith(end) || String(id) === asked) return true;
  return /^\d+$/.test(asked) && (playerId.startsWith(asked) || playerId.endsWith(asked));
}

/** Where they stand in an export: number, moment, player, denomination, amount, end of the code. */
const COLUMNS = [0, 1, 5, 9, 10, 12];

/** An export holds the receipts of its days, at the times of the zone, and no code; as a spreadsheet and as CSV. */
async function exported({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  // At times more than is read at once.
  const days = world.random.chance(0.4) ? 40 : 1 + world.random.below(3);
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
  const lines = csv
    ? (shown.document ?? '').trim().split(/\r?\n/)
    : readSpreadsheet(shown.message.document?.bytes ?? new Uint8Array());
  const told = lines
    .slice(1)
    .map((line) =>
      typeof line === 'string'
        ? (/^\d+,[^,]*/.exec(line)?.[0] ?? line)
        : COLUMNS.map((at) => line[at] ?? '').join(),
    );
  const kept = booked.map(({ id, createdAt, playerId, denomination, amount, code }) => {
    // As the clocks of the zone show it.
    const offset = offsetOf(zone, createdAt);
    const back = offset.replace(/[+-]/, (sign) => (sign === '+' ? '-' : '+'));
    const local = new Date(`${new Date(createdAt).toISOString().slice(0, -1)}${back}`).toISOString();
    if (csv) return `${id},${local.slice(0, -1)}${offset}`;
    return [id, local, playerId, denomination ?? '', amount ?? '', tailOf(code) ?? ''].join();
  });
  const whole = lines.flat().join('\n');
  const leaked = booked.find(({ code }) => code !== undefined && code.length > 12 && whole.includes(code));
  return [
    ...differ(`the export of ${days} days`, told, kept),
    ...(leaked ? [`the export holds ${leaked.code}`] : []),
  ];
}

const FATES = `
  select count(*) || ' ' || fate as fate from (select case when state in ('available', 'unverified') then 'available'
      when state = 'reserved' then 'being redeemed' when state = 'in_doubt' then 'in doubt' when state = 'in_question' then 'in question'
      when state = 'extracted' then 'taken out' when state = 'undone' then 'taken back'
      when state in ('used', 'invalid') then 'used or invalid' else state end as fate
    from codes where batch_id = @id) s group by s.fate`;
const OWN = 'select id, added from batches where id = @id and account_id = @account';

async function batches({ ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/batches', ({ text }) => /last batches|Nothing was added/.test(text));
  return (shown?.text.split('\n\n') ?? []).flatMap((block) => {
    const [, batch, added, fates = ''] = /^Batch (\d+)[^]*\n(\d+) codes? added(?:\n(.*))?$/.exec(block) ?? [];
    if (batch === undefined) return [];
    const [own] = rows<{ added: number }>(OWN, { id: Number(batch) });
    const kept = rows<{ fate: string }>(FATES, { id: Number(batch) }).map(({ fate }) => fate);
    const told = fates === '' ? [] : fates.split(', ').map((fate) => fate.trim());
    return differ(
      `batch ${batch}`,
      [String(added), ...told.toSorted()],
      [String(own?.added), ...kept.toSorted()],
    );
  });
}

const TAKEABLE = `
  select count(*) - coalesce((select p.count from stock_promises p
    where p.account_id = @account and p.game_id = 'game_id_1' and p.denomination = 60), 0) as count
  from codes where account_id = @account and game_id = 'game_id_1' and denomination = 60 and state in ('available', 'unverified')`;
const MORE_THAN_THERE_IS = 7;

/** Whoever asks for more than there is is asked about what there is. */
async function extractable({ world, ask, rows, reader }: ChatAudit): Promise<string[]> {
  if (!managesOne(world.service.games)) return [];
  const count = () => rows<{ count: number }>(TAKEABLE)[0]?.count ?? 0;
  const there = count();
  const text = `/extract_codes 60 ${there + MORE_THAN_THERE_IS}`;
  const shown = await ask(text, (message) => /Take out|no codes/.test(message.text));
  if (!shown || count() !== there) return [];
  await reader.phone.ask('/cancel', () => true, PATIENCE_MS);
  const told = [/Take out (\d+) codes?/, /In stock: (\d+)/].map(
    (pattern) => pattern.exec(shown.text)?.[1] ?? '0',
  );
  return differ(text, told, [String(there), String(there)]);
}

const NAMES =
  "select name || coalesce(' @' || username, '') || ' ' || role as line from members where account_id = @account";
const KEYS = 'select prefix as line from api_keys where account_id = @account and revoked_at is null';
const MOST_SHOWN = 8;

/** Who works here, and which keys open. */
async function settings({ ask, rows, reader }: ChatAudit): Promise<string[]> {
  const hold = async (command: string, title: RegExp, line: RegExp, sql: string) => {
    const shown = await ask(command, ({ text }) => title.test(text));
    const kept = rows<{ line: string }>(sql).map((row) => row.line);
    if (!shown || kept.length > MOST_SHOWN) return [];
    const told = [...shown.text.matchAll(line)].map(([, ...words]) => words.join(' '));
    return differ(command, told.toSorted(), kept.toSorted());
  };
  const members = await hold('/members', /Members of/, /^(.+) — (\w+)/gm, NAMES);
  if (reader.role !== 'owner') return members;
  return [...members, ...(await hold('/api_key', /API key/, /^(?:.*, )?(crs_[\w-]+)… — made/gm, KEYS))];
}

/** What a customer is sent of a receipt has nothing of the code, of credentials, of whoever works here. */
async function forwarded({ world, ask, rows, reader }: ChatAudit): Promise<string[]> {
  const row = world.random.pick(readBooked({ rows }, NEWEST));
  const shown = row && (await ask(`/receipt ${row.id}`, ({ text }) => text.includes(`receipt ${row.id}`)));
  if (!shown?.message.buttons.some(({ text }) => text === 'For the customer')) return [];
  await reader.phone.press(shown.message, 'For the customer');
  const sent = await reader.phone.sees(
    ({ id, text }) => id > shown.message.id && text.includes(row.playerId),
    PATIENCE_MS,
  );
  const forbidden = [
    row.code,
    row.login?.email,
    row.login?.password,
    ...world.people.map(({ name }) => name),
  ];
  const leaked = forbidden.find((each = '') => each.length > 4 && sent?.text.includes(each));
  return leaked === undefined ? [] : [`what the customer is sent of ${row.id} says ${leaked}`];
}
