// A shop with its bot in this process, on simulated time: what chat files are played on, and scenarios. Nothing sleeps,
// and nothing is polled for: time goes on from timer to timer as long as something is under way.
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp, type App } from '../../../src/app.ts';
// Loaded before time is simulated: a module is read from the disk while timers strike.
import '../../../src/bot/index.ts';
import type { Clock } from '../../../src/clock.ts';
import type { BotConfig, Config } from '../../../src/config.ts';
import { ROLES, type ApiKeyActor, type Core, type MemberActor, type Role } from '../../../src/core/index.ts';
import { createLogger } from '../../../src/log.ts';
import { createStore } from '../../../src/store/index.ts';
import { layFreshDatabase } from '../../harness/fresh-database.ts';
import { createSeeded } from '../../harness/seeded.ts';
import type { BotApi, BotApiOptions } from '../../telegram/telegram.ts';
import type { User } from '../../telegram/types.ts';
import { API_ROOT, createTelegram, TOKEN, type Telegram } from '../machine/telegram.ts';
import { bindThreads } from '../machine/threads.ts';
import { beginTime, type Life, type Time } from '../machine/time.ts';

export interface StageOptions {
  /** Settings of the bot that differ. */
  bot?: Partial<BotConfig>;
  api?: Partial<BotApiOptions>;
  /** How many sandboxes there are; one, without. */
  sandboxes?: number;
  /** Without it the catalogue that is shipped. */
  gamesFile?: string;
  defaultGameId?: string;
  platformTimeoutMs?: number;
}

