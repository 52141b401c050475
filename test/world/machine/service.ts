// The service in the world: one process after the other on the same files, each started as main.ts does, killed, stopped, upgraded.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Database } from 'better-sqlite3';

import { createApp, type App } from '../../../src/app.ts';
import type { Config } from '../../../src/config.ts';
import type { Core } from '../../../src/core/index.ts';
import type { Ids } from '../../../src/ids.ts';
import type { Logger } from '../../../src/log.ts';
import type { Platform } from '../../../src/platform/port.ts';
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { backup } from '../../../src/store/backup/backup.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import type { CatalogueGame } from './catalogue.ts';
import type { Disk } from './disk.ts';
import { createPlatform, type SimulatedPlatform } from './platform.ts';
import { DAY_MS } from '../promises/quota.ts';
import { closeBooks, look } from '../run/rest.ts';
import { API_ROOT, TOKEN, type Telegram } from './telegram.ts';
import type { Life, Time } from './time.ts';
import { reachedByWire } from './wire.ts';
import { alone } from '../../../src/platforms.ts';

export const KEY = createHash('sha256').update('the key of the simulated world').digest();
const secrets = createSecrets(KEY);
const BACKED_UP_EVERY_MS = 47 * 60 * 60_000;
const BACKUPS_KEPT = 3;
export const ENOUGH_BYTES = 50e9;
const STARS_PER_USD = 77;
/** As the settings name it. */
const UPSTREAM = 'sandbox-1';
/** As the command words it. */
const NO_ROOM = 'No backup was made: ENOSPC: no space left on device';
export const HOST_ID = 900_001;
const ANOTHER_PLATFORM = {
  kind: 'upstream',
  url: 'https://elsewhere.invalid',
  token: 'token-of-another',
} as const;

export interface Service {
  /** undefined while none runs. */
  app(): App | undefined;
  /** Answers a request; `lost` where the process ends before it has answered, or none runs. */
  ask(path: string, init?: RequestInit): Promise<Response | 'lost'>;
  /** What the host's command line would do beside the process, done through it. */
  command<T>(work: (core: Core) => Promise<T>): Promise<T>;
  start(): Promise<void>;
  /** As SIGKILL: nothing more comes from it or reaches it. What lies on the disk is what the next process finds. */
  kill(how?: 'killed' | 'power lost'): void;
  /** Whether a process runs that nobody has told to stop. */
  isServing(): boolean;
  /** As SIGTERM. */
  stop(): Promise<void>;
  /** Told at every commit: where a kill may strike. */
  onCommit: () => void;
  /** What it logged as an error since the last look. */
  takeErrors(): string[];
  /** The catalogue from the next start on. */
  games: readonly CatalogueGame[];
  /** What an activation costs from the next start on. */
  starsPerUsd: number;
  /** Whether the settings name another platform from the next start on, which knows nothing of what this one was sent. */
  isPlatformExchanged: boolean;
  /** Whether there is room for backups. */
  hasRoomForBackups: boolean;
  /** Bytes that the disk tells to be free. */
  freeBytes: number;
  /** How many processes were started after one that was killed, since the last look. */
  takeUncleanStarts(): number;
  /** How often a process has come to an unclean end, since this was asked last. */
  takeEnds(): number;
  /** When it did so last. */
  endedAt(): number;
  /** How often the platform did not answer whether it is there, since the last look. */
  takeUnreached(): number;
  /** The price of the process that runs. */
  starsNow(): number;
  starts(): number;
  /** The scale of ages, as the process that runs has it. */
  monotonicNow(): number;
}

interface ServiceDeps {
  time: Time;
  random: Seeded;
  disk: Disk;
  telegram: Telegram;
  platform: SimulatedPlatform;
  games: readonly CatalogueGame[];
}

interface Running {
  app: App;
  life: Life;
  fetch: (request: Request) => Response | Promise<Response>;
}

