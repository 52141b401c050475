// Row 10: a database that may not grow. What was acknowledged is kept, what did not begin never reaches the platform,
// and the service goes on when the disk does. That each statement fails once, and for minutes, is of the loops
// (test/world/life).
import { readBooks } from './books.ts';
import { makeCode, redeem } from './client.ts';
import type { Findings } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

/** 429: an account whose requests cannot be carried out, one after the other, is made to wait. */
const BEGAN_NOTHING: ReadonlySet<number> = new Set([429, 500]);

/** What did not begin never reached the platform, took no code and left no redemption. */
function checkUnbegun(shop: Shop): string[] {
  const { redemptions, orders } = readBooks(shop.folder);
  const known = new Set([...redemptions, ...orders].map(({ playerId }) => playerId));
  return shop.sent
    .filter(
      ({ playerId, answers }) =>
        answers.every(({ status }) => BEGAN_NOTHING.has(status)) && known.has(playerId),
    )
    .map(({ playerId }) => `${playerId}: answered as if nothing had begun, but something did`);
}

/** Every redemption was answered, and what was answered is one of the things that may be. */
function checkAnswers(shop: Shop): string[] {
  return shop.sent.flatMap(({ playerId, answers, interruptions }) => {
    if (interruptions > 0) return [`${playerId}: the connection broke`];
    const strange = answers.filter(
      ({ status }) => ![200, 503].includes(status) && !BEGAN_NOTHING.has(status),
    );
    return strange.map(({ status, body }) => `${playerId}: answered ${status}: ${JSON.stringify(body)}`);
  });
}

async function worksAgain(shop: Shop): Promise<string[]> {
  await shop.repeatUnanswered();
  await shop.stock(60, ['60S']);
  const { answers } = await shop.wish({ denomination: 60 });
  return answers[0]?.status === 200 ? [] : [`does not redeem any more: ${JSON.stringify(answers[0]?.body)}`];
}

const LANES = 8;

/** The database may not grow, in the middle of the load; then it may again. SQLite itself says SQLITE_FULL. */
export async function fillTheDisk({ rounds, seed }: { rounds: number; seed: number }): Promise<Findings> {
  const shop = await openShop(seed);
  const tried = { rounds: 0, refused: 0, unknown: 0 };
  const violations: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await shop.stock(
        60,
        Array.from({ length: 300 }, () => '60S'),
      );
      const first = shop.sent.length;
      await loadWhileFull(shop, round);
      const answers = shop.sent.slice(first).flatMap((sent) => sent.answers);
      tried.refused += answers.filter(({ status }) => status === 500).length;
      tried.unknown += answers.filter(({ body }) => body.errorCode === 'UNKNOWN').length;
      tried.rounds += 1;
      violations.push(...(await worksAgain(shop)));
    }
    violations.push(...checkAnswers(shop), ...checkUnbegun(shop), ...(await shop.audit()));
    if (tried.refused === 0) violations.push('the disk was never full');
  } finally {
    await shop.close();
  }
  return { tried, violations };
}

async function loadWhileFull(shop: Shop, round: number): Promise<void> {
  let enough = false;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = 0; !enough; turn += 1) {
      const key = turn % 2 === 0 ? { key: `full-${round}-${lane}-${turn}` } : {};
      const direct = turn % 3 === 0 ? { codeOverride: makeCode(shop.seeded, '60S') } : { denomination: 60 };
      const sent = await shop.wish({ ...direct, ...key });
      // A failed begin under a key leaves the key unused: repeating is the same wish.
      if (sent.key !== undefined && sent.answers[0]?.status === 500) {
        await redeem(shop.service().url, shop.account, sent);
      }
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  await shop.command({ full: true });
  const first = shop.sent.length;
  const failures = () => shop.sent.slice(first).filter(({ answers }) => answers[0]?.status === 500).length;
  const until = performance.now() + 10_000;
  while (failures() < 5 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  await shop.command({ full: false });
  enough = true;
  await Promise.all(lanes);
}
