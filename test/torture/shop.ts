// One service under torture with one account: started, killed and started again over the same files, with everything
// that was asked of it remembered for the audit.
import { fileURLToPath } from 'node:url';

import { createAccount } from '../harness/host.ts';
import { createSeeded, type Seeded } from '../harness/seeded.ts';
import { audit } from './books.ts';
import { addCodes, makeCode, nextPlayer, redeem, toSent, type Sent, type Wish } from './client.ts';
import { KILL_AT, type FaultCommand } from './faults.ts';
import { nothingFound, type Findings } from './findings.ts';
import { makeServiceFolder, spawnService, type Service } from './process.ts';

const PRELOAD = fileURLToPath(new URL('./faults.ts', import.meta.url));

export interface Shop extends Findings {
  folder: string;
  account: { accountId: number; apiKey: string };
  seeded: Seeded;
  sent: Sent[];
  added: string[];
  extracted: string[];
  service(): Service;
  /** Starts the program again; `killAt` kills it at that point, perhaps before it is ready. */
  start(killAt?: string): Promise<void>;
  command(command: FaultCommand): Promise<Record<string, unknown>>;
  /** Adds fresh codes that behave as these beginnings say, in this order. */
  stock(denomination: number, prefixes: readonly string[]): Promise<void>;
  /** Sends a wish of a new player once. */
  wish(wish: Omit<Wish, 'playerId' | 'gameId'> & { gameId?: string }): Promise<Sent>;
  /** Sends every wish with a key again that has no answer yet. */
  repeatUnanswered(): Promise<void>;
  /** Waits until all is settled and compares everything; the violations. */
  audit(): Promise<string[]>;
  close(): Promise<void>;
}

async function openShop(
  seed: number,
  env: Record<string, string>,
  makePast?: (folder: string) => Promise<void>,
): Promise<Shop> {
  const { folder, remove } = makeServiceFolder();
  await makePast?.(folder);
  const seeded = createSeeded(seed);
  const start = (killAt = '') =>
    spawnService({ folder, preload: PRELOAD, env: { ...env, [KILL_AT]: killAt } });
  let service = await start();
  const shop: Shop = {
    ...nothingFound(),
    ...{ folder, seeded, sent: [], added: [], extracted: [] },
    account: await createAccount(folder),
    service: () => service,
    async start(killAt) {
      service = await start(killAt);
    },
    command: (command) => service.command(command),
    async stock(denomination, prefixes) {
      const codes = prefixes.map((prefix) => makeCode(seeded, prefix));
      shop.added.push(...(await addCodes(service.url, shop.account, denomination, codes)));
    },
    async wish({ gameId = 'game_id_1', ...wish }) {
      const sent = toSent({ playerId: nextPlayer(), gameId, ...wish });
      shop.sent.push(sent);
      await redeem(service.url, shop.account, sent);
      return sent;
    },
    async repeatUnanswered() {
      const waiting = shop.sent.filter(({ key, answers }) => key !== undefined && answers.length === 0);
      await Promise.all(waiting.map((sent) => redeem(service.url, shop.account, sent)));
    },
    audit: () => audit({ ...shop, url: service.url }),
    async close() {
      await service.kill();
      remove();
    },
  };
  return shop;
}

/**
 * What was found in a shop of its own, which is closed whatever comes of it. `makePast` writes the files that it begins
 * with.
 */
export async function inShop(
  seed: number,
  env: Record<string, string>,
  work: (shop: Shop) => Promise<void>,
  makePast?: (folder: string) => Promise<void>,
): Promise<Findings> {
  const shop = await openShop(seed, env, makePast);
  try {
    await work(shop);
  } finally {
    await shop.close();
  }
  const { tried, violations } = shop;
  return { tried, violations: violations.map((violation) => `seed ${seed}: ${violation}`) };
}
