// Claim links over a real process: many in one request while others redeem, and then fifty buyers at once, each with a
// browser of their own, who press twice, open a second tab, and go on where the process was killed. Each link is one
// order, and each receipt one code.
import { pause } from '../../../src/waiting.ts';
import { readBooks, waitUntilSettled } from '../books.ts';
import { ask, nextPlayer, type Answer } from '../client.ts';
import { count, inParts, type Findings, type TortureOptions } from '../findings.ts';
import { becomes } from '../process.ts';
import { inShop, type Shop } from '../shop.ts';

const AT_ONCE = 50;
/** What one request may make. */
const MOST = 1_000;
/** For that many, beside redemptions. */
const ISSUED_WITHIN_MS = 2_000;
const BESIDE = 4;
/** So many buyers come between two kills. */
const KILLED_EVERY = 125;
const TRIES = 20;
const TRY_MS = 250;
const NONCE = /name="nonce" value="([\w-]+)"/;
const SHOWN = /<dd>(\d+)<\/dd>/;
const ENV = { PUBLIC_URL: 'https://codes.example', SANDBOX_LATENCY_MS: '5' };

interface Link {
  path: string;
  id: string;
  /** Whom somebody has confirmed by it. */
  confirmed: Set<string>;
}

/** So many links; a thousand of them in one request. */
export const sellLinks = (options: TortureOptions): Promise<Findings> =>
  inParts(options, { most: MOST, of: 'links' }, (links, seed) =>
    inShop(seed, ENV, (shop) => sellInOneShop(shop, links)),
  );

async function sellInOneShop(shop: Shop, wanted: number): Promise<void> {
  const { violations } = shop;
  // Beside them, for whoever redeems meanwhile.
  await shop.stock(
    60,
    Array.from({ length: wanted }, () => '60S'),
  );
  await shop.stock(
    325,
    Array.from({ length: wanted }, () => '325S'),
  );
  const links = await issueBeside(shop, wanted);
  await buyAll(shop, links);
  await shop.start();
  if (!(await waitUntilSettled(shop.folder))) violations.push('it does not become quiet');
  await becomes(async () => (await list(shop, 'confirmed')).length === 0);
  violations.push(...(await shop.audit()), ...(await judge(shop, links)));
  count(shop, 'links', links.length);
}

/** All in one request, while as many as that redeem without a pause. */
async function issueBeside(shop: Shop, wanted: number): Promise<Link[]> {
  const { account, violations } = shop;
  let isIssued = false;
  const redeemers = Array.from({ length: BESIDE }, async () => {
    while (!isIssued) {
      await shop.wish({ denomination: 325 });
      count(shop, 'redeemed beside');
    }
  });
  const body = { gameId: 'game_id_1', denomination: 60, count: wanted };
  const headers = { 'idempotency-key': 'links' };
  const began = performance.now();
  const answer = await ask(shop.service().url, account, 'POST', '/claims', { body, headers });
  const ms = Math.round(performance.now() - began);
  isIssued = true;
  await Promise.all(redeemers);
  count(shop, 'ms for all links', ms);
  if (wanted === MOST && ms > ISSUED_WITHIN_MS) violations.push(`${MOST} links took ${ms} ms`);
  const again = await ask(shop.service().url, account, 'POST', '/claims', { body, headers });
  const [links, same] = [answer, again].map((each) =>
    ((each.body.claims ?? []) as { id: string; url: string }[]).map(({ id, url }): Link => ({
      id,
      path: new URL(url).pathname,
      confirmed: new Set(),
    })),
  ) as [Link[], Link[]];
  if (links.length !== wanted) violations.push(`${links.length} links are made: ${answer.status}`);
  if (same.some(({ path }, index) => path !== links[index]?.path))
    violations.push('the same key makes other links');
  return links;
}

/** Fifty at a time; every now and then the process ends under them. */
async function buyAll(shop: Shop, links: readonly Link[]): Promise<void> {
  const waiting = [...links];
  let bought = 0;
  const buyers = Array.from({ length: AT_ONCE }, async () => {
    for (let link = waiting.pop(); link; link = waiting.pop()) {
      await buy(shop, link);
      bought += 1;
      if (bought % KILLED_EVERY > 0) continue;
      count(shop, 'kills');
      await shop.service().kill();
      await shop.start();
    }
  });
  await Promise.all(buyers);
  await shop.service().kill();
}

/** A form or a look of one browser; undefined where nobody has answered. */
async function browse(
  shop: Shop,
  path: string,
  browser: { address: string; cookie: string },
  fields?: Record<string, string>,
): Promise<Answer | undefined> {
  const { address, cookie } = browser;
  const headers = {
    ...{ 'x-forwarded-for': address, cookie, origin: 'null', 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/x-www-form-urlencoded',
  };
  const method = fields ? 'POST' : 'GET';
  const text = fields && new URLSearchParams(fields).toString();
  const answer = await ask(shop.service().url, { apiKey: '' }, method, path, { text, headers }).catch(
    () => undefined,
  );
  const [set = ''] = [answer?.headers['set-cookie'] ?? ''].flat();
  if (set !== '') browser.cookie = set.split(';')[0] ?? '';
  return answer;
}

/** Until its page says something else than that it waits for a player. */
async function buy(shop: Shop, link: Link): Promise<void> {
  const { seeded } = shop;
  const playerId = nextPlayer();
  const browser = {
    address: `10.${Number(playerId) % 250}.${seeded.below(250)}.${seeded.below(250)}`,
    cookie: '',
  };
  const look = async () => {
    const text = (await browse(shop, link.path, browser))?.body.text;
    return typeof text === 'string' ? text : '';
  };
  for (let tries = 0; tries < TRIES; tries += 1) {
    const page = await look();
    const nonce = NONCE.exec(page)?.[1];
    if (nonce === undefined) {
      if (page.includes('name="playerId"')) await browse(shop, link.path, browser, { playerId });
      else if (page !== '') return;
      else await pause(TRY_MS);
      continue;
    }
    if (tries < 2 && seeded.chance(0.1)) {
      await browse(shop, link.path, browser, { playerId: nextPlayer() });
      count(shop, 'second tabs');
    }
    const shown = SHOWN.exec(page)?.[1];
    if (shown !== undefined) link.confirmed.add(shown);
    const presses = Array.from({ length: seeded.between(1, 3) }, () =>
      browse(shop, link.path, browser, { nonce }),
    );
    count(shop, 'presses', presses.length);
    await Promise.all(presses);
  }
}

async function list(shop: Shop, state: string): Promise<unknown[]> {
  const { body } = await ask(shop.service().url, shop.account, 'GET', `/claims?state=${state}`);
  return Object.values(body);
}

/** What is redeemed by each, in the books and at the platform. */
async function judge(shop: Shop, links: readonly Link[]): Promise<string[]> {
  const { orders } = readBooks(shop.folder);
  const bought = Map.groupBy(orders, ({ playerId }) => playerId);
  const wrong: string[] = [];
  for (const { id, confirmed } of links) {
    const { body } = await ask(shop.service().url, shop.account, 'GET', `/claims/${id}`);
    const spent = [...confirmed].flatMap((playerId) => bought.get(playerId) ?? []);
    const isRedeemed = body.state === 'settled';
    count(shop, isRedeemed ? 'redeemed' : 'not redeemed');
    if (spent.length !== Number(isRedeemed) || (isRedeemed && body.playerId !== spent[0]?.playerId))
      wrong.push(`${id} is ${String(body.state)}, and ${spent.length} codes are spent for it`);
  }
  return wrong;
}
