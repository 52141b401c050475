// Row 30, as in reliability.md: the console of an account with a million receipts. Every page is told with the time
// that the server takes for it and the longest turn in which it holds the loop, and when a browser first paints it; and
// how much longer redemptions take while all of the receipts leave as CSV.
import { setTimeout as pause } from 'node:timers/promises';

import type { Clock } from '../../src/clock.ts';
import type { MemberActor } from '../../src/core/index.ts';
import { CONSOLE_ORIGIN, openTestConsole, type Browser } from '../harness/console.ts';
import { actorOf, openBenchCore, type BenchCore } from './bench-core.ts';
import { measurePaint } from './console-paint.ts';
import { openConsolePages, type ConsolePage } from './console-pages.ts';
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
import { clockSince, openShopHistory } from './history/history.ts';
import { createInstantPlatform } from './instant-platform.ts';
import { median, quantile, takeTurns } from './rounds.ts';
import { DENOMINATION, GAME_ID } from './terms.ts';
import { watchTurns } from './turns.ts';

const ROW = 30;
const PER_SECOND = 100;
/** Under way for as long as it is measured. */
const OPEN = 40;
const HANGS = '404404404';

export const consolePages: BenchGroup = {
  rows: [ROW],

  async measure(_row, options) {
    const shop = await openShop(options);
    const pages = await openConsolePages(shop.owner);
    const receipts = `of ${told(shop.receipts)} receipts`;
    options.tell(`${ROW}: ${pages.length} pages ${receipts}`);
    const sweeps = await takeTurns(roundsOf(options), { each: () => sweep(options, shop.owner, pages) });
    const worst = ['ms', 'turnMs'] as const;
    const figures = worst.map((what) => describeWorst(what, receipts, sweeps.each, sweeps.load));
    const { core } = shop.bench;
    figures.push(await measurePaint(options, { ...shop, core, owner: shop.actor, pages, receipts }));
    figures.push(await measureRedeeming(options, shop));
    await shop.bench.close();
    return figures;
  },
};

interface Shop {
  bench: BenchCore;
  clock: Clock;
  actor: MemberActor;
  owner: Browser;
  receipts: number;
  /** The CSV of all of them. */
  openCsv(): Promise<ReadableStreamDefaultReader<Uint8Array>>;
}

async function openShop(options: BenchOptions): Promise<Shop> {
  const history = await openShopHistory(options);
  const clock = clockSince(history);
  const instant = createInstantPlatform();
  const redeem: typeof instant.redeem = (order, ...rest) =>
    order.playerId === HANGS ? new Promise(() => undefined) : instant.redeem(order, ...rest);
  const platform = { ...instant, redeem };
  const bench = await openBenchCore({ path: history.path, clock, platform, accounts: 8 });
  const key = actorOf(bench.core, history.big.apiKey);
  const request = { gameId: GAME_ID, playerId: HANGS, denomination: DENOMINATION };
  for (let index = 0; index < OPEN; index += 1) void bench.core.redeem(key, request);
  const { app, enter } = openTestConsole({ core: bench.core, clock });
  const actor = bench.core.members.findActor(history.big.ownerTelegramId)!;
  const owner = await enter(actor);
  return {
    ...{ bench, clock, actor },
    owner,
    receipts: history.redemptions,
    async openCsv() {
      const asked = { headers: { cookie: owner.cookie } };
      const { body } = await app.request(`${CONSOLE_ORIGIN}/receipts.csv`, asked);
      return (body as ReadableStream<Uint8Array>).getReader();
    },
  };
}

/** Of one page: medians of its repetitions, in ms. */
type Taken = Record<'ms' | 'turnMs', number>;
type Sweep = Map<string, Taken>;

