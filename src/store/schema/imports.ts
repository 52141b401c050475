// The tables of imports under way.
import { sql } from 'drizzle-orm';
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accounts } from './accounts.ts';
import { batches } from './codes.ts';
import { bytes, oneOf } from './column-helpers.ts';

const IMPORT_STATES = ['collecting', 'committing', 'committed', 'cancelled'] as const;

/** An import under way: pieces are collected before anything is added. */
export const imports = sqliteTable(
  'imports',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    gameId: text('game_id').notNull(),
    actor: text('actor').notNull(),
    denomination: integer('denomination'),
    state: text('state', { enum: IMPORT_STATES }).notNull(),
    batchId: integer('batch_id').references(() => batches.id),
    at: integer('at').notNull(),
    /** What was answered about headings that were not understood: JSON, denominations by the key of a heading. */
    answers: text('answers'),
    /** The message of the chat that counts along last. */
    shownIn: integer('shown_in'),
    supplier: text('supplier'),
  },
  (table) => [
    index('imports_by_actor').on(table.accountId, table.actor),
    index('imports_collecting').on(table.at).where(sql.raw("state = 'collecting'")),
    index('imports_committing').on(table.id).where(sql.raw("state = 'committing'")),
    check('imports_state', oneOf('state', IMPORT_STATES)),
  ],
);

/** The pieces of an import, in order of `position`; the same `pieceKey` again is the same piece. */
export const importPieces = sqliteTable(
  'import_pieces',
  {
    importId: integer('import_id')
      .notNull()
      .references(() => imports.id),
    pieceKey: text('piece_key').notNull(),
    position: integer('position').notNull(),
    kind: text('kind', { enum: ['message', 'file'] }).notNull(),
    textSecret: bytes('text_secret').notNull(),
    /** Its lines as they were read, which an earlier program did not keep. */
    linesSecret: bytes('lines_secret'),
  },
  (table) => [primaryKey({ columns: [table.importId, table.pieceKey] })],
);

/** The messages that a batch was pasted in, for as long as they can be deleted. */
export const pastedMessages = sqliteTable(
  'pasted_messages',
  {
    batchId: integer('batch_id')
      .notNull()
      .references(() => batches.id),
    messageId: integer('message_id').notNull(),
    /** 1 where everything in it was added. */
    added: integer('added').notNull(),
  },
  (table) => [primaryKey({ columns: [table.batchId, table.messageId] })],
);
