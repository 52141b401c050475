// Chats as files: lines that begin at the margin are done, and what stands indented below each is what came of it, word
// for word: texts, buttons row by row with their colours, alerts, files. The calendar stands still at noon unless a
// line moves it, so that every date is one. `npm test -- -u <file>` writes what comes now; the difference is to be
// read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { ChatRef, SeenMessage, TapAnswer, User } from '../../telegram/types.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';
import { pressByOthers } from './pressed-by-others.ts';
import { createCalendar } from './calendar.ts';
import { SHOP_DOINGS } from './chat-doings.ts';
import { readSpreadsheet } from '../../harness/spreadsheet.ts';

/** What a line that begins with `*` may ask for, by its first word; the rest is given. Lines that it answers are shown. */
export type Doings = Record<string, (t: Stage, rest: string) => unknown>;

/** A chat file by its name, and what is different in its world. */
export type ChatFile = readonly [name: string, options?: StageOptions];

/** A button that nobody answered for as long is shown as one that goes on turning. */
const TAPPED_MS = 30_000;
/** A service that was away looks at what it missed. */
const CATCHING_UP_MS = 1_000;
/** In a line that is written, where a new line begins. */
const NEW_LINE = ' / ';
/** A line of somebody who writes in the group. */
const IN_GROUP = /^\w+ in group: /m;
/** Said of a fault of ours, in each language. */
const APOLOGY = /Something went wrong on my side|У меня ошибка/;

/** How Telegram paints a style. */
const COLOURS: Record<string, string> = { danger: 'red', primary: 'blue', success: 'green' };

/** A person's chat as it was looked at last; that of a group has nobody who writes and presses as it. */
interface Seat {
  chat: ChatRef;
  user: User | undefined;
  /** How each message stood, by its id. */
  before: Map<number, string>;
  /** Each message as it had buttons, the newest last: a button may be pressed when it is gone. */
  screens: SeenMessage[];
}

/** A test for each of these files in the folder `chats` of a module. */
export function testChats(room: string, files: readonly ChatFile[], doings: Doings = SHOP_DOINGS): void {
  const pressed = new Set<string>();
  for (const [name, options] of files)
    test(name, () => holdChat(join(room, 'chats', `${name}.txt`), { doings, pressed }, options));
}

/** A world with the games of this catalogue, instead of the shipped ones. */
export function withGames(name: string): StageOptions {
  return { gamesFile: join(import.meta.dirname, '../../harness/catalogues', `${name}.json`) };
}

/** Does the lines of the file in a world of its own, and holds what came of them against what stands there. */
async function holdChat(
  path: string,
  { doings, pressed }: { doings: Doings; pressed: Set<string> },
  options: StageOptions = {},
): Promise<void> {
  const { clock, doings: calendar } = createCalendar();
  const t = await openStage({
    ...options,
    clock,
    api: { flood: 'none', clock, queryLifetimeMs: TAPPED_MS, ...options.api },
  });
  // Whose chats changed since they were looked at.
  const touched = new Set<number>();
  t.api.watch(({ chatId }) => chatId !== undefined && touched.add(chatId));
  const seats = new Map<string, Seat>();
  for (const [name, user] of [
    ...Object.entries(t.people),
    ['host', t.host],
    ['stranger', t.stranger],
  ] as const)
    seats.set(name, { chat: user, user, before: new Map(), screens: [] });
  const asked = readFileSync(path, 'utf8');
  if (IN_GROUP.test(asked)) {
    const members = [...Object.values(t.people), t.stranger];
    const chat = t.api.createGroup({ title: 'Shop', members, hearsAll: true });
    seats.set('group', { chat, user: undefined, before: new Map(), screens: [] });
  }
  try {
    for (const seat of seats.values()) look(t, seat);
    const written: string[] = [];
    for (const line of asked.split('\n')) {
      if (line.startsWith('#')) written.push(line);
      if (line === '' || line.startsWith('#') || line.startsWith(' ')) continue;
      const { tap, lacks, answer = [] } = await act(t, seats, { ...calendar, ...doings }, line);
      await t.quiet();
      const who = /^\w+/.exec(line)?.[0] ?? '';
      const told = [...answer, ...formatTap(tap)];
      const seen = [...seats].flatMap(([name, seat]) => {
        const lines = touched.has(Number(seat.chat.id)) ? look(t, seat) : [];
        return name === who || lines.length === 0 ? lines : [`(${name})`, ...lines];
      });
      touched.clear();
      if (lacks !== undefined) told.push(`(there never was a button ${lacks})`);
      const came = [...told, ...seen];
      const apology = came.find((each) => APOLOGY.test(each));
      if (apology !== undefined) throw new Error(`${line}\n  ${apology}\n${t.errors.join('')}`);
      written.push('', line, ...came.map((each) => `  ${each}`.trimEnd()));
    }
    await expect(`${written.join('\n').trimStart()}\n`).toMatchFileSnapshot(path);
    const screens = [...seats.values()].flatMap((seat) => seat.screens);
    const data = screens.flatMap(({ buttons }) => buttons.flatMap(({ callback_data: each }) => each ?? []));
    await pressByOthers(t, data, pressed);
  } finally {
    await t.stop();
  }
}

