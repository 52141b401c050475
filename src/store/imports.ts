// Imports under way: what was pasted so far, piece by piece, sealed. Nothing of it is in the code database yet.
import { asc, desc, eq, sql, type Orm } from './drizzle.ts';
import { importPieces, imports } from './schema.ts';
import type { Secrets } from './secrets.ts';

const ph = sql.placeholder;

export type ImportState = 'collecting' | 'committing' | 'committed' | 'cancelled';

export function createImportsTable(orm: Orm, secrets: Secrets) {
  const { open, find, findLatest, listCommitting, move, setBatch } = prepareImports(orm);
  const pieces = preparePieces(orm);
  const identity = (importId: number, pieceKey: string) => `import:${importId}:${pieceKey}`;

  return {
    open: (entry: {
      accountId: number;
      gameId: string;
      actor: string;
      denomination: number | null;
      now: number;
    }): number => open.get(entry).id,
    find(id: number) {
      const row = find.get({ id });
      return row && { ...row, state: row.state as ImportState };
    },
    /** The newest import of this actor, whatever its state. */
    findLatest(accountId: number, actor: string) {
      const row = findLatest.get({ accountId, actor });
      return row && { ...row, state: row.state as ImportState };
    },
    /** Imports whose codes were being added when the process ended. */
    listCommitting: () => listCommitting.all(),
    /** Changes the state from the one that was seen; false when it changed meanwhile. */
    move: (id: number, from: ImportState, to: ImportState) => move.run({ id, from, to }).changes === 1,
    setBatch: (id: number, batchId: number) => void setBatch.run({ id, batchId }),
    /** Adds a piece; false when a piece of this key is there already. */
    addPiece(piece: {
      importId: number;
      pieceKey: string;
      position: number;
      kind: 'message' | 'file';
      text: string;
    }) {
      const { text, ...rest } = piece;
      const textSecret = secrets.seal(identity(piece.importId, piece.pieceKey), text);
      return pieces.insert.run({ ...rest, textSecret }).changes === 1;
    },
    listPieces: (importId: number): { kind: 'message' | 'file'; text: string }[] =>
      pieces.list.all({ importId }).map((row) => ({
        kind: row.kind as 'message' | 'file',
        text: secrets.open(identity(importId, row.pieceKey), row.textSecret),
      })),
    /** Forgets what was pasted, once it is decided. */
    deletePieces: (importId: number) => void pieces.remove.run({ importId }),
  };
}

function prepareImports(orm: Orm) {
  return {
    open: orm
      .insert(imports)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        actor: ph('actor'),
        denomination: ph('denomination'),
        state: sql`'collecting'`,
        at: ph('now'),
      })
      .returning({ id: imports.id })
      .prepare(),
    find: orm
      .select()
      .from(imports)
      .where(eq(imports.id, ph('id')))
      .prepare(),
    findLatest: orm
      .select()
      .from(imports)
      .where(sql`account_id = ${ph('accountId')} and actor = ${ph('actor')}`)
      .orderBy(desc(imports.id))
      .limit(1)
      .prepare(),
    listCommitting: orm
      .select()
      .from(imports)
      .where(sql`state = 'committing'`)
      .prepare(),
    move: orm
      .update(imports)
      .set({ state: sql`${ph('to')}` })
      .where(sql`id = ${ph('id')} and state = ${ph('from')}`)
      .prepare(),
    setBatch: orm
      .update(imports)
      .set({ batchId: sql`${ph('batchId')}` })
      .where(sql`id = ${ph('id')}`)
      .prepare(),
  };
}

function preparePieces(orm: Orm) {
  return {
    insert: orm
      .insert(importPieces)
      .values({
        importId: ph('importId'),
        pieceKey: ph('pieceKey'),
        position: ph('position'),
        kind: ph('kind'),
        textSecret: ph('textSecret'),
      })
      .onConflictDoNothing()
      .prepare(),
    list: orm
      .select()
      .from(importPieces)
      .where(eq(importPieces.importId, ph('importId')))
      .orderBy(asc(importPieces.position), asc(importPieces.pieceKey))
      .prepare(),
    remove: orm
      .delete(importPieces)
      .where(eq(importPieces.importId, ph('importId')))
      .prepare(),
  };
}
