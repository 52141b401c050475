// The playground, assembled: a local Telegram, the service as a process, its database watched, and what the page is
// told.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

import { systemClock, type Clock } from '../clock.ts';
import { createGames, DAILY_LIMIT } from '../core/index.ts';
import { createActions } from './actions.ts';
import { createPanel, type Panel } from './panel.ts';
import { createBehindRedemptions, type BehindRedemptions } from './behind-redemption.ts';
import { openDatabaseView, type DatabaseView } from './database-view.ts';
import { createBotApi, type BotApi } from './telegram/telegram.ts';
import type { WorldEvent } from './telegram/types.ts';
import { createPersonas, MEMBER_KEYS, type Personas } from './personas.ts';
import { createPlaygroundFaults, type PlaygroundFaults } from './faults.ts';
import { openMemory, writeMemory, type Memory } from './memory.ts';
import { createChangeWatcher, type ChangeWatcher } from './change-watcher.ts';
import type {
  PlayActionAnswer,
  BehindMessage,
  BehindRedemption,
  ChatKey,
  PageLanguage,
  PersonKey,
  PlayEvent,
  ServiceView,
  Snapshot,
} from './protocol.ts';
import { both } from './numbers.ts';
import { GAME, mintAnew, mintSamples } from './samples.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';
import { createPlaygroundConfig, PLAY_TOKEN } from './settings.ts';
import { createInspector, type Inspector } from './inspector.ts';
import { createViews, type Views } from './views.ts';

export interface Playground {
  apiKey: string;
  apiUrl(): string;
  snapshot(): Snapshot;
  views: Views;
  /** What lies behind a message; undefined when there is none. */
  behindMessage(chat: ChatKey, messageId: number): BehindMessage | undefined;
  behindRedemption(id: number): BehindRedemption | undefined;
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
  faults: PlaygroundFaults;
  panel: Panel;
  inspector: Inspector;
  behind: BehindRedemptions;
  /** What the denominations are counted in. */
  unit: string;
  watching: NodeJS.Timeout;
}

const LOOK_EVERY_MS = 250;
const GREETED_WITHIN_MS = 30_000;
/** How far apart the numbers of two starts lie: the service remembers the updates and payments of earlier ones. */
const NUMBERS_PER_RUN = 1_000_000;
const ENDED = both(
  'The service ended by itself. Start the playground again',
  'Сервис завершился сам. Запустите стенд снова',
);
/** Who has met the bot already; the stranger has not. */
const ACQUAINTED = [...MEMBER_KEYS, 'host'] as const;

/**
 * Starts everything on `folder`, seeding it when it is new; everybody's Telegram speaks `language` at first. Resolves
 * when the bot can be talked to.
 */
export async function createPlayground(folder: string, language: PageLanguage): Promise<Playground> {
  const memory = await openMemory(folder, language);
  const parts = await assemble(folder, memory, language);
  const { api, personas, views, service, database, faults, panel } = parts;
  async function close(): Promise<void> {
    clearInterval(parts.watching);
    await service.stop();
    await api.close();
    parts.behind.close();
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
    apiUrl: service.url,
    views,
    behindMessage(chat, messageId) {
      const message = views.findNow(chat, messageId);
      return message && parts.inspector.behind(message);
    },
    behindRedemption: parts.behind.find,
    act: createActions({ api, personas, views, service, faults, freshSamples, greet: greetAgain }),
    listen: panel.listen,
    snapshot: () => ({
      kind: 'snapshot',
      people: views.people(),
      messages: views.messages(),
      events: panel.events(),
      service: panel.service(),
      samples,
    }),
    close,
  };
}

async function assemble(folder: string, memory: Memory, language: PageLanguage): Promise<Parts> {
  let ahead = memory.clockAheadMs;
  const clock: Clock = {
    now: () => systemClock.now() + ahead,
    elapsed: () => systemClock.elapsed() + ahead,
  };
  const panel = createPanel(() => clock.now());
  const api = createPlayApi(clock, memory.run);
  const { url } = await api.listen();
  const config = createPlaygroundConfig(folder, url, await findFreePort());
  const games = createGames(JSON.parse(readFileSync(config.gamesFile, 'utf8')));
  const unit = games.find(GAME)?.currency ?? '';
  const service = createServiceProcess({
    config,
    sessionGames: games.all.filter(({ receipts }) => receipts === 'session').map(({ id }) => id),
    clockAheadMs: ahead,
    onChange: panel.changed,
    onDeath: () => panel.addEvent({ kind: 'process', text: ENDED }),
  });
  const database = openDatabaseView(config.databasePath);
  const behind = createBehindRedemptions(
    database,
    config.platform.kind === 'sandbox' ? config.platform.path : '',
  );
  const watcher = createChangeWatcher(database, () => service.startedAt() + ahead);
  const faults = createPlaygroundFaults({
    api,
    service,
    database,
    countPending() {
      // What began since the last look counts, too.
      checkChanges(watcher, panel);
      return watcher.countPending();
    },
    clockAheadMs: ahead,
    addEvent: panel.addEvent,
    saveClockAhead(aheadMs) {
      ahead = aheadMs;
      writeMemory(folder, { ...memory, clockAheadMs: aheadMs });
    },
  });
  const personas = createPersonas(api, language);
  const views = createViews(api, personas, (telegramId) => database.member(memory.accountId, telegramId));
  panel.show(() => describeService({ service, faults, database, memory, unit, now: clock.now() }));
  const inspector = createInspector(() => clock.now());
  api.watch(inspector.note);
  api.watch((event) => relay(event, views, personas, panel));
  const watching = setInterval(() => checkChanges(watcher, panel), LOOK_EVERY_MS);
  return { api, personas, views, service, database, faults, panel, inspector, behind, unit, watching };
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

function createPlayApi(clock: Clock, run: number): BotApi {
  const firstNumber = run * NUMBERS_PER_RUN;
  return createBotApi({
    token: PLAY_TOKEN,
    username: 'play_redemption_bot',
    flood: 'faq',
    clock,
    firstNumber,
  });
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

function checkChanges(watcher: ChangeWatcher, panel: Panel): void {
  try {
    for (const told of watcher.check()) panel.addEvent(told);
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

function describeService(from: {
  service: ServiceProcess;
  faults: PlaygroundFaults;
  database: DatabaseView;
  memory: Memory;
  unit: string;
  now: number;
}): ServiceView {
  const { service, faults, database, memory, unit, now } = from;
  const fault = service.fault();
  return {
    state: service.state(),
    clockAheadMs: faults.clockAheadMs(),
    platform: fault === 'down' ? 'down' : 'up',
    upstreams: service.upstreams(),
    nextTimesOut: fault === 'nextTimesOut',
    stock: database.stock(memory.accountId),
    unit,
    quota: { ...database.quota(memory.accountId, now), limit: DAILY_LIMIT },
    apiUrl: service.url(),
    apiKey: memory.apiKey,
    docsUrl: `${service.url()}/docs`,
  };
}
