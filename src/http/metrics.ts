// What Prometheus reads, in a registry of its own: two services in one process do not share a counter. Requests, commits
// and attempts are observed as they happen; the rest is a row each, read at every scrape, so that nothing of it counts
// rows of what grows.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

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

export interface Metrics {
  contentType: string;
  /** The text of `/metrics`. */
  render(): Promise<string>;
  observeRequest(request: { method: string; route: string; status: number; ms: number }): void;
  countQuotaRefusal(route: string): void;
  /** How many writes a commit held, and how long the event loop was held for it. */
  observeCommit(writes: number, ms: number): void;
}

type WatchedCore = Pick<Core, 'health' | 'hostAlerts'>;

/** Labels are route patterns, never paths: a path can hold a receipt id, a query a code. */
export function createMetrics(core: WatchedCore, clock: Clock, measured: Measured = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  collectDefaultMetrics({ register: registry });
  for (const row of [
    ...rowsOfRedemptions(core, clock),
    ...rowsOfBot(measured, clock),
    ...rowsOfMachine(core, measured),
  ])
    register(registry, row);

  const attempts = counter('upstream_attempts_total', HELP.attempts, 'upstream', 'outcome');
  const attemptTimes = histogram('upstream_seconds', HELP.attemptTimes, ATTEMPT_SECONDS, 'upstream');
  core.health.onAttempt(({ upstream, outcome, ms }) => {
    attempts.inc({ upstream, outcome });
    attemptTimes.observe({ upstream }, ms / 1000);
  });
  const [name, labels] = ['http_request_duration_seconds', ['method', 'route', 'status']] as const;
  const requests = histogram(name, HELP.requests, REQUEST_SECONDS, ...labels);
  const refusals = counter('quota_refusals_total', HELP.refusals, 'route');
  const commitTimes = histogram('store_commit_duration_seconds', HELP.commitTimes, COMMIT_SECONDS);
  const commitSizes = histogram('store_commit_writes', HELP.commitSizes, [1, 2, 4, 8, 16, 32, 64]);
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    observeRequest: ({ method, route, status, ms }) => requests.observe({ method, route, status }, ms / 1000),
    countQuotaRefusal: (route) => refusals.inc({ route }),
    observeCommit(writes, ms) {
      commitTimes.observe(ms / 1000);
      commitSizes.observe(writes);
    },
  };
}

const HELP = {
  attempts:
    'Orders that came back from an upstream, by its name and outcome: redeemed, the errorCode, never_sent, refused_us, unknown',
  attemptTimes: 'Time from an order to its answer, in seconds',
  requests: 'Time from the head of a request to its answer, in seconds',
  refusals: 'Requests refused because the quota was used up',
  commitTimes: 'How long the event loop was held for a commit: its writes and the sync of the disk',
  commitSizes: 'How many writes shared a commit',
};
/** A redemption is given up after 55 s at most. */
const ATTEMPT_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60];
const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** A number alone, or a series for each set of labels: their values, and the number. */
type Told = number | (readonly [...labels: string[], value: number])[];
/** What is called `…_total` counts, the rest is as it is now. */
type Row = readonly [name: string, help: string, labels: readonly string[], read: () => Told | Promise<Told>];

const toBit = (is: boolean): number => (is ? 1 : 0);

/** A calendar that went back makes nothing older than now. */
const ageInSeconds = (since: number | undefined, clock: Clock): number =>
  since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000;

const present = (rows: (Row | undefined)[]): Row[] => rows.filter((row) => row !== undefined);

/** How redemptions ended, what is open and in stock, where codes are sent. */
function rowsOfRedemptions({ health }: WatchedCore, clock: Clock): Row[] {
  const sumStock = rememberStock(health, clock);
  return [
    [
      'redemptions_total',
      'Redemptions that came to their first end since the start, by door (http, chat) and outcome: redeemed, or the errorCode; UNKNOWN and INVALID_ACTIVATION_RESPONSE are in doubt',
      ['door', 'outcome'],
      () => health.listEnded().map(({ door, outcome, count }) => [door, outcome, count]),
    ],
    [
      'doubts_settled_total',
      'What became of redemptions in doubt: redeemed, returned (the code went back), spentElsewhere',
      ['outcome'],
      () => health.listSettled().map(({ outcome, count }) => [outcome, count]),
    ],
    [
      'redemptions_open',
      'Redemptions that are under way (pending) or whose outcome is not known yet (in_doubt)',
      ['state'],
      () => [
        ['pending', health.countOpen().pending],
        ['in_doubt', health.countOpen().inDoubt],
      ],
    ],
    [
      'redemption_doubt_oldest_age_seconds',
      'How long the oldest redemption in doubt has been open; 0 where none is',
      [],
      () => ageInSeconds(health.oldestDoubt(), clock),
    ],
    [
      'stock_codes',
      'Codes of all accounts that are still to be used, by game, denomination and state; at most a minute old',
      ['game', 'denomination', 'state'],
      async () =>
        (await sumStock()).flatMap(({ gameId, denomination, state, count }) =>
          IN_STOCK.has(state) ? [[gameId, String(denomination), state, count]] : [],
        ),
    ],
    [
      'upstream_usable',
      '1 where an upstream is sent orders; 0 where it is paused, rests, or is never chosen',
      ['upstream'],
      () => health.listUpstreams().map(({ name, state }) => [name, toBit(state === 'usable')]),
    ],
    [
      'attempts_unknown',
      'Attempts of which nobody knows whether they spent their code, by the upstream that they were sent to',
      ['upstream'],
      () => health.listUpstreams().map(({ name, unknown }) => [name, unknown]),
    ],
  ];
}

