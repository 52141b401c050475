// Imports under way: what was pasted so far, piece by piece, sealed. Nothing of it is in the code database yet.
import type { importPieces, imports } from '../schema/index.ts';
import { HEAD_BYTES, type Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';

type ImportRow = typeof imports.$inferSelect;
type PieceRow = typeof importPieces.$inferSelect;
type NewImport = Pick<ImportRow, 'accountId' | 'gameId' | 'actor' | 'denomination'> & { now: number };

export type ImportState = ImportRow['state'];

export function createImportsTable(sql: Sql, secrets: Secrets) {
  const imports = importsOf(sql);
  const answers = answersOf(sql);
  return {
    open: imports.open,
    find: (id: number) => imports.find({ id }),
    findOfBatch: (batchId: number) => imports.findOfBatch({ batchId }),
    /** The newest import of this actor, whatever its state. */
    findLatest: (accountId: number, actor: string) => imports.findLatest({ accountId, actor }),
    /** Imports whose codes are being added, or whose end was interrupted. */
    listCommitting: imports.listCommitting,
    /** Changes the state from the one that was seen; false when it changed meanwhile. */
    move: (id: number, from: ImportState, to: ImportState) => imports.move({ id, from, to }) === 1,
    /** Imports that still collect, and for which nothing came since then. */
    listUndecided: (until: number, limit: number) => imports.listUndecided({ until, limit }),
    setDenomination: (id: number, denomination: number) =>
      answers.setDenomination({ id, denomination }) === 1,
    /** What was answered about headings, as JSON; false when it was decided meanwhile. */
    setAnswers: (id: number, json: string) => answers.setAnswers({ id, answers: json }) === 1,
    setShownIn: (id: number, messageId: number) => void answers.setShownIn({ id, messageId }),
    /** False when it was decided meanwhile. */
    setSupplier: (id: number, supplier: string | null) => answers.setSupplier({ id, supplier }) === 1,
    /** Something came for it. */
    touch: (id: number, now: number) => void imports.touch({ id, now }),
    setBatch: (id: number, batchId: number) => void imports.setBatch({ id, batchId }),
    ...createPieces(sql, secrets),
  };
}

type OfId = { id: number };

const importsOf = (sql: Sql) => ({
  open: sql.insert<NewImport>(`
    insert into imports (account_id, game_id, actor, denomination, state, at)
    values (@accountId, @gameId, @actor, @denomination, 'collecting', @now)`),
  find: sql.one<OfId, ImportRow>('select * from imports where id = @id'),
  findOfBatch: sql.one<{ batchId: number }, ImportRow>(
    "select * from imports where batch_id = @batchId and state = 'committing' limit 1",
  ),
  findLatest: sql.one<Pick<ImportRow, 'accountId' | 'actor'>, ImportRow>(`
    select * from imports where account_id = @accountId and actor = @actor order by id desc limit 1`),
  listCommitting: sql.all<void, ImportRow>("select * from imports where state = 'committing'"),
  listUndecided: sql.all<{ until: number; limit: number }, OfId>(
    "select id from imports where state = 'collecting' and at <= @until limit @limit + 0",
  ),
  move: sql.run<OfId & { from: ImportState; to: ImportState }>(
    'update imports set state = @to where id = @id and state = @from',
  ),
  touch: sql.run<OfId & { now: number }>('update imports set at = @now where id = @id'),
  setBatch: sql.run<OfId & { batchId: number }>('update imports set batch_id = @batchId where id = @id'),
});

const answersOf = (sql: Sql) => ({
  setDenomination: sql.run<OfId & { denomination: number }>(
    "update imports set denomination = @denomination where id = @id and state = 'collecting'",
  ),
  setAnswers: sql.run<OfId & { answers: string }>(
    "update imports set answers = @answers where id = @id and state = 'collecting'",
  ),
  setSupplier: sql.run<OfId & { supplier: string | null }>(
    "update imports set supplier = @supplier where id = @id and state = 'collecting'",
  ),
  setShownIn: sql.run<OfId & { messageId: number }>(
    'update imports set shown_in = @messageId where id = @id',
  ),
});

/** `lines`: as they were read. */
type NewPiece = Omit<PieceRow, 'textSecret' | 'linesSecret'> & { text: string; lines?: string };

/** What was pasted, piece by piece. */
function createPieces(sql: Sql, secrets: Secrets) {
  const pieces = piecesOf(sql);
  const identity = (importId: number, pieceKey: string) => `import:${importId}:${pieceKey}`;
  const linesOf = (importId: number, pieceKey: string) => `import-lines:${importId}:${pieceKey}`;
  return {
    /** Adds a piece; false when a piece of this key is there already. */
    addPiece({ text, lines, ...piece }: NewPiece) {
      const textSecret = secrets.seal(identity(piece.importId, piece.pieceKey), text);
      const identityOfLines = linesOf(piece.importId, piece.pieceKey);
      const linesSecret = lines === undefined ? null : secrets.seal(identityOfLines, lines);
      return pieces.insert({ ...piece, textSecret, linesSecret }) === 1;
    },
    hasPiece: (importId: number, pieceKey: string) => pieces.find({ importId, pieceKey }) !== undefined,
    /** The keys of the pieces, in order. */
    listPieceKeys: (importId: number): string[] =>
      pieces.listKeys({ importId }).map(({ pieceKey }) => pieceKey),
    /** Its `text` is undefined where it does not open any more; `lines` also where they were not kept. */
    findPiece(
      importId: number,
      pieceKey: string,
    ):
      | { kind: 'message' | 'file'; text: string | undefined; lines: string | undefined; position: number }
      | undefined {
      const row = pieces.find({ importId, pieceKey });
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
    listMessages: (importId: number): number[] =>
      pieces.listPositions({ importId }).map(({ position }) => position),
    /** How many messages and files there are; of a file kept in several pieces the first counts. */
    countPieces: (importId: number) => pieces.count({ importId }) ?? { messages: 0, files: 0 },
    /** In sealed bytes. */
    measurePieces: (importId: number): number => pieces.measure({ importId })?.bytes ?? 0,
    /** Of the last piece. */
    measureLast: (importId: number): number =>
      (pieces.measureLast({ importId })?.bytes ?? HEAD_BYTES) - HEAD_BYTES,
    /** Forgets one piece; false when it is gone. */
    deletePiece: (importId: number, pieceKey: string) => pieces.removeOne({ importId, pieceKey }) === 1,
    /** Forgets what was pasted, once it is decided. */
    deletePieces: (importId: number) => void pieces.remove({ importId }),
  };
}

type OfImport = Pick<PieceRow, 'importId'>;
type OfPiece = Pick<PieceRow, 'importId' | 'pieceKey'>;

const piecesOf = (sql: Sql) => ({
  insert: sql.run<PieceRow>(`
    insert into import_pieces (import_id, piece_key, position, kind, text_secret, lines_secret)
    values (@importId, @pieceKey, @position, @kind, @textSecret, @linesSecret)
    on conflict do nothing`),
  listKeys: sql.all<OfImport, Pick<PieceRow, 'pieceKey'>>(
    'select piece_key from import_pieces where import_id = @importId order by position, piece_key',
  ),
  find: sql.one<OfPiece, PieceRow>(
    'select * from import_pieces where import_id = @importId and piece_key = @pieceKey',
  ),
  listPositions: sql.all<OfImport, Pick<PieceRow, 'position'>>(
    'select position from import_pieces where import_id = @importId',
  ),
  count: sql.one<OfImport, { messages: number; files: number }>(`
    select count(*) filter (where kind = 'message' and instr(piece_key, '#') = 0) as messages,
      count(*) filter (where kind = 'file' and instr(piece_key, '#') = 0) as files
    from import_pieces where import_id = @importId`),
  measure: sql.one<OfImport, { bytes: number }>(`
    select coalesce(sum(length(text_secret)), 0) as bytes from import_pieces where import_id = @importId`),
  measureLast: sql.one<OfImport, { bytes: number }>(`
    select length(text_secret) as bytes from import_pieces where import_id = @importId
    order by position desc, piece_key desc limit 1`),
  removeOne: sql.run<OfPiece>(
    'delete from import_pieces where import_id = @importId and piece_key = @pieceKey',
  ),
  remove: sql.run<OfImport>('delete from import_pieces where import_id = @importId'),
});

/** The messages that batches were pasted in, for as long as Telegram lets a bot delete them. */
export function createPastedMessagesTable(sql: Sql) {
  const save = sql.run<{ batchId: number; messageId: number; added: boolean }>(`
    insert into pasted_messages (batch_id, message_id, added) values (@batchId, @messageId, @added)
    on conflict do nothing`);
  const list = sql.all<{ batchId: number; limit: number }, { messageId: number; added: number }>(`
    select message_id, added from pasted_messages where batch_id = @batchId order by message_id limit @limit`);
  const findOldest = sql.one<void, { batchId: number }>(
    'select batch_id from pasted_messages where batch_id > 0 order by batch_id limit 1',
  );
  const remove = sql.run<{ batchId: number; limit: number }>(`
    delete from pasted_messages where batch_id = @batchId and message_id in (
      select message_id from pasted_messages where batch_id = @batchId order by message_id limit @limit)`);
  return {
    /** Keeps a message; the same again changes nothing. `added`: everything in it was. */
    save: (batchId: number, messageId: number, added: boolean) => void save({ batchId, messageId, added }),
    /** In the order in which they came. */
    list: (batchId: number, limit: number) =>
      list({ batchId, limit }).map(({ messageId, added }) => ({ messageId, added: added === 1 })),
    /** The batch of which messages are known longest. */
    findOldest: (): number | undefined => findOldest()?.batchId,
    /** Forgets messages of a batch; how many there were, at most `limit`. */
    remove: (batchId: number, limit: number): number => remove({ batchId, limit }),
  };
}