export interface Stage {
  api: BotApi;
  /** Of the process that runs now; another after `restart`. */
  core(): Core;
  databasePath: string;
  accountId: number;
  /** The account's key. */
  actor: ApiKeyActor;
  /** Members of the account, who have all written to the bot. */
  people: Record<Role, User>;
  /** The same people as the core knows them. */
  actors: Record<Role, MemberActor>;
  /** Nobody's member. */
  stranger: User;
  /** In HOST_IDS, and nobody's member. */
  host: User;
  /** The calendar, which stands still, goes on by so much, and all clocks with it. */
  advance(ms: number): void;
  /** Lets time pass until the work is done. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Lets time pass until nothing is under way: no update, no send, no call, and nothing is due. */
  quiet(): Promise<void>;
  /** What it logged as an error. */
  errors: string[];
  /** Stops the service properly, and starts it again on the same folder. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const NOON = Date.UTC(2026, 0, 13, 12);
const HOST_ID = 900_001;
const WITHIN_MS = 60_000;
/** A button that nobody answered for as long is shown as one that goes on turning. */
const TAPPED_MS = 30_000;
const LATENCY_MS = 2;
/** A minute of Telegram's limits is a few milliseconds: chats are not about them. */
const HASTE = 10_000;
/** Nothing arrived that is not handled, waits to be said, or goes on by itself. */
const UNDONE = [
  "select count(*) from inbox where state = 'waiting'",
  'select count(*) from tasks where run_at is not null',
  "select count(*) from tasks where waits_for like 'redemption:%' and run_at is null and done_at is null and dead_at is null",
  "select count(*) from jobs where state = 'running'",
  "select count(*) from orders where state = 'running'",
  "select count(*) from imports where state = 'committing'",
];

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const time = beginTime();
  bindThreads(time.native);
  let ahead = 0;
  const elapsed = () => time.clock.elapsed() + ahead;
  const clock: Clock = { now: () => NOON + ahead, elapsed };
  const telegram = createTelegram(time, createSeeded(1), {
    networkMs: [0, 1],
    flood: 'none',
    clock,
    queryLifetimeMs: TAPPED_MS,
    ...options.api,
  });
  const folder = mkdtempSync(join(tmpdir(), 'redemption-stage-'));
  layFreshDatabase(folder);
  const databasePath = join(folder, 'redemption.db');
  const config = describeConfig(folder, options);
  const errors: string[] = [];
  const log = createLogger({ level: 'error', destination: { write: (error) => void errors.push(error) } });
  const within = <T>(work: Promise<T>) => passUntilDone(time, work);
  let app: App;
  let life: Life;
  const start = async () => {
    life = time.beginLife();
    app = life.run(() =>
      createApp(config, {
        log,
        clock,
        floodClock: { elapsed: () => elapsed() * HASTE },
        fetch: telegram.fetchOf(life),
        listener: () => ({
          listen: () => Promise.resolve({ address: '', port: 0 }),
          close: () => Promise.resolve(),
        }),
      }),
    );
    await within(life.run(() => app.start()));
  };
  const stop = async () => {
    await within(life.run(() => app.stop()));
    life.end();
  };
  await start();
  const { accountId, apiKey } = await within(
    app!.core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Shop', days: 30, purchased: 0 }),
  );
  const actor = app!.core.apiKeys.authenticate(apiKey)?.actor;
  if (!actor) throw new Error('The key that was just issued is not known.');
  const { api } = telegram;
  const people = Object.fromEntries(
    ROLES.map((role) => [
      role,
      api.createUser({ first_name: role, username: `${role}_person`, language_code: 'en' }),
    ]),
  ) as Record<Role, User>;
  const actors = await within(makeMembers(databasePath, accountId, people));
  const stranger = api.createUser({ first_name: 'stranger', language_code: 'en' });
  const host = api.createUser({ id: HOST_ID, first_name: 'host', language_code: 'en' });
  const { isQuiet, close: closeReader } = watchQuiet(databasePath, telegram);
  const quiet = async () => {
    if (!(await time.passUntil(isQuiet, WITHIN_MS))) throw new Error('It does not become quiet.');
  };
  for (const person of [...Object.values(people), stranger, host]) {
    api.send(person, person, '/help');
    await quiet();
  }
  return {
    ...{ api, databasePath, accountId, actor, people, actors, stranger, host, within, quiet, errors },
    core: () => app.core,
    advance: (ms) => void (ahead += ms),
    async restart() {
      await stop();
      await start();
    },
    async close() {
      closeReader();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function passUntilDone<T>(time: Time, work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  if (!(await time.passUntil(() => isOver, WITHIN_MS))) throw new Error('What was waited for did not end.');
  return ended;
}

function watchQuiet(databasePath: string, telegram: Telegram) {
  const file = new Database(databasePath, { readonly: true });
  const undone = file.prepare(`select ${UNDONE.map((count) => `(${count})`).join(' + ')}`).pluck();
  const arrived = file.prepare("select 1 from inbox where update_id = ? and state <> 'waiting'").pluck();
  return {
    isQuiet(): boolean {
      if (telegram.underWay() > 0) return false;
      // A checkout is answered at once, and not kept.
      const newest = telegram.api.updates().findLast((each) => !('pre_checkout_query' in each))?.update_id;
      return (newest === undefined || arrived.get(newest) === 1) && undone.get() === 0;
    },
    close: () => file.close(),
  };
}

function describeConfig(folder: string, options: StageOptions): Config {
  return {
    http: { host: '127.0.0.1', port: 0 },
    databasePath: join(folder, 'redemption.db'),
    encryptionKey: undefined,
    gamesFile: options.gamesFile ?? join(import.meta.dirname, '../../../data/games.json'),
    defaultGameId: options.defaultGameId,
    platform: {
      kind: 'sandbox',
      path: join(folder, 'sandbox.db'),
      latencyMs: LATENCY_MS,
      upstreams: options.sandboxes ?? 1,
    },
    platformTimeoutMs: options.platformTimeoutMs ?? 45_000,
    bot: {
      token: TOKEN,
      apiRoot: API_ROOT,
      webhook: undefined,
      hostIds: [HOST_ID],
      openSignup: false,
      starsPerUsd: 77,
      paymentProviderToken: undefined,
      subscriptionPriceCents: undefined,
      ...options.bot,
    },
    metricsToken: undefined,
    logLevel: 'silent',
  };
}

/** Written beside the running service, as another process would: members come by invitation otherwise. */
async function makeMembers(
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
