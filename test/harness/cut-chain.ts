// Redemptions through two chained services while the line between them is cut at random; afterwards both sides and the
// sandbox's own file are held against each other. Returns what it tried and everything that does not agree.
import { startChain, type Chain } from './chain.ts';
import { auditChain, type Answered } from './chain-audit.ts';
import type { CutLine, Fate } from './cut-line.ts';
import { chooseOrder, makeStock, STOCKED } from './random-orders.ts';
import { createSeeded, type Seeded } from './seeded.ts';

export interface CutChainOptions {
  redemptions: number;
  seed: number;
  /** How many clients send at once. */
  clients?: number;
  /** How many services stand behind the outer one; one, without. */
  behind?: number;
}

export interface CutChainReport {
  redemptions: number;
  /** Connections between the services, by what became of them. */
  connections: CutLine['met'];
  redeemed: number;
  failed: number;
  /** Answered as unknown, and what they turned out to be. */
  doubts: { redeemed: number; returned: number; spentElsewhere: number };
  /** One sentence for each thing that does not agree; none when all is well. */
  violations: string[];
}

const CODES_AT_ONCE = 5_000;
const MINUTES_CUT = 4;

/**
 * Runs it and takes everything down again. The same seed gives the same orders and fates, not the same interleaving.
 */
export async function runCutChain({
  redemptions,
  seed,
  clients = 6,
  behind = 1,
}: CutChainOptions): Promise<CutChainReport> {
  const random = createSeeded(seed);
  const fates = createSeeded(seed + 1);
  const stock = makeStock(redemptions);
  const orders = Array.from({ length: redemptions }, (_, at) => chooseOrder(random, at));
  // Inside, every look at a doubt costs an activation, too.
  const purchased = redemptions * 20;
  const chain = await startChain({ choose: () => chooseFate(fates), purchased, behind });
  try {
    await addStock(chain, stock);
    const answered: Answered[] = [];
    const waiting = orders.values();
    const client = async () => {
      for (const order of waiting) {
        // Otherwise one outage would be spent on hundreds of redemptions that all meet the same nothing.
        for (const line of chain.lines) await line.up();
        answered.push({ order, answer: await chain.outer.request('/redeem', { body: order.body }) });
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    // The first looks at the doubts go over the cut line as well.
    for (let minute = 0; minute < MINUTES_CUT; minute += 1) await chain.letMinutePass();
    for (const line of chain.lines) await line.heal();
    await chain.settle();
    const audit = await auditChain(chain, { answered, stock, purchased });
    return { redemptions, connections: sumOf(chain.lines.map(({ met }) => met)), ...audit };
  } finally {
    await chain.stop();
  }
}

function sumOf(all: readonly CutLine['met'][]): CutLine['met'] {
  const sum = { pass: 0, delay: 0, cutRequest: 0, cutResponse: 0, outage: 0 };
  for (const met of all) for (const [kind, count] of Object.entries(met)) sum[kind as Fate['kind']] += count;
  return sum;
}

function chooseFate(random: Seeded): Fate {
  const dice = random.next();
  if (dice < 0.4) return { kind: 'pass' };
  // A request is some 500 bytes long, an answer some 900: some of the cuts come after the end and change nothing.
  if (dice < 0.6) return { kind: 'cutRequest', afterBytes: random.between(0, 700) };
  if (dice < 0.82) return { kind: 'cutResponse', afterBytes: random.between(0, 1_000) };
  if (dice < 0.9) return { kind: 'outage', forMs: random.between(5, 30) };
  // Either may be longer than the outer side waits.
  return { kind: 'delay', requestMs: random.between(0, 1_200), responseMs: random.between(0, 600) };
}

async function addStock({ outer }: Chain, stock: readonly string[]): Promise<void> {
  const { gameId, denomination } = STOCKED;
  for (let at = 0; at < stock.length; at += CODES_AT_ONCE) {
    const codes = stock.slice(at, at + CODES_AT_ONCE);
    const { status, json } = await outer.request(`/db?gameId=${gameId}`, { body: [{ denomination, codes }] });
    if (status !== 200 || json.accepted[denomination] !== codes.length)
      throw new Error(`The stock was not taken: ${status}`);
  }
}
