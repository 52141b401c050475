// The real core under orders, on a clock that stands still, at a platform that makes of a code what its first letters say.
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';

import { createCore, type Core } from '../../src/core/index.ts';
import { alone } from '../../src/platforms.ts';
import type { PlatformOrder, RedeemOutcome } from '../../src/platform/port.ts';
import { NATURES, type Nature } from '../world/core/orders/model.ts';
import { makeCode, TEST_GAMES } from './core.ts';
import { createScriptedPlatform, UNREACHED, type ScriptedPlatform } from './platform.ts';
import { openTestStore } from './store.ts';

export const GAME = 'game_id_1';
const STRANGER = '7777777777';
const HOST = { kind: 'host', by: 'cli' } as const;
const UNFINISHED = `select (select count(*) from redemptions where state = 'pending')
  + (select count(*) from tasks
    where task = 'order' and (run_at <= queued_at or run_at <= ? or locked_at is not null)) as count`;
/** What goes on in memory alone ends in fewer turns. */
const QUIET_TURNS = 4;

type OrderPlatform = ScriptedPlatform & { isDown: boolean };
export type OrderWorld = Awaited<ReturnType<typeof openOrderWorld>>;

export async function openOrderWorld() {
  const { store, clock, ids, close, allowDrift } = openTestStore();
  const file = new Database(store.path, { readonly: true });
  const platform = createPlatform(() => clock.now());
  const [unfinished, quiet] = [file.prepare(UNFINISHED).pluck(), () => undefined];
  const log = { info: quiet, warn: quiet, error: quiet };

  function begin() {
    const deps = { store, upstreams: alone(platform), games: TEST_GAMES, clock, ids, log };
    return createCore({ ...deps, platformTimeoutMs: 45_000 });
  }

  let now = begin();
  /** Until nothing goes on by itself any more, but for orders that are held until after `due`. */
  async function rest(due = 0): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      await setImmediate();
      if (Number(unfinished.get(due)) > 0) turns = 0;
    }
  }
  const { accountId } = await now.accounts.create(HOST, { name: 'Shop', days: 3650 });
  await now.start();
  return {
    ...{ accountId, clock, platform, rest, allowDrift },
    core: (): Core => now,
    store: () => store,
    /** What is due is looked at: doubts, and orders. */
    async look() {
      await now.settleDoubts();
      await rest(clock.now());
    },
    /** The process ends, and the next goes on. */
    async goOn() {
      await now.stop(0);
      now = begin();
      await now.start();
    },
    async close() {
      await now.stop(0);
      file.close();
      await close();
    },
  };
}

export const reader = ({ accountId }: OrderWorld) => ({ kind: 'apiKey', accountId, apiKeyId: 1 }) as const;

const natureOf = (code: string): Nature =>
  (Object.keys(NATURES) as Nature[]).find((nature) => code.startsWith(nature)) ?? 'GOOD';

export const makeOf = (nature: Nature): string => makeCode(nature);

function createPlatform(now: () => number): OrderPlatform {
  const scripted = createScriptedPlatform(now);
  const platform = Object.assign(scripted, { isDown: false });
  const tried = new Set<string>();
  const refused = (errorCode: 'CODE_USED' | 'INVALID_CODE' | 'RISK_CONTROL') =>
    ({ status: 'refused', errorCode, message: '', asked: true }) as const;
  const SILENCE: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: '' };

  platform.script.redeem = (order: PlatformOrder): RedeemOutcome => {
    if (platform.isDown) return UNREACHED;
    const isFirst = !tried.has(order.code);
    tried.add(order.code);
    switch (natureOf(order.code)) {
      case 'NOBODY':
        return refused('CODE_USED');
      case 'INVALID':
        return refused('INVALID_CODE');
      case 'RISK':
        return isFirst ? refused('RISK_CONTROL') : platform.redeemNow(order);
      case 'USED':
        if (!platform.spent.has(order.code)) spendFor(STRANGER, order.code);
        return platform.redeemNow(order);
      case 'HIDES':
        platform.redeemNow(order);
        return SILENCE;
      case 'SWALLOWS':
        return isFirst ? SILENCE : platform.redeemNow(order);
      case 'STOLEN':
        if (isFirst) spendFor(STRANGER, order.code);
        return isFirst ? SILENCE : platform.redeemNow(order);
      default:
        return platform.redeemNow(order);
    }
  };
  platform.script.findCode = (code) => {
    const found = platform.spent.get(code);
    if (platform.isDown || natureOf(code) === 'NOBODY') return { status: 'unreachable', message: '' };
    if (!found) return { status: 'notRedeemed' };
    const { playerId, redeemedAt } = found;
    const told = { toldAt: now(), expiresAt: redeemedAt + 1, channelName: 'test', productName: '60' };
    const who = { openid: `open-${playerId}`, playerId };
    return { status: 'redeemed', redeemedAt, ...told, ...who, amount: 60 };
  };
  const spendFor = (playerId: string, code: string) =>
    void platform.spent.set(code, { playerId, redeemedAt: now() });
  return platform;
}
