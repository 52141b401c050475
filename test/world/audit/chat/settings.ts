// Of the evening's audit in the chat: who is who, which keys open and when they did, as the books have it.
import { call } from '../../people/client.ts';
import { differ, type ChatAudit } from './books.ts';
import { dayOf, timeOf } from './calendar.ts';

const MEMBERS =
  "select name || coalesce(' @' || username, '') as name, role from members where account_id = @account order by joined_at";
const KEYS = 'select prefix from api_keys where account_id = @account and revoked_at is null order by id';
const MOST_SHOWN = 8;

export async function settings(audit: ChatAudit): Promise<string[]> {
  const { ask, rows, reader } = audit;
  const wrong: string[] = [];
  const members = await ask('/members', ({ text }) => /Members of/.test(text));
  if (members) {
    const told = [...members.text.matchAll(/^(.+) — (\w+)/gm)].map(([, name, role]) => `${name} ${role}`);
    const kept = rows<{ name: string; role: string }>(MEMBERS).map(({ name, role }) => `${name} ${role}`);
    if (kept.length <= MOST_SHOWN) wrong.push(...differ('members', told.toSorted(), kept.toSorted()));
  }
  if (reader.role !== 'owner') return wrong;
  const keys = await ask('/api_key', ({ text }) => /API key/.test(text));
  if (keys) {
    const told = [...keys.text.matchAll(/^(?:.*, )?(crs_[\w-]+)… — made/gm)].map(([, prefix]) =>
      String(prefix),
    );
    const kept = rows<{ prefix: string }>(KEYS).map(({ prefix }) => prefix);
    if (kept.length <= MOST_SHOWN) wrong.push(...differ('keys', told, kept), ...(await judgeUse(audit)));
  }
  return wrong;
}

const LAST_USED = 'select last_used_at from api_keys where prefix = @prefix and account_id = @account';
/** Once a minute it is noted; what was noted on a full disk is lost. */
const NOTED_WITHIN_MS = 150_000;
const WRITTEN_MS = 500;

/** The key of their program, which it uses now. */
async function judgeUse({ world, shop, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const answer = await call(world, { name: `the auditor of shop ${shop.number}`, shop }, '/quota');
  if (answer?.status !== 200 || world.diary.isDiskFullToday) return [];
  await world.time.sleep(WRITTEN_MS);
  const prefix = shop.apiKey.slice(0, 12);
  const keys = await ask('/api_key', ({ text }) => text.includes(`${prefix}…`));
  const told = keys?.text.split('\n').find((line) => line.includes(`${prefix}…`));
  const [row] = rows<{ last_used_at: number | null }>(LAST_USED, { prefix });
  const usedAt = row?.last_used_at ?? 0;
  const now = world.time.clock.now();
  const wrong =
    now - usedAt < NOTED_WITHIN_MS ? [] : [`the key ${prefix} is used now, and noted as used at ${usedAt}`];
  const due = `last used ${dayOf(zone, usedAt)}, ${timeOf(zone, usedAt)}`;
  return told === undefined || told.includes(due) ? wrong : [...wrong, `${told} and not ${due}`];
}
