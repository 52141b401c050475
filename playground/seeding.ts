// What a folder has at a start. A new one begins with an account and its people, codes in three denominations, and a past
// of six days in which redemptions succeeded, failed, settled late, and one is in doubt still: written by the real core,
// beside no service.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createManualClock, systemClock, type ManualClock, HOUR_MS } from '../src/clock.ts';
import { loadConfig, type Config } from '../src/config.ts';
import { createCore, createGames, type MemberActor } from '../src/core/index.ts';
import { randomIds } from '../src/ids.ts';
import { createLogger } from '../src/log.ts';
import type { Platform } from '../src/platform/port.ts';
import { createSandbox } from '../src/platform/sandbox/sandbox.ts';
import { alone } from '../src/platforms.ts';
import { writeWhole } from '../src/store/engine/whole-file.ts';
import { createStore, type Store } from '../src/store/index.ts';
import { findPersona, MEMBER_KEYS, SHOP_NAME, type MemberKey, type PageLanguage } from './personas.ts';
import { GAME, mintPlayCodes, mintPeculiar } from './samples.ts';
import { createEnvironment } from './settings.ts';

/** What a folder remembers from one start to the next. */
export interface Memory {
  accountId: number;
  apiKey: string;
  /** How often it was started before. */
  run: number;
}

const FILE = 'playground.json';
/** The seeds reach no Telegram. */
const NOWHERE = 'http://127.0.0.1:1';

/** A redemption so many hours before now: of the next code of a denomination, or of one that begins peculiarly. */
type Past = readonly [agoHours: number, by: MemberKey, playerId: string, what: number | string];

/** How a code begins about which the sandbox cannot be asked: a doubt about it stays. */
const LASTING_DOUBT = 'DOWN';
const SUBSCRIPTION_DAYS = 30;
const SETTLED_WITHIN = 12;
/** So many codes of a denomination. */
const STOCK: readonly (readonly [denomination: number, count: number])[] = [
  [60, 24],
  [325, 10],
  [660, 6],
];
const PAST: readonly Past[] = [
  [140, 'operator', '5170925571', 60],
  [138, 'operator', '5170925571', 325],
  [117, 'operator', '5170925571', 60],
  [115, 'admin', '5170925573', 660],
  [113, 'operator', '4041234567', 60],
  [92, 'operator', '5170925552', 60],
  [90, 'operator', '5170925553', 'USED'],
  [68, 'owner', '5170925571', 325],
  [66, 'operator', '5170925554', 'TIMEOUT'],
  [44, 'operator', '5170925556', 60],
  [43, 'operator', '5170925571', 'NOORDER'],
  [20, 'operator', '5170925571', 60],
  [5, 'admin', '5170925573', 325],
  [1, 'operator', '5170925552', LASTING_DOUBT],
];

/** Seeds a new folder; counts the start of a known one. */
export async function openMemory(folder: string, language: PageLanguage): Promise<Memory> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILE);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Memory) : undefined;
  const memory = known
    ? { ...known, run: known.run + 1 }
    : { ...(await seed(loadConfig(createEnvironment(folder, NOWHERE)), language)), run: 0 };
  writeWhole(file, JSON.stringify(memory));
  return memory;
}

/** Fills an empty folder; its people are called as in `language`. Nothing else may have the database open. */
export async function seed(config: Config, language: PageLanguage): Promise<Omit<Memory, 'run'>> {
  const clock = createManualClock(systemClock.now() - 150 * HOUR_MS);
  const store = createStore({ path: config.databasePath, exclusive: true });
  const platform = createPastPlatform(config, clock);
  const games = createGames(JSON.parse(readFileSync(config.gamesFile, 'utf8')));
  const core = createCore({
    store,
    upstreams: alone(platform),
    games,
    clock,
    ids: randomIds,
    log: createLogger({ level: 'silent' }),
    platformTimeoutMs: 100,
  });
  try {
    const seeds = await core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: SHOP_NAME, days: SUBSCRIPTION_DAYS },
    );
    const actors = await addMembers(store, seeds.accountId, language, clock.now());
    const stock = STOCK.map(([denomination, count]) => ({
      ...{ denomination, codes: mintPlayCodes(denomination, count) },
    }));
    await core.codes.add(actors.admin, GAME, stock);
    const start = systemClock.now();
    for (const [agoHours, by, playerId, what] of PAST) {
      clock.set(start - agoHours * HOUR_MS);
      const order = typeof what === 'number' ? { denomination: what } : { code: mintPeculiar(what) };
      await core.redeem(actors[by], { gameId: GAME, playerId, ...order });
      // Doubts are looked at with growing pauses; in the past a pause takes no time.
      for (let looks = 0; looks < SETTLED_WITHIN && what === 'TIMEOUT'; looks += 1) {
        clock.advance(2_000);
        await core.settleDoubts();
      }
    }
    await deleteNotices(store, start);
    return seeds;
  } finally {
    await core.stop(0);
    await store.close();
    platform.close();
  }
}

/** The sandbox without its pauses; about the code of the lasting doubt it says nothing either way. */
function createPastPlatform(config: Config, clock: ManualClock): Platform {
  if (config.platform.kind !== 'sandbox') throw new Error('The playground has no platform but the sandbox.');
  const sandbox = createSandbox({ ...config.platform, latencyMs: 0, clock });
  return {
    ...sandbox,
    redeem: (order, call) =>
      order.code.startsWith(LASTING_DOUBT)
        ? Promise.resolve({ status: 'unknown', errorCode: 'UNKNOWN', message: 'No answer in time.' })
        : sandbox.redeem(order, call),
  };
}

async function addMembers(
  store: Store,
  accountId: number,
  language: PageLanguage,
  now: number,
): Promise<Record<MemberKey, MemberActor>> {
  const actors = await store.write((tables) =>
    MEMBER_KEYS.map((role): [MemberKey, MemberActor] => {
      const { telegramId, names, username } = findPersona(role);
      tables.members.insert({ telegramId, accountId, role, name: names[language], username, now });
      return [role, { kind: 'member', accountId, telegramId, role }];
    }),
  );
  return Object.fromEntries(actors) as Record<MemberKey, MemberActor>;
}

/** What is past is told to nobody. */
const deleteNotices = (store: Store, now: number) =>
  store.write(({ tasks }) => tasks.trim('notices', 'announce', 0, now));
