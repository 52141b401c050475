// Looking back: pages of an account's redemptions, and finding one by receipt, player, name or the end of its code.
// Lines hold neither credentials nor codes; the receipt itself is receipts.ts.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { PastCursor, Store, StoredRedemption } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { ErrorCode } from '../outcomes.ts';
import { requirePermission } from '../permissions.ts';

/** A line about one redemption. */
export interface PastLine {
  /** The receipt identifier. */
  id: number;
  createdAt: number;
  gameId: string;
  playerId: string;
  playerName?: string;
  /** Units of the game's currency; absent when they are not known. */
  amount?: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'failed';
  errorCode?: ErrorCode;
  warning: boolean;
  /** The last characters of the code, never more than half of it. */
  codeTail?: string;
}

export interface PastPage {
  /** Newest first. */
  lines: PastLine[];
  /** Whether there are older ones. */
  hasMore: boolean;
}

/** Beside which line a page lies: what is redeemed meanwhile shifts nothing. */
export type Beside = { olderThan: PastCursor } | { newerThan: PastCursor };

export interface Found {
  /** Receipt identifiers, newest first. */
  ids: number[];
  /** False when there may be older ones: the search has its bounds. */
  isComplete: boolean;
}

/** How many characters at the end of a code find it. */
export const TAIL_LENGTH = 6;
export const MOST_FOUND = 200;
const LONGEST_TEXT = 200;
const LAST_PAGE = 100_000;
/** Index entries; a millisecond. */
const SKIPPED_AT_ONCE = 10_000;
/** Rows, each on a page of its own in a large file. */
const NAMES_AT_ONCE = 200;
/** Names are looked through for so many redemptions; older ones are found by their player or code. */
const MOST_NAMES = 500_000;
const SHORTEST_NAME = 2;
const NEWEST = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

export type Search = ReturnType<typeof createSearch>;

export function createSearch({ store }: { store: Store }) {
  return {
    /**
     * A page of everything, counted from 1, newest first. Far ones are walked to over an index, in slices. Throws CoreError
     * FORBIDDEN, INVALID_INPUT.
     */
    page: (actor: AccountActor, asked: { page: number; size: number }): Promise<PastPage> =>
      findPage(store, actor, asked),
    /** The page before or after a line, wherever it is. Throws CoreError FORBIDDEN. */
    beside(actor: AccountActor, beside: Beside, size: number): PastPage {
      requirePermission(actor, 'searchHistory');
      return readBeside(store, actor.accountId, beside, size);
    },
    /**
     * Finds by the whole text: a receipt or player identifier, a code or at least its last six characters (case-sensitive),
     * a part of a player's name (in any case). Never holds the event loop for long.
     */
    find: (actor: AccountActor, text: string): Promise<Found> => find(store, actor, text),
    /** Lines of what was found, as they stand now; those that are not this account's are left out. */
    read(actor: AccountActor, ids: readonly number[]): PastLine[] {
      requirePermission(actor, 'searchHistory');
      return store.read(({ redemptions }) =>
        ids
          .map((id) => redemptions.find(id))
          .filter((row) => row?.accountId === actor.accountId)
          .map((row) => toLine(row!)),
      );
    },
  };
}

async function findPage(
  store: Store,
  actor: AccountActor,
  { page, size }: { page: number; size: number },
): Promise<PastPage> {
  requirePermission(actor, 'searchHistory');
  if (!Number.isInteger(page) || page < 1 || page > LAST_PAGE) {
    throw new CoreError('INVALID_INPUT', `The page must be a whole number from 1 to ${LAST_PAGE}.`);
  }
  let cursor: PastCursor = NEWEST;
  for (let left = (page - 1) * size; left > 0; left -= SKIPPED_AT_ONCE) {
    const from = cursor;
    const count = Math.min(left, SKIPPED_AT_ONCE);
    const reached = store.read(({ history }) => history.skipBack(actor.accountId, from, count));
    if (!reached) return { lines: [], hasMore: false };
    cursor = reached;
    await nextTurn();
  }
  return readBeside(store, actor.accountId, { olderThan: cursor }, size);
}

