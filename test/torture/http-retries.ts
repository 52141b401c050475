// Row 5: a client that repeats as the published one does, behind a proxy that loses, delays and replaces answers. With an
// idempotency key each wish is one order at most; without one the service itself never answers, after a code was taken,
// anything that such a client repeats.
import { isRetried, readBooks } from './books.ts';
import { makeCode, nextPlayer, redeem, toSent, type Sent, type Wish } from './client.ts';
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

const AT_ONCE = 100;
/** The published client pauses about 1 and 2 s; nothing depends on how long. */
const PAUSES_MS = [10, 20];
const CODES = { '60S': 60, TIMEOUT: 8, LOST: 8, GARBLED: 8, USED: 6, RISK: 5, DOWN: 5 };

/** `count` wishes, half of them with a key. */
export async function retryThroughFaults({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const shop = await openShop(seed);
  const proxy = await startFaultyProxy(shop.service().url, shop.seeded);
  const tried: Record<string, number> = { wishes: 0, withKey: 0, requests: 0, orders: 0 };
  try {
    for (let done = 0; done < count; done += AT_ONCE) {
      const size = Math.min(AT_ONCE, count - done);
      // Each may take three.
      await shop.stock(
        60,
        Array.from({ length: size }, () => '60S'),
      );
      const wishes = Array.from({ length: size }, (_, index) => makeWish(shop, index % 2 === 0));
      await Promise.all(wishes.map((sent) => insist(proxy.url, shop, sent)));
      shop.sent.push(...wishes);
      tell?.(`${shop.sent.length} wishes`);
    }
    // Lost answers do not concern the books: what was answered is compared as in every other row.
    const violations = [...(await shop.audit()), ...checkKeys(shop), ...checkAnswers(shop, proxy)];
    tried.wishes = shop.sent.length;
    tried.withKey = shop.sent.filter(({ key }) => key !== undefined).length;
    tried.requests = shop.sent.reduce((sum, one) => sum + one.answers.length + one.interruptions, 0);
    tried.orders = readBooks(shop.folder).orders.length;
    return { tried: { ...tried, ...proxy.faults }, violations };
  } finally {
    await proxy.close();
    await shop.close();
  }
}

function makeWish({ seeded }: Shop, withKey: boolean): Sent {
  const playerId = nextPlayer();
  const common = { playerId, proxied: true };
  const wish: Wish = seeded.chance(0.5)
    ? { ...common, gameId: 'game_id_1', denomination: 60 }
    : { ...common, gameId: 'game_id_2', codeOverride: makeCode(seeded, seeded.weigh(CODES)) };
  return toSent(withKey ? { ...wish, key: `retried-${playerId}` } : wish);
}

/** As the published client: repeats what is retryable and what breaks, twice. */
async function insist(url: string, shop: Shop, sent: Sent): Promise<void> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const answer = await redeem(url, shop.account, sent);
    if (answer && !isRetried(answer.status)) return;
    if (pauseMs === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** With a key: one wish, one redemption, one order, whatever the proxy did. */
function checkKeys(shop: Shop): string[] {
  const { redemptions, orders } = readBooks(shop.folder);
  const violations: string[] = [];
  let spends = 0;
  let bought = 0;
  for (const { playerId, key } of shop.sent) {
    if (key === undefined) continue;
    spends += redemptions.filter((row) => row.playerId === playerId && row.state === 'redeemed').length;
    const own = orders.filter((order) => order.playerId === playerId).length;
    if (own > 1) violations.push(`${playerId}: ${own} orders under one key`);
    bought += own;
  }
  if (spends !== bought) violations.push(`with a key: ${bought} orders, ${spends} spends`);
  return violations;
}

/** What the service itself answered, whether or not it arrived: 200 or 503 wherever a redemption began. */
function checkAnswers(shop: Shop, proxy: FaultyProxy): string[] {
  const began = new Set(readBooks(shop.folder).redemptions.map(({ playerId }) => playerId));
  return proxy.forwarded
    .filter(({ body, status }) => status !== 200 && status !== 503 && began.has(playerOf(body)))
    .map(({ status, answer }) => `the service answered ${status} after a redemption had begun: ${answer}`);
}

function playerOf(body: string): string {
  return (JSON.parse(body) as { playerId: string }).playerId;
}
