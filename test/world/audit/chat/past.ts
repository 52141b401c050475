// Of the evening's audit in the chat: lists of redemptions, by the day, by the page, and by what somebody looks for.
import type { SeenMessage } from '../../../telegram/types.ts';
import { DAY_MS } from '../../promises/quota.ts';
import { differ, readBooked, tailOf, toRead, type Booked, type ChatAudit } from './books.ts';
import { dayOf, lastDays, timeOf } from './calendar.ts';

const PAGE = 10;
const MARKS = { failed: '❌', in_doubt: '❔', pending: '⏳' } as const;
const LISTED = /^(\S+) (.+?) · (.+?) · .*?(\d+)\)?(?: · …(\S*))? · \/receipt_(\d+)$/gmu;
const LIST = ({ text }: { text: string }) => /receipt_|^Nothing |no receipts|No receipts/.test(text);

/** Mark, time, amount, player, end of the code, number. */
function linesOf(text: string): string[] {
  return [...text.matchAll(LISTED)].map(([, mark, when, what, player, tail, id]) =>
    [mark, when, /^\d+/.exec(what ?? '')?.[0] ?? '?', player, tail ?? '', id].join(' '),
  );
}

function formatLine(
  { state, warning, createdAt, amount, denomination, playerId, code, id }: Booked,
  when: (at: number) => string,
): string {
  const mark = state === 'redeemed' ? (warning ? '⚠️' : '✅') : MARKS[state];
  return [mark, when(createdAt), amount ?? denomination ?? '?', playerId, tailOf(code) ?? '', id].join(' ');
}

const short = (zone: string) => (at: number) =>
  `${dayOf(zone, at).replace(/ \d+$/, '')}, ${timeOf(zone, at)}`;

/** What was sent as an ID may be anything: only lists of players are compared. */
const isPlain = ({ playerId }: Booked) => /^\d{5,20}$/.test(playerId);

function compare(text: string, kept: readonly Booked[], when: (at: number) => string): string[] {
  const shown = kept.slice(0, PAGE);
  if (!shown.every(isPlain)) return [];
  return differ(
    'the list',
    linesOf(text),
    shown.map((row) => formatLine(row, when)),
  );
}

/** A day of the last few. */
export async function history(audit: ChatAudit): Promise<string[]> {
  const { world, zone, ask } = audit;
  const now = world.time.clock.now();
  const day = world.random.pick(lastDays(zone, now, 3)) ?? dayOf(zone, now);
  const shown = await ask(`/history ${day}`, LIST);
  if (!shown) return [];
  const kept = ofDay(audit, day);
  return compare(shown.text, kept, (at) => timeOf(zone, at));
}

function ofDay({ world, zone, rows }: ChatAudit, day: string): Booked[] {
  const since = world.time.clock.now() - 5 * DAY_MS;
  return readBooked({ rows }, 'r.created_at > @since', { since }).filter(
    ({ createdAt }) => dayOf(zone, createdAt) === day,
  );
}

/** Everything, page by page. */
export async function pages(audit: ChatAudit): Promise<string[]> {
  const { world, zone, ask, rows } = audit;
  const page = 1 + world.random.below(3);
  const shown = await ask(`/history ${page}`, ({ text }) => /receipt_|no page|Nothing/i.test(text));
  if (!shown) return [];
  const newest = readBooked(
    { rows },
    `r.id in (select id from redemptions where account_id = @account
    order by created_at desc, id desc limit ${PAGE * 3})`,
  );
  const wrong = compare(shown.text, newest.slice((page - 1) * PAGE), short(zone));
  const way = page === 1 ? NEXT : PREVIOUS;
  const turned = await turn(audit, shown.message, way);
  if (!turned) return wrong;
  const there = page === 1 ? page + 1 : page - 1;
  return [...wrong, ...compare(turned.text, newest.slice((there - 1) * PAGE), short(zone))];
}

const NEXT = /Next/;
const PREVIOUS = /Previous/;

