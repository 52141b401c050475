// Pictures, as the chat queue sends them.
import { InputFile } from 'grammy';

import type { Outgoing, Sending } from '../outgoing.ts';
import { asApiSignal } from './api-signal.ts';

/** A PNG under that name, its words below it. */
export function toPhoto(
  png: Buffer,
  file: string,
  { html, keyboard }: Outgoing,
  otherwise: Outgoing,
): Sending {
  const caption = html === '' ? {} : { caption: html, parse_mode: 'HTML' as const };
  const options = { ...caption, ...(keyboard && { reply_markup: keyboard }) };
  return {
    async send(api, chatId, signal) {
      await api.sendPhoto(chatId, new InputFile(png, file), options, asApiSignal(signal));
    },
    otherwise,
  };
}
