// Row 12: every GET and every command of the bot on the file with history, asked by the account that has a quarter of
// it: the longest turn of the event loop each takes, and whether it grew with the file. Endpoints and commands are
// found by themselves (openapi.json, the words of the bot); a new one that needs a query is told as missing here.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import type { Clock } from '../../src/clock.ts';
import { createHttpServer } from '../../src/http/server.ts';
import type { Platform } from '../../src/platform/port.ts';
import { actorOf, openBenchCore, SILENT } from './bench-core.ts';
import {
  compare,
  count as told,
  roundsOf,
  scaled,
  value,
  word,
  type BenchGroup,
  type BenchOptions,
  type Figure,
} from './figures.ts';
import { clockSince, openHistory, openSmallHistory, type History } from './history/history.ts';
import { createInstantPlatform } from './instant-platform.ts';
import { median, takeTurns } from './rounds.ts';
import { openStandIn, startBot } from './stand-in.ts';
import { DENOMINATION, GAME_ID, RECEIPT } from './terms.ts';
import { watchTurns } from './turns.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const QUIET_MS = 30;
const WORDS = new URL('../../src/bot/locales/en/', import.meta.url);
/** Growth of shorter turns is nobody's worry, and mostly chance. */
const WORTH_MS = 1;
const MOST_GROWTH = 2;
const ORDERED = {
  gameId: GAME_ID,
  playerId: '5124780131',
  onShortage: 'wait',
  onBadCode: 'replace',
  items: [{ denomination: DENOMINATION, count: 2 }],
} as const;

export const reads: BenchGroup = {
  rows: [12],

  async measure(_row, options) {
    const [large, small] = [await openHistory(options), await openSmallHistory(options)];
    const [onLarge, onSmall] = [await open(large, options), await open(small, options)];
    options.tell(`12: ${onLarge.names.length} GETs and commands`);
    if (options.scale !== 'tiny') for (const each of [onLarge, onSmall]) await each.sweep();
    const swept = await takeTurns(roundsOf(options), { large: onLarge.sweep, small: onSmall.sweep });
    for (const each of [onLarge, onSmall]) await each.close();
    const title = `${onLarge.names.length} GETs and commands, ${told(large.redemptions)} redemptions`;
    return [describeWorst(title, swept.large, swept.load), describeGrowth(swept)];
  },
};

/** The longest turn of each, in ms: the median of its repetitions. */
type Sweep = Map<string, number>;

function describeWorst(title: string, sweeps: Sweep[], load: Parameters<typeof value>[2]['load']): Figure {
  const medians = mediansOf(sweeps);
  const [worst] = medians;
  const values = sweeps.map((sweep) => sweep.get(worst?.[0] ?? '') ?? NaN);
  const next = medians.slice(1, 6).map(([name, ms]) => `${name} ${word(ms, 'ms')}`);
  return value(12, `turn of ${worst?.[0]}, the longest of ${title}`, {
    values,
    atMost: 10,
    unit: 'ms',
    load,
    note: `then ${next.join(', ')}`,
  });
}

function describeGrowth({
  large,
  small,
  load,
}: Awaited<ReturnType<typeof takeTurns<'large' | 'small', Sweep>>>) {
  const before = new Map(mediansOf(small));
  const growth = mediansOf(large)
    .filter(([, ms]) => ms >= WORTH_MS)
    .map(([name, ms]) => ({ name, factor: ms / (before.get(name) ?? NaN) }))
    .toSorted((a, b) => b.factor - a.factor);
  const [most] = growth;
  if (!most) {
    const figure = `turns that grew with the file: none takes ${WORTH_MS} ms`;
    return value(12, figure, { values: [0], atMost: MOST_GROWTH, unit: '', load });
  }
  const of = (sweeps: Sweep[]) => sweeps.map((sweep) => sweep.get(most.name) ?? NaN);
  const grown = growth.filter(({ factor }) => factor > MOST_GROWTH).map(({ name }) => name);
  return compare(12, `turn of ${most.name}, which grew the most / on the small file`, {
    ours: of(large),
    against: of(small),
    atMost: MOST_GROWTH,
    unit: 'ms',
    load,
    note: `turns above ${WORTH_MS} ms that grew to more than ${MOST_GROWTH} times: ${grown.join(', ') || 'none'}`,
  });
}

