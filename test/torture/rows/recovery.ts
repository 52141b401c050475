// Row 9: a start with many redemptions left open by a process that was killed while the platform kept it waiting.
import { countOpen, waitUntilSettled } from '../books.ts';
import { makeCode } from '../client.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { openShop, type Shop } from '../shop.ts';

const PROMISED_MS = 30_000;
const OPEN_WITHIN_MS = 120_000;
/** So many that have not begun yet. */
const AT_ONCE = 50;
/**
 * What keeps the caller waiting: redeemed and never told, never redeemed and never told, redeemed after five seconds.
 */
const HANGING = { TIMEOUT: 60, LOST: 30, SLOW: 10 };

/** Leaves `count` redemptions open, kills, starts again and waits for the promise. */
export async function recoverMany({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const patient = { PLATFORM_TIMEOUT_MS: '50000', SANDBOX_LATENCY_MS: '300' };
  const shop = await openShop(seed, patient);
  const violations: string[] = [];
  try {
    await leaveOpen(shop, count);
    const left = countOpen(shop.folder);
    tell?.(`left open: ${JSON.stringify(left)}`);
    if (left.pending < count) violations.push(`only ${left.pending} of ${count} were left open`);
    const started = performance.now();
    await shop.start();
    const open = countOpen(shop.folder);
    if (open.pending > 0) violations.push(`${open.pending} were neither settled nor held after the start`);
    if (!(await waitUntilSettled(shop.folder, PROMISED_MS))) {
      violations.push(`open after ${PROMISED_MS} ms: ${JSON.stringify(countOpen(shop.folder))}`);
    }
    const settledMs = Math.round(performance.now() - started);
    violations.push(...(await shop.audit()));
    return { tried: { leftOpen: left.pending, settledMs }, violations };
  } finally {
    await shop.close();
  }
}

async function leaveOpen(shop: Shop, count: number): Promise<void> {
  const { seeded } = shop;
  const prefixes = Array.from({ length: count }, () => seeded.weigh(HANGING));
  // A platform that takes long for each: the slow ones would otherwise be settled before the last has begun.
  const slow = prefixes.filter((prefix) => prefix === 'SLOW').length;
  const patient = [...prefixes.filter((prefix) => prefix !== 'SLOW'), ...Array<string>(slow).fill('SLOW')];
  await shop.stock(
    60,
    patient.filter((_, index) => index % 2 === 0),
  );
  const wishes: Promise<unknown>[] = [];
  const until = performance.now() + OPEN_WITHIN_MS;
  // A crowd of one account would be turned away where the machine is slow.
  for (const [index, prefix] of patient.entries()) {
    const wish =
      index % 2 === 0
        ? shop.wish({ denomination: 60, key: `open-${index}` })
        : shop.wish({
            codeOverride: makeCode(seeded, prefix),
            gameId: index % 3 === 0 ? 'game_id_3' : 'game_id_1',
          });
    wishes.push(wish);
    while (countOpen(shop.folder).pending < wishes.length - AT_ONCE && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 50));
  }
  while (countOpen(shop.folder).pending < count && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await shop.service().kill();
  await Promise.all(wishes);
}
