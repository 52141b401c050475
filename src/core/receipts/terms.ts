// What a word can mean when somebody looks for a redemption: a player, a receipt, an end of a code, who began it, a
// part of a name. What an index finds is found here; names are compared as rows are read.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { BriefRow, Store, Tables } from '../../store/index.ts';
import { foldName, foldWritten } from '../folding.ts';

export interface Term {
  word: string;
  /** Parts of names are compared with this. */
  folded: string;
  /** Ids of players that have redemptions here. */
  players: string[];
  /** Digits that no player has for an ID: some may begin or end so. */
  idPart?: string;
  /** Redemptions by their own number, or by their code. */
  rows: BriefRow[];
  /** Names of actors. */
  actors: Set<string>;
  /** More codes may begin or end so than are compared. */
  asksForMore: boolean;
}

const MARKED = /^[#№]/u;
/** From four digits on. */
const ID_PART = /^(?:u?id|ид|айди)?(\d{4,19})$/iu;
/** How many characters at an end of a code find it. */
const END_LENGTH = 6;
/** Codes that are opened and compared for one word. */
const MOST_CANDIDATES = 200;

/** Whether an index finds all of it, so that nobody walks through names and parts of IDs. */
export const isStrong = ({ players, rows, idPart }: Term): boolean =>
  players.length > 0 || (rows.length > 0 && idPart === undefined);

/** Whether it says this redemption. */
export function matches(term: Term, row: BriefRow): boolean {
  return (
    term.players.includes(row.playerId) ||
    term.rows.some(({ id }) => id === row.id) ||
    term.actors.has(row.actor) ||
    (term.idPart !== undefined &&
      (row.playerId.endsWith(term.idPart) || row.playerId.startsWith(term.idPart))) ||
    (row.playerName !== null && foldName(row.playerName).includes(term.folded))
  );
}

/** Reads a word of a search. `isAlone`: a bare number may be that of a receipt. */
export async function readTerm(
  store: Store,
  accountId: number,
  word: string,
  { isAlone }: { isAlone: boolean },
): Promise<Term> {
  const bare = foldWritten(word).replace(/^[\p{P}\p{S}]+|(?<=[^\p{P}\p{S}])[\p{P}\p{S}]+$/gu, '');
  const codes = await findByCode(store, accountId, bare);
  return store.read((tables) => {
    const players = findPlayers(tables, accountId, word, bare);
    const idPart = players.length === 0 && !MARKED.test(word) && ID_PART.exec(bare)?.[1];
    return {
      word,
      folded: foldName(word),
      players,
      ...(idPart && { idPart }),
      rows: [...findReceipt(tables, accountId, word, isAlone), ...codes.rows],
      actors: findActors(tables, accountId, word),
      asksForMore: codes.asksForMore,
    };
  });
}

function findPlayers({ history }: Tables, accountId: number, word: string, bare: string): string[] {
  const ids = new Set([word, bare, ...(word.match(/\d{5,20}/g) ?? [])]);
  return [...ids].filter(
    (playerId) =>
      playerId !== '' &&
      history.listOfPlayer({ accountId, playerId, direction: 'newer', id: 0, limit: 1 }).length > 0,
  );
}

function findReceipt({ redemptions }: Tables, accountId: number, word: string, isAlone: boolean): BriefRow[] {
  const marked =
    /^(?:\/?receipt_|#|№)(\d{1,15})[.,!?]*$/i.exec(word) ?? (isAlone ? /^([1-9]\d{0,14})$/.exec(word) : null);
  const row = marked && redemptions.find(Number(marked[1]));
  return row?.accountId === accountId ? [row] : [];
}

/** Who is meant by a name, one of its words, `@user`, or the beginning of a key. */
function findActors({ members, apiKeys }: Tables, accountId: number, word: string): Set<string> {
  const wanted = foldName(word);
  const people = members.list(accountId).filter(({ name, username }) => {
    const names = [name, ...name.split(/\s+/u)].map(foldName);
    return (
      names.includes(wanted) ||
      (username !== null && [username, `@${username}`].map(foldName).includes(wanted))
    );
  });
  const keys = /^crs_./.test(word)
    ? apiKeys.list(accountId).filter(({ prefix }) => isBeginning(prefix, word))
    : [];
  return new Set([
    ...people.map(({ telegramId }) => `member:${telegramId}`),
    ...keys.map(({ id }) => `apiKey:${id}`),
  ]);
}

function isBeginning(prefix: string, word: string): boolean {
  const shown = word.replace(/(?<!…)…+$/u, '');
  return shown.length > 4 && (prefix.startsWith(shown) || shown.startsWith(prefix));
}

interface FoundCodes {
  rows: BriefRow[];
  asksForMore: boolean;
}

/**
 * By its end or its beginning, six characters and more of it, in any case and with its dashes. A bounded number of
 * candidates is opened.
 */
export async function findByCode(store: Store, accountId: number, word: string): Promise<FoundCodes> {
  const plainCode = store.seals.plain;
  const plain = plainCode(word);
  if (plain.length < END_LENGTH) return { rows: [], asksForMore: false };
  const ending = store.read(({ history }) => history.findOfTail(accountId, word, MOST_CANDIDATES + 1));
  await nextTurn();
  const beginning = store.read(({ history }) => history.findOfHead(accountId, word, MOST_CANDIDATES + 1));
  const rows = [
    ...ending.filter(({ code }) => code !== null && plainCode(code).endsWith(plain)),
    ...beginning.filter(({ code }) => code !== null && plainCode(code).startsWith(plain)),
  ];
  return { rows, asksForMore: Math.max(beginning.length, ending.length) > MOST_CANDIDATES };
}
