// Between the bot and the stand-in for Telegram: what the bot says to people can be held back, and goes on when it is
// let go.
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { BotApi } from '../telegram/telegram.ts';

export interface HeldAnswers {
  /** From now on messages, edits and alerts wait here, those to this chat excepted. */
  hold(exceptTo: number): void;
  /** Chats of what waits. */
  chats(): number[];
  /** Lets everything go. */
  release(): void;
}

const SAYING = /\/(send(?!ChatAction)|edit)\w+$/;
const ALERT = /"show_alert":true/;

/** Stands before the API as soon as it listens; ends with it. */
export function holdAnswersOf(api: BotApi): HeldAnswers {
  const waiting: { chatId: number; go: () => void }[] = [];
  let target = '';
  let exceptTo: number | undefined;

  const server = createServer((asked, answer) => {
    void readAll(asked).then((body) => {
      const go = () => forward(target, asked, body, answer);
      const chatId = readChat(body);
      const isSaying = SAYING.test(asked.url ?? '') || ALERT.test(body.toString('latin1'));
      if (exceptTo === undefined || chatId === exceptTo || !isSaying) go();
      else waiting.push({ chatId, go });
    });
  });
  const { listen, close } = api;
  api.listen = async () => {
    const listening = await listen();
    target = listening.url;
    return { ...listening, url: await open(server) };
  };
  api.close = async () => {
    server.closeAllConnections();
    server.close();
    await close();
  };
  return {
    hold: (chatId) => void (exceptTo = chatId),
    chats: () => waiting.map(({ chatId }) => chatId),
    release() {
      exceptTo = undefined;
      for (const { go } of waiting.splice(0)) go();
    },
  };
}

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readAll(asked: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Of JSON, or of the form in which a file is sent; a tap's answer names the tap, whose number begins with who pressed.
 */
function readChat(body: Buffer): number {
  const text = body.toString('latin1');
  const found =
    /"chat_id"(?::"?|\r\n\r\n)(-?\d+)/.exec(text) ?? /"callback_query_id":"(\d+)\d{8}"/.exec(text);
  return Number(found?.[1]);
}

function forward(target: string, asked: IncomingMessage, body: Buffer, answer: ServerResponse): void {
  const onward = request(
    target + asked.url,
    { method: asked.method, headers: { ...asked.headers, 'content-length': body.length } },
    (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers);
      told.pipe(answer);
    },
  );
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  onward.end(body);
}
