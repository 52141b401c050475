// The playground, assembled: a local Telegram, the service as a process, what its account has now, and how far the tour is.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

import { systemClock } from '../src/clock.ts';
import { loadConfig } from '../src/config.ts';
import { createGames } from '../src/core/index.ts';
import { isBusy } from '../src/store/engine/group-commit.ts';
import { createBotApi, type BotApi } from '../test/telegram/telegram.ts';
import type { SeenMessage, WorldEvent } from '../test/telegram/types.ts';
import { openAccount, type AccountNow, type AccountView } from './account.ts';
import { openMemory, type Memory } from './memory.ts';
import { createPersonas, PERSONAS, type ChatKey, type PageLanguage, type Personas } from './personas.ts';
import { createSamples, GAME, type Sample } from './samples.ts';
import { createService, type Service } from './service.ts';
import { createEnvironment, PLAY_TOKEN } from './settings.ts';
import { createTour, type Tour } from './tour.ts';

export interface Playground {
  api: BotApi;
  personas: Personas;
  service: Service;
  /** Where the HTTP interface is, with the console and the documentation under it; the same after every start. */
  url: string;
  apiKey: string;
  /** What the denominations are counted in. */
  unit: string;
  samples: readonly Sample[];
  tour: Tour;
  /** What the visitor does, for the tour. */
  note(what: string): void;
  /** Other codes of a sample, for the clipboard. */
  copy(key: string): string | undefined;
  /** What was copied last of a sample. */
  copied(key: string): string;
  /** The page's language, and that of everybody's Telegram. */
  language(): PageLanguage;
  speak(language: PageLanguage): Promise<void>;
  account(): AccountNow;
  member: AccountView['member'];
  /** What stands in a chat, oldest first. */
  messages(chat: ChatKey): SeenMessage[];
  /** Whether the bot is about to answer in a chat, as its client shows it. */
  isTyping(chat: ChatKey): boolean;
  /** How much of a chat the visitor has not seen. */
  unread(chat: ChatKey): number;
  see(chat: ChatKey): void;
  /** Hears that the page is another now; the answer ends it. */
  listen(listener: () => void): () => void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
const TYPING_MS = 5_000;
const GREETED_WITHIN_MS = 30_000;
/** How far apart the numbers of two starts lie: the service remembers the updates and payments of earlier ones. */
const NUMBERS_PER_RUN = 1_000_000;
/** Who has met the bot already; the stranger has not. */
const ACQUAINTED = PERSONAS.map(({ key }) => key).filter((key) => key !== 'stranger');

/**
 * Starts everything on `folder`, seeding it when it is new; everybody's Telegram speaks `language` at first. Resolves
 * when the bot can be talked to.
 */
export async function createPlayground(folder: string, language: PageLanguage): Promise<Playground> {
  const memory = await openMemory(folder, language);
  const playground = await assemble(folder, memory, language);
  try {
    await playground.service.start();
    await greet(playground);
    return playground;
  } catch (error) {
    await playground.close();
    throw error;
  }
}

async function assemble(folder: string, memory: Memory, language: PageLanguage): Promise<Playground> {
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  const api = createPlayApi(memory.run);
  const port = await findFreePort();
  const env = createEnvironment(folder, (await api.listen()).url, port);
  const { gamesFile, databasePath } = loadConfig(env);
  const unit = createGames(JSON.parse(readFileSync(gamesFile, 'utf8'))).find(GAME)?.currency ?? '';
  const url = `http://127.0.0.1:${port}`;
  const look = () => {
    tour.lookAtAccount(service.state(), watching.now());
    changed();
  };
  const service = createService({ folder, url, env }, look);
  const account = openAccount(databasePath, memory.accountId);
  const personas = createPersonas(api, language);
  const tour = createTour();
  const isTyping = noteTyping(api, personas, changed);
  const unread = countUnread(api, personas);
  const watching = watchAccount(account, look);
  api.watch(({ kind, chatId, messageId }) => {
    const chat = chatId === undefined ? undefined : personas.chatKeyOf(chatId);
    const message = chat && messagesOf(api, personas, chat).find(({ id }) => id === messageId);
    if (message && (kind === 'message' || kind === 'edited')) tour.lookAtMessage(chat, message);
    changed();
  });
  const samples = createSamples(unit);
  const copied = new Map(samples.map(({ key, mint }) => [key, mint()]));
  let greeting = Promise.resolve();
  const playground: Playground = {
    ...{ api, personas, service, url, apiKey: memory.apiKey, unit, tour, isTyping },
    ...{ member: account.member, account: watching.now, samples },
    ...unread,
    note(what) {
      tour.note(what);
      changed();
    },
    copy(key) {
      const text = samples.find((one) => one.key === key)?.mint();
      if (text !== undefined) copied.set(key, text);
      return text;
    },
    copied: (key) => copied.get(key) ?? '',
    language: () => (personas.user('owner').language_code === 'ru' ? 'ru' : 'en'),
    async speak(spoken) {
      personas.speak(spoken);
      // One after the other: the language may be chosen twice in a moment.
      greeting = greeting.catch(() => undefined).then(() => greet(playground));
      await greeting;
    },
    messages: (chat) => messagesOf(api, personas, chat),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      watching.end();
      await service.stop();
      await api.close();
      account.close();
    },
  };
  return playground;
}