/** Longest first. */
function mediansOf(sweeps: Sweep[]): [name: string, ms: number][] {
  const names = [...(sweeps[0]?.keys() ?? [])];
  const medians = names.map((name): [string, number] => [
    name,
    median(sweeps.map((sweep) => sweep.get(name) ?? NaN)),
  ]);
  return medians.toSorted(([, a], [, b]) => b - a);
}

interface Measured {
  names: string[];
  sweep(): Promise<Sweep>;
  close(): Promise<void>;
}

async function open(history: History, options: BenchOptions): Promise<Measured> {
  const clock = clockSince(history);
  const bench = await openBenchCore({
    path: history.path,
    clock,
    platform: createKnowing(history),
    accounts: 0,
  });
  const person = history.big.ownerTelegramId;
  const telegram = await openStandIn([person]);
  const stop = await startBot(bench, telegram, { hostIds: [person], clock });
  const ask = openAsking(bench.core, history, clock);
  const extracted = { gameId: GAME_ID, denomination: DENOMINATION, amount: 100 };
  const actor = actorOf(bench.core, history.big.apiKey);
  await bench.core.codes.extract(actor, extracted);
  await bench.core.orders.place(actor, { ...ORDERED, idempotencyKey: { scope: 'http', key: randomUUID() } });
  await bench.core.webhooks.add(actor, { url: 'https://shop.example/hook', events: ['stock.low'] });
  const probes = new Map<string, () => Promise<unknown>>();
  for (const { name, asks } of await listPaths(ask, history)) probes.set(`GET ${name}`, () => ask(asks));
  for (const { name, asks } of listCommands(history))
    probes.set(name, () => telegram.say(person, asks, QUIET_MS));
  const repetitions = scaled(options, { tiny: 1, quick: 3, normal: 5 });
  return {
    names: [...probes.keys()],
    sweep: () => sweep(probes, repetitions, () => telegram.say(person, '/cancel', QUIET_MS)),
    async close() {
      await stop();
      telegram.close();
      await bench.close();
    },
  };
}

/** A platform that knows the code of row 12's question as redeemed. */
function createKnowing({ madeAt }: History): Platform {
  const { openid } = RECEIPT;
  const known = { redeemedAt: madeAt, expiresAt: madeAt + DAY_MS, channelName: 'Channel', openid };
  const findCode: Platform['findCode'] = () =>
    Promise.resolve({ status: 'redeemed', ...known, amount: 60, productName: '60 UC' });
  return { ...createInstantPlatform(), findCode };
}

async function sweep(
  probes: ReadonlyMap<string, () => Promise<unknown>>,
  repetitions: number,
  leave: () => Promise<unknown>,
): Promise<Sweep> {
  const found: Sweep = new Map();
  for (const [name, probe] of probes) {
    const turnsMs: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const watched = watchTurns();
      await probe();
      turnsMs.push(watched.stop().longestMs);
      if (name.startsWith('/')) await leave();
    }
    found.set(name, median(turnsMs));
  }
  return found;
}

type Ask = (path: string) => Promise<string>;

/** In process, with the key of the big account. Throws unless the answer is 200. */
function openAsking(
  core: Parameters<typeof createHttpServer>[0]['core'],
  history: History,
  clock: Clock,
): Ask {
  const { app } = createHttpServer({ core, clock, log: SILENT, metricsToken: 'bench' });
  return async (path) => {
    const bearer = path === '/metrics' ? 'bench' : history.big.apiKey;
    const response = await app.request(path, { headers: { authorization: `Bearer ${bearer}` } });
    const body = await response.text();
    if (response.status !== 200) throw new Error(`GET ${path} was answered with ${response.status}: ${body}`);
    return body;
  };
}