export function createService({ time, random, disk, telegram, platform, games }: ServiceDeps): Service {
  const ids = createIds(random);
  const errors: string[] = [];
  let running: Running | undefined;
  let [starts, uncleanStarts, wasKilled, unreached] = [0, 0, false, 0];
  let [ends, endedAt] = [0, -Infinity];
  let monotonicNow = time.machine.now;
  let starsNow = STARS_PER_USD;
  let isStopping = false;

  const byWire = (reached: ReturnType<SimulatedPlatform['reachedBy']>) =>
    reachedByWire(reached, {
      clock: time.machine,
      random: createSeeded(random.below(2 ** 31)),
      now: platform.now,
      manners: () => platform.manners,
    });

  const countUnreached = (reached: Platform): Platform => ({
    ...reached,
    async isReachable(options) {
      const isThere = await reached.isReachable(options);
      if (!isThere) unreached += 1;
      return isThere;
    },
  });

  function kill(how: 'killed' | 'power lost' = 'killed'): void {
    if (!running) return;
    closeBooks();
    running.life.end();
    running = undefined;
    wasKilled = true;
    ends += 1;
    endedAt = time.clock.now();
    if (how === 'killed') disk.afterKill();
    else disk.afterPowerLoss();
  }

  const service: Service = {
    app: () => running?.app,
    isServing: () => running !== undefined && !isStopping,
    ask(path, init) {
      const asked = running;
      if (!asked) return Promise.resolve('lost');
      const { life } = asked;
      const request = new Request(`http://service.invalid${path}`, init);
      return new Promise((resolve) => {
        life.gone.addEventListener('abort', () => resolve('lost'), { once: true });
        life.run(() => void Promise.resolve(asked.fetch(request)).then(resolve, () => resolve('lost')));
      });
    },
    command(work) {
      if (!running) return Promise.reject(new Error('The service does not run.'));
      const { app, life } = running;
      return life.run(() => work(app.core));
    },
    async start() {
      // Whoever looks after processes starts none beside another.
      if (running) return;
      starts += 1;
      if (wasKilled) uncleanStarts += 1;
      wasKilled = false;
      const gamesFile = join(disk.backups, `games-${starts}.json`);
      writeFileSync(gamesFile, JSON.stringify(service.games));
      const life = time.beginLife();
      starsNow = service.starsPerUsd;
      let listener: ReturnType<typeof createListener> | undefined;
      const config = describeConfig(disk.databasePath(), gamesFile, disk.backups, starsNow);
      if (service.isPlatformExchanged) config.platform = ANOTHER_PLATFORM;
      const reached = service.isPlatformExchanged
        ? createPlatform(time, createSeeded(starts)).reachedBy(life)
        : platform.reachedBy(life);
      const app = life.run(() =>
        createApp(config, {
          log: createLog(errors, () => life.isOver()),
          clock: time.machine,
          floodClock: time.machine,
          ids,
          fetch: telegram.fetchOf(life),
          upstreams: alone(
            countUnreached(withoutTimes(starts % 2 === 0 ? byWire(reached) : reached, platform)),
            UPSTREAM,
          ),
          makeBackup: (file, { isWhole }) => {
            if (!service.hasRoomForBackups) return Promise.reject(new Error(NO_ROOM));
            const now = time.machine.now();
            return time
              .native(() => backup(disk.databasePath(), file, { secrets, now, everyday: !isWhole }))
              .then(({ proof, unreadable, drift }) => ({ proof, damagedRows: unreadable + drift }));
          },
          readRoom: () =>
            Promise.resolve([{ folder: 'database', free: service.freeBytes, total: 2 * ENOUGH_BYTES }]),
          listener: ({ app: http }) => {
            listener = createListener((request) => http.fetch(request));
            return listener;
          },
          onCommit: () => {
            if (life.isOver()) return;
            service.onCommit();
          },
        }),
      );
      running = { app, life, fetch: () => Promise.reject(new Error('It does not serve yet.')) };
      monotonicNow = look(disk.databasePath(), readMonotonicNow(time.machine));
      const begun = running;
      await Promise.race([
        life.run(() => app.start()),
        new Promise((resolve) => life.gone.addEventListener('abort', resolve)),
      ]);
      if (listener) begun.fetch = listener.fetch;
    },
    kill,
    async stop() {
      const stopping = running;
      if (!stopping) return;
      isStopping = true;
      closeBooks();
      await Promise.race([
        stopping.life.run(() => stopping.app.stop()),
        new Promise((resolve) => stopping.life.gone.addEventListener('abort', resolve)),
      ]);
      stopping.life.end();
      if (running === stopping) running = undefined;
      isStopping = false;
    },
    onCommit: () => undefined,
    takeErrors: () => errors.splice(0),
    games,
    starsPerUsd: STARS_PER_USD,
    isPlatformExchanged: false,
    hasRoomForBackups: true,
    freeBytes: ENOUGH_BYTES,
    takeUncleanStarts() {
      const count = uncleanStarts;
      uncleanStarts = 0;
      return count;
    },
    endedAt: () => endedAt,
    takeEnds() {
      const count = ends;
      ends = 0;
      return count;
    },
    takeUnreached() {
      const count = unreached;
      unreached = 0;
      return count;
    },
    starsNow: () => starsNow,
    starts: () => starts,
    monotonicNow: () => monotonicNow(),
  };
  return service;
}