/**
 * What stands in its place when the button was pressed; undefined where there is none, and where a restore came
 * between.
 */
async function turn({ world, reader }: ChatAudit, message: SeenMessage, way: RegExp) {
  const { restoredAt } = world.diary;
  const turned = await reader.phone.press(message, way);
  return turned?.id === message.id && world.diary.restoredAt === restoredAt ? toRead(turned) : undefined;
}

const NEWEST = 'r.id in (select id from redemptions where account_id = @account order by id desc limit 60)';

/**
 * By a player, by an end of their ID, by the end of a code, by a day with what became of it.
 */
export async function found(audit: ChatAudit): Promise<string[]> {
  const { world, zone, ask, rows } = audit;
  const plain = readBooked({ rows }, NEWEST).filter((row) => isPlain(row) && row.code !== undefined);
  // What is of another day elsewhere is found by the day here.
  const apart = plain.filter(({ createdAt }) => dayOf(zone, createdAt) !== dayOf('UTC', createdAt));
  const some = world.random.pick(apart.length > 0 && world.random.chance(0.7) ? apart : plain);
  if (!some) return [];
  const day = dayOf(zone, some.createdAt);
  const asked = world.random.pick(['player', 'end', 'tail', 'failed', 'day']) ?? 'day';
  const isOld = world.time.clock.now() - some.createdAt > 4 * DAY_MS;
  if (isOld && (asked === 'failed' || asked === 'day')) return [];
  const texts: Record<string, string> = {
    player: some.playerId,
    end: world.random.pick([some.playerId.slice(0, 6), some.playerId.slice(-6)]) ?? '',
    tail: tailOf(some.code) ?? '',
    failed: `failed ${day}`,
    day: `${day} ${some.playerId}`,
  };
  const shown = await ask(`/find ${texts[asked]}`, LIST);
  if (!shown) return [];
  const kept = readBooked({ rows }, 'r.id > 0')
    .filter((row) => {
      const isOfDay = dayOf(zone, row.createdAt) === day;
      const isPlayer = row.playerId === some.playerId;
      if (asked === 'player') return isPlayer;
      if (asked === 'end') return saysEnd(row, texts.end ?? '');
      if (asked === 'failed') return isOfDay && row.state === 'failed';
      if (asked === 'day') return isOfDay && isPlayer;
      return saysEnd(row, texts.tail ?? '');
    })
    // What is looked for is listed by its number.
    .sort((a, b) => b.id - a.id);
  // A single one is shown whole.
  const told = [...shown.text.matchAll(/\/receipt_(\d+)/g)].map(([, id]) => String(id));
  return differ(
    `what ${texts[asked]} finds`,
    told,
    kept.slice(0, PAGE).map(({ id }) => String(id)),
  );
}

/** Six characters of either end of a code, or digits of an ID. */
function saysEnd({ id, playerId, code }: Booked, asked: string): boolean {
  const [whole, end] = [code?.toUpperCase() ?? '', asked.toUpperCase()];
  if (whole.startsWith(end) || whole.endsWith(end) || String(id) === asked) return true;
  return /^\d+$/.test(asked) && (playerId.startsWith(asked) || playerId.endsWith(asked));
}

/** As players here begin. */
const OF_PLAYERS = `
  select id from redemptions where account_id = @account and (player_id like '5171%' or player_id like '%5171' or id = 5171)
  order by id desc limit ${PAGE * 2}`;

/** So many that they have pages: the second of them goes on where the first ended. */
export async function foundPages(audit: ChatAudit): Promise<string[]> {
  const { ask, rows } = audit;
  const first = await ask('/find 5171', LIST);
  const second = first && (await turn(audit, first.message, NEXT));
  if (!second) return [];
  const listed = ({ text }: { text: string }) =>
    [...text.matchAll(/\/receipt_(\d+)/g)].map(([, id]) => String(id));
  const kept = rows<{ id: number }>(OF_PLAYERS).map(({ id }) => String(id));
  return differ('two pages of what players had', [...listed(first), ...listed(second)], kept);
}