async function sweep(options: BenchOptions, owner: Browser, pages: readonly ConsolePage[]): Promise<Sweep> {
  const repetitions = scaled(options, { tiny: 1, quick: 5, normal: 11 });
  const found: Sweep = new Map();
  for (const { name, path } of pages) {
    const each: Taken[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const [watched, startedAt] = [watchTurns(), performance.now()];
      const { status } = await owner.get(path);
      each.push({ ms: performance.now() - startedAt, turnMs: watched.stop().longestMs });
      if (status !== 200 && status !== 303) throw new Error(`${path} was answered with ${status}.`);
    }
    const [ms, turnsMs] = [each.map((taken) => taken.ms), each.map(({ turnMs }) => turnMs)];
    const [middle, turnMs] = [median(ms), median(turnsMs)];
    found.set(name, { ms: middle, turnMs });
    options.tell(
      `  ${name}: ${word(middle, 'ms')}, at most ${word(Math.max(...ms), 'ms')}; turn ${word(turnMs, 'ms')}`,
    );
  }
  return found;
}

function describeWorst(
  what: keyof Taken,
  receipts: string,
  sweeps: Sweep[],
  load: Parameters<typeof value>[2]['load'],
): Figure {
  const of = (name: string) => sweeps.map((each) => each.get(name)?.[what] ?? NaN);
  const names = [...(sweeps[0]?.keys() ?? [])].toSorted((a, b) => median(of(b)) - median(of(a)));
  const [worst = ''] = names;
  const next = names.slice(1, 6).map((name) => `${name} ${word(median(of(name)), 'ms')}`);
  return value(ROW, `${what === 'ms' ? 'page' : 'turn of the page'} "${worst}", the longest ${receipts}`, {
    ...{ values: of(worst), atMost: what === 'ms' ? 50 : 10, unit: 'ms', load },
    note: `then ${next.join(', ')}`,
  });
}

/** So often in a round without and beside: a slow moment of the disk meets both. */
const ALTERNATIONS = 5;

async function measureRedeeming(options: BenchOptions, { bench, openCsv }: Shop): Promise<Figure> {
  const forMs = scaled(options, { tiny: 50, quick: 3_000, normal: 6_000 });
  const count = Math.ceil((forMs * PER_SECOND) / 1000);
  await bench.fill((2 * roundsOf(options) * ALTERNATIONS + 1) * count + 1_000);
  await redeemAtRate(bench, count);
  let rows = 0;
  async function redeemBeside(): Promise<number[]> {
    const reader = await openCsv();
    let isOver = false;
    const reading = (async () => {
      for (let piece = await reader.read(); !isOver && !piece.done; piece = await reader.read())
        rows += piece.value.filter((byte) => byte === 10).length;
      await reader.cancel();
    })();
    const tookMs = await redeemAtRate(bench, count);
    isOver = true;
    await reading;
    return tookMs;
  }
  const { each, load } = await takeTurns(roundsOf(options), {
    async each() {
      const [without, beside]: [number[], number[]] = [[], []];
      for (let left = ALTERNATIONS; left > 0; left -= 1) {
        without.push(...(await redeemAtRate(bench, count)));
        beside.push(...(await redeemBeside()));
      }
      return { without: quantileOf(without), beside: quantileOf(beside) };
    },
  });
  const perSecond = Math.round((rows * 1000) / (roundsOf(options) * ALTERNATIONS * forMs));
  return compare(ROW, 'p99 of redemptions while the receipts leave as CSV / without', {
    ...{ ours: each.map(({ beside }) => beside), against: each.map(({ without }) => without), atMost: 1.2 },
    ...{ unit: 'ms', load },
    note: `${PER_SECOND} redemptions a second; of the CSV ${told(perSecond)} rows a second`,
  });
}

const quantileOf = (tookMs: number[]): number =>
  quantile(
    tookMs.toSorted((a, b) => a - b),
    0.99,
  );

/** However long each takes, the next begins in time. How long each took, in ms. */
async function redeemAtRate({ core, accounts }: BenchCore, count: number): Promise<number[]> {
  const startedAt = performance.now();
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const { actor } = accounts[index % accounts.length]!;
      const dueAt = startedAt + (index * 1000) / PER_SECOND;
      await pause(Math.max(0, dueAt - performance.now()));
      const began = performance.now();
      await core.redeem(actor, { gameId: GAME_ID, playerId: '5124780131', denomination: DENOMINATION });
      return performance.now() - began;
    }),
  );
}
