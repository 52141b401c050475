// The whole service with its bot, over the stand-in for Telegram, and an account with one person of each role.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/clock.ts';
import type { BotConfig } from '../../src/config.ts';
import type { MemberActor } from '../../src/core/context.ts';
import { ROLES, type Role } from '../../src/core/context.ts';
import { createBotApi, type BotApi, type BotApiOptions } from '../telegram/telegram.ts';
import type { User } from '../telegram/types.ts';
import { createStore } from '../../src/store/index.ts';
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts';
import { createForwardClock } from './forward-clock.ts';

export interface TestBotOptions extends Omit<TestAppOptions, 'bot' | 'folder'> {
  bot?: Partial<BotConfig>;
  /** Telegram's flood limits hold, for people who take their time (`createUnhurried`), unless this says otherwise. */
  api?: Partial<BotApiOptions>;
  /** What is done to the stand-in before the app starts. */
  prepare?: (api: BotApi) => void;
}

export interface TestBot {
  api: BotApi;
  /** The app that runs now; another after `restart`. */
  app(): TestApp;
  /** Members of the account `accountId`, who have all said /start to the bot. */
  people: Record<Role, User>;
  /** The same people as the core knows them. */
  actors: Record<Role, MemberActor>;
  accountId: number;
  /** Nobody's member. */
  stranger: User;
  /** In HOST_IDS, and nobody's member. */
  host: User;
  /** Stops the app properly and starts it again on the same folder, with what `changed` of the bot's settings. */
  restart(meanwhile?: () => void | Promise<void>, changed?: Partial<BotConfig>): Promise<void>;
  /** Where methods of the Bot API are called, as the bot does. */
  methodsUrl: string;
  stop(): Promise<void>;
}

const TOKEN = '123456:test-token-that-must-never-be-logged';
const HOST_ID = 900_001;
export const BOT_SETTINGS: Omit<BotConfig, 'token' | 'apiRoot'> = {
  webhook: undefined,
  hostIds: [HOST_ID],
  openSignup: false,
  starsPerUsd: 77,
  paymentProviderToken: undefined,
  subscriptionPriceCents: undefined,
};
/** A minute of Telegram's limits is a few milliseconds: for tests that are not about them. */
const hastyClock = { elapsed: () => systemClock.elapsed() * 10_000 };

export async function startTestBot(options: TestBotOptions = {}): Promise<TestBot> {
  const { bot: settings, api: apiOptions, prepare, ...appOptions } = options;
  const folder = mkdtempSync(join(tmpdir(), 'redemption-bot-'));
  const unhurried = createUnhurried();
  const api = createBotApi({ token: TOKEN, floodClock: unhurried.floodClock, ...apiOptions });
  unhurried.follow(api);
  prepare?.(api);
  const { url } = await api.listen();
  const bot: BotConfig = { ...BOT_SETTINGS, token: TOKEN, apiRoot: url, ...settings };
  const floodClock = apiOptions?.flood === 'none' ? hastyClock : unhurried.floodClock;
  const start = () => startTestApp({ floodClock, ...appOptions, folder, bot });
  let app = await start();
  const { accountId } = app;
  const { people, stranger, host } = createPeople(api);
  const actors = await makeMembers(app.databasePath, accountId, people);
  for (const person of [...Object.values(people), stranger, host]) await greet(api, person);

  return {
    api,
    app: () => app,
    people,
    actors,
    accountId,
    stranger,
    host,
    methodsUrl: `${url}/bot${TOKEN}`,
    async restart(meanwhile, changed) {
      await app.stop();
      Object.assign(bot, changed);
      await meanwhile?.();
      app = await start();
    },
    async stop() {
      await app.stop();
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One of each role, who are members of nothing yet; one who never is, and a host. */
export function createPeople(api: BotApi): Pick<TestBot, 'people' | 'stranger' | 'host'> {
  const people = Object.fromEntries(
    ROLES.map((role) => [
      role,
      api.createUser({ first_name: role, username: `${role}_person`, language_code: 'en' }),
    ]),
  ) as Record<Role, User>;
  const stranger = api.createUser({ first_name: 'stranger', language_code: 'en' });
  const host = api.createUser({ id: HOST_ID, first_name: 'host', language_code: 'en' });
  return { people, stranger, host };
}

/** Written beside the running app, as another process would: members come by invitation otherwise. */
export async function makeMembers(
  path: string,
  accountId: number,
  people: Record<Role, User>,
): Promise<Record<Role, MemberActor>> {
  const store = createStore({ path, exclusive: false });
  const actors = await store.write((tables) =>
    ROLES.map((role): [Role, MemberActor] => {
      const { id: telegramId, first_name: name, username = null } = people[role];
      tables.members.insert({ telegramId, accountId, role, name, username, now: telegramId });
      return [role, { kind: 'member', accountId, telegramId, role }];
    }),
  );
  await store.close();
  return Object.fromEntries(actors) as Record<Role, MemberActor>;
}

/** A person's first word to the bot, without which it may not write to them; waits for its answer. */
async function greet(api: BotApi, person: User): Promise<void> {
  api.send(person, person, '/help');
  await api.waitFor(() => api.messages(person).some((message) => message.byBot), 20_000, 'a greeting');
}

/** From one thing that a person does to the next: time for three messages or edits of the bot's. */
const BETWEEN_MS = 10_000;

/**
 * People who take their time, without a test having to: each update moves the time on by which the stand-in for Telegram
 * measures floods. So its limits hold in every test, and an action that says more than it should is refused there, too.
 */
export interface Unhurried {
  /** For the stand-in's `floodClock`. */
  floodClock: { elapsed(): number };
  /** From now on whatever people do in `api` takes its time. */
  follow(api: BotApi): void;
}

export function createUnhurried(): Unhurried {
  const floodClock = createForwardClock();
  return {
    floodClock,
    follow: (api) => void api.watch(({ kind }) => kind === 'update' && floodClock.advance(BETWEEN_MS)),
  };
}
