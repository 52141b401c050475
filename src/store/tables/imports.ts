// Imports under way: what was pasted so far, piece by piece, sealed. Nothing of it is in the code database yet.
import { and, asc, bound, desc, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { importPieces, imports } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export type ImportState = 'collecting' | 'committing' | 'committed' | 'cancelled';

export function createImportsTable(orm: Orm, secrets: Secrets) {
  const { open, find, findOfBatch, findLatest, listCommitting, listUndecided, move, setBatch } =
    prepareImports(orm);
  const answers = prepareAnswers(orm);

  return {
    open: (entry: {
      accountId: number;
      gameId: string;
      actor: string;
      denomination: number | null;
      now: number;
    }): number => open.get(entry).id,
    find: (id: number) => find.get({ id }),
    findOfBatch: (batchId: number) => findOfBatch.get({ batchId }),
    /** The newest import of this actor, whatever its state. */
    findLatest: (accountId: number, actor: string) => findLatest.get({ accountId, actor }),
    /** Imports whose codes are being added, or whose end was interrupted. */
    listCommitting: () => listCommitting.all(),
    /** Changes the state from the one that was seen; false when it changed meanwhile. */
    move: (id: number, from: ImportState, to: ImportState) => move.run({ id, from, to }).changes === 1,
    /** Imports that still collect and were begun until then. */
    listUndecided: (until: number, limit: number) => listUndecided.all({ until, limit }),
    setDenomination: (id: number, denomination: number) =>
      answers.setDenomination.run({ id, denomination }).changes === 1,
    /** What was answered about headings, as JSON; false when it was decided meanwhile. */
    setAnswers: (id: number, json: string) => answers.setAnswers.run({ id, answers: json }).changes === 1,
    setShownIn: (id: number, messageId: number) => void answers.setShownIn.run({ id, messageId }),
    /** False when it was decided meanwhile. */
    setSupplier: (id: number, supplier: string | null) =>
      answers.setSupplier.run({ id, supplier }).changes === 1,
    setBatch: (id: number, batchId: number) => void setBatch.run({ id, batchId }),
    ...createPieces(orm, secrets),
  };
}

/** What was pasted, piece by piece. */
function createPieces(orm: Orm, secrets: Secrets) {
  const [pieces, messages] = [preparePieces(orm), prepareMessages(orm)];
  const identity = (importId: number, pieceKey: string) => `import:${importId}:${pieceKey}`;
  const linesOf = (importId: number, pieceKey: string) => `import-lines:${importId}:${pieceKey}`;
  return {
    /** Adds a piece; false when a piece of this key is there already. */
    addPiece(piece: {
      importId: number;
      pieceKey: string;
      position: number;
      kind: 'message' | 'file';
      text: string;
      /** As they were read. */
      lines?: string;
    }) {
      const { text, lines, ...rest } = piece;
      const textSecret = secrets.seal(identity(piece.importId, piece.pieceKey), text);
      const identityOfLines = linesOf(piece.importId, piece.pieceKey);
      const linesSecret = lines === undefined ? null : secrets.seal(identityOfLines, lines);
      return pieces.insert.run({ ...rest, textSecret, linesSecret }).changes === 1;
    },
    hasPiece: (importId: number, pieceKey: string) => pieces.find.get({ importId, pieceKey }) !== undefined,
    /** The keys of the pieces, in order. */
    listPieceKeys: (importId: number): string[] =>
      pieces.listKeys.all({ importId }).map(({ pieceKey }) => pieceKey),
    /** Its `text` is undefined where it does not open any more; `lines` also where they were not kept. */
    findPiece(
      importId: number,
      pieceKey: string,
    ):
      | { kind: 'message' | 'file'; text: string | undefined; lines: string | undefined; position: number }
      | undefined {
      const row = pieces.find.get({ importId, pieceKey });
      return (
        row && {
          kind: row.kind,
          position: row.position,
          text: secrets.openIfSound(identity(importId, pieceKey), row.textSecret),
          lines: row.linesSecret
            ? secrets.openIfSound(linesOf(importId, pieceKey), row.linesSecret)
            : undefined,
        }
      );
    },
    /** The messages that its pieces came in. */
    listMessages: (importId: number): number[] => messages.all({ importId }).map(({ position }) => position),
    /** How many messages and files there are; of a file kept in several pieces the first counts. */
    countPieces(importId: number): { messages: number; files: number } {
      const row = pieces.count.get({ importId });
      return { messages: row?.messages ?? 0, files: row?.files ?? 0 };
    },
    /** In sealed bytes. */
    measurePieces: (importId: number): number => pieces.measure.get({ importId })?.bytes ?? 0,
    /** Of the last piece, sealed. */
    measureLast: (importId: number): number => pieces.measureLast.get({ importId })?.bytes ?? 0,
    /** Forgets one piece; false when it is gone. */
    deletePiece: (importId: number, pieceKey: string) =>
      pieces.removeOne.run({ importId, pieceKey }).changes === 1,
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
    findOfBatch: orm
      .select()
      .from(imports)
      .where(sql`batch_id = ${ph('batchId')} and state = 'committing'`)
      .limit(1)
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
    listUndecided: orm
      .select({ id: imports.id })
      .from(imports)
      .where(sql`state = 'collecting' and at <= ${ph('until')}`)
      .limit(ph('limit'))
      .prepare(),
    move: orm
      .update(imports)
      .set({ state: bound('to') })
      .where(sql`id = ${ph('id')} and state = ${ph('from')}`)
      .prepare(),
    setBatch: orm
      .update(imports)
      .set({ batchId: bound('batchId') })
      .where(sql`id = ${ph('id')}`)
      .prepare(),
  };
}

function prepareAnswers(orm: Orm) {
  return {
    setDenomination: orm
      .update(imports)
      .set({ denomination: bound('denomination') })
      .where(sql`id = ${ph('id')} and state = 'collecting'`)
      .prepare(),
    setAnswers: orm
      .update(imports)
      .set({ answers: bound('answers') })
      .where(sql`id = ${ph('id')} and state = 'collecting'`)
      .prepare(),
    setSupplier: orm
      .update(imports)
      .set({ supplier: bound('supplier') })
      .where(sql`id = ${ph('id')} and state = 'collecting'`)
      .prepare(),
    setShownIn: orm
      .update(imports)
      .set({ shownIn: bound('messageId') })
      .where(sql`id = ${ph('id')}`)
      .prepare(),
  };
}

const prepareMessages = (orm: Orm) =>
  orm
    .select({ position: importPieces.position })
    .from(importPieces)
    .where(eq(importPieces.importId, ph('importId')))
    .prepare();

function preparePieces(orm: Orm) {
  const ofImport = eq(importPieces.importId, ph('importId'));
  return {
    insert: orm
      .insert(importPieces)
      .values({
        importId: ph('importId'),
        pieceKey: ph('pieceKey'),
        position: ph('position'),
        kind: ph('kind'),
        textSecret: ph('textSecret'),
        linesSecret: ph('linesSecret'),
      })
      .onConflictDoNothing()
      .prepare(),
    listKeys: orm
      .select({ pieceKey: importPieces.pieceKey })
      .from(importPieces)
      .where(ofImport)
      .orderBy(asc(importPieces.position), asc(importPieces.pieceKey))
      .prepare(),
    find: orm
      .select()
      .from(importPieces)
      .where(and(ofImport, eq(importPieces.pieceKey, ph('pieceKey'))))
      .prepare(),
    count: orm
      .select({
        messages: sql<number>`count(*) filter (where kind = 'message' and instr(piece_key, '#') = 0)`,
        files: sql<number>`count(*) filter (where kind = 'file' and instr(piece_key, '#') = 0)`,
      })
      .from(importPieces)
      .where(ofImport)
      .prepare(),
    measure: orm
      .select({ bytes: sql<number>`coalesce(sum(length(text_secret)), 0)` })
      .from(importPieces)
      .where(ofImport)
      .prepare(),
    measureLast: orm
      .select({ bytes: sql<number>`length(text_secret)` })
      .from(importPieces)
      .where(ofImport)
      .orderBy(desc(importPieces.position), desc(importPieces.pieceKey))
      .limit(1)
      .prepare(),
    removeOne: orm
      .delete(importPieces)
      .where(and(ofImport, eq(importPieces.pieceKey, ph('pieceKey'))))
      .prepare(),
    remove: orm
      .delete(importPieces)
      .where(eq(importPieces.importId, ph('importId')))
      .prepare(),
  };
}
