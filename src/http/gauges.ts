// What Prometheus reads of everything but HTTP: how redemptions ended, what is open and waits, stock, Telegram, disk,
// backups. Asked at every scrape, so that nothing here counts rows of what grows.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import type { Clock } from '../clock.ts';
import { HOST_CONDITIONS, type Core, type StockTotal } from '../core/index.ts';

/** What the program knows beside the core; what it does not have is left out. */
export interface Measured {
  /** When the last backup was made; undefined: there is none yet. */
  lastBackupAt?: (() => number | undefined) | undefined;
  /** `reachable` is where all is well; `contested`: another process fetches the updates of the bot. */
  telegram?: { telegramStatus(): string; lastAnswerAt(): number | undefined } | undefined;
  /** What waits: updates to be handled (`inbox`), and tasks by their names; `since`: the first of them. */
  queues?: (() => Record<string, { waiting: number; since: number | undefined }>) | undefined;
  countWritesWaiting?: (() => number) | undefined;
  /** Room left where the database and the backups are. */
  freeBytes?: (() => Promise<Record<string, number>>) | undefined;
}

type WatchedCore = Pick<Core, 'health' | 'hostAlerts'>;

interface Sources {
  registry: Registry;
  core: WatchedCore;
  clock: Clock;
  measured: Measured;
}

/** The states in which a code is still to be used; the others only grow. */
const IN_STOCK = new Set<StockTotal['state']>(['available', 'unverified', 'reserved', 'in_doubt']);
/** The counts of many accounts are added up once in so long, whoever asks. */
const STOCK_REMEMBERED_MS = 60_000;

/** People are answered, in whole or in part. */
const ANSWERING = new Set(['reachable', 'contested']);

export function registerGauges(sources: Sources): void {
  registerRedemptions(sources);
  registerUpstreams(sources);
  registerStock(sources);
  registerBot(sources);
  registerMachine(sources);
  registerAlerts(sources);
}

function registerRedemptions({ registry, core, clock }: Sources): void {
  const { health } = core;
  counter(registry, {
    name: 'redemptions_total',
    help: 'Redemptions that came to their first end since the start, by door (http, chat) and outcome: redeemed, or the errorCode; UNKNOWN and INVALID_ACTIVATION_RESPONSE are in doubt',
    labelNames: ['door', 'outcome'],
    list: () => health.listEnded().map(({ count, ...labels }) => ({ labels, value: count })),
  });
  counter(registry, {
    name: 'doubts_settled_total',
    help: 'What became of redemptions in doubt: redeemed, returned (the code went back), spentElsewhere',
    labelNames: ['outcome'],
    list: () => health.listSettled().map(({ outcome, count }) => ({ labels: { outcome }, value: count })),
  });
  gauge(registry, {
    name: 'redemptions_open',
    help: 'Redemptions that are under way (pending) or whose outcome is not known yet (in_doubt)',
    labelNames: ['state'],
    list() {
      const { pending, inDoubt } = health.countOpen();
      return [
        { labels: { state: 'pending' }, value: pending },
        { labels: { state: 'in_doubt' }, value: inDoubt },
      ];
    },
  });
  gauge(registry, {
    name: 'redemption_doubt_oldest_age_seconds',
    help: 'How long the oldest redemption in doubt has been open; 0 where none is',
    list: () => [{ value: ageInSeconds(health.oldestDoubt(), clock) }],
  });
}

/** A redemption is given up after 55 s at most. */
const ATTEMPT_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60];

