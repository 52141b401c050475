// How an import from the chat stands: whose it is, what was collected, and what was answered about it.
import type { Tables } from '../../store/index.ts';
import { nameActor, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import type { Games } from '../games.ts';
import { requireDenomination, requireCodeDatabase } from '../games.ts';
import { GOOD, LEFT_OUT, NOTHING_SAID, readAnswers } from './import-sections.ts';

/** An import as it stands. */
export interface ImportProgress {
  gameId: string;
  /** Of codes that the text says none for. */
  denomination: number | undefined;
  state: 'collecting' | 'committing' | 'committed' | 'cancelled';
  messages: number;
  files: number;
  /** The message of the chat that counts along last. */
  shownIn: number | undefined;
  /** From whom the codes were bought. */
  supplier: string | undefined;
  /** Another after anything was collected or chosen: what a preview showed is added only while it is the same. */
  revision: string;
}

/** An import that still collects. `at`: when something came for it last. */
export interface OpenImport {
  id: number;
  gameId: string;
  denomination: number | undefined;
  at: number;
  /** Holds a piece of whoever asks: what was interrupted is not asked about as something else. */
  isOwn: boolean;
}

/** A batch, and the job that goes on with it; undefined where nothing is left to do. */
export interface BulkBegun {
  batchId: number;
  jobId: number | undefined;
}

/** Many times as many as a preview asks. */
const MOST_ANSWERS = 100;

export type ImportRow = NonNullable<ReturnType<Tables['imports']['find']>>;

export function findOpen(
  { imports }: Tables,
  owner: AccountActor,
  keys: readonly string[],
): OpenImport | undefined {
  const { accountId, actor } = ownerOf(owner);
  const latest = imports.findLatest(accountId, actor);
  if (latest?.state !== 'collecting') return undefined;
  const { id, gameId, at } = latest;
  const isOwn = keys.some((key) => imports.hasPiece(id, key));
  return { id, gameId, denomination: latest.denomination ?? undefined, at, isOwn };
}

/** What is told of it. */
export function describe(
  tables: Tables,
  { id, gameId, denomination, state, ...row }: ImportRow,
): ImportProgress {
  const { messages, files } = tables.imports.countPieces(id);
  const revision = `${messages}:${files}:${denomination ?? ''}:${row.answers ?? ''}`;
  const [chosen, shownIn] = [denomination ?? undefined, row.shownIn ?? undefined];
  const supplier = row.supplier ?? undefined;
  return { gameId, denomination: chosen, state, messages, files, shownIn, supplier, revision };
}

/** False when it was decided meanwhile. */
export function storeAnswer(
  tables: Tables,
  games: Games,
  { id, gameId, answers }: ImportRow,
  { key, denomination }: { key: string; denomination: number | 'leftOut' | 'good' },
): boolean {
  if (typeof denomination === 'number') requireDenomination(requireCodeDatabase(games, gameId), denomination);
  if (key === NOTHING_SAID && typeof denomination === 'number')
    return tables.imports.setDenomination(id, denomination);
  const answer =
    typeof denomination === 'number' ? denomination : { leftOut: LEFT_OUT, good: GOOD }[denomination];
  const kept = { ...readAnswers(answers), [key]: answer };
  if (Object.keys(kept).length > MOST_ANSWERS) throw new CoreError('INVALID_INPUT', 'Too much was answered.');
  return tables.imports.setAnswers(id, JSON.stringify(kept));
}

export function ownerOf(actor: AccountActor) {
  return { accountId: actor.accountId, actor: nameActor(actor) };
}

/** Throws CoreError NOT_FOUND for what is another's. */
export function findOwn(tables: Tables, actor: AccountActor, importId: number) {
  const found = tables.imports.find(importId);
  const { accountId, actor: name } = ownerOf(actor);
  if (found?.accountId === accountId && found.actor === name) return found;
  throw new CoreError('NOT_FOUND', 'There is no such import. Begin a new one with /add_codes.');
}
