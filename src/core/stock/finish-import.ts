// The end of an import: which of the pasted messages hold nothing but what was added and understood, so that they can
// be deleted; then what was pasted is forgotten.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { nameActor } from '../context.ts';
import type { Game, Games } from '../games.ts';
import type { ReadPiece } from '../paste/messages.ts';
import { readPaste } from '../paste/reading.ts';
import type { PasteToken } from '../paste/token.ts';
import { readPieces } from './import-codes.ts';
import { isPassing } from './jobs.ts';

/** The messages a batch was pasted in. */
export interface PastedMessages {
  /** Everything in them was added. */
  added: number[];
  /** How many hold something that was not. */
  kept: number;
}

interface PastedDeps {
  store: Store;
  games: Games;
  clock: Clock;
}

/** Something that was pasted, as a message of the chat. */
interface Message {
  position: number;
  length: number;
  codes: number;
  headings: number;
  /** Nothing in it was refused so far. */
  isAdded: boolean;
}

const TURN_MS = 8;
/** Of a message without codes: a longer one says more than what its heading does. */
const LONGEST_HEADING = 64;
const MOST_MESSAGES = 10_000;
/** Telegram lets a bot delete what is younger. */
export const DELETED_WITHIN_MS = 48 * 60 * 60 * 1000;

/** Safe to repeat until the pieces are gone. */
export async function closeImport(
  deps: PastedDeps,
  { id, gameId, batchId }: { id: number; gameId: string; batchId: number | null },
): Promise<void> {
  const { store, games } = deps;
  const game = games.find(gameId);
  if (batchId !== null && game) await notePasted(deps, game, id, batchId).catch(letGo);
  // Forgotten a piece at a time: a large one fills thousands of pages.
  const keys = store.read((tables) => tables.imports.listPieceKeys(id));
  for (const key of keys) {
    await store.write((tables) => tables.imports.deletePiece(id, key), { bulk: true });
  }
  await store.write((tables) => tables.imports.move(id, 'committing', 'committed'), { bulk: true });
}

/** What does not open any more is not noted: an import without an end would hold up all others. */
function letGo(error: unknown): void {
  if (isPassing(error)) throw error;
}

async function notePasted(
  { store, clock }: PastedDeps,
  game: Game,
  importId: number,
  batchId: number,
): Promise<void> {
  const messages: Message[] = [];
  let turnBegan = clock.elapsed();
  for (const token of readPaste(noteWhile(readPieces(store, importId), messages), game, {})) {
    if (clock.elapsed() - turnBegan > TURN_MS) {
      await nextTurn();
      turnBegan = clock.elapsed();
    }
    if (token.kind === 'pause') continue;
    for (const message of messages.slice(token.first, token.last + 1))
      note(store, message, token, game, batchId);
  }
  const known = messages.filter(({ position }) => position > 0).slice(0, MOST_MESSAGES);
  if (known.length === 0) return;
  await store.write(
    (tables) => {
      for (const message of known) tables.pastedMessages.save(batchId, message.position, isAdded(message));
    },
    { bulk: true },
  );
}

function* noteWhile(pieces: ReturnType<typeof readPieces>, messages: Message[]): Generator<ReadPiece> {
  for (const piece of pieces) {
    messages.push({
      position: piece.position,
      length: piece.text.length,
      codes: 0,
      headings: 0,
      isAdded: true,
    });
    yield piece;
  }
}

function note(store: Store, message: Message, token: PasteToken, game: Game, batchId: number): void {
  // Nothing is deleted that holds anything not understood.
  if (token.kind === 'unknown') message.isAdded = false;
  if (token.kind === 'heading') message.headings += token.denomination === undefined ? 0 : 1;
  if (token.kind !== 'code') return;
  message.codes += 1;
  if (!message.isAdded) return;
  const hash = store.seals.hash(game.id, token.code);
  message.isAdded = store.read((tables) => tables.batches.holds(batchId, hash));
}

const isAdded = ({ isAdded: whole, codes, headings, length }: Message) =>
  whole && (codes > 0 || (headings > 0 && length <= LONGEST_HEADING));

/** The messages of a batch that this actor pasted; none where the batch is another's, or older than Telegram allows. */
export function findPasted(
  { store, clock }: Pick<PastedDeps, 'store' | 'clock'>,
  actor: AccountActor,
  batchId: number,
): PastedMessages {
  return store.read((tables) => {
    const batch = tables.batches.find(batchId);
    const isOwn = batch?.accountId === actor.accountId && batch.actor === nameActor(actor);
    if (!isOwn || clock.now() - batch.at > DELETED_WITHIN_MS) return { added: [], kept: 0 };
    const all = tables.pastedMessages.list(batchId, MOST_MESSAGES);
    const added = all.filter((message) => message.added).map(({ messageId }) => messageId);
    return { added, kept: all.length - added.length };
  });
}

/** Prunes the messages of batches that are older than Telegram allows, a few at a time. */
export function prunePasted(tables: Tables, until: number, limit: number): void {
  const batchId = tables.pastedMessages.findOldest();
  if (batchId === undefined) return;
  if ((tables.batches.find(batchId)?.at ?? 0) <= until) tables.pastedMessages.remove(batchId, limit);
}
