// Receipts as a spreadsheet for people: headings in their language, games and people by name, moments as dates of their
// zone, IDs and codes as text.
import type { ExportedRedemption, Games } from '../../core/index.ts';
import { offsetAt } from '../../moments.ts';
import { labelActor } from '../actor.ts';
import type { Language, Texts } from '../texts.ts';
import type { ReceiptsDocument } from './export-document.ts';
import { failureLabel } from './receipt-text.ts';
import { createSheet, type SheetCell } from './sheet.ts';

interface Reader {
  full: boolean;
  timeZone: string;
  language: Language;
  texts: Texts;
  games: Pick<Games, 'find'>;
}

/** `export-column-<key>` is its heading. */
type Column = readonly [
  key: string,
  width: number,
  value: (receipt: ExportedRedemption, reader: Reader) => SheetCell,
];

const toShown = (at: number | null, { timeZone }: Reader): SheetCell =>
  at === null ? null : { shown: at + offsetAt(timeZone, at) };

const COLUMNS: readonly Column[] = [
  ['id', 9, ({ id }) => id],
  ['begun', 19, ({ createdAt }, reader) => toShown(createdAt, reader)],
  ['settled', 19, ({ settledAt }, reader) => toShown(settledAt, reader)],
  ['outcome', 20, formatOutcome],
  ['game', 12, ({ gameId }, { texts, language }) => texts.label(language, 'game-name', { game: gameId })],
  ['player-id', 14, ({ playerId }) => playerId],
  ['player', 18, ({ playerName }) => playerName],
  ['region', 8, ({ region }) => region],
  ['product', 14, ({ productName }) => productName],
  ['wanted', 12, ({ denomination }) => denomination],
  ['amount', 12, ({ amount }) => amount],
  ['currency', 10, ({ gameId }, { games }) => games.find(gameId)?.currency],
  ['code-ending', 12, ({ codeTail }) => codeTail],
  ['reason', 30, formatReason],
  [
    'by',
    18,
    ({ actorLabel }, { texts, language }) =>
      labelActor(texts.label.bind(undefined, language), actorLabel).replace(MARKS, ''),
  ],
];
const FULL_COLUMNS: readonly Column[] = [
  ...COLUMNS,
  ['code', 22, ({ code }) => code],
  ['uid', 24, ({ credentials }) => credentials?.uid],
  ['login', 26, ({ credentials }) => credentials?.email],
  ['password', 22, ({ credentials }) => credentials?.password],
];

/** Around names in a message. */
const MARKS = /[\u2066-\u2069]/gu;

function formatOutcome({ state, warning }: ExportedRedemption, { texts, language }: Reader): string {
  const outcome = state === 'redeemed' && warning ? 'warning' : state.replace('_', '-');
  return texts.label(language, `export-outcome-${outcome}`);
}

function formatReason(receipt: ExportedRedemption, { texts, language }: Reader): SheetCell {
  return receipt.state === 'failed' ? texts.label(language, failureLabel(receipt)) : undefined;
}

/** Its times are those of the zone, which stands in the heading. */
export function createSheetDocument(reader: Reader): ReceiptsDocument {
  const { texts, language, timeZone } = reader;
  const columns = reader.full ? FULL_COLUMNS : COLUMNS;
  const label = (key: string) => texts.label(language, key, { zone: timeZone });
  const headings = columns.map(([key, width]) => ({ heading: label(`export-column-${key}`), width }));
  const sheet = createSheet(label('export-sheet'), headings);
  return {
    add: (receipts) =>
      sheet.addRows(receipts.map((each) => columns.map(([, , value]) => value(each, reader)))),
    end: sheet.end,
  };
}
