// Every reader of what people write, and how much of the processor one text costs it: one list for the tests, the
// scorecard and the bench. A reader that is missing here is held by nobody: whoever writes one adds its line.
import { findBearer } from '../../src/http/auth.ts';
import { requireJson } from '../../src/http/body.ts';
import { AddCodesBody } from '../../src/wire/codes.ts';
import { HistoryQuery } from '../../src/wire/history.ts';
import { parseInstant } from '../../src/wire/instants.ts';
import { createRedeemBody } from '../../src/wire/redeem.ts';
import { readGrant } from '../../src/bot/host/grants.ts';
import { describeError } from '../../src/bot/errors.ts';
import { toPlain } from '../../src/bot/outgoing.ts';
import { toCsvLine } from '../../src/csv.ts';
import { readLinks } from '../../src/bot/claims/links.ts';
import { parseExport } from '../../src/bot/receipts/export.ts';
import { parseReceiptId } from '../../src/bot/receipts/receipt.ts';
import { parsePlayerId, parseWanted } from '../../src/bot/redemption/draft.ts';
import { cut, drawable } from '../../src/pictures/font.ts';
import { holdsCodes, readOrder } from '../../src/bot/stock/code-order.ts';
import { withCaption } from '../../src/bot/stock/collect-codes.ts';
import { createTexts, escapeHtml, name } from '../../src/bot/texts.ts';
import {
  createGames,
  parseTimeZone,
  readCode,
  readPlainMessage,
  readWebhookProblem,
} from '../../src/core/index.ts';
import { createCurrencyTest } from '../../src/core/currencies.ts';
import { decodePaste } from '../../src/core/paste/files.ts';
import { trimName } from '../../src/core/members.ts';
import { readNamed } from '../../src/core/order-texts/player-name.ts';
import { readPaste } from '../../src/core/paste/reading.ts';
import { readAsked } from '../../src/core/receipts/query.ts';
import { foldName } from '../../src/core/folding.ts';
import { createLogger } from '../../src/log.ts';
import { createAddresses } from '../../src/webhooks/addresses.ts';
import { openTestCore } from './core.ts';
import { describeText } from './hostile-texts.ts';

export interface TextReader {
  /** What is read. */
  what: string;
  read(text: string): unknown;
}

export interface TextReaders {
  readers: readonly TextReader[];
  close(): Promise<void>;
}

/** Processor time that one text of full length may cost. */
export const MOST_TEXT_MS = 20;
/** A thread's time is counted by the kernel's ticks, on many machines 250 a second. */
const TICK_MS = 4;
/** A collection of garbage is nobody's fault: a text is dear when it is so every time. */
const TRIES = 6;

const HONEST = 'Ann, id 5170925570: 60 UC x2 + 325, thanks. AB12CD34EF56 "yesterday" a@example.com';

const NAMED_GAME = { database: true, codePattern: '^[A-Za-z0-9]{12,32}$', receipts: 'account' };
const GAMES = createGames([
  { ...NAMED_GAME, id: 'game_id_1', currency: 'UC', denominations: [60, 325, 660, 1800, 3850, 8100] },
  { ...NAMED_GAME, id: 'game_id_4', currency: 'gems', denominations: [60, 100] },
  {
    ...NAMED_GAME,
    ...{ id: 'game_id_2', name: { en: 'Game 2', ru: 'Игра 2' } },
    ...{ currency: 'diamonds', database: false, denominations: [] },
  },
]);
const GAME = GAMES.all[0]!;

/** Over a core of its own, with nothing in its past. */
export async function openTextReaders(): Promise<TextReaders> {
  const { core, actor, close } = await openTestCore();
  const readers = [
    ...chatReaders(),
    { what: 'a search', read: (text: string) => core.search.find(actor, text) },
    { what: 'a day of the history', read: (text: string) => core.search.readDay(actor, text) },
    {
      what: 'a search for accounts',
      read: (text: string) => core.accounts.search({ kind: 'host', by: 'cli' }, text),
    },
    ...shownReaders(),
    ...wireReaders(),
    ...logReaders(),
  ];
  return { readers, close };
}

