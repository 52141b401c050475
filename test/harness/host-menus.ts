// The host's menus over a core that answers what each test tells it; words are their own keys.
import { createManualClock } from '../../src/clock.ts';
import type { BotDeps } from '../../src/bot/context.ts';
import type { Handlers } from '../../src/bot/handlers.ts';
import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from './bot-words.ts';
import { fake } from './fake.ts';

export const NOW = Date.UTC(2026, 10, 22, 12);
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The core of one test, in place of what every other has; `kept`: confirmations. */
export function createHostMenus(core: Record<string, object> = {}, changes: object = {}) {
  const kept: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    ids: { secret: () => 'confirmation-id' },
    settings: {},
    store: {
      confirmations: {
        save: (confirmation: object) => soon(() => void kept.push(confirmation)),
        find: () => undefined,
      },
      inbox: { countWaiting: () => 3, countSetAside: () => 2 },
      outbox: { listWaiting: () => [{ task: 'result', count: 4, since: 0 }] },
    },
    ...changes,
    core: {
      members: { findActor: () => undefined, listOf: () => [], ...core['members'] },
      accounts: { timeZoneOf: () => 'UTC', find: () => undefined, ...core['accounts'] },
      purchases: { ...core['purchases'] },
      doubts: { listOf: () => ({ doubts: [], isPart: false }), ...core['doubts'] },
      health: { platformAheadMs: () => undefined, listUpstreams: () => [], ...core['health'] },
      upstreams: { ...core['upstreams'] },
      sweeps: { list: () => [], ...core['sweeps'] },
      hostAlerts: { list: () => [], ...core['hostAlerts'] },
      quotaOf: () => ({ daily: { used: 1.25, limit: 300 }, purchased: 1_000, boughtInAll: 2_000 }),
    },
  };
  return { deps: fake(deps) satisfies BotDeps, kept };
}

export async function askHostMenu(handlers: Handlers, event: string): Promise<SaidWords[]> {
  const fields = { isHost: true, actor: undefined };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const { ctx, said } = create(event, fields);
  await handlers.middleware()(ctx, () => Promise.resolve(void said.push(['passed on', event])));
  return said;
}

export const accountOf = (id: number, changes: object = {}) => ({
  ...{
    id,
    name: `Shop ${id}`,
    createdAt: NOW,
    subscriptionExpiresAt: undefined,
    state: 'open',
    memberCount: 2,
  },
  ...{ purchased: 50, owner: { name: 'Owner', username: 'own' } },
  ...changes,
});

export const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);