function registerUpstreams({ registry, core: { health } }: Sources): void {
  const registers = [registry];
  const attempts = new Counter({
    name: 'upstream_attempts_total',
    help: 'Orders that came back from an upstream, by its name and outcome: redeemed, the errorCode, never_sent, refused_us, unknown',
    labelNames: ['upstream', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'upstream_seconds',
    help: 'Time from an order to its answer, in seconds',
    labelNames: ['upstream'],
    buckets: ATTEMPT_SECONDS,
    registers,
  });
  health.onAttempt(({ upstream, outcome, ms }) => {
    attempts.inc({ upstream, outcome });
    seconds.observe({ upstream }, ms / 1000);
  });
  gauge(registry, {
    name: 'upstream_usable',
    help: '1 where an upstream is sent orders; 0 where it is paused, rests, or is never chosen',
    labelNames: ['upstream'],
    list: () =>
      health
        .listUpstreams()
        .map(({ name, state }) => ({ labels: { upstream: name }, value: state === 'usable' ? 1 : 0 })),
  });
  gauge(registry, {
    name: 'attempts_unknown',
    help: 'Attempts of which nobody knows whether they spent their code, by the upstream that they were sent to',
    labelNames: ['upstream'],
    list: () =>
      health.listUpstreams().map(({ name, unknown }) => ({ labels: { upstream: name }, value: unknown })),
  });
}

function registerStock({ registry, core, clock }: Sources): void {
  let last: { at: number; totals: Promise<StockTotal[]> } | undefined;
  const sum = () => {
    if (last === undefined || clock.elapsed() >= last.at + STOCK_REMEMBERED_MS)
      last = { at: clock.elapsed(), totals: core.health.sumStock() };
    return last.totals;
  };
  gauge(registry, {
    name: 'stock_codes',
    help: 'Codes of all accounts that are still to be used, by game, denomination and state; at most a minute old',
    labelNames: ['game', 'denomination', 'state'],
    list: async () =>
      (await sum())
        .filter(({ state }) => IN_STOCK.has(state))
        .map(({ gameId, denomination, state, count }) => ({
          labels: { game: gameId, denomination: String(denomination), state },
          value: count,
        })),
  });
}

function registerBot({ registry, clock, measured: { telegram, queues } }: Sources): void {
  if (telegram) {
    gauge(registry, {
      name: 'telegram_reachable',
      help: '1 where Telegram answered the last call and knows the token, and the bot has started',
      list: () => [{ value: ANSWERING.has(telegram.telegramStatus()) ? 1 : 0 }],
    });
    gauge(registry, {
      name: 'telegram_contested',
      help: '1 where another process fetches the updates of the bot',
      list: () => [{ value: telegram.telegramStatus() === 'contested' ? 1 : 0 }],
    });
    gauge(registry, {
      name: 'telegram_last_answer_timestamp_seconds',
      help: 'When Telegram answered last, in seconds since 1970; 0 where it has not yet',
      list: () => [{ value: (telegram.lastAnswerAt() ?? 0) / 1000 }],
    });
  }
  if (!queues) return;
  const each = (value: (queue: { waiting: number; since: number | undefined }) => number) =>
    Object.entries(queues()).map(([queue, state]) => ({ labels: { queue }, value: value(state) }));
  gauge(registry, {
    name: 'bot_queue_waiting',
    help: 'What waits in the bot: updates to be handled (inbox), and tasks: answers, results and notices to be sent (answer, result, notice), news to be made notices of (announce)',
    labelNames: ['queue'],
    list: () => each(({ waiting }) => waiting),
  });
  gauge(registry, {
    name: 'bot_queue_oldest_age_seconds',
    help: 'How long the first of what waits in the bot has waited; 0 where nothing does',
    labelNames: ['queue'],
    list: () => each(({ since }) => ageInSeconds(since, clock)),
  });
}

function registerMachine({ registry, core, measured }: Sources): void {
  const { countWritesWaiting, freeBytes, lastBackupAt } = measured;
  gauge(registry, {
    name: 'store_writable',
    help: '1 where the last write went through and the database is where it was opened; nothing begins where it is 0',
    list: () => [{ value: core.health.isWritable() && core.health.isInPlace() ? 1 : 0 }],
  });
  gauge(registry, {
    name: 'service_contested',
    help: '1 where another machine seems to serve the same codes: none are handed out meanwhile',
    list: () => [{ value: core.health.isContested() ? 1 : 0 }],
  });
  if (countWritesWaiting)
    gauge(registry, {
      name: 'store_writes_waiting',
      help: 'Writes that wait for their commit',
      list: () => [{ value: countWritesWaiting() }],
    });
  if (freeBytes)
    gauge(registry, {
      name: 'disk_free_bytes',
      help: 'Room left where the database and the backups are',
      labelNames: ['folder'],
      list: async () =>
        Object.entries(await freeBytes()).map(([folder, value]) => ({ labels: { folder }, value })),
    });
  if (lastBackupAt)
    gauge(registry, {
      name: 'backup_last_timestamp_seconds',
      help: 'When the last backup by the service was made, in seconds since 1970; 0 where there is none yet',
      list: () => [{ value: (lastBackupAt() ?? 0) / 1000 }],
    });
}

function registerAlerts({ registry, core: { health, hostAlerts } }: Sources): void {
  gauge(registry, {
    name: 'platform_reachable',
    help: '0 where the platform did not answer when it was asked last, twice a minute',
    list: () => [{ value: health.wasPlatformReachable() === false ? 0 : 1 }],
  });
  gauge(registry, {
    name: 'host_alert',
    help: '1 while what hosts are told of lasts, by its name: each has a section in docs/at-night.md',
    labelNames: ['name'],
    list() {
      const lasting = new Set<string>(hostAlerts.list().map(({ name }) => name));
      return Object.keys(HOST_CONDITIONS).map((name) => ({
        labels: { name },
        value: lasting.has(name) ? 1 : 0,
      }));
    },
  });
}

interface Series {
  labels?: Record<string, string>;
  value: number;
}

interface Listed {
  name: string;
  help: string;
  labelNames?: string[];
  list: () => Series[] | Promise<Series[]>;
}

const gauge = (registry: Registry, listed: Listed): void => register(Gauge, registry, listed);
const counter = (registry: Registry, listed: Listed): void => register(Counter, registry, listed);

/** One that cannot be read now has no series; the others are told all the same. */
function register(
  Metric: typeof Gauge | typeof Counter,
  registry: Registry,
  { list, ...about }: Listed,
): void {
  const metric = new Metric({
    ...about,
    registers: [registry],
    async collect() {
      const series = await Promise.resolve()
        .then(list)
        .catch(() => []);
      metric.reset();
      // A counter that was reset counts from 0.
      for (const { labels = {}, value } of series) metric.inc(labels, value);
    },
  });
}

/** A calendar that went back makes nothing older than now. */
function ageInSeconds(since: number | undefined, clock: Clock): number {
  return since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000;
}