function readBeside(store: Store, accountId: number, beside: Beside, size: number): PastPage {
  return store.read(({ history }) => {
    if ('newerThan' in beside) {
      const rows = history.listFrom(accountId, beside.newerThan, Number.MAX_SAFE_INTEGER, size);
      return { lines: rows.reverse().map(toLine), hasMore: true };
    }
    const rows = history.listBack(accountId, beside.olderThan, size + 1);
    return { lines: rows.slice(0, size).map(toLine), hasMore: rows.length > size };
  });
}

async function find(store: Store, actor: AccountActor, asked: string): Promise<Found> {
  requirePermission(actor, 'searchHistory');
  const text = asked.trim().slice(0, LONGEST_TEXT);
  const { accountId } = actor;
  const ids = store.read(({ history, redemptions }) => {
    const byId = toReceiptId(text);
    const receipt = byId === undefined ? undefined : redemptions.find(byId);
    return new Set([
      ...(receipt?.accountId === accountId ? [receipt.id] : []),
      ...history.findOfPlayer(accountId, text, MOST_FOUND + 1),
      ...findByCode(history, accountId, text),
    ]);
  });
  const looksThrough = fold(text).length >= SHORTEST_NAME && /\p{L}|\p{N}|\p{S}|\p{P}/u.test(text);
  const isComplete = !looksThrough || (await findByName(store, accountId, text, ids));
  const newestFirst = [...ids].sort((a, b) => b - a);
  return {
    ids: newestFirst.slice(0, MOST_FOUND),
    isComplete: isComplete && newestFirst.length <= MOST_FOUND,
  };
}

type HistoryTable = Parameters<Parameters<Store['read']>[0]>[0]['history'];

function findByCode(history: HistoryTable, accountId: number, text: string): number[] {
  if (text.length < TAIL_LENGTH) return [];
  const rows = history.findOfTail(accountId, text, MOST_FOUND + 1);
  return rows.filter((row) => row.code?.endsWith(text)).map((row) => row.id);
}

/** Adds to `ids`. In slices, newest first; false when it stopped before the oldest. */
async function findByName(store: Store, accountId: number, text: string, ids: Set<number>): Promise<boolean> {
  const wanted = fold(text);
  let cursor = NEWEST;
  for (let read = 0; read < MOST_NAMES; read += NAMES_AT_ONCE) {
    const rows = store.read(({ history }) => history.listNames(accountId, cursor, NAMES_AT_ONCE));
    for (const { id, playerName } of rows) {
      if (playerName === null || !fold(playerName).includes(wanted)) continue;
      ids.add(id);
      if (ids.size > MOST_FOUND) return false;
    }
    const last = rows.at(-1);
    if (!last || rows.length < NAMES_AT_ONCE) return true;
    cursor = last;
    await nextTurn();
  }
  return false;
}

function toReceiptId(text: string): number | undefined {
  const digits = /^(?:\/?receipt[_ ]|#)?([0-9]{1,15})$/i.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Names as people compare them: compatible forms are one, case does not matter (upper case first, so that ß is ss and both
 * lower sigmas are one), what cannot be seen is not there.
 */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC');
}

function toLine(row: StoredRedemption): PastLine {
  const amount = row.amount ?? row.denomination;
  return {
    id: row.id,
    createdAt: row.createdAt,
    gameId: row.gameId,
    playerId: row.playerId,
    ...(row.playerName !== null && { playerName: row.playerName }),
    ...(amount !== null && { amount }),
    state: row.state,
    ...(row.errorCode !== null && { errorCode: row.errorCode as ErrorCode }),
    warning: row.warning,
    ...(row.code !== null && { codeTail: tailOf(row.code) }),
  };
}

/** The last characters of a code, for telling codes apart without showing one. */
export function tailOf(code: string): string {
  const shown = Math.min(TAIL_LENGTH, Math.floor(code.length / 2));
  return shown === 0 ? '' : code.slice(-shown);
}
