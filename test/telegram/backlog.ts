// Updates that the bot has not confirmed: each keeps for a day, a query for as long as it can be answered. They are
// numbered in order, but after a quiet week from anywhere.
import { type Clock, DAY_MS } from '../../src/clock.ts';
import { badRequest, type Update } from './types.ts';
import type { Params } from './params.ts';

/** An update that is not confirmed yet. `again`: repeated on purpose, so handed out once whatever was confirmed. */
export interface Waiting {
  update: Update;
  again: boolean;
  /** By the calendar. */
  expiresAt: number;
}

export interface Backlog {
  /** Those that have not expired, oldest first. */
  entries(): readonly Waiting[];
  isExpired(entry: Waiting): boolean;
  add(update: Update, again: boolean): Waiting;
  remove(entry: Waiting): void;
  /** Forgets what a poll with this offset confirms. */
  confirm(offset: number): void;
  clear(): void;
  /** Whether the bot asked for updates of this kind. */
  isWanted(kind: string): boolean;
  /** Takes over `allowed_updates`, where the call names them. */
  allow(params: Params): void;
  allowed(): readonly string[];
  /** The number of the next update. */
  takeId(): number;
  /** From now on they are counted from `next`; by chance where none is given. */
  countFrom(next?: number): void;
}

const WEEK_MS = 7 * DAY_MS;
const QUERY_MS = 150_000;
const MOST_ID = 2 ** 30;
/** Kinds that a bot gets only when it asks for them by name. */
const ON_DEMAND = new Set(['chat_member', 'message_reaction', 'message_reaction_count']);
/** Offsets further off than this from what is there are ignored: the queue is given from its head (tdlib, TQueue). */
const MOST_AHEAD = 10;
const MOST_BEHIND = 100_000;

const anyId = () => 1 + Math.floor(Math.random() * MOST_ID);

export function createBacklog(clock: Clock, firstId: number): Backlog {
  let entries: Waiting[] = [];
  let allowed: string[] = [];
  let nextId = firstId;
  let lastAt: number | undefined;
  const isExpired = (entry: Waiting) => clock.now() >= entry.expiresAt;

  return {
    entries: () => (entries = entries.filter((entry) => !isExpired(entry))),
    isExpired,
    add(update, again) {
      const isQuery = Object.keys(update).some((kind) => kind.endsWith('_query'));
      const entry = { update, again, expiresAt: clock.now() + (isQuery ? QUERY_MS : DAY_MS) };
      if (!again) nextId = Math.max(nextId, update.update_id + 1);
      entries.push(entry);
      return entry;
    },
    remove: (entry) => void (entries = entries.filter((one) => one !== entry)),
    confirm(offset) {
      if (offset < 0) return void (entries = entries.slice(offset));
      const head = entries.find((entry) => !entry.again)?.update.update_id ?? nextId;
      if (offset > nextId + MOST_AHEAD || offset < head - MOST_BEHIND) return;
      entries = entries.filter((entry) => entry.again || entry.update.update_id >= offset);
    },
    clear: () => void (entries = []),
    isWanted: (kind) => (allowed.length > 0 ? allowed.includes(kind) : !ON_DEMAND.has(kind)),
    allow: (params) => void (allowed = readAllowed(params) ?? allowed),
    allowed: () => allowed,
    takeId() {
      const now = clock.now();
      if (lastAt !== undefined && now - lastAt >= WEEK_MS) nextId = anyId();
      lastAt = now;
      return nextId;
    },
    countFrom: (next = anyId()) => void (nextId = next),
  };
}

function readAllowed(params: Params): string[] | undefined {
  const value = params.json('allowed_updates');
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string')) {
    throw badRequest('expected an Array of String as allowed updates');
  }
  return value as string[];
}
