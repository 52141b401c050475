// Row 21: every action, with Telegram failing in every way at every call of it. It is done once and told in the end;
// what is asked meanwhile is answered, in order; nobody else waits.
import { createForwardClock, type ForwardClock } from '../harness/forward-clock.ts';
import { startTestBot, type TestBot } from '../harness/bot-app.ts';
import { personOf } from '../harness/bot.ts';
import { createStore } from '../../src/store/index.ts';
import { FAULTS, type Fault } from '../telegram/faults.ts';
import type { SeenMessage } from '../telegram/types.ts';
import type { Findings, TortureOptions } from './findings.ts';
import { createSeeded, type Seeded } from '../harness/seeded.ts';
import { buttonOf, DAYS, ACTIONS, type Counter, type Action } from './words/actions.ts';

/** The ways in which Telegram fails; `isLost`: what meets it is not told, and need not be. */
const WAYS: readonly { name: keyof typeof FAULTS; isLost?: boolean }[] = [
  { name: 'badGateway' },
  { name: 'gatewayTimeoutAfter' },
  { name: 'restart' },
  { name: 'halfOfJson' },
  { name: 'shortFlood' },
  { name: 'longFlood' },
  { name: 'refused' },
  { name: 'messageGone' },
  { name: 'cut' },
  { name: 'cutAfter' },
  { name: 'hang' },
  { name: 'blocked', isLost: true },
];
/** Answering the tap, the words, the file, and what is said beside them. */
const CALLS = [1, 2, 3, 4] as const;

interface Case {
  action: Action;
  way: (typeof WAYS)[number];
  nth: number;
}

/** How many there are in all. */
export const ACTION_CASES = ACTIONS.length * WAYS.length * CALLS.length;
const AT_ONCE = 12;
const FIRST_OWNER = 700_000;
const PATIENCE_MS = 75_000;
const STEP_MS = 200;
/** So much time passes for the service in a step, once every action was ordered. */
const AHEAD_MS = 2_000;
const BYSTANDER_MS = 8_000;

/**
 * Goes through `count` cases, all of them where it is `ACTION_CASES`. `inHaste`: none that hangs, which takes its real
 * time.
 */
export async function failActions({
  count,
  seed,
  tell,
  inHaste = false,
}: TortureOptions & { inHaste?: boolean }): Promise<Findings> {
  const ways = inHaste ? WAYS.filter(({ name }) => name !== 'hang') : WAYS;
  const all = ACTIONS.flatMap((action) =>
    ways.flatMap((way) => CALLS.map((nth): Case => ({ action, way, nth }))),
  );
  const cases = shuffle(createSeeded(seed), all).slice(0, count);
  const clock = createForwardClock();
  const hostIds = cases.map((_, index) => FIRST_OWNER + index);
  const t = await startTestBot({
    clock,
    days: DAYS,
    bot: { hostIds },
    api: { clock },
  });
  const violations: string[] = [];
  let met = 0;
  let known = 0;
  let slowest = 0;
  try {
    for (let at = 0; at < cases.length; at += AT_ONCE) {
      const batch = cases.slice(at, at + AT_ONCE);
      const waited = await runBatch({ t, clock, violations, onMet: () => (met += 1) }, batch, at);
      slowest = Math.max(slowest, waited);
      for (const violation of violations.slice(known)) tell?.(violation);
      known = violations.length;
      tell?.(`${Math.min(at + AT_ONCE, cases.length)} of ${cases.length}, ${known} violations`);
    }
  } finally {
    await t.stop();
  }
  return { tried: { cases: cases.length, faultsMet: met, slowestBystanderMs: slowest }, violations };
}

function shuffle<T>(seeded: Seeded, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(seeded.below(left.length), 1)[0] as T);
}

interface Bench {
  t: TestBot;
  clock: ForwardClock;
  violations: string[];
  onMet: () => void;
}

/** How long somebody who has nothing to do with it waited for an answer. */
async function runBatch(bench: Bench, batch: readonly Case[], first: number): Promise<number> {
  const { t, clock, violations } = bench;
  const counters = await openCounters(t, batch.length, first);
  const ordered = await Promise.all(
    batch.map(async (each, index) => {
      const counter = counters[index] as Counter;
      return { ...each, counter, asked: await each.action.ask(counter) };
    }),
  );
  const running = ordered.map((each) => run(bench, each));
  const bystander = waitBeside(t);
  const timer = setInterval(() => clock.advance(AHEAD_MS), STEP_MS);
  try {
    await Promise.all(running);
  } finally {
    clearInterval(timer);
  }
  const waited = await bystander;
  if (waited > BYSTANDER_MS) violations.push(`somebody else waited ${waited} ms`);
  return waited;
}

