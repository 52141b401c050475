// Row 22: people who ask much while something goes on in their chat, under Telegram's flood limits as the FAQ has them
// and under twenty a minute everywhere, by turns, on the time of a clock that is moved. No answer is lost, but those
// that ten newer ones replace in a chat that Telegram has closed; none comes before an earlier one, and the FAQ's
// limits are never passed.
import { startTestBot, type TestBot } from '../../harness/bot-app.ts';
import type { FaultyCall } from '../../telegram/faults.ts';
import { personOf, type Person } from '../../harness/bot.ts';
import { makeCode } from '../../harness/core.ts';
import { createForwardClock, type ForwardClock } from '../../harness/forward-clock.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';

const PLAYER = '5170925570';
const AT_ONCE = 3;
const STEP_MS = 100;
const AHEAD_MS = 900;
const PATIENCE_MS = 120_000;
/** Of questions in the minute of a redemption; the limit leaves room for them beside what the bot shows. */
const MODEST = 8;
/** More than Telegram takes. */
const IMMODEST = 30;
/** Of the answers that wait the newest so many stay. */
const KEPT = 10;
/** Just more than that, so that the rest is soon said. */
const IMMODEST_IN_HASTE = 23;

/**
 * `count`: minutes of people, half of them within the limits and half beyond, `inHaste` a little and without a penalty.
 */
export async function floodChats({
  count,
  seed,
  tell,
  inHaste = false,
}: TortureOptions & { inHaste?: boolean }): Promise<Findings> {
  const seeded = createSeeded(seed);
  const violations: string[] = [];
  const tried = { minutes: 0, questions: 0, penalties: 0, refused: 0, slowestByFaqMs: 0 };
  let refusedByFaq = 0;
  for (let at = 0; at < count; at += AT_ONCE) {
    const clock = createForwardClock();
    const flood = (at / AT_ONCE) % 2 === 0 ? 'strict' : 'faq';
    const t = await startTestBot({ clock, floodClock: clock, api: { clock, floodClock: clock, flood } });
    const timer = setInterval(() => clock.advance(AHEAD_MS), STEP_MS);
    try {
      const people = Object.values(t.people).slice(0, Math.min(AT_ONCE, count - at));
      const minutes = people.map(async (user, index) => {
        const isModest = (at + index) % 2 === 0;
        const found = await spendMinute(
          { t, clock, seeded, person: personOf(t.api, user), isStrict: flood === 'strict' },
          isModest ? MODEST : inHaste ? IMMODEST_IN_HASTE : IMMODEST,
          !isModest && !inHaste && seeded.chance(0.5),
        );
        tried.minutes += 1;
        tried.questions += found.asked;
        tried.penalties += found.penalties;
        if (flood === 'faq' && found.penalties === 0)
          tried.slowestByFaqMs = Math.max(tried.slowestByFaqMs, found.slowestMs);
        violations.push(
          ...found.violations.map((what) => `${flood}, ${isModest ? 'modest' : 'immodest'}: ${what}`),
        );
      });
      await Promise.all(minutes);
      const refused = t.api.calls().filter(({ error }) => error?.code === 429).length;
      tried.refused += refused;
      if (flood === 'faq') refusedByFaq += refused;
      tell?.(`${tried.minutes} minutes, ${violations.length} violations`);
    } finally {
      clearInterval(timer);
      await t.stop();
    }
  }
  if (refusedByFaq > 0) violations.push(`by the FAQ ${refusedByFaq} calls were too much`);
  return { tried, violations };
}

interface Minute {
  t: TestBot;
  clock: ForwardClock;
  seeded: Seeded;
  person: Person;
  isStrict: boolean;
}

interface Found {
  asked: number;
  slowestMs: number;
  penalties: number;
  violations: string[];
}

/** Begins a slow redemption where they may, and asks for receipts that are not there, each by a number of its own. */
async function spendMinute(
  { t, clock, seeded, person, isStrict }: Minute,
  questions: number,
  isPenalised: boolean,
): Promise<Found> {
  const violations: string[] = [];
  const redeems = t.people.support.id !== person.user.id;
  if (redeems) {
    person.says(`/redeem ${PLAYER} ${makeCode('SLOW')}`);
    // Other games have codes of this form, too: it is asked which one is meant.
    await person.sees(/Which game/, PATIENCE_MS);
    await person.presses('Game 1');
    await person.sees(/Redeem this/, PATIENCE_MS);
    await person.presses('Redeem');
  }
  // One penalty all the same, as if somebody else had used up what the chat may have.
  const isHere = ({ params }: FaultyCall) => params.text('chat_id') === String(person.user.id);
  const penalty = { kind: 'flood', retryAfter: 30 + seeded.below(216) } as const;
  const order = isPenalised ? t.api.faults.at(1 + seeded.below(questions), isHere, penalty) : undefined;
  const asked: { number: number; at: number; answeredAt?: number }[] = [];
  const look = () => {
    const texts = person.all().map(({ text }) => text);
    for (const each of asked) {
      if (each.answeredAt === undefined && texts.some((text) => text.includes(` ${each.number} `)))
        each.answeredAt = clock.elapsed();
    }
  };
  for (let index = 0; index < questions; index += 1) {
    const number = 100_000 + index;
    asked.push({ number, at: clock.elapsed() });
    person.says(`/receipt ${number}`);
    const until = clock.elapsed() + (60_000 / questions) * (0.5 + seeded.below(100) / 100);
    while (clock.elapsed() < until) {
      await pause();
      look();
    }
  }
  // Where the newest were answered, those that they replaced are left out.
  const isAnswered = ({ answeredAt }: { answeredAt?: number }, index: number) =>
    answeredAt !== undefined || ((isStrict || isPenalised) && index < asked.length - KEPT);
  const isOver = () => {
    look();
    const isTold = !redeems || person.all().some(({ text }) => /Redeemed · receipt/.test(text));
    return isTold && asked.every(isAnswered);
  };
  for (const until = performance.now() + PATIENCE_MS; !isOver() && performance.now() < until;) await pause();
  if (!isOver())
    violations.push(`${asked.filter((each, index) => !isAnswered(each, index)).length} answers lost`);
  const numbers = person
    .all()
    .flatMap(({ text }) => /receipt (1000\d\d) /.exec(text)?.[1] ?? [])
    .map(Number);
  if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0)))
    violations.push('answered in another order');
  const slowestMs = Math.max(...asked.map(({ at, answeredAt = at }) => Math.round(answeredAt - at)));
  return { asked: asked.length, slowestMs, penalties: order?.met() ?? 0, violations };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
