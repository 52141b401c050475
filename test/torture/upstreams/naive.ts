// What shops do that resell top-ups, over the same stand-ins: move on to the next on any failure, or try again at the
// first and then put the code back. For comparison alone: nothing of the service is in it.
import type { PlatformOrder, RedeemOutcome, Upstream } from '../../../src/platform/port.ts';
import { within } from '../../../src/waiting.ts';
import type { Time } from '../../world/machine/time.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { codeOf, GAME, openServices } from './services.ts';
import type { Plan, PlannedOrder } from './plan.ts';
import { createTruth } from './truth.ts';

const STRATEGIES = ['next on any failure', 'retry then reject'] as const;
type Strategy = (typeof STRATEGIES)[number];

const ANSWER_MS = 20_000;
const TRIES = 3;
const ENDED_MS = 15 * 60_000;

/**
 * How often each strategy spent two codes for one order, told a failure of what was carried out, and left a spent code
 * on sale.
 */
export async function liveNaively(time: Time, plan: Plan): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const strategy of STRATEGIES)
    for (const [what, count] of Object.entries(await liveBy(time, plan, strategy)))
      counts[`${strategy}: ${what}`] = count;
  return counts;
}

async function liveBy(time: Time, plan: Plan, strategy: Strategy): Promise<Record<string, number>> {
  const truth = createTruth();
  const random = createSeeded(plan.seed * 31 + 7);
  const upstreams = openServices({ time, plan, truth, random }).sort((a, b) => a.tier - b.tier);
  const stocks = Array.from({ length: plan.shops }, (_, shop) =>
    Array.from({ length: plan.stock }, (_code, index) => codeOf(plan, `s${shop}${index}`)),
  );
  const counts = { 'two codes for one order': 0, 'spent and told as failed': 0, 'spent and on sale': 0 };
  const ended: Ended[] = [];
  for (const { orders } of plan.phases) {
    let left = orders.length;
    for (const order of orders) {
      const shop = { upstreams, strategy, random, stock: stocks[order.shop] ?? [] };
      const place = () => time.sleep(order.at).then(() => redeem(shop, order));
      time.outside(
        () =>
          void place().then((end) => {
            ended.push(end);
            left -= 1;
          }),
      );
    }
    await time.passUntil(() => left === 0, ENDED_MS);
    await time.passUntil(() => false, ENDED_MS);
  }
  for (const { isDone, codes } of ended) {
    const spent = codes.filter((code) => truth.find(code)).length;
    if (spent > 1) counts['two codes for one order'] += 1;
    if (spent > 0 && !isDone) counts['spent and told as failed'] += 1;
  }
  counts['spent and on sale'] = stocks.flat().filter((code) => truth.find(code)).length;
  return counts;
}

interface Ended {
  isDone: boolean;
  /** That were sent for it. */
  codes: string[];
}

interface Shop {
  upstreams: readonly Upstream[];
  strategy: Strategy;
  random: Seeded;
  /** The first is taken. */
  stock: string[];
}

/** A code that is called used is thrown away, and the order gets another; one of which nothing came goes back. */
async function redeem(
  { upstreams, strategy, random, stock }: Shop,
  { playerId }: PlannedOrder,
): Promise<Ended> {
  const codes: string[] = [];
  const [first] = upstreams;
  const asked =
    strategy === 'next on any failure' || !first ? upstreams : Array.from({ length: TRIES }, () => first);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const code = stock.shift();
    if (code === undefined) break;
    codes.push(code);
    let isThrownAway = false;
    for (const { platform } of asked) {
      const reference = `${random.text(8)}-${random.text(4)}`;
      const order: PlatformOrder = { reference, gameId: GAME, code, playerId, denomination: 60 };
      const outcome = await within((signal) => platform.redeem(order, { signal }), ANSWER_MS, {
        late: () => LATE,
      });
      if (outcome.status === 'redeemed') return { isDone: true, codes };
      isThrownAway = outcome.status === 'refused' && outcome.errorCode === 'CODE_USED';
      if (isThrownAway) break;
    }
    if (isThrownAway) continue;
    stock.push(code);
    break;
  }
  return { isDone: false, codes };
}

const LATE: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'late' };
