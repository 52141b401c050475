// The documents of an export, made when they are sent: no row of the outbox holds a receipt.
import { InputFile, type Api, type InlineKeyboard } from 'grammy';

import { addDays, dayAt, formatIsoDay } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import { describeOffset, zoneOf } from '../moments.ts';
import type { Sending, View } from '../outgoing.ts';
import { HTML } from '../replies.ts';
import { createCsvDocument } from './export-csv.ts';
import { makeExportPart, type ExportPart } from './export-part.ts';
import { createSheetDocument } from './export-sheet.ts';
import { deleteFileKeyboard } from './receipt-file.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

/** The name of the view. */
export const EXPORT = 'export';

/** `at`: when it was ordered. `before`: what the parts before this one held. */
export interface ExportResult {
  days: number;
  full: boolean;
  /** For programs. */
  csv?: boolean;
  at: number;
  before?: { parts: number; count: number; last: { createdAt: number; id: number } };
}

/** The rights of whoever ordered it are looked up when it is sent. */
export function createExportView(
  { core, texts }: Pick<BotDeps, 'core' | 'texts'>,
  { partBytes }: { partBytes?: number } = {},
): View {
  return createMemberView<ExportResult>({ core, texts }, async ({ actor, language, say }, result) => {
    const { days, full, csv, at, before } = result;
    const slices = core.exportRedemptions(actor, { days, full, at, after: before?.last });
    const timeZone = zoneOf({ core }, actor);
    const reader = { full, timeZone, language, texts, games: core.games };
    const document = csv ? createCsvDocument(reader) : createSheetDocument(reader);
    const part = await makeExportPart(slices, document, partBytes);
    const count = (before?.count ?? 0) + part.count;
    if (count === 0) return { html: say('export-empty', { days }) };
    const asked = [days, ...(csv ? ['csv'] : []), ...(full ? ['full'] : [])].join(' ');
    const zone = describeOffset(timeZone, at);
    const done = say(full ? 'export-done-full' : 'export-done', { count, zone });
    const caption = csv && full ? `${done} ${say('export-csv-marks')}` : done;
    const refused = say('export-refused', { asked });
    const keyboard = full ? deleteFileKeyboard(texts, language) : undefined;
    return toDocument(result, part, { caption, refused, timeZone, keyboard });
  });
}

interface Shown {
  caption: string;
  refused: string;
  timeZone: string;
  keyboard: InlineKeyboard | undefined;
}

/** What they are stands under the last one. The next part is made once Telegram has taken this one. */
function toDocument(
  result: ExportResult,
  { document, count, last }: ExportPart,
  { caption, refused, timeZone, keyboard }: Shown,
): Sending {
  const { before } = result;
  const number = (before?.parts ?? 0) + 1;
  const name = nameFile(result, timeZone, before || last ? `-part-${number}` : '');
  const send = async (api: Api, chatId: number, options: object, signal: AbortSignal) => {
    await api.sendDocument(chatId, new InputFile(document, name), options, asApiSignal(signal));
  };
  const counted = { parts: number, count: (before?.count ?? 0) + count };
  const rest = last && { of: { ...result, before: { ...counted, last } } };
  const beside = {
    ...(!last && { parse_mode: HTML.parse_mode, caption }),
    ...(keyboard && { reply_markup: keyboard }),
  };
  return {
    send: (api, chatId, signal) => send(api, chatId, beside, signal),
    sendBare: (api, chatId, signal) => send(api, chatId, {}, signal),
    otherwise: { html: refused },
    rest,
  };
}

function nameFile({ at, days, full, csv }: ExportResult, timeZone: string, part: string): string {
  const last = dayAt(timeZone, at);
  const dates = [addDays(last, 1 - days), last].map(formatIsoDay);
  return `receipts-${dates.join('-to-')}${full ? '-full' : ''}${part}.${csv ? 'csv' : 'xlsx'}`;
}
