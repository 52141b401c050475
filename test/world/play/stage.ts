// The whole service with its bot in this process, on simulated time, over the stand-in for Telegram, and an account with
// one person of each role: what chat files are played on, and scenarios. Nothing sleeps, and nothing is polled for: time
// goes on from timer to timer while somebody waits for something, and not else.
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp, type App, type AppParts } from '../../../src/app.ts';
// Loaded before time is simulated: a module is read from the disk while timers strike.
import '../../../src/bot/index.ts';
import { systemClock } from '../../../src/clock.ts';
import type { BotConfig } from '../../../src/config.ts';
import type { Core } from '../../../src/core/index.ts';
import { createLogger } from '../../../src/log.ts';
import { createSandbox } from '../../../src/platform/sandbox/sandbox.ts';
import { alone } from '../../../src/platforms.ts';
import { createStore, type Store } from '../../../src/store/index.ts';
import { describeConfig, LATENCY_MS, type TestApp } from '../../harness/app.ts';
import {
  BOT_SETTINGS,
  createPeople,
  createUnhurried,
  makeMembers,
  type TestBot,
  type TestBotOptions,
} from '../../harness/bot-app.ts';
import { layFreshDatabase } from '../../harness/fresh-database.ts';
import { createSeeded } from '../../harness/seeded.ts';
import { API_ROOT, createTelegram, TOKEN, type Telegram } from '../machine/telegram.ts';
import { bindThreads, giveThreadsBack } from '../machine/threads.ts';
import { beginTime, type Life, type Time } from '../machine/time.ts';

export type StageOptions = Omit<TestBotOptions, 'webhooksAllowPrivate'>;

/** What is called on `api` and on the core passes time until it is done. */
export interface Stage extends Omit<TestBot, 'methodsUrl' | 'app'> {
  /** The service that runs now; another after `restart`. */
  app(): Omit<TestApp, 'url' | 'request' | 'stop'>;
  /** What the HTTP interface answers, time passing until it does. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** The store of another process, beside the service. Whoever opens it closes it. */
  beside(): Store;
  /** Lets time pass until the work is done. Rejects where that takes longer than a minute. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Lets so much time pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until it holds. Rejects where that takes longer than a minute. */
  until(holds: () => unknown): Promise<void>;
  /** Lets time pass until nothing is under way: no update, no send, no call, and nothing is due. */
  quiet(): Promise<void>;
  /** What the service logged as an error. */
  errors: string[];
}

