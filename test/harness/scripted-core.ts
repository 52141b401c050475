// A core that does what each test tells it, for tests of the HTTP interface alone. It remembers what it was asked; a
// verb that no test has told anything throws.
import { readFileSync } from 'node:fs';

import { createGames } from '../../src/core/index.ts';
import type { AccountActor, QuotaStatus, Redemption } from '../../src/core/index.ts';
import type { HttpCore } from '../../src/http/context.ts';

export const KEY = 'crs_a-valid-key';
export const EXPIRED_KEY = 'crs_a-key-without-subscription';
export const ACTOR = { kind: 'apiKey', accountId: 7, apiKeyId: 3 } as const;

export const QUOTA: QuotaStatus = {
  daily: { limit: 300, used: 0.25, remaining: 299.75 },
  purchased: 1000,
  boughtInAll: 2000,
  subscriptionExpiresAt: Date.parse('2026-02-01T00:00:00Z'),
  wholeLeft: 299,
  secondsUntilNext: 42,
};

export const RECEIPT: Redemption = {
  id: 4711,
  accountId: 7,
  actor: 'apiKey:3',
  gameId: 'game_id_1',
  playerId: '5124780131',
  mode: 'database',
  denomination: 60,
  code: '60SXW4QK7H2M9TZR',
  createdAt: Date.parse('2026-01-13T08:27:18.520Z'),
  settledAt: Date.parse('2026-01-13T08:27:20.360Z'),
  tookMs: 1840,
  state: 'redeemed',
  codeReset: false,
  warning: false,
  openid: '29083411',
  playerName: 'Player',
  region: 'DE',
  productName: '60 UC',
  amount: 60,
  credentials: { uid: '771', email: 'account@mail.example', password: 'a password' },
};

/** A redemption of this state with only what every redemption has. */
export function bareRedemption(fields: Partial<Redemption>): Redemption {
  return {
    id: 4712,
    accountId: 7,
    actor: 'apiKey:3',
    gameId: 'game_id_1',
    playerId: '5124780131',
    mode: 'database',
    createdAt: RECEIPT.createdAt,
    tookMs: 5,
    state: 'failed',
    codeReset: false,
    warning: false,
    ...fields,
  };
}

/** Verbs by their path: `redeem`, `codes.add`. */
export type Script = Partial<
  Pick<
    HttpCore,
    | 'redeem'
    | 'beginRedemption'
    | 'findCharacter'
    | 'findRedemptionTime'
    | 'dayStatistics'
    | 'quota'
    | 'badRequestLimit'
  >
> & {
  receipts?: Partial<HttpCore['receipts']>;
  codes?: Partial<HttpCore['codes']>;
  extractionHistory?: Partial<HttpCore['extractionHistory']>;
  health?: Partial<HttpCore['health']>;
  /** Host alerts. */
  lasting?: ReturnType<HttpCore['hostAlerts']['list']>;
  webhooks?: Partial<HttpCore['webhooks']>;
  orders?: Partial<HttpCore['orders']>;
};

export interface ScriptedCore extends HttpCore {
  /** Every call of a verb that stands for an account, as `[verb, actor, …]`. */
  asked: [string, AccountActor, ...unknown[]][];
}

export function createScriptedCore(script: Script = {}): ScriptedCore {
  const asked: ScriptedCore['asked'] = [];
  const verb = <Arguments extends unknown[], Answer>(
    name: string,
    scripted: ((actor: AccountActor, ...rest: Arguments) => Answer) | undefined,
  ) =>
    function (actor: AccountActor, ...rest: Arguments): Answer {
      asked.push([name, actor, ...rest]);
      if (!scripted) throw new Error(`${name} was not scripted`);
      return scripted(actor, ...rest);
    };

  return {
    asked,
    games: createGames(JSON.parse(readFileSync(new URL('../../data/games.json', import.meta.url), 'utf8'))),
    redeem: verb('redeem', script.redeem),
    beginRedemption: verb('beginRedemption', script.beginRedemption),
    findCharacter: verb('findCharacter', script.findCharacter),
    findRedemptionTime: verb('findRedemptionTime', script.findRedemptionTime),
    dayStatistics: verb('dayStatistics', script.dayStatistics),
    quota: script.quota ?? (() => QUOTA),
    badRequestLimit: script.badRequestLimit ?? { count: () => undefined },
    receipts: {
      find: verb('receipts.find', script.receipts?.find),
      list: verb('receipts.list', script.receipts?.list),
    },
    codes: {
      countAvailable: verb('codes.countAvailable', script.codes?.countAvailable),
      add: verb('codes.add', script.codes?.add),
      extract: verb('codes.extract', script.codes?.extract),
    },
    extractionHistory: {
      listExtractions: verb('extractionHistory.listExtractions', script.extractionHistory?.listExtractions),
      findExtraction: verb('extractionHistory.findExtraction', script.extractionHistory?.findExtraction),
    },
    webhooks: {
      add: verb('webhooks.add', script.webhooks?.add),
      list: verb('webhooks.list', script.webhooks?.list),
      remove: verb('webhooks.remove', script.webhooks?.remove),
      test: verb('webhooks.test', script.webhooks?.test),
      enable: verb('webhooks.enable', script.webhooks?.enable),
      listDeliveries: verb('webhooks.listDeliveries', script.webhooks?.listDeliveries),
      retry: verb('webhooks.retry', script.webhooks?.retry),
    },
    orders: {
      place: verb('orders.place', script.orders?.place),
      find: verb('orders.find', script.orders?.find),
      waitForChange: verb('orders.waitForChange', script.orders?.waitForChange),
      list: verb('orders.list', script.orders?.list),
      cancel: verb('orders.cancel', script.orders?.cancel),
      resume: verb('orders.resume', script.orders?.resume),
      lostRecently: script.orders?.lostRecently ?? (() => 'no'),
    },
    changes: { next: () => Promise.resolve() },
    apiKeys: {
      authenticate: (key) =>
        key === KEY || key === EXPIRED_KEY ? { actor: ACTOR, subscriptionActive: key === KEY } : undefined,
    },
    health: {
      platformReachable: () => Promise.resolve(true),
      wasPlatformReachable: () => true,
      isStopping: () => false,
      isWritable: () => true,
      isInPlace: () => true,
      isContested: () => false,
      listSetAside: () => [],
      isSandbox: true,
      platformAheadMs: () => undefined,
      countOpen: () => ({ pending: 2, inDoubt: 1 }),
      oldestDoubt: () => undefined,
      countSetAside: () => 0,
      upstreamStates: () => ['usable'],
      listUpstreams: () => [],
      onAttempt: () => undefined,
      listEnded: () => [],
      listSettled: () => [],
      sumStock: () => Promise.resolve([]),
      listUnproven: () => Promise.resolve([]),
      ...script.health,
    },
    hostAlerts: { list: () => script.lasting ?? [], listDirect: () => [] },
  };
}
