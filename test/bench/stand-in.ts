// Starts the stand-in for Telegram in its own process, and the bot in this one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createTelegramBot, createTexts } from '../../src/bot/index.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { randomIds } from '../../src/ids.ts';
import { createBotStore } from '../../src/store/bot-store.ts';
import { SILENT, type BenchCore } from './bench-core.ts';
import type { StandInAnswer, StandInOrder } from './stand-in-worker.ts';

export const TOKEN = '123456:bench';

export interface StandIn {
  url: string;
  flood(text: string, updates: number): Promise<void>;
  /** What the bot called until it was silent for `quietMs`. */
  say(person: number, text: string, quietMs: number): Promise<string[]>;
  close(): void;
}

export async function openStandIn(people: readonly number[]): Promise<StandIn> {
  const child = fork(fileURLToPath(new URL('stand-in-worker.ts', import.meta.url)));
  const ended = once(child, 'exit').then(() => undefined);
  const order = async (message: StandInOrder): Promise<StandInAnswer> => {
    const answered = once(child, 'message') as Promise<[StandInAnswer]>;
    child.send(message);
    const answer = await Promise.race([answered, ended]);
    if (answer === undefined) throw new Error('The stand-in for Telegram ended early.');
    return answer[0];
  };
  const { url } = await order({ kind: 'open', people });
  return {
    url,
    flood: async (text, updates) => void (await order({ kind: 'flood', text, updates })),
    say: async (person, text, quietMs) => (await order({ kind: 'say', person, text, quietMs })).calls,
    close: () => void child.kill(),
  };
}

/** Starts the whole bot; the answer stops it. */
export async function startBot(
  { core, store }: BenchCore,
  { url }: StandIn,
  { hostIds = [], clock = systemClock }: { hostIds?: readonly number[]; clock?: Clock } = {},
): Promise<() => Promise<void>> {
  const settings = {
    hostIds,
    openSignup: true,
    starsPerUsd: 77,
    paymentProviderToken: undefined,
    subscriptionPriceCents: 500,
  };
  const botStore = createBotStore(store, () => clock.now());
  const deps = {
    core,
    store: botStore,
    texts: createTexts(core.games),
    clock,
    ids: randomIds,
    log: SILENT,
    settings,
  };
  const bot = createTelegramBot(deps, {
    token: TOKEN,
    apiRoot: url,
    webhook: undefined,
    messagesPerSecond: 1_000_000,
    // A minute of the limits of a chat is a few milliseconds: what waits for them is not what is measured.
    floodClock: { elapsed: () => clock.elapsed() * 10_000 },
  });
  await bot.start();
  return () => bot.stop();
}
