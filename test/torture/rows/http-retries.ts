// Row 5: a client that repeats as the published one does, behind a proxy that loses, delays and replaces answers. With
// an idempotency key each wish is one order at most; without one the service itself never answers, after a code was
// taken, anything that such a client repeats. Our own client never says that nothing was begun where it was. Codes that are taken out under a key come to light once; and what became
// of each redemption is told by webhook.
import { createClient } from '../../../clients/typescript/src/index.ts';
import { isRetried, readBooks } from '../books.ts';
import { ask, makeCode, nextPlayer, redeem, toSent, type Sent, type Wish } from '../client.ts';
import { startFaultyProxy, type FaultyProxy } from '../faulty-proxy.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { openShop, type Shop } from '../shop.ts';
import { listenTo } from './told.ts';

const AT_ONCE = 100;
/** The published client pauses about 1 and 2 s; nothing depends on how long. */
const PAUSES_MS = [10, 20];
/** Of our own client, which pauses for 250 ms first. */
const RETRIED_FOR_MS = 600;
/** Codes taken out after each round of wishes. */
const EXTRACTED = 5;
const CODES = { '60S': 60, TIMEOUT: 8, LOST: 8, GARBLED: 8, USED: 6, RISK: 5, DOWN: 5 };

/** `count` wishes, half of them with a key. */
export async function retryThroughFaults({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const shop = await openShop(seed, { WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const told = await listenTo(shop);
  const proxy = await startFaultyProxy(() => shop.service().url, shop.seeded);
  const tried: Record<string, number> = { wishes: 0, withKey: 0, requests: 0, orders: 0, told: 0 };
  const broken: string[] = [];
  const refused: Sent[] = [];
  try {
    for (let done = 0; done < count; done += AT_ONCE) {
      const size = Math.min(AT_ONCE, count - done);
      // Each may take three.
      await shop.stock(
        60,
        Array.from({ length: size + EXTRACTED }, () => '60S'),
      );
      const wishes = Array.from({ length: size }, (_, index) => makeWish(shop, index % 2 === 0));
      await Promise.all(
        wishes.map(async (sent, index) => {
          if (index % 4 !== 0) return insist(proxy.url, shop, sent);
          if (await isRefused(proxy.url, shop, sent)) refused.push(sent);
        }),
      );
      shop.sent.push(...wishes);
      for (let n = 0; n < EXTRACTED; n += 1)
        broken.push(...(await takeOut(proxy.url, shop, `out-${done}-${n}`)));
      tell?.(`${shop.sent.length} wishes`);
    }
    // Lost answers do not concern the books: what was answered is compared as in every other row.
    const violations = [
      ...broken,
      ...(await shop.audit()),
      ...checkKeys(shop),
      ...checkRefused(shop, refused),
      ...checkAnswers(shop, proxy),
      ...(await told.check()),
    ];
    tried.told = told.count();
    tried.wishes = shop.sent.length;
    tried.withKey = shop.sent.filter(({ key }) => key !== undefined).length;
    tried.requests = shop.sent.reduce((sum, one) => sum + one.answers.length + one.interruptions, 0);
    tried.orders = readBooks(shop.folder).orders.length;
    return { tried: { ...tried, ...proxy.faults }, violations };
  } finally {
    await proxy.close();
    await told.close();
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

/** Our own client under its key: whether it says that nothing was begun. */
async function isRefused(url: string, { account }: Shop, sent: Sent): Promise<boolean> {
  const { playerId, denomination = null, codeOverride = null, key = '' } = sent;
  const gameId = sent.gameId as 'game_id_1';
  const client = createClient({ url, apiKey: account.apiKey, retryForMs: RETRIED_FOR_MS });
  const { status } = await client.redeem({ playerId, gameId, denomination, codeOverride }, { key });
  return status === 'refused';
}

function checkRefused({ folder }: Shop, refused: readonly Sent[]): string[] {
  const begun = new Set(readBooks(folder).redemptions.map(({ playerId }) => playerId));
  return refused
    .filter(({ playerId }) => begun.has(playerId))
    .map(({ playerId }) => `${playerId}: refused, says the client, and a redemption had begun`);
}

/** Takes a code out under a key until an answer arrives; the same key again, past the proxy, must tell the same. */
async function takeOut(url: string, shop: Shop, key: string): Promise<string[]> {
  const order = { body: { denomination: 60, amount: 1 }, headers: { 'idempotency-key': key } };
  const take = (through: string) => ask(through, shop.account, 'POST', '/db/extract', order);
  let heard: string[] | undefined;
  for (let tries = 0; heard === undefined && tries < 50; tries += 1) {
    const answer = await take(url).catch(() => undefined);
    if (answer?.status === 200) heard = Object.values(answer.body).map(String);
  }
  const again = Object.values((await take(shop.service().url)).body).map(String);
  const violations: string[] = [];
  if (heard === undefined || heard.join() !== again.join())
    violations.push(`${key}: ${heard?.join()} were taken out, and ${again.join()} again`);
  for (const code of again) {
    if (shop.extracted.includes(code)) violations.push(`${key}: ${code} was taken out before`);
    shop.extracted.push(code);
  }
  return violations;
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

/**
 * What the service itself answered, whether or not it arrived: 200 or 503 wherever a redemption began. Without a key a
 * repeat that would be refused again may be answered 429 once many were, and then it leaves no row (wire.md, Quota).
 */
function checkAnswers(shop: Shop, { forwarded, abandoned }: FaultyProxy): string[] {
  const rowsOf = Map.groupBy(readBooks(shop.folder).redemptions, ({ playerId }) => playerId);
  const forwardedOf = Map.groupBy(forwarded, ({ body }) => playerOf(body));
  const abandonedOf = Map.groupBy(abandoned, playerOf);
  const keyed = new Set(shop.sent.filter(({ key }) => key !== undefined).map(({ playerId }) => playerId));
  const violations: string[] = [];
  for (const [playerId, answers] of forwardedOf) {
    const rows = rowsOf.get(playerId)?.length ?? 0;
    if (rows === 0) continue;
    const bounded = answers.filter((one) => !keyed.has(playerId) && isBounded(one));
    const others = answers.filter(
      (one) => one.status !== 200 && one.status !== 503 && !bounded.includes(one),
    );
    for (const { status, answer } of others)
      violations.push(`the service answered ${status} after a redemption had begun: ${answer}`);
    const mayBegin = answers.length - bounded.length + (abandonedOf.get(playerId)?.length ?? 0);
    if (rows > mayBegin) violations.push(`${playerId}: a request that was answered 429 left a row`);
  }
  return violations;
}

/** Too many refusals; only a quota that is used up names its `limit`. */
function isBounded({ status, answer }: FaultyProxy['forwarded'][number]): boolean {
  return status === 429 && !('limit' in (JSON.parse(answer) as object));
}

function playerOf(body: string): string {
  return (JSON.parse(body) as { playerId: string }).playerId;
}
