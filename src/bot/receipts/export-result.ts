// The documents of an export, made when they are sent: no row of the outbox holds a receipt.
import { InputFile, type Api } from 'grammy';

import { CoreError } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { keyOf } from '../errors.ts';
import type { Outgoing, Sending, View } from '../outgoing.ts';
import { HTML } from '../replies.ts';
import { makeReceiptsCsv } from './export-csv.ts';

/** The name of the view. */
export const EXPORT = 'export';

/** `at`: when it was ordered. */
export interface ExportResult {
  days: number;
  full: boolean;
  at: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The rights of whoever ordered it are looked up when it is sent. */
export function createExportView({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): View {
  return async ({ of, telegramId, language }): Promise<Outgoing | Sending> => {
    const { days, full, at } = of as ExportResult;
    const say = texts.say.bind(undefined, language);
    const actor = core.members.findActor(telegramId);
    if (!actor) return { html: say('refusal-stranger') };
    try {
      const { parts, count } = await makeReceiptsCsv(core.exportRedemptions(actor, { days, full }), { full });
      if (count === 0) return { html: say('export-empty', { days }) };
      const asked = full ? `${days} full` : String(days);
      const caption = say(full ? 'export-done-full' : 'export-done', { count });
      return toDocuments(parts, nameFile(at, days, full), caption, say('export-refused', { asked }));
    } catch (error) {
      const key = error instanceof CoreError ? keyOf(error) : undefined;
      if (key === undefined) throw error;
      return { html: say(key) };
    }
  };
}

function nameFile(at: number, days: number, full: boolean): (part: string) => string {
  const dates = [at - (days - 1) * DAY_MS, at].map((each) => new Date(each).toISOString().slice(0, 10));
  return (part) => `receipts-${dates.join('-to-')}${full ? '-full' : ''}${part}.csv`;
}

/** Under the last one stands what they are. */
function toDocuments(
  parts: readonly (string | Uint8Array)[],
  nameOf: (part: string) => string,
  caption: string,
  refused: string,
): Sending {
  const send = async (api: Api, chatId: number, options: object, signal: AbortSignal) => {
    for (const [index, part] of parts.entries()) {
      const number = parts.length > 1 ? `-part-${index + 1}-of-${parts.length}` : '';
      const file = new InputFile(Buffer.from(part), nameOf(number));
      const isLast = index === parts.length - 1;
      await api.sendDocument(chatId, file, isLast ? options : {}, signal as never);
    }
  };
  return {
    send: (api, chatId, signal) => send(api, chatId, { parse_mode: HTML.parse_mode, caption }, signal),
    sendBare: (api, chatId, signal) => send(api, chatId, {}, signal),
    otherwise: { html: refused },
  };
}