type Ordered = Case & { counter: Counter; asked: { message: SeenMessage; label: string | RegExp } };

async function run({ violations, onMet }: Bench, ordered: Ordered): Promise<void> {
  const { action, way, nth, counter, asked } = ordered;
  const { api, owner } = counter;
  const fail = (what: string) => void violations.push(`${action.name}, ${way.name} at call ${nth}: ${what}`);
  const id = String(owner.user.id);
  const fault: Fault = FAULTS[way.name];
  const order = api.faults.at(
    nth,
    ({ method, params }) =>
      !/^setMy|^sendChatAction/i.test(method) &&
      (params.text('chat_id') === id || (params.text('callback_query_id') ?? '').startsWith(id)),
    fault,
  );
  const button = buttonOf(asked.message, asked.label);
  const data = asked.message.buttons.find(({ text }) => text === button)?.callback_data ?? '';
  const before = api.messages(owner.user).at(-1)?.id ?? 0;
  void api.press(owner.user, asked.message, button);
  owner.says('/quota');
  owner.says('/help');
  const isTold = await eventually(() => owner.all().some(action.isResult));
  const isAnswered = await eventually(() => answers(owner.all(), before).length === 2);
  order.cancel();
  if (order.met() > 0) onMet();
  const isLost = way.isLost === true && order.met() > 0;
  if (!isTold && !isLost) fail(`it is not told; ${onScreen(owner.all())}`);
  if (!isAnswered && !isLost) fail(`what was asked meanwhile is not answered; ${onScreen(owner.all())}`);
  const [quota, help] = answers(owner.all(), before);
  if (isAnswered && !(quota === 'quota' && help === 'help')) fail('it was answered in another order');
  const done = action.count?.(counter) ?? 1;
  if (done !== 1) fail(`it was done ${done} times`);
  await api.press(owner.user, asked.message, { data });
  if ((action.count?.(counter) ?? 1) !== 1) fail('pressed again, it was done again');
}

/** What was answered to the two questions, in order; what arrived although its answer was lost may be said twice. */
function answers(messages: readonly SeenMessage[], before: number): string[] {
  const answered = messages
    .filter(({ id }) => id > before)
    .flatMap(({ text }) => {
      if (/Every day/.test(text)) return ['help'];
      return /^Daily quota/.test(text) ? ['quota'] : [];
    });
  return [...new Set(answered)];
}

async function waitBeside(t: TestBot): Promise<number> {
  const { support } = t.people;
  const person = personOf(t.api, support);
  person.looksAway();
  const began = performance.now();
  person.says('/help');
  await person.sees(/Every day/, 60_000).catch(() => undefined);
  return Math.round(performance.now() - began);
}

async function eventually(isSo: () => boolean): Promise<boolean> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until;) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

const onScreen = (messages: readonly SeenMessage[]) =>
  messages
    .slice(-4)
    .map(
      ({ text, buttons }) =>
        `${text.slice(0, 80).replaceAll('\n', ' ')} [${buttons.map((one) => one.text).join('|')}]`,
    )
    .join(' / ');

/** Accounts with an owner who has said /start, and somebody of their staff. */
async function openCounters(t: TestBot, count: number, first: number): Promise<Counter[]> {
  const { api } = t;
  const { core } = t.app();
  const counters: Counter[] = [];
  const store = createStore({ path: t.app().databasePath, exclusive: false });
  for (let index = 0; index < count; index += 1) {
    const { accountId } = await core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: `Shop ${first + index}`, days: DAYS },
    );
    const user = api.createUser({
      id: FIRST_OWNER + first + index,
      first_name: 'Owner',
      language_code: 'en',
    });
    const staff = api.createUser({ first_name: 'Staff', language_code: 'en' });
    const common = { accountId, username: null, now: Date.now() };
    await store.write(({ members }) => {
      members.insert({ ...common, telegramId: user.id, role: 'owner', name: 'Owner' });
      members.insert({ ...common, telegramId: staff.id, role: 'support', name: 'Staff' });
    });
    const actor = { kind: 'member', accountId, telegramId: user.id, role: 'owner' } as const;
    counters.push({ api, core, owner: personOf(api, user), actor, staff });
  }
  await store.close();
  for (const { owner } of counters) owner.says('/help');
  for (const { owner } of counters) await owner.sees(/Every day/, 60_000);
  return counters;
}