/**
 * `owner: text`, `owner [button]`, `owner sends name.txt "caption": text`, or `* doing`. `owner first [button]`: of the
 * oldest message that has it. `admin [button] of owner`: as if it stood in the chat of the admin. `owner in group: text`:
 * where all of them are but the host.
 */
async function act(
  t: Stage,
  seats: ReadonlyMap<string, Seat>,
  doings: Doings,
  line: string,
): Promise<{ tap?: TapAnswer | 'none'; lacks?: string; answer?: string[] }> {
  if (line.startsWith('* ')) return { answer: await doAll(t, doings, line) };
  const [, who = '', first, label, whose = who, group, name, caption, text = ''] =
    /^(\w+)(?:( first)? \[(.+)\](?: of (\w+))?|(?: in (group)| sends (\S+?)(?: "(.*)")?)?: (.*))$/.exec(
      line,
    ) ?? [];
  const seat = seats.get(who);
  if (!seat?.user) throw new Error(`Nobody can do: ${line}`);
  const words = text.replaceAll(NEW_LINE, '\n');
  if (label !== undefined) {
    const screen = findScreen(t, seats.get(whose) ?? seat, label, first !== undefined);
    const button = screen?.buttons.find((one) => tidy(one.text) === label);
    if (!screen || !button) return { lacks: label };
    const own = t.api.messages(seat.user).find(({ byBot }) => byBot) ?? screen;
    const isOwn = whose === who;
    const tap = isOwn
      ? t.api.press(seat.user, screen, button.text)
      : t.api.press(seat.user, own, { data: button.callback_data ?? '' });
    return { tap: (await tap) ?? 'none' };
  }
  const document = { name: name ?? '', bytes: Buffer.from(words), ...(caption !== undefined && { caption }) };
  const { chat } = seats.get(group ?? who) ?? seat;
  t.api.send(seat.user, chat, name === undefined ? words : { document });
  return {};
}

/** `* pays owner`; `* away pays owner; days 2`: while the service does not run. */
async function doAll(t: Stage, doings: Doings, line: string): Promise<string[]> {
  const [, away, words = ''] = /^\* (away )?(.*)$/.exec(line) ?? [];
  const answers: string[] = [];
  const work = async () => {
    for (const each of away === undefined ? [words] : words.split('; ')) {
      const [, name = '', rest = ''] = /^(\w+) ?(.*)$/.exec(each) ?? [];
      const doing = doings[name];
      if (!doing) throw new Error(`Nobody knows how to do: ${line}`);
      const answer = await t.within(Promise.resolve(doing(t, rest)));
      if (typeof answer === 'string') answers.push(answer);
    }
  };
  if (away === undefined) await work();
  else {
    await t.restart(work);
    await t.pass(CATCHING_UP_MS);
  }
  return answers;
}

