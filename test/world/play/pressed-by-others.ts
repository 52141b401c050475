// A law over every chat: what anybody in it was shown is pressed at its end by whoever may change nothing, a stranger
// and support. Each tap is answered, nothing of the account changes, and nothing fails.
import Database from 'better-sqlite3';
import { expect } from 'vitest';

import type { Stage } from './stage.ts';

/** What nobody changes who may only look. */
const TABLES = [
  ...['accounts', 'members', 'invitations', 'api_keys', 'webhooks', 'usages', 'purchases', 'redemptions'],
  ...['orders', 'codes', 'extractions', 'batches', 'imports', 'stock_alerts', 'stock_pauses'],
];

/** What goes on by itself, and what anybody's name is, changes all the same. */
const GOES_ON = /^(looks|looks_told|username)$/;

/** Money that went astray: what is logged of it a host has read in the chat. */
const SAID = /a payment belongs to no order|Stars could not be sent back/;

/** Buttons of one kind, that name another row each. */
const kindOf = (data: string) => data.replaceAll(/\d+/g, '#').replaceAll(/[\w-]{12,}/g, '*');

/** `shown`: what the buttons send that anybody has seen; `pressed`: of which kinds some were in the chats before. */
export async function pressByOthers(t: Stage, shown: string[], pressed: Set<string>): Promise<void> {
  const kinds = new Map(shown.map((data) => [kindOf(data), data]));
  for (const kind of pressed) kinds.delete(kind);
  const file = new Database(t.app().databasePath, { readonly: true });
  const read = (table: string) => file.prepare(`select * from ${table} order by rowid`).all() as object[];
  const rowsOf = () =>
    TABLES.map((table) => [
      table,
      read(table).map((row) => Object.entries(row).filter(([column]) => !GOES_ON.test(column))),
    ]);
  const roleOf = file.prepare('select role from members where telegram_id = ?').pluck();
  try {
    for (const user of [t.stranger, t.people.support]) {
      if (![undefined, 'support'].includes(roleOf.get(user.id) as string | undefined)) continue;
      const own = t.api.messages(user).find(({ byBot }) => byBot);
      if (!own) continue;
      const before = rowsOf();
      for (const data of kinds.values())
        expect(await t.api.press(user, own, { data }), `${user.first_name} pressed ${data}`).toBeDefined();
      await t.quiet();
      expect(rowsOf()).toEqual(before);
    }
    expect(t.errors.filter((error) => !SAID.test(error))).toEqual([]);
    for (const kind of kinds.keys()) pressed.add(kind);
  } finally {
    file.close();
  }
}