/** The address of the console is a setting: the service cannot choose its port by itself. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

const createPlayApi = (run: number): BotApi =>
  createBotApi({
    token: PLAY_TOKEN,
    username: 'play_redemption_bot',
    flood: 'faq',
    clock: systemClock,
    firstNumber: run * NUMBERS_PER_RUN,
  });

const messagesOf = (api: BotApi, personas: Personas, chat: ChatKey): SeenMessage[] =>
  api.messages(personas.chat(chat)).filter(({ deleted }) => !deleted);

/** What the account has, looked at again and again; `onChange` hears that it is another. */
function watchAccount(account: AccountView, onChange: () => void) {
  let now = account.now();
  const look = (): void => {
    try {
      const next = account.now();
      const isNew = JSON.stringify(next) !== JSON.stringify(now);
      now = next;
      if (isNew) onChange();
    } catch (error) {
      // While the service comes up again its file may be locked for a moment; the next look sees it all.
      if (!isBusy(error)) throw error;
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { now: () => now, end: () => clearInterval(timer) };
}

function noteTyping(api: BotApi, personas: Personas, changed: () => void): Playground['isTyping'] {
  const since = new Map<ChatKey, number>();
  api.watch(({ kind, chatId }: WorldEvent) => {
    const chat = chatId === undefined ? undefined : personas.chatKeyOf(chatId);
    if (chat === undefined || (kind !== 'action' && kind !== 'message')) return;
    since.set(chat, kind === 'action' ? systemClock.now() : 0);
    if (kind === 'action') setTimeout(changed, TYPING_MS).unref();
  });
  return (chat) => systemClock.now() - (since.get(chat) ?? 0) < TYPING_MS;
}

/** Everybody is greeted when the page opens, and in each language that it is read in, which is no news. */
function countUnread(api: BotApi, personas: Personas): Pick<Playground, 'unread' | 'see'> {
  const seen = new Map<ChatKey, number>();
  return {
    unread(chat) {
      const messages = messagesOf(api, personas, chat);
      const [first, greeting] = messages;
      const from = first?.text === '/start' && greeting ? greeting.id : 0;
      const after = Math.max(from, seen.get(chat) ?? 0);
      return messages.filter(({ id, byBot }) => byBot && id > after).length;
    },
    see: (chat) => void seen.set(chat, messagesOf(api, personas, chat).at(-1)?.id ?? 0),
  };
}

/**
 * Whoever has said nothing yet is greeted, in the language that their Telegram speaks; a greeting in another language
 * is gone then, so that the page, opened first, is of one language.
 */
async function greet({ api, personas }: Playground): Promise<void> {
  const isGreeted = (key: ChatKey) => messagesOf(api, personas, key).some(({ byBot }) => byBot);
  for (const key of ACQUAINTED) {
    const user = personas.user(key);
    const said = messagesOf(api, personas, key).filter(({ byBot }) => !byBot);
    if (said.length > 1 || said.some(({ text }) => text !== '/start')) continue;
    api.clear(user);
    api.send(user, user, '/start');
  }
  await api.waitFor(() => ACQUAINTED.every(isGreeted), GREETED_WITHIN_MS, 'a first answer of the bot');
}
