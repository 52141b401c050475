// The evening's audit in the chat: when nothing is under way any more, somebody of one shop asks the bot for whatever
// there is to read, and what they are shown is held against the books, line by line, in the zone of their shop.
import type { Person } from '../../people/index.ts';
import { look } from '../../run/rest.ts';
import type { World } from '../../run/world.ts';
import { PATIENCE_MS, readRows, toRead, type ChatAudit } from './books.ts';
import { batches, extractable, extractions } from './bulk.ts';
import { exported } from './files.ts';
import { payments } from './host.ts';
import { found, foundPages, history, pages } from './past.ts';
import { receipts } from './receipts.ts';
import { settings } from './settings.ts';
import { quota, statistics, stock } from './overviews.ts';

const CHECKS: Readonly<Record<string, (audit: ChatAudit) => Promise<string[]>>> = {
  stock,
  quota,
  history,
  pages,
  found,
  foundPages,
  receipts,
  exported,
  statistics,
  batches,
  extractions,
  extractable,
  settings,
  payments,
};
/** In one evening; the others when the shop's turn comes again. */
const AT_ONCE = 4;
/** The longest pause after an outage, and a poll. */
const LISTENING_AGAIN_MS = 70_000;
const ANSWERED_MS = 1_500;
const MEMBERS =
  "select telegram_id as id, role from members where account_id = ? and role in ('owner', 'admin') order by telegram_id";
const CHOSEN = 'select language from preferences where telegram_id = ?';
const AHEAD = 'select id from redemptions where account_id = @account and created_at > @now limit 1';
const ZONE = 'select time_zone from accounts where id = ?';

export async function auditTheChat(world: World): Promise<void> {
  const { diary } = world;
  if (world.time.machine.now() !== world.time.clock.now()) return;
  const shop = world.shops[world.day % world.shops.length];
  const reader = shop && findReader(world, shop.accountId);
  if (!shop || !reader) return;
  const rows = readRows(world, shop.accountId);
  // What a calendar that was ahead has dated is of no day yet.
  if (rows(AHEAD, { now: world.time.clock.now() }).length > 0) return;
  const zone = look(world.disk.databasePath(), (file) => file.prepare(ZONE).pluck().get(shop.accountId));
  const audit: ChatAudit = { world, shop, zone: String(zone), reader, ask: asking(reader.phone), rows };
  await world.time.passUntil(world.telegram.isPolled, LISTENING_AGAIN_MS);
  const names = Object.keys(CHECKS);
  const first = Math.floor(world.day / world.shops.length) * AT_ONCE;
  for (let index = 0; index < AT_ONCE; index += 1) {
    const name = names[(first + index) % names.length] ?? 'stock';
    const wrong = (await CHECKS[name]?.(audit)) ?? [];
    const who = reader.phone.user.first_name;
    diary.amiss.push(...wrong.slice(0, 1).map((what) => `${who} asked for ${name}: ${what}`));
  }
  // What was pressed is answered beside what it shows.
  await world.time.sleep(ANSWERED_MS);
}

const asking =
  (phone: NonNullable<Person['phone']>): ChatAudit['ask'] =>
  async (text, fits = () => true) => {
    const message = await phone.ask(text, fits, PATIENCE_MS);
    return message && toRead(message);
  };

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