function describeConfig(
  databasePath: string,
  gamesFile: string,
  backups: string,
  starsPerUsd: number,
): Config {
  return {
    http: { host: '127.0.0.1', port: 0 },
    databasePath,
    encryptionKey: KEY,
    gamesFile,
    defaultGameId: undefined,
    platform: { kind: 'sandbox', path: ':memory:', latencyMs: 0, upstreams: 1 },
    platformTimeoutMs: 45_000,
    bot: {
      token: TOKEN,
      apiRoot: API_ROOT,
      webhook: undefined,
      hostIds: [HOST_ID],
      openSignup: true,
      supportContact: '@support_of_the_world',
      starsPerUsd,
      paymentProviderToken: undefined,
      subscriptionPriceCents: 1_000,
    },
    backups: { folder: backups, everyMs: BACKED_UP_EVERY_MS, keep: BACKUPS_KEPT },
    metricsToken: undefined,
    publicUrl: 'https://codes.example',
    logLevel: 'silent',
  };
}

/** A look-up that tells by whom alone, while the platform is of that kind. */
const withoutTimes = (reached: Platform, kind: Pick<SimulatedPlatform, 'tellsTimes'>): Platform => ({
  ...reached,
  async findCode(asked, options) {
    const told = await reached.findCode(asked, options);
    if (kind.tellsTimes || told.status !== 'redeemed') return told;
    const { redeemedAt: _at, toldAt: _now, expiresAt: _end, ...rest } = told;
    return rest;
  },
});

const SCALE = `
  select (select value from meta where key = 'calendar_ahead') as ahead, (select max(window_start) from quotas) as start`;

/** Ages go on from process to process: from what the calendar was ahead by, never before what was charged. */
export const readMonotonicNow =
  ({ now, elapsed }: Time['machine']) =>
  (file: Database): (() => number) => {
    const { ahead, start } = file.prepare(SCALE).get() as { ahead: Buffer | null; start: number | null };
    const begun = Math.max(now() - Number(ahead?.toString() ?? 0), (start ?? 0) + DAY_MS) - elapsed();
    return () => begun + elapsed();
  };

/** As the one of Node's server: once it closes it takes nothing more, and it is closed when all that it took is answered. */
function createListener(answer: Running['fetch']) {
  const owed = new Set<Promise<unknown>>();
  let isClosing = false;
  return {
    listen: () => Promise.resolve({ address: '127.0.0.1', port: 0 }),
    fetch(request: Request): Promise<Response> {
      if (isClosing) return Promise.reject(new Error('Nobody listens.'));
      const answered = Promise.resolve(answer(request)).finally(() => owed.delete(answered));
      owed.add(answered);
      return answered;
    },
    async close(): Promise<void> {
      isClosing = true;
      await Promise.allSettled(owed);
    },
  };
}

/** Unguessable to nobody: the same seed gives the same references. */
export function createIds(random: Seeded): Ids {
  const hex = (length: number) => Array.from({ length }, () => random.below(16).toString(16)).join('');
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    secret: (bytes) => Buffer.from(hex(bytes * 2), 'hex').toString('base64url'),
  };
}

/** Keeps errors, but for those of the dead. */
export function createLog(errors: string[], isOver: () => boolean): Logger {
  const nothing = () => undefined;
  return {
    info: nothing,
    warn: nothing,
    error(fields, message) {
      if (isOver()) return;
      const { err, error } = fields as { err?: unknown; error?: unknown };
      const cause =
        err instanceof Error ? `${err.message} ${err.stack ?? ''}` : JSON.stringify(error ?? fields);
      errors.push(`${message}: ${cause}`);
    },
  };
}