/** The states in which a code is still to be used; the others only grow. */
const IN_STOCK = new Set<StockTotal['state']>(['available', 'unverified', 'reserved', 'in_doubt']);
/** The counts of many accounts are added up once in so long, whoever asks. */
const STOCK_REMEMBERED_MS = 60_000;

function rememberStock(health: WatchedCore['health'], clock: Clock): () => Promise<StockTotal[]> {
  let last: { at: number; totals: Promise<StockTotal[]> } | undefined;
  return () => {
    if (last === undefined || clock.elapsed() >= last.at + STOCK_REMEMBERED_MS)
      last = { at: clock.elapsed(), totals: health.sumStock() };
    return last.totals;
  };
}

function rowsOfBot({ telegram, queues }: Measured, clock: Clock): Row[] {
  return present([
    telegram && [
      'telegram_reachable',
      '1 where Telegram answered the last call and knows the token, and the bot has started',
      [],
      () => toBit(ANSWERING.has(telegram.telegramStatus())),
    ],
    telegram && [
      'telegram_contested',
      '1 where another process fetches the updates of the bot',
      [],
      () => toBit(telegram.telegramStatus() === 'contested'),
    ],
    telegram && [
      'telegram_last_answer_timestamp_seconds',
      'When Telegram answered last, in seconds since 1970; 0 where it has not yet',
      [],
      () => (telegram.lastAnswerAt() ?? 0) / 1000,
    ],
    queues && [
      'bot_queue_waiting',
      'What waits in the bot: updates to be handled (inbox), and tasks: answers, results and notices to be sent (answer, result, notice), news to be made notices of (announce)',
      ['queue'],
      () => Object.entries(queues()).map(([queue, { waiting }]) => [queue, waiting]),
    ],
    queues && [
      'bot_queue_oldest_age_seconds',
      'How long the first of what waits in the bot has waited; 0 where nothing does',
      ['queue'],
      () => Object.entries(queues()).map(([queue, { since }]) => [queue, ageInSeconds(since, clock)]),
    ],
  ]);
}

/** People are answered, in whole or in part. */
const ANSWERING = new Set(['reachable', 'contested']);

function rowsOfMachine({ health, hostAlerts }: WatchedCore, measured: Measured): Row[] {
  const { countWritesWaiting, freeBytes, lastBackupAt } = measured;
  return present([
    [
      'store_writable',
      '1 where the last write went through and the database is where it was opened; nothing begins where it is 0',
      [],
      () => toBit(health.isWritable() && health.isInPlace()),
    ],
    [
      'service_contested',
      '1 where another machine seems to serve the same codes: none are handed out meanwhile',
      [],
      () => toBit(health.isContested()),
    ],
    countWritesWaiting && [
      'store_writes_waiting',
      'Writes that wait for their commit',
      [],
      countWritesWaiting,
    ],
    freeBytes && [
      'disk_free_bytes',
      'Room left where the database and the backups are',
      ['folder'],
      async () => Object.entries(await freeBytes()),
    ],
    lastBackupAt && [
      'backup_last_timestamp_seconds',
      'When the last backup by the service was made, in seconds since 1970; 0 where there is none yet',
      [],
      () => (lastBackupAt() ?? 0) / 1000,
    ],
    [
      'platform_reachable',
      '0 where the platform did not answer when it was asked last, twice a minute',
      [],
      () => toBit(health.wasPlatformReachable() !== false),
    ],
    [
      'host_alert',
      '1 while what hosts are told of lasts, by its name: each has a line in docs/at-night.md',
      ['name'],
      () => {
        const lasting = new Set<string>(hostAlerts.list().map(({ name }) => name));
        return Object.keys(HOST_CONDITIONS).map((name) => [name, toBit(lasting.has(name))]);
      },
    ],
  ]);
}

/** One that cannot be read now has no series; the others are told all the same. */
function register(registry: Registry, [name, help, labelNames, read]: Row): void {
  const Metric = name.endsWith('_total') ? Counter : Gauge;
  const metric: Gauge | Counter = new Metric({
    ...{ name, help, labelNames: [...labelNames], registers: [registry] },
    async collect() {
      const told = await Promise.resolve()
        .then(read)
        .catch(() => []);
      metric.reset();
      // A counter that was reset counts from 0.
      for (const each of typeof told === 'number' ? [[told] as const] : told)
        metric.inc(
          Object.fromEntries(labelNames.map((label, index) => [label, String(each[index])])),
          Number(each.at(-1)),
        );
    },
  });
}
