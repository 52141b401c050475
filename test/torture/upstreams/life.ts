// The life of a seed: its services, its shops with their orders, kills and a restore, until every doubt has ended or
// waits for a person.
import type { AccountActor } from '../../../src/core/context.ts';
import type { Redemption } from '../../../src/core/index.ts';
import type { Upstream } from '../../../src/platform/port.ts';
import { createSeeded } from '../../harness/seeded.ts';
import type { Batch, Process } from './batch.ts';
import type { Plan, PlannedOrder } from './plan.ts';
import { codeOf, GAME, openServices } from './services.ts';
import { createTruth, type Truth } from './truth.ts';

/** An order as its shop knows it. */
export interface PlacedOrder extends PlannedOrder {
  key: string | undefined;
  accountId: number;
  /** What the last answer to it was; undefined where none came. */
  answered: Redemption | undefined;
  tookMs: number;
}

export interface LivedSeed {
  plan: Plan;
  truth: Truth;
  orders: PlacedOrder[];
  accountIds: number[];
  /** Codes of the stocks. */
  stock: ReadonlySet<string>;
  /** Whether something ended otherwise than the judge asks for. */
  problems: string[];
  isRestored: boolean;
}

/** An answer is there after this, as interface.md says. */
const ANSWERED_MS = 60_000;
/** Longer than any doubt may take before it is a person's. */
const DOUBTS_END_MS = 3 * 24 * 60 * 60_000;
const MOST_LOOKS = 120;

interface Living extends LivedSeed {
  batch: Batch;
  upstreams: Upstream[];
  actors: AccountActor[];
  given: string[];
  process: Process;
  random: ReturnType<typeof createSeeded>;
}

export async function liveSeed(batch: Batch, plan: Plan): Promise<LivedSeed> {
  const living = await begin(batch, plan);
  let commits = 0;
  batch.onCommit = () => {
    commits += 1;
    if (plan.kills.has(commits)) batch.newest?.end();
  };
  try {
    for (const [index, phase] of plan.phases.entries()) {
      await livePhase(living, phase);
      if (plan.restores && index === 0) await batch.makeBackup();
      await endDoubts(living);
    }
    if (plan.restores) await goBack(living);
    living.process.life.end();
  } finally {
    batch.onCommit = () => undefined;
  }
  return living;
}

async function begin(batch: Batch, plan: Plan): Promise<Living> {
  const { time } = batch;
  const random = createSeeded(plan.seed * 31 + 7);
  const truth = createTruth();
  const upstreams = openServices({ time, plan, truth, random });
  const process = await batch.start(upstreams);
  if (!process) throw new Error('The first process was killed.');
  const living: Living = {
    ...{ batch, plan, truth, upstreams, process, random, orders: [], accountIds: [], actors: [] },
    given: Array.from({ length: plan.given }, (_, index) => codeOf(plan, `g${index}`)),
    ...{ stock: new Set<string>(), problems: [], isRestored: false },
  };
  for (let shop = 0; shop < plan.shops; shop += 1) await openShop(living, shop);
  return living;
}

async function openShop({ batch, process, plan, stock, ...living }: Living, shop: number): Promise<void> {
  const host = { kind: 'host', by: 'cli' } as const;
  const { core, life } = process;
  const name = `Shop ${plan.seed}`;
  const opened = await batch.await(life, () => core.accounts.create(host, { name, days: 60 }));
  const accountId = opened?.accountId ?? 0;
  const actor = { kind: 'apiKey', accountId, apiKeyId: 1 } as const;
  living.accountIds.push(accountId);
  living.actors.push(actor);
  const codes = Array.from({ length: plan.stock }, (_, index) => codeOf(plan, `s${shop}${index}`));
  for (const code of codes) (stock as Set<string>).add(code);
  await batch.await(life, () => core.codes.add(actor, GAME, [{ denomination: 60, codes }]));
}

