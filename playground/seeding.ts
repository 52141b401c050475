// What a new folder begins with: an account with its people, codes in three denominations, and a past of six days in
// which redemptions succeeded, failed, settled late, and one is in doubt still. Written by the real core, beside no
// service.
import { readFileSync } from 'node:fs';

import { createManualClock, systemClock, type ManualClock, HOUR_MS } from '../src/clock.ts';
import type { Config } from '../src/config.ts';
import { createCore, createGames, type Core, type MemberActor } from '../src/core/index.ts';
import { randomIds } from '../src/ids.ts';
import { createLogger } from '../src/log.ts';
import type { Platform } from '../src/platform/port.ts';
import { createSandbox } from '../src/platform/sandbox/sandbox.ts';
import { createStore, type Store } from '../src/store/index.ts';
import { findPersona, MEMBER_KEYS, SHOP_NAME } from './personas.ts';
import type { PageLanguage } from './personas.ts';
import { GAME, mintPlayCodes, mintPeculiar } from './samples.ts';
import { alone } from '../src/platforms.ts';

/** What the playground must remember of its seeds. */
export interface Seeds {
  accountId: number;
  apiKey: string;
}

type MemberKey = (typeof MEMBER_KEYS)[number];

interface HistoryRedemption {
  /** Hours before now. */
  agoHours: number;
  by: MemberKey;
  playerId: string;
  denomination?: number;
  /** Direct, or the next of this denomination, when left out. */
  peculiar?: string;
}

/** How a code begins about which the sandbox cannot be asked: a doubt about it stays. */
const LASTING_DOUBT = 'DOWN';
const SUBSCRIPTION_DAYS = 30;
const SETTLED_WITHIN = 12;
const STOCK = [
  { denomination: 60, count: 24 },
  { denomination: 325, count: 10 },
  { denomination: 660, count: 6 },
] as const;

const PAST: readonly HistoryRedemption[] = [
  { agoHours: 140, by: 'operator', playerId: '5170925571', denomination: 60 },
  { agoHours: 138, by: 'operator', playerId: '5170925571', denomination: 325 },
  { agoHours: 117, by: 'operator', playerId: '5170925571', denomination: 60 },
  { agoHours: 115, by: 'admin', playerId: '5170925573', denomination: 660 },
  { agoHours: 113, by: 'operator', playerId: '4041234567', denomination: 60 },
  { agoHours: 92, by: 'operator', playerId: '5170925552', denomination: 60 },
  { agoHours: 90, by: 'operator', playerId: '5170925553', peculiar: 'USED' },
  { agoHours: 68, by: 'owner', playerId: '5170925571', denomination: 325 },
  { agoHours: 66, by: 'operator', playerId: '5170925554', peculiar: 'TIMEOUT' },
  { agoHours: 44, by: 'operator', playerId: '5170925556', denomination: 60 },
  { agoHours: 43, by: 'operator', playerId: '5170925571', peculiar: 'NOORDER' },
  { agoHours: 20, by: 'operator', playerId: '5170925571', denomination: 60 },
  { agoHours: 5, by: 'admin', playerId: '5170925573', denomination: 325 },
  { agoHours: 1, by: 'operator', playerId: '5170925552', peculiar: LASTING_DOUBT },
];

/** Fills an empty folder; its people are called as in `language`. Nothing else may have the database open. */
export async function seed(config: Config, language: PageLanguage): Promise<Seeds> {
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
    await addStock(core, actors.admin);
    const start = systemClock.now();
    for (const past of PAST) {
      clock.set(start - past.agoHours * HOUR_MS);
      await redeemInPast(core, clock, actors[past.by], past);
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

async function addStock(core: Core, admin: MemberActor): Promise<void> {
  const stockKeys = STOCK.map(({ denomination, count }) => ({
    denomination,
    codes: mintPlayCodes(denomination, count),
  }));
  await core.codes.add(admin, GAME, stockKeys);
}

async function redeemInPast(core: Core, clock: ManualClock, actor: MemberActor, past: HistoryRedemption) {
  const { playerId, denomination, peculiar } = past;
  const what = peculiar === undefined ? { denomination } : { code: mintPeculiar(peculiar) };
  await core.redeem(actor, { gameId: GAME, playerId, ...(what as { denomination: number }) });
  // Doubts are looked at with growing pauses; in the past a pause takes no time.
  for (let looks = 0; looks < SETTLED_WITHIN && peculiar === 'TIMEOUT'; looks += 1) {
    clock.advance(2_000);
    await core.settleDoubts();
  }
}

/** What is past is told to nobody. */
const deleteNotices = (store: Store, now: number) =>
  store.write(({ tasks }) => tasks.trim('notices', 'announce', 0, now));
