// The playground, assembled: a local Telegram, the service as a process, what its account has now, and how far the tour is.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

import { systemClock } from '../src/clock.ts';
import { loadConfig } from '../src/config.ts';
import { createGames } from '../src/core/index.ts';
import { isBusy } from '../src/store/engine/group-commit.ts';
import { createBotApi, type BotApi } from '../test/telegram/telegram.ts';
import type { SeenMessage } from '../test/telegram/types.ts';
import { openAccount } from './account.ts';
import { createPersonas, PERSONAS, type ChatKey, type PageLanguage, type Personas } from './personas.ts';
import { createSamples, GAME } from './samples.ts';
import { openMemory, type Memory } from './seeding.ts';
import { createService } from './service.ts';
import { createEnvironment, PLAY_TOKEN } from './settings.ts';
import { createTour } from './tour.ts';

export type Playground = Awaited<ReturnType<typeof assemble>>;

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
  const playground = await assemble(folder, await openMemory(folder, language), language);
  try {
    await playground.service.start();
    await greet(playground);
    return playground;
  } catch (error) {
    await playground.close();
    throw error;
  }
}

async function assemble(folder: string, { accountId, apiKey, run }: Memory, first: PageLanguage) {
  const listeners = new Set<() => void>();
  const changed = () => listeners.forEach((listener) => listener());
  const api = createBotApi({
    ...{ token: PLAY_TOKEN, username: 'play_redemption_bot', flood: 'faq', clock: systemClock },
    firstNumber: run * NUMBERS_PER_RUN,
  });
  const personas = createPersonas(api, first);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = createEnvironment(folder, (await api.listen()).url, port);
  const { gamesFile, databasePath } = loadConfig(env);
  const unit = createGames(JSON.parse(readFileSync(gamesFile, 'utf8'))).find(GAME)?.currency ?? '';
  const tour = createTour();
  const account = openAccount(databasePath, accountId);
  let now = account.now();
  let language = first;
  let greeting = Promise.resolve();

  const service = createService({ folder, url, env }, () => {
    tour.lookAtAccount(service.state(), now);
    changed();
  });
  const looking = setInterval(() => {
    try {
      const next = account.now();
      if (JSON.stringify(next) === JSON.stringify(now)) return;
      now = next;
      tour.lookAtAccount(service.state(), now);
      changed();
    } catch (error) {
      // While the service comes up again its file may be locked for a moment; the next look sees it all.
      if (!isBusy(error)) throw error;
    }
  }, LOOK_EVERY_MS);
  /** Oldest first. */
  const messages = (chat: ChatKey): SeenMessage[] =>
    api.messages(personas.chat(chat)).filter(({ deleted }) => !deleted);
  api.watch(({ kind, chatId, messageId }) => {
    const chat = personas.chatKeyOf(chatId);
    const message = chat && messages(chat).find(({ id }) => id === messageId);
    if (message && (kind === 'message' || kind === 'edited')) tour.lookAtMessage(chat, message);
    changed();
  });

  const playground = {
    ...{ api, personas, service, tour, messages, ...createSamples(unit) },
    /** Where the HTTP interface is, with the console and the documentation under it; the same after every start. */
    url,
    apiKey,
    /** What the denominations are counted in. */
    unit,
    account: () => now,
    member: account.member,
    ...noteTyping(api, personas, changed),
    ...countUnread(messages),
    /** What the visitor does, for the tour. */
    note(what: string) {
      tour.note(what);
      changed();
    },
    /** The page's language, and that of everybody's Telegram. */
    language: () => language,
    async speak(spoken: PageLanguage) {
      language = spoken;
      personas.speak(spoken);
      // One after the other: the language may be chosen twice in a moment.
      greeting = greeting.catch(() => undefined).then(() => greet(playground));
      await greeting;
    },
    /** Hears that the page is another now; the answer ends it. */
    listen(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      clearInterval(looking);
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
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

function noteTyping(api: BotApi, personas: Personas, changed: () => void) {
  const since = new Map<ChatKey, number>();
  api.watch(({ kind, chatId }) => {
    const chat = personas.chatKeyOf(chatId);
    if (chat === undefined || (kind !== 'action' && kind !== 'message')) return;
    since.set(chat, kind === 'action' ? systemClock.now() : 0);
    if (kind === 'action') setTimeout(changed, TYPING_MS).unref();
  });
  /** Whether the bot is about to answer in a chat, as its client shows it. */
  return { isTyping: (chat: ChatKey) => systemClock.now() - (since.get(chat) ?? 0) < TYPING_MS };
}

/** Everybody is greeted when the page opens, and in each language that it is read in, which is no news. */
function countUnread(messagesOf: (chat: ChatKey) => SeenMessage[]) {
  const seen = new Map<ChatKey, number>();
  return {
    /** How much of a chat the visitor has not seen. */
    unread(chat: ChatKey): number {
      const messages = messagesOf(chat);
      const [first, greeting] = messages;
      const from = first?.text === '/start' && greeting ? greeting.id : 0;
      const after = Math.max(from, seen.get(chat) ?? 0);
      return messages.filter(({ id, byBot }) => byBot && id > after).length;
    },
    see: (chat: ChatKey) => void seen.set(chat, messagesOf(chat).at(-1)?.id ?? 0),
  };
}

/**
 * Whoever has said nothing yet is greeted, in the language that their Telegram speaks; a greeting in another language
 * is gone then, so that the page, opened first, is of one language.
 */
async function greet({ api, personas, messages }: Pick<Playground, 'api' | 'personas' | 'messages'>) {
  for (const key of ACQUAINTED) {
    const user = personas.user(key);
    const said = messages(key).filter(({ byBot }) => !byBot);
    if (said.length > 1 || said.some(({ text }) => text !== '/start')) continue;
    api.clear(user);
    api.send(user, user, '/start');
  }
  const isGreeted = (key: ChatKey) => messages(key).some(({ byBot }) => byBot);
  await api.waitFor(() => ACQUAINTED.every(isGreeted), GREETED_WITHIN_MS, 'a first answer of the bot');
}