const WITHIN_MS = 60_000;
const LAST_MS = 1_000;
/** A minute of Telegram's limits is a few milliseconds: for what is not about them. */
const HASTE = 10_000;
/** Nothing arrived that is not handled, waits to be said, or goes on by itself. */
const UNDONE = [
  "select count(*) from inbox where state = 'waiting'",
  // But for what is held until a time.
  'select count(*) from tasks where run_at is not null and (attempts > 0 or run_at <= queued_at)',
  "select count(*) from tasks where waits_for like 'redemption:%' and done_at is null and dead_at is null",
  "select count(*) from jobs where state = 'running'",
  "select count(*) from orders where state = 'running'",
  "select count(*) from imports where state = 'committing'",
];

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const loaded = options.consoleUrl === undefined ? {} : await import('../../../src/console/index.ts');
  const time = beginTime();
  bindThreads(time.native);
  const unhurried = createUnhurried();
  const telegram = createTelegram(time, createSeeded(1), {
    networkMs: [0, 1],
    flood: 'faq',
    clock: systemClock,
    floodClock: unhurried.floodClock,
    ...options.api,
  });
  unhurried.follow(telegram.api);
  options.prepare?.(telegram.api);
  const folder = mkdtempSync(join(tmpdir(), 'redemption-stage-'));
  layFreshDatabase(folder);
  const hasty = { elapsed: () => time.clock.elapsed() * HASTE };
  const floodClock = options.api?.flood === 'none' ? hasty : unhurried.floodClock;
  const service = createService(time, telegram, { floodClock, ...options, folder, loaded });
  const { databasePath } = service.place;
  await service.start();
  const opened = { name: 'Shop', days: options.days ?? 30, purchased: options.purchased ?? 0 };
  const { accountId, apiKey } = await service.core().accounts.create({ kind: 'host', by: 'cli' }, opened);
  const actor = service.core().apiKeys.authenticate(apiKey)?.actor;
  if (!actor) throw new Error('The key that was just issued is not known.');
  const waits = createWaits(time, telegram, databasePath);
  const api = inTime(telegram.api, time);
  api.waitFor = async (predicate, ms = WITHIN_MS, what = 'what was waited for') => {
    if (!(await time.passUntil(() => Boolean(predicate()), ms))) throw new Error(`${what} did not happen.`);
    return predicate() || Promise.reject(new Error(what));
  };
  const { people, stranger, host } = createPeople(api);
  const actors = await waits.within(makeMembers(databasePath, accountId, people));
  for (const person of [...Object.values(people), stranger, host]) {
    api.send(person, person, '/help');
    await waits.quiet();
  }
  return {
    ...{ api, people, actors, accountId, stranger, host, errors: service.errors },
    ...waits,
    ask: (path, init) => waits.within(service.ask(new Request(`http://service.invalid${path}`, init))),
    beside: () => inTime(createStore({ path: databasePath, exclusive: false }), time),
    app: () => ({
      ...{ ...service.place, folder, accountId, apiKey, actor },
      get core() {
        return service.core();
      },
    }),
    async restart(meanwhile, changed) {
      await service.stop();
      Object.assign(service.settings, changed);
      await waits.within(Promise.resolve(meanwhile?.()));
      await service.start();
    },
    async stop() {
      waits.close();
      await service.stop();
      await waits.within(telegram.api.close());
      // What a module has begun (turns.ts) comes to its end: the next stage shares the process.
      await waits.pass(LAST_MS);
      giveThreadsBack();
      time.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One process after the other on the files of the folder. */
function createService(
  time: Time,
  telegram: Telegram,
  options: StageOptions & { folder: string; loaded: Pick<AppParts, 'createConsole'> },
) {
  const [databasePath, sandboxPath] = [
    join(options.folder, 'redemption.db'),
    join(options.folder, 'sandbox.db'),
  ];
  const errors: string[] = [];
  const destination = { write: (error: string) => void errors.push(error) };
  const settings: BotConfig = { ...BOT_SETTINGS, token: TOKEN, apiRoot: API_ROOT, ...options.bot };
  const clock = options.clock ?? systemClock;
  let running: { app: App; life: Life; core: Core } | undefined;
  let answer: (request: Request) => Response | Promise<Response> = () =>
    Promise.reject(new Error('Nobody listens.'));

  return {
    ...{ place: { databasePath, sandboxPath }, errors, settings },
    core(): Core {
      if (!running) throw new Error('The service does not run.');
      return running.core;
    },
    ask: async (request: Request) => answer(request),
    async start() {
      const life = time.beginLife();
      const { through, floodClock } = options;
      const app = life.run(() =>
        createApp(describeConfig({ ...options, bot: settings }, databasePath, sandboxPath), {
          log: options.log ?? createLogger({ level: 'error', destination }),
          clock,
          ...options.loaded,
          ...(floodClock && { floodClock }),
          ...(through && {
            upstreams: alone(through(createSandbox({ path: sandboxPath, latencyMs: LATENCY_MS, clock }))),
          }),
          fetch: telegram.fetchOf(life),
          listener: (http) => {
            answer = (request) => http.app.fetch(request);
            return {
              listen: () => Promise.resolve({ address: '', port: 0 }),
              close: () => Promise.resolve(),
            };
          },
        }),
      );
      running = { app, life, core: inTime(app.core, time) };
      await passUntilDone(
        time,
        life.run(() => app.start()),
      );
    },
    async stop() {
      const { app, life } = running ?? {};
      running = undefined;
      if (app && life)
        await passUntilDone(
          time,
          life.run(() => app.stop()),
        );
      life?.end();
    },
  };
}

function createWaits(time: Time, telegram: Telegram, databasePath: string) {
  const file = new Database(databasePath, { readonly: true });
  const undone = file.prepare(`select ${UNDONE.map((count) => `(${count})`).join(' + ')}`).pluck();
  const inInbox = file.prepare('select state from inbox where update_id = ?').pluck();
  // What a group talks about is fetched and not kept; what Telegram kept for a day in vain is forgotten.
  const isOver = (id: number) => {
    const state = inInbox.get(id);
    return state === undefined
      ? telegram.api.unconfirmed().every((each) => each.update_id !== id)
      : state !== 'waiting';
  };
  const isQuiet = () => {
    if (telegram.underWay() > 0) return false;
    // A checkout is answered at once, and not kept.
    const newest = telegram.api.updates().findLast((each) => !('pre_checkout_query' in each))?.update_id;
    return (newest === undefined || isOver(newest)) && undone.get() === 0;
  };
  const passUntil = async (holds: () => boolean, what: string) => {
    if (!(await time.passUntil(holds, WITHIN_MS))) throw new Error(what);
  };
  return {
    within: <T>(work: Promise<T>) => passUntilDone(time, work),
    pass: async (ms: number) => void (await time.passUntil(() => false, ms)),
    until: (holds: () => unknown) => passUntil(() => Boolean(holds()), 'What was waited for did not happen.'),
    quiet: () => passUntil(isQuiet, 'It does not become quiet.'),
    close: () => void file.close(),
  };
}

async function passUntilDone<T>(time: Time, work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  if (!(await time.passUntil(() => isOver, WITHIN_MS))) throw new Error('What was waited for did not end.');
  return ended;
}

/** The same object, where each call passes time until what it promises is done. */
function inTime<T extends object>(target: T, time: Time): T {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return inTime(value, time);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, of, args);
        if (!(answer instanceof Promise)) return answer;
        const done = passUntilDone(time, answer);
        // Nobody has to wait for it.
        done.catch(() => undefined);
        return done;
      };
    },
  });
}