/** Places the orders of a phase, and starts the process again where it was killed, until all are answered or lost. */
async function livePhase(living: Living, { orders, elsewhere }: Plan['phases'][number]): Promise<void> {
  const { batch, truth } = living;
  const { time } = batch;
  let left = orders.length + elsewhere.length;
  for (const planned of orders)
    time.outside(
      () =>
        void time
          .sleep(planned.at)
          .then(async () => place(living, planned))
          .then(() => (left -= 1)),
    );
  for (const { at, given, playerId } of elsewhere) {
    const redeem = () => {
      truth.spend({ code: living.given[given] ?? '', playerId, at: time.clock.now(), by: undefined });
      left -= 1;
    };
    time.outside(() => void time.sleep(at).then(redeem));
  }
  const isOver = () => left === 0 || living.process.life.isOver();
  for (;;) {
    if (!(await time.passUntil(isOver, 10 * 60_000))) {
      living.problems.push('an order was never answered');
      return;
    }
    if (!living.process.life.isOver()) return;
    await restart(living);
  }
}

/** A kill may strike at the start, too. */
async function restart(living: Living): Promise<void> {
  let process: Process | undefined;
  while (!process) process = await living.batch.start(living.upstreams);
  living.process = process;
}

/**
 * One order, repeated with its key where that was answered as not begun or failed. Resolves when it is answered, or
 * lost with its process.
 */
async function place(living: Living, planned: PlannedOrder): Promise<void> {
  const { batch, actors, given, plan } = living;
  const { time } = batch;
  const actor = actors[planned.shop];
  if (!actor) throw new Error('There is no such shop.');
  const key = planned.hasKey ? `key-${plan.seed}-${living.orders.length}` : undefined;
  const order: PlacedOrder = { ...planned, key, accountId: actor.accountId, answered: undefined, tookMs: 0 };
  living.orders.push(order);
  const what = planned.given === undefined ? { denomination: 60 } : { code: given[planned.given] ?? '' };
  for (let tries = 1; tries <= (key === undefined ? 1 : 3); tries += 1) {
    const { core, life } = living.process;
    const begun = time.clock.elapsed();
    const answer = await new Promise<Redemption | 'lost'>((resolve) => {
      if (life.isOver()) return resolve('lost');
      life.gone.addEventListener('abort', () => resolve('lost'), { once: true });
      const idempotencyKey = key === undefined ? {} : { idempotencyKey: { scope: 'http', key } as const };
      const request = { gameId: GAME, playerId: planned.playerId, ...what, ...idempotencyKey };
      life
        .run(() => core.redeem(actor, request))
        .then(
          (told) => resolve(told.status === 'answered' ? told.redemption : 'lost'),
          (error: Error) => {
            living.problems.push(`an order throws: ${error.message}`);
            resolve('lost');
          },
        );
    });
    order.tookMs = time.clock.elapsed() - begun;
    if (answer !== 'lost') order.answered = answer;
    if (answer !== 'lost' && order.tookMs > ANSWERED_MS)
      living.problems.push(`an answer took ${order.tookMs} ms`);
    if (answer !== 'lost' && answer.state === 'redeemed') return;
    await time.sleep(2_000 + living.random.below(4_000));
  }
}

/** Lets time pass from look to look, until no doubt is left that anybody but a person can end. */
async function endDoubts(living: Living): Promise<void> {
  const { batch, accountIds } = living;
  const { time } = batch;
  const until = time.clock.now() + DOUBTS_END_MS;
  const accounts = accountIds.join(',');
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const next = batch
      .reader()
      .prepare<[], { at: number | null }>(
        `select min(next_look_at) as at from redemptions where state in ('in_doubt', 'pending')
         and next_look_at < ${until} and account_id in (${accounts})`,
      )
      .get()?.at;
    if (typeof next !== 'number') return;
    await time.passUntil(() => false, Math.max(1, next - time.machine.now() + 1));
    await settle(living);
  }
  living.problems.push('a doubt does not end');
}

async function settle(living: Living): Promise<void> {
  const { core, life } = living.process;
  await living.batch.await(life, () => core.settleDoubts());
  if (life.isOver()) await restart(living);
}

/** What happened since the backup is lost; then everything goes on. */
async function goBack(living: Living): Promise<void> {
  living.process.life.end();
  living.isRestored = true;
  await living.batch.goBack();
  await restart(living);
  // As long as nothing is used: what was just sent may still be carried out.
  await living.batch.time.passUntil(() => false, 6 * 60_000);
  for (const phase of living.plan.phases.slice(-1)) await livePhase(living, phase);
  await endDoubts(living);
}
