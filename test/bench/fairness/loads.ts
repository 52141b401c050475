// What others ask of the service, as much as they can, while somebody redeems.
import { setTimeout as pause } from 'node:timers/promises';

import { ask, type Answer } from '../../torture/client.ts';
import { SLOW_PLAYER } from './outside.ts';
import type { Keys } from './stock.ts';

export interface Load {
  begin(to: { url: string; keys: Keys }): {
    /** Resolves when everything is answered: how often with what. */
    stop(): Promise<Record<string, number>>;
  };
}

const CODES = 10_000;
const BULK_AT_ONCE = 64;
const READERS = 4;
const LOOK_UPS = 100;
const FAILS_PER_SECOND = 100;

let made = 0;
/** So many codes that nobody has had. */
function makeCodes(count: number): string[] {
  const run = Date.now().toString(36);
  return Array.from({ length: count }, () => `60S${run}${String((made += 1)).padStart(9, '0')}`);
}

/** Asks until it is told to stop, so many at once. */
function keepAsking(lanes: number, next: () => Promise<Answer>): ReturnType<Load['begin']> {
  const answers: Record<string, number> = {};
  let isOver = false;
  const all = Promise.all(
    Array.from({ length: lanes }, async () => {
      while (!isOver) note(answers, await next().catch(() => undefined));
    }),
  );
  return {
    async stop() {
      isOver = true;
      await all;
      return answers;
    },
  };
}

function askOnce(requests: Promise<Answer>[]): ReturnType<Load['begin']> {
  const answers: Record<string, number> = {};
  const all = requests.map((request) =>
    request.then(
      (answer) => note(answers, answer),
      () => note(answers, undefined),
    ),
  );
  return {
    async stop() {
      await Promise.all(all);
      return answers;
    },
  };
}

function note(answers: Record<string, number>, answer: Answer | undefined): void {
  const name = answer === undefined ? 'cut' : String(answer.status);
  answers[name] = (answers[name] ?? 0) + 1;
}

const add = (url: string, apiKey: string) =>
  ask(url, { apiKey }, 'POST', '/db', { body: [{ denomination: 60, codes: makeCodes(CODES) }] });
const extract = (url: string, apiKey: string) =>
  ask(url, { apiKey }, 'POST', '/db/extract', { body: { denomination: 60, amount: CODES } });

const bulk: Load = {
  begin: ({ url, keys }) => askOnce(Array.from({ length: BULK_AT_ONCE }, () => add(url, keys.busy))),
};

/** One after the other, in turn. */
const comeAndGo: Load = {
  begin({ url, keys }) {
    let turn = 0;
    return keepAsking(1, () => ((turn += 1) % 2 === 0 ? add : extract)(url, keys.busy));
  },
};

const stock: Load = {
  begin: ({ url, keys }) => keepAsking(READERS, () => ask(url, { apiKey: keys.busy }, 'GET', '/db')),
};

const lookUps: Load = {
  begin({ url, keys }) {
    const paths = Array.from(
      { length: LOOK_UPS },
      (_, index) => `/character?gameId=game_id_1&playerId=${SLOW_PLAYER}${String(index).padStart(8, '0')}`,
    );
    return askOnce(paths.map((path) => ask(url, { apiKey: keys.busy }, 'GET', path)));
  },
};

/** An account without stock that redeems all the same. */
const failing: Load = {
  begin({ url, keys }) {
    const body = { gameId: 'game_id_1', playerId: '5170925570', denomination: 60 };
    const startedAt = performance.now();
    let asked = 0;
    return keepAsking(FAILS_PER_SECOND / 10, async () => {
      const dueAt = startedAt + ((asked += 1) * 1000) / FAILS_PER_SECOND;
      await pause(Math.max(0, dueAt - performance.now()));
      return ask(url, { apiKey: keys.failing }, 'POST', '/redeem', { body });
    });
  },
};

/** Everything of the above at once. */
const everything: Load = {
  begin(to) {
    const all = [bulk, comeAndGo, stock, lookUps, failing].map((load) => load.begin(to));
    return {
      async stop() {
        const answers: Record<string, number> = {};
        for (const each of await Promise.all(all.map(({ stop }) => stop())))
          for (const [name, count] of Object.entries(each)) answers[name] = (answers[name] ?? 0) + count;
        return answers;
      },
    };
  },
};

/** By name, in the order in which they are measured. */
export const LOADS: Record<string, Load> = {
  '64 times 10,000 codes at once': bulk,
  '10,000 codes out and in': comeAndGo,
  'GET /db in a loop': stock,
  '100 look-ups of 15 s': lookUps,
  '100 failures a second': failing,
  'everything at once': everything,
};
