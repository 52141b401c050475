// Row 3: timeouts that hide a success or a failure. Meanwhile the code is held, never given again and never replaced by
// another; afterwards every one is settled as the platform's book says.
import { setTimeout } from 'node:timers/promises';

import { ask, makeCode, redeem, type Sent } from './client.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

const AT_ONCE = 500;
/** How often a wish is repeated that the service turned away. */
const PATIENCE = 20;
/** TIMEOUT and GARBLED hide a success, LOST hides a failure. */
const HIDING = { TIMEOUT: 5, GARBLED: 2, LOST: 4 };

/** `count` redemptions whose outcome is unknown at first. */
export async function hideOutcomes({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const shop = await openShop(seed);
  const tried = { unknown: 0, repeated: 0, tooManyRequests: 0, hiddenFailures: 0 };
  const violations: string[] = [];
  try {
    for (let done = 0; done < count; done += AT_ONCE) {
      violations.push(...(await hideSome(shop, Math.min(AT_ONCE, count - done), tried)));
      tell?.(`${JSON.stringify(tried)}, violations: ${violations.length}`);
    }
  } finally {
    await shop.close();
  }
  return { tried, violations };
}

async function hideSome(
  shop: Shop,
  count: number,
  tried: { unknown: number; repeated: number; tooManyRequests: number; hiddenFailures: number },
): Promise<string[]> {
  const { seeded } = shop;
  const prefixes = Array.from({ length: count }, () => seeded.weigh(HIDING));
  const fromDatabase = prefixes.filter((_, index) => index % 2 === 0);
  await shop.stock(60, fromDatabase);
  const violations: string[] = [];
  const first = shop.sent.length;
  const sent = await Promise.all(
    prefixes.map((prefix, index) => {
      const key = index % 3 === 0 ? { key: `unknown-${first + index}` } : {};
      return index % 2 === 0
        ? wishUntilBegun(shop, { denomination: 60, ...key })
        : wishUntilBegun(shop, { codeOverride: makeCode(seeded, prefix), ...key });
    }),
  );
  tried.unknown += sent.length;
  for (const one of sent) violations.push(...checkHeld(one));
  violations.push(...(await askAgain(shop, sent, tried)));
  violations.push(...(await shop.audit()), ...(await checkEnds(shop, sent, tried)));
  return violations;
}

/** On a slow machine so many at once are more than it takes: where nothing was begun it is asked again, as it says. */
async function wishUntilBegun(shop: Shop, wish: Parameters<Shop['wish']>[0]): Promise<Sent> {
  for (let tries = 1; ; tries += 1) {
    const sent = await shop.wish(wish);
    if (sent.answers[0]?.status !== 429 || tries === PATIENCE) return sent;
    await setTimeout(Number(sent.answers[0].headers['retry-after'] ?? 1) * 1000);
  }
}

function checkHeld({ playerId, answers: [answer] }: Sent): string[] {
  const { errorCode, codeReset } = answer?.body ?? {};
  const held = ['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'].includes(String(errorCode)) && codeReset === false;
  return answer?.status === 503 && held ? [] : [`${playerId}: answered ${JSON.stringify(answer?.body)}`];
}

/**
 * The same wish with its key, or the same code by somebody else: neither may reach the platform or take another code.
 */
async function askAgain(
  shop: Shop,
  sent: Sent[],
  tried: { repeated: number; tooManyRequests: number },
): Promise<string[]> {
  const violations: string[] = [];
  const { url } = shop.service();
  await Promise.all(
    sent.map(async (one) => {
      const code = one.answers[0]?.body.code;
      if (one.key !== undefined) {
        const again = await redeem(url, shop.account, one);
        if (again?.id !== one.answers[0]?.id)
          violations.push(`${one.playerId}: the key was answered by another id`);
      } else if (typeof code === 'string') {
        const other = await shop.wish({ codeOverride: code, gameId: one.gameId });
        const told = other.answers[0]?.body.errorCode;
        // Beyond so many refusals a minute it is turned away, which holds as well and tries less.
        const isTurnedAway = other.answers[0]?.status === 429;
        if (isTurnedAway) tried.tooManyRequests += 1;
        // It may have been settled meanwhile: then the code is used, or free and redeemed by this very request.
        const fine = isTurnedAway || told === 'UNKNOWN' || told === 'CODE_USED' || code.startsWith('LOST');
        if (!fine)
          violations.push(`${code} in doubt was answered ${JSON.stringify(other.answers[0]?.body)} again`);
      }
      tried.repeated += 1;
    }),
  );
  return violations;
}

/** A hidden success is a receipt; after a hidden failure the code is free and nothing was charged. */
async function checkEnds(shop: Shop, sent: Sent[], tried: { hiddenFailures: number }): Promise<string[]> {
  const violations: string[] = [];
  for (const { answers, denomination } of sent) {
    const [answer] = answers;
    const code = String(answer?.body.code);
    const kept = await ask(shop.service().url, shop.account, 'GET', `/history/${answer?.id}`);
    const { type, codeReset, warning } = kept.body;
    if (code.startsWith('LOST')) {
      tried.hiddenFailures += 1;
      if (type !== 'ActivationError' || codeReset !== (denomination !== undefined)) {
        violations.push(`${code} was not redeemed, but ended as ${JSON.stringify(kept.body)}`);
      }
    } else if (type !== 'ActivationReceipt' || warning !== true) {
      violations.push(`${code} was redeemed, but ended as ${JSON.stringify(kept.body)}`);
    }
  }
  return violations;
}
