// The playground, assembled: a local Telegram, the service as a process, what its account has now, and what the page is
// told.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

import { systemClock } from '../src/clock.ts';
import { createGames, DAILY_LIMIT } from '../src/core/index.ts';
import { pause } from '../src/waiting.ts';
import { createActions } from './actions.ts';
import { createPanel, type Panel } from './panel.ts';
import { openDatabaseView, type DatabaseView } from './database-view.ts';
import { createBotApi, type BotApi } from '../test/telegram/telegram.ts';
import type { WorldEvent } from '../test/telegram/types.ts';
import { createPersonas, MEMBER_KEYS, type Personas } from './personas.ts';
import { openMemory, type Memory } from './memory.ts';
import type {
  PlayActionAnswer,
  PageLanguage,
  PersonKey,
  PlayEvent,
  ServiceView,
  Snapshot,
} from './protocol.ts';
import { GAME, mintAnew, mintSamples } from './samples.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';
import { createPlaygroundConfig, PLAY_TOKEN } from './settings.ts';
import { createViews, type Views } from './views.ts';

export interface Playground {
  apiKey: string;
  snapshot(): Snapshot;
  views: Views;
  /** Does what a `PlayAction` says; what cannot be done is answered in a sentence. */
  act(body: unknown): Promise<PlayActionAnswer>;
  /** Hears everything that happens from now on; the answer ends it. */
  listen(listener: (event: PlayEvent) => void): () => void;
  close(): Promise<void>;
}

/** What runs, and what looks on. */
interface Parts {
  api: BotApi;
  personas: Personas;
  views: Views;
  service: ServiceProcess;
  database: DatabaseView;
  panel: Panel;
  /** What the denominations are counted in. */
  unit: string;
  watching: NodeJS.Timeout;
}

const LOOK_EVERY_MS = 250;
const GREETED_WITHIN_MS = 30_000;
/** How far apart the numbers of two starts lie: the service remembers the updates and payments of earlier ones. */
const NUMBERS_PER_RUN = 1_000_000;
/** Long enough to be seen, and to be written to in vain. */
const DEAD_FOR_MS = 1_500;
/** Who has met the bot already; the stranger has not. */
const ACQUAINTED = [...MEMBER_KEYS, 'host'] as const;

/**
 * Starts everything on `folder`, seeding it when it is new; everybody's Telegram speaks `language` at first. Resolves
 * when the bot can be talked to.
 */
export async function createPlayground(folder: string, language: PageLanguage): Promise<Playground> {
  const memory = await openMemory(folder, language);
  const parts = await assemble(folder, memory, language);
  const { api, personas, views, service, database, panel } = parts;
  async function close(): Promise<void> {
    clearInterval(parts.watching);
    await service.stop();
    await api.close();
    database.close();
  }
  try {
    await service.start();
    await greet(api, personas);
  } catch (error) {
    await close();
    throw error;
  }

  let greeting = Promise.resolve();
  // One after the other: the language may be chosen twice in a moment.
  const greetAgain = () => (greeting = greeting.catch(() => undefined).then(() => greet(api, personas)));
  let samples = mintSamples(parts.unit);
  const freshSamples = (key: string | undefined) => {
    samples = mintAnew(samples, parts.unit, key);
    panel.send({ kind: 'samples', samples });
  };
  return {
    apiKey: memory.apiKey,
    views,
    act: createActions({
      ...{ api, personas, views, service, freshSamples },
      kill: () => killAndStart(service),
      greet: greetAgain,
    }),
    listen: panel.listen,
    snapshot: () => ({
      kind: 'snapshot',
      people: views.people(),
      messages: views.messages(),
      service: panel.service(),
      samples,
    }),
    close,
  };
}

async function assemble(folder: string, memory: Memory, language: PageLanguage): Promise<Parts> {
  const panel = createPanel();
  const api = createPlayApi(memory.run);
  const { url } = await api.listen();
  const config = createPlaygroundConfig(folder, url, await findFreePort());
  const games = createGames(JSON.parse(readFileSync(config.gamesFile, 'utf8')));
  const unit = games.find(GAME)?.currency ?? '';
  const service = createServiceProcess(config, panel.changed);
  const database = openDatabaseView(config.databasePath);
  const personas = createPersonas(api, language);
  const views = createViews(api, personas, (telegramId) => database.member(memory.accountId, telegramId));
  panel.show(() => describeService(service, database, memory, unit));
  api.watch((event) => relay(event, views, personas, panel));
  const watching = setInterval(() => look(panel), LOOK_EVERY_MS);
  return { api, personas, views, service, database, panel, unit, watching };
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

async function killAndStart(service: ServiceProcess): Promise<PlayActionAnswer> {
  if (service.state() !== 'running') return { ok: false, error: 'The service is not running.' };
  await service.kill();
  await pause(DEAD_FOR_MS);
  await service.start();
  return { ok: true };
}

/**
 * Whoever has said nothing yet is greeted, in the language that their Telegram speaks; a greeting in another language
 * is gone then, so that the page, opened first, is of one language.
 */
async function greet(api: BotApi, personas: Personas): Promise<void> {
  const isGreeted = (key: PersonKey) =>
    api.messages(personas.user(key)).some(({ byBot, deleted }) => byBot && !deleted);
  for (const key of ACQUAINTED) {
    const user = personas.user(key);
    const said = api.messages(user).filter(({ byBot, deleted }) => !byBot && !deleted);
    if (said.length > 1 || said.some(({ text }) => text !== '/start')) continue;
    api.clear(user);
    api.send(user, user, '/start');
  }
  await api.waitFor(() => ACQUAINTED.every(isGreeted), GREETED_WITHIN_MS, 'a first answer of the bot');
}

function look(panel: Panel): void {
  try {
    panel.changed();
  } catch (error) {
    // While the service comes up again its file may be locked for a moment; the next look sees it all.
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) {
      throw error;
    }
  }
}

function relay(event: WorldEvent, views: Views, personas: Personas, panel: Panel): void {
  const { kind, chatId, messageId, detail } = event;
  if (kind === 'menu') for (const person of views.people()) panel.send({ kind: 'person', person });
  if (chatId === undefined) return;
  if ((kind === 'message' || kind === 'edited' || kind === 'deleted') && messageId !== undefined) {
    const message = views.message(chatId, messageId);
    if (message) panel.send({ kind: 'message', message });
    // What was paid is not to be paid again.
    if (message?.money)
      views.paidIn(chatId).forEach((paid) => panel.send({ kind: 'message', message: paid }));
  }
  const chat = personas.chatKeyOf(chatId);
  if (kind === 'action' && chat) panel.send({ kind: 'typing', chat, action: String(detail) });
}

function describeService(
  service: ServiceProcess,
  database: DatabaseView,
  memory: Memory,
  unit: string,
): ServiceView {
  return {
    state: service.state(),
    stock: database.stock(memory.accountId),
    unit,
    quota: { ...database.quota(memory.accountId, systemClock.now()), limit: DAILY_LIMIT },
    apiUrl: service.url(),
    apiKey: memory.apiKey,
  };
}
