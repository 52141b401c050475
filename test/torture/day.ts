// A day of a shop, on a clock that is moved: an operator, an admin, support and the owner order and ask all day long,
// while one call in a hundred fails, the service is deployed three times, and Telegram is away for ten minutes, and
// once for 26 hours in which somebody paid. Every order is carried out once and told, or told that it was not.
import { setTimeout as pause } from 'node:timers/promises';

import type { Call } from '../telegram/calls.ts';
import { FAULTS } from '../telegram/faults.ts';
import { startTestBot, type TestBot } from '../harness/bot-app.ts';
import { makeCode } from '../harness/core.ts';
import { createForwardClock, type ForwardClock } from '../harness/forward-clock.ts';
import { becomesQuiet, judge } from './day/judging.ts';
import { doOneThing, pay, type Day } from './day/people.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { createSeeded } from '../harness/seeded.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** From one thing that people do to the next. */
const ROUND_MS = 10 * MINUTE_MS;
const STEP_MS = 100;
/** While people act time passes ten times as fast as it does. */
const AHEAD_MS = 900;
const FAILING = 0.01;
const WAYS = [
  FAULTS.badGateway,
  FAULTS.gatewayTimeoutAfter,
  FAULTS.restart,
  FAULTS.halfOfJson,
  FAULTS.cut,
  FAULTS.cutAfter,
  FAULTS.shortFlood,
] as const;
const CODES = 2_000;
const WAIT_MS = 12_000;
const HASTY_WAIT_MS = 3_000;

interface Running {
  t: TestBot;
  clock: ForwardClock;
  day: Day;
  inHaste: boolean;
}

/** What happens in a round beside what people do. */
type Incident = (running: Running) => Promise<void>;

/**
 * `count` rounds of ten minutes; 144 are a day. `inHaste`: with the long outage and its deployment alone, in a few
 * seconds.
 */
export async function liveADay({
  count,
  seed,
  tell,
  inHaste = false,
}: TortureOptions & { inHaste?: boolean }): Promise<Findings> {
  const seeded = createSeeded(seed);
  const clock = createForwardClock();
  const t = await startTestBot({
    clock,
    floodClock: clock,
    days: 3_000,
    purchased: 10_000,
    api: { clock, floodClock: clock },
  });
  const timer = setInterval(() => clock.advance(AHEAD_MS), STEP_MS);
  try {
    const { operator, admin, support, owner } = t.people;
    const people = { operator, admin, support, owner };
    const waitMs = inHaste ? HASTY_WAIT_MS : WAIT_MS;
    const diary = { orders: [], questions: [], paid: [] };
    const running = {
      t,
      clock,
      day: { api: t.api, seeded, people, spare: t.people.support, diary, waitMs },
      inHaste,
    };
    await stock(t);
    const faults = WAYS.map((fault) =>
      t.api.faults.next(() => seeded.chance(FAILING / WAYS.length), fault, Infinity),
    );
    await live(running, count, tell);
    const isQuiet = await becomesQuiet(t);
    const { violations, paidUnheard } = judge(t, running.day);
    if (!isQuiet) violations.push('something waits for ever');
    return { tried: { ...countUp(running.day, faults), paidUnheard }, violations };
  } finally {
    clearInterval(timer);
    await t.stop();
  }
}

async function stock(t: TestBot): Promise<void> {
  const { core } = t.app();
  const codes = (count: number) => Array.from({ length: count }, () => makeCode());
  const stockKeys = [60, 325].map((denomination) => ({ denomination, codes: codes(CODES) }));
  await core.codes.add(t.app().actor, 'game_id_1', stockKeys);
}

async function live(running: Running, count: number, tell: TortureOptions['tell']): Promise<void> {
  const { clock, day } = running;
  const incidents = plan(count, running.inHaste);
  for (let round = 0; round < count; round += 1) {
    const until = clock.elapsed() + ROUND_MS;
    const incident = incidents.get(round);
    await Promise.all([doOneThing(day), incident?.happen(running)]);
    if (incident) tell?.(`round ${round}: ${incident.name}`);
    clock.advance(Math.max(0, Math.round(until - clock.elapsed())));
    if (round % 12 === 11) tell?.(`${round + 1} rounds, ${day.diary.orders.length} orders`);
  }
}

type Plan = Map<number, { name: string; happen: Incident }>;

/** When what happens. */
function plan(count: number, inHaste: boolean): Plan {
  const at = (share: number) => Math.floor(count * share);
  const longOutage = {
    name: '26 hours without Telegram, a payment and a deployment within',
    happen: loseTheDay,
  };
  if (inHaste) return new Map([[0, longOutage]]);
  return new Map([
    [at(0), { name: 'a deployment', happen: deploy }],
    [at(0.25), { name: 'ten minutes without Telegram', happen: (running) => lose(running, 10 * MINUTE_MS) }],
    [at(0.5), { name: 'a deployment', happen: deploy }],
    [at(0.75), longOutage],
  ]);
}

const deploy: Incident = async ({ t }) => {
  await pause(STEP_MS);
  await t.restart();
};

/** While nothing gets through time passes in steps that Telegram's own clocks notice. */
async function lose({ t, clock, day, inHaste }: Running, ms: number): Promise<void> {
  await pause(2 * STEP_MS);
  t.api.down = true;
  const steps = inHaste ? 10 : Math.max(20, Math.min(150, ms / ROUND_MS));
  // Some write while it begins, and some right before it ends: what the first ones wrote may be forgotten by then.
  const acting: Promise<void>[] = [];
  for (let step = 0; step < steps; step += 1) {
    const isBeginning = step === Math.floor(steps / 4) && !inHaste;
    if (isBeginning || step === steps - 2) acting.push(doOneThing(day));
    await pause(STEP_MS);
    clock.advance(Math.round(ms / steps));
  }
  t.api.down = false;
  await Promise.all(acting);
}

/** Paid in the moment in which Telegram goes away: the message about it is forgotten before it is back. */
const loseTheDay: Incident = async (running) => {
  const { t, clock, day } = running;
  const { admin } = day.people;
  const unwatch = t.api.watch(({ kind, detail }) => {
    const { method = '', payload } = kind === 'call' ? (detail as Call) : {};
    const query = payload?.pre_checkout_query_id;
    if (method === 'answerPreCheckoutQuery' && String(query).startsWith(String(admin.id))) t.api.down = true;
  });
  await pay(day, admin);
  unwatch();
  t.api.down = true;
  clock.advance(HOUR_MS);
  const restarted = t.restart();
  await lose(running, 25 * HOUR_MS);
  await restarted;
};

function countUp({ diary }: Day, faults: readonly { met(): number }[]): Record<string, number> {
  const tried: Record<string, number> = { orders: diary.orders.length };
  for (const { kind } of diary.orders) tried[kind] = (tried[kind] ?? 0) + 1;
  return {
    ...tried,
    questions: diary.questions.length,
    payments: diary.paid.length,
    failedCalls: faults.reduce((sum, each) => sum + each.met(), 0),
  };
}
