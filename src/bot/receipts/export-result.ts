// The document of an export, made when it is sent, with what stands under it.
import { InputFile, type Api, type InlineKeyboard } from 'grammy';

import { addDays, dayAt, formatIsoDay } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import { describeOffset, zoneOf } from '../moments.ts';
import type { Sending, View } from '../outgoing.ts';
import { HTML } from '../replies.ts';
import { createCsvDocument } from './export-csv.ts';
import { makeDocument } from './export-document.ts';
import { createSheetDocument } from './export-sheet.ts';
import { deleteFileKeyboard } from './receipt.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

/** The name of the view. */
export const EXPORT = 'export';

/** `at`: when it was ordered. */
export interface ExportResult {
  days: number;
  full: boolean;
  /** For programs. */
  csv?: boolean;
  at: number;
}

/** The rights of whoever ordered it are looked up when it is sent. */
export function createExportView(
  { core, texts }: Pick<BotDeps, 'core' | 'texts'>,
  { most }: { most?: number } = {},
): View {
  return createMemberView<ExportResult>({ core, texts }, async ({ actor, language, say }, result) => {
    const { days, full, csv, at } = result;
    const slices = core.receiptList.walkDays(actor, { days, full, at });
    const timeZone = zoneOf({ core }, actor);
    const reader = { full, timeZone, language, texts, games: core.games };
    const written = csv ? createCsvDocument(reader) : createSheetDocument(reader);
    const { document, count, isMore } = await makeDocument(slices, written, most);
    if (count === 0) return { html: say('export-empty', { days }) };
    const asked = [days, ...(csv ? ['csv'] : []), ...(full ? ['full'] : [])].join(' ');
    const zone = describeOffset(timeZone, at);
    const done = say(full ? 'export-done-full' : 'export-done', { count, zone });
    const more = isMore ? [say('export-more')] : [];
    const marks = csv && full ? [say('export-csv-marks')] : [];
    const caption = [done, ...more, ...marks].join(' ');
    const refused = say('export-refused', { asked });
    const keyboard = full ? deleteFileKeyboard(texts, language) : undefined;
    return toSending(new InputFile(document, nameFile(result, timeZone)), { caption, refused, keyboard });
  });
}

function toSending(
  file: InputFile,
  { caption, refused, keyboard }: { caption: string; refused: string; keyboard: InlineKeyboard | undefined },
): Sending {
  const send = async (api: Api, chatId: number, options: object, signal: AbortSignal) => {
    await api.sendDocument(chatId, file, options, asApiSignal(signal));
  };
  const beside = { parse_mode: HTML.parse_mode, caption, reply_markup: keyboard };
  return {
    send: (api, chatId, signal) => send(api, chatId, beside, signal),
    sendBare: (api, chatId, signal) => send(api, chatId, {}, signal),
    otherwise: { html: refused },
  };
}

function nameFile({ at, days, full, csv }: ExportResult, timeZone: string): string {
  const last = dayAt(timeZone, at);
  const dates = [addDays(last, 1 - days), last].map(formatIsoDay);
  return `receipts-${dates.join('-to-')}${full ? '-full' : ''}.${csv ? 'csv' : 'xlsx'}`;
}
