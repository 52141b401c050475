// Of the evening's audit in the chat: who is who, which keys open, who is told, below which number of codes: as the books have it.
import { differ, type ChatAudit } from './books.ts';

const MEMBERS = 'select name, role from members where account_id = @account order by joined_at';
const KEYS = 'select prefix from api_keys where account_id = @account and revoked_at is null order by id';
const HOOKS =
  'select id, disabled_at is not null as isOff from webhooks where account_id = @account and removed_at is null order by id';
const MOST_SHOWN = 8;

export async function settings({ ask, rows, reader }: ChatAudit): Promise<string[]> {
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
    const told = [...keys.text.matchAll(/^(crs_[\w-]+)… made/gm)].map(([, prefix]) => String(prefix));
    const kept = rows<{ prefix: string }>(KEYS).map(({ prefix }) => prefix);
    if (kept.length <= MOST_SHOWN) wrong.push(...differ('keys', told, kept));
  }
  const hooks = await ask('/webhooks', ({ text }) => /Webhooks|address/.test(text));
  if (hooks) {
    const told = [...hooks.text.matchAll(/^\d+\. \S+ — (.+)$/gm)].map(([, state]) =>
      state?.includes('off') ? 'off' : 'on',
    );
    const kept = rows<{ isOff: number }>(HOOKS).map(({ isOff }) => (isOff ? 'off' : 'on'));
    wrong.push(...differ('webhooks', told, kept));
  }
  return wrong;
}
