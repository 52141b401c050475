// Covers what is secret in what goes between Telegram and the bot, before the page shows it: codes, logins, passwords,
// keys, links that let somebody in. It covers rather too much: whoever learns from it needs the shape, never the
// secret.
import type { Update } from './telegram/types.ts';

const COVER = '••••••';
const SHOWN_CHARACTERS = 6;
const SPOILER = /<tg-spoiler>[^]*?<\/tg-spoiler>/g;
/** What opens a door by itself: API keys, and what a link to the bot carries. */
const TOKENS = /\b(crs_|join_|whsec_)[\w-]+/g;
/** A word with a letter and a digit that is long enough for a code; digits alone where no player has so many. */
const CODE_LIKE = /(?<![\w-])(?!receipt_\d+\b)((?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{10,}|\d{12,})/g;
/** What a person writes may hold a code of letters alone. A command is none. */
const TYPED = /(?<![/\w-])[A-Za-z0-9-]{10,}/g;
const SECRET_FIELDS = /token|secret|password/i;

/** A call of the bot, or what it was answered. */
export function redactCall(value: unknown): unknown {
  return redactDeep(value, redactText);
}

/** An update. The message that a button stands under is named, not repeated: the call that made it shows it covered. */
export function redactUpdate(update: Update): unknown {
  const query = update['callback_query'];
  if (!isObject(query)) return redactDeep(update, redactTyped);
  return redactCall({ ...update, callback_query: { ...query, message: nameMessage(query['message']) } });
}

/** What Telegram answered: of a message, its number. */
export function redactAnswer(result: unknown): unknown {
  return isObject(result) && 'message_id' in result
    ? { message_id: result['message_id'] }
    : redactCall(result);
}

function redactText(text: string): string {
  return text
    .replace(SPOILER, `<tg-spoiler>${COVER}</tg-spoiler>`)
    .replace(TOKENS, (_, kind: string) => kind + COVER)
    .replace(CODE_LIKE, redactWord);
}

function redactTyped(text: string): string {
  return redactText(text).replace(TYPED, redactWord);
}

/** A code as the database shows it: `…4jEocU`. Digits up to 11 are a player. */
function redactWord(word: string): string {
  return /^\d{1,11}$/.test(word) ? word : `…${word.slice(-SHOWN_CHARACTERS)}`;
}

/** `cover` is for what people read and write; everything else is covered as a call is. */
function redactDeep(value: unknown, cover: (text: string) => string): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map((one) => redactDeep(one, cover));
  if (!isObject(value)) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, redactField(name, inner, cover)]);
  return Object.fromEntries(fields) as unknown;
}

function redactField(name: string, value: unknown, cover: (text: string) => string): unknown {
  // Whatever a button copies is worth copying.
  if (name === 'copy_text') return { text: COVER };
  if (name === 'reply_to_message') return nameMessage(value);
  if (typeof value !== 'string') return redactDeep(value, cover);
  if (SECRET_FIELDS.test(name)) return value === '' ? value : COVER;
  // Telegram's own numbers open nothing.
  if (/(^|_)id$/.test(name) && /^\d+$/.test(value)) return value;
  return name === 'text' || name === 'caption' ? cover(value) : redactText(value);
}

function nameMessage(message: unknown): unknown {
  return isObject(message) ? { message_id: message['message_id'], chat: message['chat'] } : message;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
