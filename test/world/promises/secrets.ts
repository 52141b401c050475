// Codes, logins and passwords are read by those alone whose they are: members of their account, and operators only what
// they redeemed themselves; never in a group.
import type Database from 'better-sqlite3';

import { digestOf } from '../audit/auditing.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { listHeld } from './held.ts';

const SECRET =
  /\b(?:9|60|325|660)S[A-Za-z0-9]{11,14}\b|topup\.[0-9a-f]{10}@accounts\.invalid|\bcrs_[\w-]{43}\b/g;

/** By whom it was issued, and whose account it opens. */
function ownersOfKey(disk: World['disk'], key: string): ReadonlySet<number> {
  const sql = 'select account_id from api_keys where digest = ?';
  const find = (file: Database.Database) => file.prepare(sql).pluck().all(digestOf(key)) as number[];
  return new Set(look(disk.databasePath(), find));
}

export function nothingIsSaidToTheWrongPerson(world: World): string[] {
  const { said, people, secrets, disk } = world;
  return said.today.flatMap(({ chatId, text }) => {
    const found = text.match(SECRET) ?? [];
    if (found.length === 0) return [];
    const accounts = listHeld(world, chatId).flatMap(({ accountId }) => accountId ?? []);
    const person = people.find(({ userId }) => userId === chatId)?.name;
    const name = chatId < 0 ? 'a group' : (person ?? String(chatId));
    return found.flatMap((secret) => {
      const owners = secret.startsWith('crs_') ? ownersOfKey(disk, secret) : secrets.ownersOf(secret);
      // A key that was issued in a past that is lost, a password that looks like a code.
      if (owners.size === 0 && !secret.startsWith('topup.')) return [];
      if (accounts.some((accountId) => owners.has(accountId))) return [];
      return owners.has(-chatId) ? [] : [`${name} read ${secret}`];
    });
  });
}
