// Row 8: updates through the whole bot (inbox, roles, a command that reads the store) beside a bare grammY bot that echoes,
// both over the same stand-in for Telegram and without a limit on what may be sent.
import { Bot } from 'grammy';

import { createTelegramBot, createTexts } from '../../src/bot/index.ts';
import { systemClock } from '../../src/clock.ts';
import { randomIds } from '../../src/ids.ts';
import { createBotApi, type BotApi } from '../../src/playground/telegram/telegram.ts';
import type { User } from '../../src/playground/telegram/types.ts';
import { createKeeping } from '../../src/store/keeping.ts';
import { openBenchCore } from './bench-core.ts';
import { atLeast, median, rate, roundsOf, takeTurns, type BenchGroup } from './figures.ts';

const TOKEN = '123456:bench';
const PEOPLE = 50;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Contestant {
  /** Updates a second, from the first sent to the last answered. */
  answer(updates: number): Promise<number>;
  close(): Promise<void>;
}

export const bot: BenchGroup = {
  rows: [8],
  async measure(_asked, options) {
    options.tell('bot: updates through the whole bot and through a bare one');
    const updates = options.quick ? 300 : 1_000;
    const [ours, bare] = [await openOurs(), await openBare()];
    for (const each of [ours, bare]) await each.answer(100);
    const rates = await takeTurns(roundsOf(options), {
      ours: () => ours.answer(updates),
      bare: () => bare.answer(updates),
    });
    for (const each of [ours, bare]) await each.close();
    const figure = { ours: median(rates.ours), against: median(rates.bare), goal: 0.5, unit: 'updates/s' };
    return [atLeast(8, 'updates through the whole bot / a bare grammY echo bot', figure)];
  },
};

async function openOurs(): Promise<Contestant> {
  const { api, people, url } = await openApi();
  const { core, store, close } = await openBenchCore();
  const keeping = createKeeping(store, () => systemClock.now());
  const settings = {
    hostIds: [],
    openSignup: true,
    starsPerUsd: 77,
    paymentProviderToken: undefined,
    subscriptionPriceCents: undefined,
  };
  const deps = {
    core,
    keeping,
    texts: createTexts(),
    clock: systemClock,
    ids: randomIds,
    log: SILENT,
    settings,
  };
  const telegram = { token: TOKEN, apiRoot: url, webhook: undefined, messagesPerSecond: 1_000_000 };
  for (const { id: telegramId } of people) {
    await core.accounts.openOwn({ telegramId, name: 'Shop' });
  }
  const running = createTelegramBot(deps, telegram);
  await running.start();
  return {
    answer: (updates) => answer(api, people, '/quota', updates),
    async close() {
      await running.stop();
      await close();
      await api.close();
    },
  };
}

async function openBare(): Promise<Contestant> {
  const { api, people, url } = await openApi();
  const echo = new Bot(TOKEN, { client: { apiRoot: url } });
  echo.on('message:text', (ctx) => ctx.reply(ctx.message.text));
  void echo.start();
  return {
    answer: (updates) => answer(api, people, '/quota', updates),
    async close() {
      await echo.stop();
      await api.close();
    },
  };
}

async function openApi(): Promise<{ api: BotApi; people: User[]; url: string }> {
  const api = createBotApi({ token: TOKEN, strict: false });
  const { url } = await api.listen();
  const people = Array.from({ length: PEOPLE }, (_, index) =>
    api.createUser({ first_name: `person ${index}` }),
  );
  return { api, people, url };
}

async function answer(api: BotApi, people: readonly User[], text: string, updates: number): Promise<number> {
  let left = updates;
  const done = new Promise<void>((resolve) => {
    const unwatch = api.watch((event) => {
      if (event.kind !== 'call' || (event.detail as { method: string }).method !== 'sendMessage') return;
      left -= 1;
      if (left > 0) return;
      unwatch();
      resolve();
    });
  });
  const startedAt = performance.now();
  for (let sent = 0; sent < updates; sent += 1) {
    const person = people[sent % people.length];
    if (person) api.send(person, person, text);
  }
  await done;
  return rate(updates, startedAt);
}