/** One question, under a name that is the same on every file. */
interface Question {
  name: string;
  asks: string;
}

/** Every GET of openapi.json with what it needs, and what is not in it. */
async function listPaths(ask: Ask, history: History): Promise<Question[]> {
  const { paths } = JSON.parse(await ask('/openapi.json')) as { paths: Record<string, object> };
  const gets = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
  const known = await describePaths(ask, history);
  const unknown = gets.find((path) => path.includes('{') && !known[path]);
  if (unknown !== undefined) throw new Error(`Row 12 does not know how to ask for ${unknown}.`);
  const plain = (path: string): Question[] => [{ name: path, asks: path }];
  return [...gets, '/docs'].flatMap((path) => known[path] ?? plain(path));
}

async function describePaths(ask: Ask, history: History): Promise<Record<string, Question[]>> {
  const firstOf = async (path: string, fits: (row: { error?: boolean }) => boolean = () => true) =>
    String((JSON.parse(await ask(path)) as { id: string | number; error?: boolean }[]).find(fits)?.id);
  const at = (daysAgo: number) => new Date(history.madeAt - daysAgo * DAY_MS).toISOString();
  const game = `gameId=${GAME_ID}`;
  const named = (name: string, asks = name): Question => ({ name, asks });
  return {
    '/history': [
      named('/history'),
      named('/history before 50 days ago', `/history?before=${at(50)}`),
      named('/history after 90 days ago', `/history?after=${at(90)}`),
      named('/history before it began', `/history?before=${at(101)}`),
    ],
    '/history/{id}': [named('/history/{id}', `/history/${await firstOf('/history')}`)],
    '/history/{id}.png': [
      named('/history/{id}.png', `/history/${await firstOf('/history', ({ error }) => error === false)}.png`),
    ],
    '/stats': [named('/stats'), named('/stats of a full day', `/stats?date=${at(40).slice(0, 10)}`)],
    '/db': [named('/db', `/db?${game}`)],
    '/db/extractions': [named('/db/extractions', `/db/extractions?${game}`)],
    '/db/extractions/{id}': [
      named('/db/extractions/{id}', `/db/extractions/${await firstOf(`/db/extractions?${game}`)}`),
    ],
    '/orders/{id}': [named('/orders/{id}', `/orders/${await firstOf('/orders')}`)],
    '/webhooks/{id}/deliveries': [
      named('/webhooks/{id}/deliveries', `/webhooks/${await firstOf('/webhooks')}/deliveries`),
    ],
    '/character': [named('/character', `/character?${game}&playerId=5124001`)],
    '/redemption-time': [named('/redemption-time', `/redemption-time?${game}&code=${history.redeemedCode}`)],
  };
}

/** Every command that the bot has words for; with what follows it, where it says nothing of worth alone. */
function listCommands({ redemptions }: History): Question[] {
  const named = (name: string, asks = name): Question => ({ name, asks });
  const known: Record<string, Question[]> = {
    receipt: [named('/receipt', `/receipt_${Math.floor(redemptions / 2)}`)],
    history: [named('/history'), named('/history of a day', '/history yesterday')],
    find: ['/find', '/find 5124001000', '/find Player', '/find zzzzzz'].map((text) => named(text)),
    grant: [named('/grant'), named('/grant 1 1')],
  };
  const text = readdirSync(WORDS)
    .map((name) => readFileSync(new URL(name, WORDS), 'utf8'))
    .join('\n');
  const names = [...text.matchAll(/^command-([a-z-]+) =/gm)].map(([, name]) =>
    (name ?? '').replaceAll('-', '_'),
  );
  return names.flatMap((name) => known[name] ?? [named(`/${name}`)]);
}
