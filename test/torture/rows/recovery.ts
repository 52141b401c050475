// Row 9: a start with many redemptions left open by a process that was killed while the platform kept it waiting.
import { countOpen, waitUntilSettled } from '../books.ts';
import { makeCode } from '../client.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { becomes } from '../process.ts';
import { inShop, type Shop } from '../shop.ts';

const PROMISED_MS = 30_000;
const OPEN_WITHIN_MS = 120_000;
/** So many that have not begun yet: a crowd of one account would be turned away where the machine is slow. */
const AT_ONCE = 50;
/** Redeemed and never told, never redeemed and never told, redeemed after five seconds: they keep the caller waiting. */
const HANGING = { TIMEOUT: 60, LOST: 30, SLOW: 10 };
const PATIENT = { PLATFORM_TIMEOUT_MS: '50000', SANDBOX_LATENCY_MS: '300' };

/** Leaves so many redemptions open, kills, starts again and waits for the promise. */
export const recoverMany = ({ count: wanted, seed, tell }: TortureOptions): Promise<Findings> =>
  inShop(seed, PATIENT, async (shop) => {
    const { folder, violations } = shop;
    await leaveOpen(shop, wanted);
    const left = countOpen(folder);
    count(shop, 'leftOpen', left.pending);
    tell?.(`left open: ${JSON.stringify(left)}`);
    if (left.pending < wanted) violations.push(`only ${left.pending} of ${wanted} were left open`);
    const started = performance.now();
    await shop.start();
    const { pending } = countOpen(folder);
    if (pending > 0) violations.push(`${pending} were neither settled nor held after the start`);
    if (!(await waitUntilSettled(folder, PROMISED_MS)))
      violations.push(`open after ${PROMISED_MS} ms: ${JSON.stringify(countOpen(folder))}`);
    count(shop, 'settledMs', Math.round(performance.now() - started));
    violations.push(...(await shop.audit()));
  });

async function leaveOpen(shop: Shop, wanted: number): Promise<void> {
  const { seeded, folder } = shop;
  // A platform that takes long for each: the slow ones would otherwise be settled before the last has begun.
  const isSlow = (prefix: string) => Number(prefix === 'SLOW');
  const prefixes = seeded.draw(wanted, HANGING).toSorted((a, b) => isSlow(a) - isSlow(b));
  const isOfStock = (_: string, index: number) => index % 2 === 0;
  await shop.stock(60, prefixes.filter(isOfStock));
  const wishes: Promise<unknown>[] = [];
  const haveBegun = (atLeast: number) => becomes(() => countOpen(folder).pending >= atLeast, OPEN_WITHIN_MS);
  for (const [index, prefix] of prefixes.entries()) {
    const gameId = index % 3 === 0 ? 'game_id_3' : 'game_id_1';
    const wish = isOfStock(prefix, index)
      ? shop.wish({ denomination: 60, key: `open-${index}` })
      : shop.wish({ codeOverride: makeCode(seeded, prefix), gameId });
    wishes.push(wish);
    await haveBegun(wishes.length - AT_ONCE);
  }
  await haveBegun(wanted);
  await shop.service().kill();
  await Promise.all(wishes);
}
