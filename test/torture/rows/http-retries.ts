// Row 5: a client that repeats as the published one does, behind a proxy that loses, delays and replaces answers. With
// an idempotency key each wish is one order at most; without one the service itself never answers, after a code was
// taken, anything that such a client repeats. Our own client never says that nothing was begun where it was. Codes that
// are taken out under a key come to light once.
import { createClient } from '../../../clients/typescript/src/index.ts';
import { pause } from '../../../src/waiting.ts';
import { isRetried, readBooks } from '../books.ts';
import { makeCode, nextPlayer, redeem, takeOut, toSent, type Sent } from '../client.ts';
import { startFaultyProxy, type FaultyProxy } from '../faulty-proxy.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { inShop, type Shop } from '../shop.ts';

const AT_ONCE = 100;
/** The published client pauses about 1 and 2 s; nothing depends on how long. */
const PAUSES_MS = [10, 20];
/** Of our own client, which pauses for 250 ms first. */
const RETRIED_FOR_MS = 600;
/** Codes taken out after each round of wishes. */
const EXTRACTED = 5;
const CODES = { '60S': 60, TIMEOUT: 8, LOST: 8, GARBLED: 8, USED: 6, RISK: 5, DOWN: 5 };

/** `count` wishes, half of them with a key. */
export const retryThroughFaults = ({ count: wanted, seed, tell }: TortureOptions): Promise<Findings> =>
  inShop(seed, {}, async (shop) => {
    const { sent, violations } = shop;
    const proxy = await startFaultyProxy(() => shop.service().url, shop.seeded);
    const refused: Sent[] = [];
    try {
      while (sent.length < wanted) {
        refused.push(...(await retrySome(shop, proxy.url, Math.min(AT_ONCE, wanted - sent.length))));
        for (let n = 0; n < EXTRACTED; n += 1) await takeOneOut(shop, proxy.url);
        tell?.(`${sent.length} wishes`);
      }
      // Lost answers do not concern the books: what was answered is compared as in every other row.
      violations.push(...(await shop.audit()), ...checkRefused(shop, refused), ...checkAnswers(shop, proxy));
      for (const [fault, times] of Object.entries(proxy.faults)) count(shop, fault, times);
    } finally {
      await proxy.close();
    }
    count(shop, 'wishes', sent.length);
    count(shop, 'withKey', sent.filter(({ key }) => key !== undefined).length);
    for (const { answers, interruptions } of sent) count(shop, 'requests', answers.length + interruptions);
  });

/** So many wishes at once, one in four by our own client; of those, what it says was not begun. */
async function retrySome(shop: Shop, url: string, wanted: number): Promise<Sent[]> {
  // Each may take three.
  await shop.stock(60, Array<string>(wanted + EXTRACTED).fill('60S'));
  const wishes = Array.from({ length: wanted }, (_, index) => makeWish(shop, index % 2 === 0));
  shop.sent.push(...wishes);
  const sendOne = (sent: Sent, index: number) =>
    index % 4 === 0 ? isRefused(url, shop, sent) : insist(url, shop, sent);
  const areRefused = await Promise.all(wishes.map(sendOne));
  return wishes.filter((_, index) => areRefused[index]);
}

function makeWish({ seeded }: Shop, withKey: boolean): Sent {
  const playerId = nextPlayer();
  const what = seeded.chance(0.5)
    ? { gameId: 'game_id_1', denomination: 60 }
    : { gameId: 'game_id_2', codeOverride: makeCode(seeded, seeded.weigh(CODES)) };
  return toSent({ playerId, proxied: true, key: withKey ? `retried-${playerId}` : undefined, ...what });
}

/** As the published client: repeats what is retryable and what breaks, twice. */
async function insist(url: string, shop: Shop, sent: Sent): Promise<false> {
  for (const pauseMs of [0, ...PAUSES_MS]) {
    await pause(pauseMs);
    const answer = await redeem(url, shop.account, sent);
    if (answer && !isRetried(answer.status)) break;
  }
  return false;
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
async function takeOneOut(shop: Shop, url: string): Promise<void> {
  const { account, extracted, violations } = shop;
  const key = `out-${extracted.length}`;
  const order = toSent({ playerId: '', gameId: 'game_id_1', denomination: 60, key });
  const take = async (through: string) => {
    const answer = await takeOut(through, account, order, 1);
    return answer?.status === 200 ? Object.values(answer.body).join() : undefined;
  };
  let heard: string | undefined;
  for (let tries = 0; heard === undefined && tries < 50; tries += 1) heard = await take(url);
  const again = (await take(shop.service().url)) ?? '';
  if (heard !== again) violations.push(`${key}: ${heard} was taken out, and ${again} again`);
  if (extracted.includes(again)) violations.push(`${key}: ${again} was taken out before`);
  extracted.push(again);
}

/**
 * What the service itself answered, whether or not it arrived: 200 or 503 wherever a redemption began. Without a key a
 * repeat that would be refused again may be answered 429 once many were, and then it leaves no row (wire.md, Quota).
 */
function checkAnswers({ folder, sent }: Shop, { forwarded, abandoned }: FaultyProxy): string[] {
  const rowsOf = Map.groupBy(readBooks(folder).redemptions, ({ playerId }) => playerId);
  const abandonedOf = Map.groupBy(abandoned, playerOf);
  const keyed = new Set(sent.filter(({ key }) => key !== undefined).map(({ playerId }) => playerId));
  const violations: string[] = [];
  for (const [playerId, answers] of Map.groupBy(forwarded, ({ body }) => playerOf(body))) {
    const rows = rowsOf.get(playerId)?.length ?? 0;
    if (rows === 0) continue;
    const bounded = answers.filter((one) => !keyed.has(playerId) && isBounded(one));
    for (const one of answers)
      if (one.status !== 200 && one.status !== 503 && !bounded.includes(one))
        violations.push(`the service answered ${one.status} after a redemption had begun: ${one.answer}`);
    const mayBegin = answers.length - bounded.length + (abandonedOf.get(playerId)?.length ?? 0);
    if (rows > mayBegin) violations.push(`${playerId}: a request that was answered 429 left a row`);
  }
  return violations;
}

/** Too many refusals; only a quota that is used up names its `limit`. */
const isBounded = ({ status, answer }: FaultyProxy['forwarded'][number]): boolean =>
  status === 429 && !('limit' in (JSON.parse(answer) as object));

const playerOf = (body: string): string => (JSON.parse(body) as { playerId: string }).playerId;