function formatTap(tap: TapAnswer | 'none' | undefined): string[] {
  if (tap === 'none') return ['(the button goes on turning)'];
  return tap?.text === undefined ? [] : [`(${tap.alert ? 'alert' : 'told'}) ${tidy(tap.text)}`];
}

/** The newest message with this button, or the oldest; else the newest that had it. */
function findScreen(
  t: Stage,
  { chat, screens }: Seat,
  label: string,
  isFirst: boolean,
): SeenMessage | undefined {
  const has = ({ buttons }: SeenMessage) => buttons.some(({ text }) => tidy(text) === label);
  const found = t.api.messages(chat).filter((one) => one.byBot && !one.deleted && has(one));
  return found.at(isFirst ? 0 : -1) ?? screens.findLast(has);
}

/** What is new in the chat, or stands otherwise than before. */
function look(t: Stage, { chat, before, screens }: Seat): string[] {
  return t.api.messages(chat).flatMap((message) => {
    if (!message.byBot) return [];
    if (message.buttons.length > 0) screens.push(message);
    const lines = message.deleted ? ['(deleted)'] : describe(message);
    const was = before.get(message.id);
    before.set(message.id, lines.join('\n'));
    if (was === lines.join('\n')) return [];
    return [...(was === undefined || message.deleted ? [] : ['(in its place)']), ...lines];
  });
}

/** A spreadsheet as its rows. */
function readDocument({ name, bytes }: NonNullable<SeenMessage['document']>): string {
  if (!name.endsWith('.xlsx')) return bytes.toString();
  return readSpreadsheet(bytes)
    .map((cells) => cells.join(' | '))
    .join('\n');
}

function describe({ html, document, photo, invoice, markup }: SeenMessage): string[] {
  const lines = html === '' ? [] : tidy(html).split('\n');
  if (photo) lines.push('(a picture)');
  if (invoice)
    lines.push(
      `(invoice) ${invoice.title}: ${invoice.totalAmount} ${invoice.currency}`,
      tidy(invoice.description),
    );
  if (document) lines.push(`(file) ${document.name}`, ...tidy(readDocument(document)).trimEnd().split('\n'));
  for (const row of markup?.inline_keyboard ?? [])
    lines.push(
      row
        .map(({ text, url, copy_text, style }) => {
          const leads = url === undefined ? '' : ` → ${url}`;
          const copies = copy_text === undefined ? '' : ` copies ${copy_text.text}`;
          return tidy(`[${text}${leads}${copies}${style === undefined ? '' : ` !${COLOURS[style]}`}]`);
        })
        .join(' '),
    );
  return lines;
}

/** Without what is by chance, and what nobody sees. */
function tidy(text: string): string {
  return text
    .replaceAll(/[\u2066-\u2069\uFEFF]/g, '')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/\r/g, '')
    .replaceAll(/\b\d+ s\b/g, '… s')
    .replaceAll(/[\w-]{100,}/g, '(long)')
    .replaceAll(
      /topup\.[0-9a-f]+@accounts\.invalid(?:(,| \| ).*)?/g,
      (_, mark?: string) => `(login)${mark === undefined ? '' : `${mark}(password)`}`,
    )
    .replaceAll(/((?:Password|Пароль): <tg-spoiler>).*?(<\/tg-spoiler>)/g, '$1(password)$2')
    .replaceAll(/(\[(?:Password|Both|Пароль|Оба) copies )[^]*\]/g, '$1(password)]')
    .replaceAll(/\b1\d{19}\b/g, '(account)')
    .replaceAll(/crs_[\w-]+…?/g, 'crs_…')
    .replaceAll(/join_[\w-]+/g, 'join_…')
    .replaceAll(/\/c\/[\w-]{22}/g, '/c/…')
    .replaceAll(/\/enter\/[\w-]+/g, '/enter/…')
    .replaceAll(/whsec_(?:[\w+/=]|<a data-command>|<\/a>)+/g, 'whsec_…');
}
