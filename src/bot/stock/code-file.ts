// A file of codes as it is sent to a member: made when it is sent, so that codes are in no row of the outbox.
import { InlineKeyboard, InputFile, type Api } from 'grammy';

import type { Reader } from '../member-view.ts';
import { toOutgoing, type Sending } from '../outgoing.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

export interface CodeFile {
  name: string;
  text: string;
  caption: string;
  /** What the button sends that has it sent once more. */
  again: string;
  /** What else can be pressed under it. */
  below?: InlineKeyboard;
}

export function toFile(reader: Reader, { name, text, caption, again, below }: CodeFile): Sending {
  const keyboard = new InlineKeyboard().text(reader.label('button-send-again'), again);
  if (below) keyboard.append(below);
  const send = async (api: Api, chatId: number, options: object, signal: AbortSignal) => {
    const file = new InputFile(Buffer.from(`${text}\n`), name);
    await api.sendDocument(chatId, file, options, asApiSignal(signal));
  };
  const beside = { caption, parse_mode: 'HTML', reply_markup: keyboard };
  return {
    send: (api, chatId, signal) => send(api, chatId, beside, signal),
    sendBare: (api, chatId, signal) => send(api, chatId, {}, signal),
    isInstead: true,
    otherwise: toOutgoing(reader.say('file-refused'), keyboard),
  };
}
