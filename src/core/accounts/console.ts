// Who gets into the console, and for how long: a link that is used once within five minutes, and a session of a
// browser, which ends by itself, by its person, and (triggers of the store) with the role that it was opened in. Whose
// rights a session has is looked up by whoever serves it, at every request.
import { HOUR_MS, MINUTE_MS, type CoreClock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { ConsoleSessionRow, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { type HostActor, type MemberActor, requireHost } from '../context.ts';
import { CoreError } from '../errors.ts';
import { getCurrentActor, toActor } from '../members.ts';
import { writeNotice } from '../notices/notices.ts';
import { digestOf } from './invitations.ts';

const LINK_MS = 5 * MINUTE_MS;
const IDLE_MS = 30 * MINUTE_MS;
const LONGEST_MS = 12 * HOUR_MS;
const FRESH_MS = 5 * MINUTE_MS;
/** A request that follows another at once is no news. */
const SEEN_EVERY_MS = MINUTE_MS;
/** For so long it is told who used a link. */
const LINKS_KEPT_MS = 24 * HOUR_MS;
const PRUNED_AT_ONCE = 100;
const TOKEN_BYTES = 24;

/** Times are of the calendar. `isFresh`: entered less than five minutes ago. */
export interface ConsoleSession {
  id: number;
  telegramId: number;
  browser: string;
  enteredAt: number;
  seenAt: number;
  isFresh: boolean;
}

/** What a link leads to. `unknown`: there never was such a link, or its person's role has changed since. */
export type ConsoleLink =
  | { status: 'open'; telegramId: number }
  | { status: 'used'; usedAt: number; browser: string }
  | { status: 'expired' }
  | { status: 'unknown' };

/** `token`: of the session, for the browser alone. */
export type EnterAnswer = { status: 'entered'; token: string } | Exclude<ConsoleLink, { status: 'open' }>;

/** A press of **Continue**: `once` is of the page that was pressed, so that a double click is one entry. */
export interface ConsoleEntry {
  token: string;
  once: string;
  /** As people call it: `Firefox on Linux`. */
  browser: string;
}

interface Deps {
  store: Store;
  clock: CoreClock;
  ids: Ids;
}

export function createConsoleAccess(deps: Deps) {
  const { store, clock, ids } = deps;
  return {
    /**
     * A new link for a person: their own, or (for the command line) anybody's. Throws CoreError FORBIDDEN. Whether a
     * host is one of HOST_IDS is the surface's to know.
     */
    link(actor: MemberActor | HostActor, telegramId: number): Promise<string> {
      const token = ids.secret(TOKEN_BYTES);
      return store.write((tables) => {
        requireOwn(tables, actor, telegramId);
        const now = clock.monotonicNow();
        tables.consoleLinks.prune(now - LINKS_KEPT_MS, PRUNED_AT_ONCE);
        tables.consoleSessions.prune(now - LONGEST_MS, PRUNED_AT_ONCE);
        tables.consoleLinks.insert({ tokenHash: digestOf(token), telegramId, now });
        return token;
      });
    },

    /** What a link leads to at this moment; changes nothing. */
    findLink: (token: string): ConsoleLink => store.read((tables) => findLink(deps, tables, token)),

    /** Uses a link up and opens a session. The same press again is the same session. */
    enter: (entry: ConsoleEntry): Promise<EnterAnswer> => enter(deps, entry),

    /** The session of a token; undefined where it has ended. Notes now and then that it is in use. */
    async find(token: string): Promise<ConsoleSession | undefined> {
      const row = store.read(({ consoleSessions }) => consoleSessions.find(digestOf(token)));
      const now = clock.monotonicNow();
      if (!row || !isLive(row, now)) return undefined;
      if (now - row.seenAt >= SEEN_EVERY_MS)
        await store.write(({ consoleSessions }) => consoleSessions.touch(row.id, now));
      return describe(deps, row);
    },

    /** What somebody was called last; undefined for who is in no account. */
    nameOf: (telegramId: number): string | undefined =>
      store.read((tables) => tables.members.find(telegramId)?.name),

    /** What a person has open, the oldest first. */
    list(telegramId: number): ConsoleSession[] {
      const now = clock.monotonicNow();
      const rows = store.read(({ consoleSessions }) => consoleSessions.list(telegramId));
      return rows.filter((row) => isLive(row, now)).map((row) => describe(deps, row));
    },

    /** Ends a session of a person at once; false where it has ended. Safe to repeat. */
    end: (actor: MemberActor | HostActor, sessionId: number): Promise<boolean> =>
      store.write((tables) => {
        const telegramId = numberOf(actor);
        if (telegramId === undefined || !tables.consoleSessions.end(telegramId, sessionId)) return false;
        record(tables, actor, 'consoleLeft', { object: `session:${sessionId}` }, clock.now());
        return true;
      }),
  };
}

const numberOf = (actor: MemberActor | HostActor): number | undefined =>
  actor.kind === 'member' ? actor.telegramId : actor.by === 'cli' ? undefined : actor.by;

function requireOwn(tables: Tables, actor: MemberActor | HostActor, telegramId: number): void {
  if (actor.kind === 'member') getCurrentActor(tables, actor);
  else requireHost(actor);
  if ([undefined, telegramId].includes(numberOf(actor))) return;
  throw new CoreError('FORBIDDEN', 'A link to the console is for whoever asks for it.');
}

const isLive = ({ enteredAt, seenAt }: ConsoleSessionRow, now: number): boolean =>
  now - enteredAt < LONGEST_MS && now - seenAt < IDLE_MS;

function describe({ clock }: Deps, { id, telegramId, browser, ...row }: ConsoleSessionRow): ConsoleSession {
  const [now, ahead] = [clock.monotonicNow(), clock.calendarAheadMs()];
  const isFresh = now - row.enteredAt < FRESH_MS;
  return {
    ...{ id, telegramId, browser, isFresh },
    enteredAt: row.enteredAt + ahead,
    seenAt: row.seenAt + ahead,
  };
}

function findLink({ clock }: Deps, tables: Tables, token: string): ConsoleLink {
  const link = tables.consoleLinks.find(digestOf(token));
  if (!link) return { status: 'unknown' };
  const { telegramId, madeAt, usedAt, browser } = link;
  if (usedAt !== null)
    return { status: 'used', usedAt: usedAt + clock.calendarAheadMs(), browser: browser ?? '' };
  return clock.monotonicNow() - madeAt < LINK_MS ? { status: 'open', telegramId } : { status: 'expired' };
}

function enter(deps: Deps, { token, once, browser }: ConsoleEntry): Promise<EnterAnswer> {
  const { store, clock } = deps;
  const sessionToken = store.secrets.hash('consoleSession', `${token}:${once}`).toString('base64url');
  const tokenHash = digestOf(sessionToken);
  return store.write((tables): EnterAnswer => {
    const now = clock.monotonicNow();
    const link = tables.consoleLinks.find(digestOf(token));
    const isYoung = link !== undefined && now - link.madeAt < LINK_MS;
    if (isYoung && tables.consoleSessions.find(tokenHash)) return { status: 'entered', token: sessionToken };
    const notBefore = now - LINK_MS;
    if (!link || !tables.consoleLinks.use({ tokenHash: link.tokenHash, browser, now, notBefore })) {
      const found = findLink(deps, tables, token);
      return found.status === 'open' ? { status: 'expired' } : found;
    }
    const { telegramId } = link;
    const sessionId = tables.consoleSessions.insert({ tokenHash, telegramId, browser, now });
    const member = tables.members.find(telegramId);
    const actor = member ? toActor(member) : ({ kind: 'host', by: telegramId } as const);
    const entered = { object: `session:${sessionId}`, after: { browser } };
    record(tables, { ...actor, door: 'page' }, 'consoleEntered', entered, clock.now());
    const accountId = member?.accountId ?? null;
    writeNotice(tables, { kind: 'consoleOpened', accountId, telegramId, browser, sessionId }, clock.now());
    return { status: 'entered', token: sessionToken };
  });
}
