// Row 4: many at once for a stock of one. Exactly one gets the code, all others hear that there is none.
import { check } from './books.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

/** One who wants the last code through some door; how it ended for them. */
export type Rival = (shop: Shop, round: number) => Promise<'won' | 'none left' | { other: string }>;

const AT_ONCE = 50;

/** Wants it over HTTP. */
export const overHttp: Rival = async (shop) => {
  const [answer] = (await shop.wish({ denomination: 60 })).answers;
  if (answer?.status === 200) return 'won';
  if (answer?.status === 503 && answer.body.errorCode === 'NO_CODES_AVAILABLE') return 'none left';
  return { other: JSON.stringify(answer?.body ?? 'no answer') };
};

/** `count` rounds; `rivals` are the doors that the fifty come through, in turn. */
export async function raceForTheLastCode(
  { count, seed, tell }: TortureOptions,
  rivals: readonly Rival[] = [overHttp],
): Promise<Findings> {
  const violations: string[] = [];
  const shop = await openShop(seed, { SANDBOX_LATENCY_MS: '0', LOG_LEVEL: 'info' });
  const tried = { rounds: 0, requests: 0 };
  try {
    for (let round = 0; round < count; round += 1) {
      violations.push(...(await race(shop, rivals, round)));
      tried.rounds += 1;
      tried.requests += AT_ONCE;
      if (round % 500 === 499) {
        violations.push(...(await shop.audit()));
        shop.sent.length = 0;
        tell?.(`${JSON.stringify(tried)}, violations: ${violations.length}`);
      }
    }
    violations.push(...(await shop.audit()), ...(await check(shop.folder)));
  } finally {
    await shop.close();
  }
  return { tried, violations };
}

async function race(shop: Shop, rivals: readonly Rival[], round: number): Promise<string[]> {
  await shop.stock(60, ['60S']);
  const ends = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => (rivals[index % rivals.length] ?? overHttp)(shop, round)),
  );
  const winners = ends.filter((end) => end === 'won').length;
  const others = ends.filter((end) => typeof end === 'object');
  return [
    ...(winners === 1 ? [] : [`round ${round}: ${winners} winners`]),
    ...others.map(({ other }) => `round ${round}: ${other}`),
  ];
}