/** What is said to the bot: a message, a caption, a file, what stands behind a command, an answer to a question. */
function chatReaders(): TextReader[] {
  const moment = { timeZone: 'Europe/Moscow', now: Date.UTC(2026, 0, 13) };
  const paste = (kind: 'message' | 'file', text: string) => [...readPaste([{ kind, text }], GAME, {})];
  return [
    { what: 'a plain message', read: (text) => readPlainMessage(text, GAMES) },
    { what: 'a paste', read: (text) => paste('message', text) },
    { what: 'a file', read: (text) => paste('file', decodePaste(Buffer.from(text))) },
    { what: 'a caption', read: (text) => withCaption(text, '') },
    {
      what: 'codes that are added',
      read: (text) => [readOrder(text, GAMES.all), holdsCodes(text, GAMES.all)],
    },
    { what: 'claim links', read: (text) => [text, `60 ${text}`].map((each) => readLinks(each, GAMES.all)) },
    { what: 'a code', read: (text) => readCode(text, (word) => GAME.codePattern.test(word)) },
    { what: 'what is wanted', read: (text) => parseWanted(text, GAME) },
    { what: 'a player', read: (text) => parsePlayerId(text) },
    {
      what: 'a player by name',
      read: (text) =>
        readNamed(`${text.slice(0, 125)} 60`, [{ playerId: '5170925570', name: text.slice(0, 125) }], GAMES),
    },
    { what: 'a receipt', read: (text) => parseReceiptId(text) },
    { what: 'days, outcomes and words', read: (text) => readAsked(text, moment) },
    { what: 'a time zone', read: (text) => parseTimeZone(text) },
    { what: 'an export', read: (text) => parseExport(text) },
    { what: 'a gift', read: (text) => readGrant(text) },
  ];
}

/** Names, and whatever else is shown as it was written. */
function shownReaders(): TextReader[] {
  const texts = createTexts(GAMES);
  const isCurrency = createCurrencyTest(GAME.currency);
  return [
    { what: 'a name', read: (text) => [name(text), trimName(text), foldName(text), isCurrency(text)] },
    { what: 'a sentence with it', read: (text) => texts.say('en', 'host-grant-several', { text }) },
    { what: 'markup', read: (text) => [toPlain(escapeHtml(text)), toPlain(text)] },
    { what: 'a cell', read: (text) => toCsvLine([text, text]) },
    { what: 'a label of the picture', read: (text) => cut(drawable(text), 500, 20) },
  ];
}

/** Headers, queries and bodies of HTTP; addresses. */
function wireReaders(): TextReader[] {
  const redeem = createRedeemBody(GAMES, GAME.id);
  const lookUp = () => Promise.resolve([{ address: '93.184.216.34', family: 4 as const }]);
  const addresses = createAddresses({ allowPrivate: false, lookUp });
  const body = (text: string) =>
    redeem.safeParse({ gameId: text, playerId: text, denomination: text, codeOverride: text });
  return [
    {
      what: 'a body of HTTP',
      read: (text) => [body(text), AddCodesBody.safeParse([{ denomination: text, codes: [text] }])],
    },
    {
      what: 'a query of HTTP',
      read: (text) => [HistoryQuery.safeParse({ from: text, to: text }), parseInstant(text)],
    },
    {
      what: 'headers of HTTP',
      read: (text) => [findBearer(`Bearer ${text}`), isJson(text), isJson(`application/json${text}`)],
    },
    { what: 'an address', read: (text) => addresses.check(text) },
    { what: 'a path of an address', read: (text) => addresses.check(`https://example.com/${text}`) },
    { what: 'a problem of a webhook', read: (text) => readWebhookProblem(text) },
  ];
}

function isJson(type: string): boolean {
  try {
    requireJson(type, undefined);
    return true;
  } catch {
    return false;
  }
}

/** What a log line is made of, where an error repeats what was written. */
function logReaders(): TextReader[] {
  const log = createLogger({ level: 'info', destination: { write: () => undefined } });
  return [
    { what: 'an error in the log', read: (text) => log.error({ error: new Error(text) }, 'failed') },
    { what: 'an error of the bot', read: (text) => describeError(new Error(text)) },
  ];
}

/** Milliseconds of processor time of this thread for one text: the least of a few tries, where it is near the most. */
export async function costOf({ read }: TextReader, text: string): Promise<number> {
  let least = Infinity;
  for (let tries = 0; tries < TRIES && least > MOST_TEXT_MS / 2; tries += 1) {
    const before = process.threadCpuUsage();
    await read(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    // Far beyond it is no accident.
    if (least > MOST_TEXT_MS * 10) break;
  }
  return least;
}

/** What of these texts is dear to a reader, in words, and the dearest of all in ms. */
export async function findDear(
  reader: TextReader,
  texts: readonly string[],
): Promise<{ dear: string[]; mostMs: number }> {
  const dear: string[] = [];
  let mostMs = 0;
  // Compiled first: that costs once.
  for (let times = 0; times < 3; times += 1) await reader.read(HONEST);
  for (const text of texts) {
    const ms = await costOf(reader, text);
    mostMs = Math.max(mostMs, ms);
    if (ms > MOST_TEXT_MS + TICK_MS)
      dear.push(`${reader.what}: ${ms.toFixed(1)} ms for ${describeText(text)}`);
  }
  return { dear, mostMs };
}
