// Of the evening's audit in the chat: /stock, /quota and /stats, each figure held against the books.
import { DAILY_QUARTERS, DAY_MS } from '../../promises/quota.ts';
import { differ, readBooked, type ChatAudit } from './books.ts';
import { dayOf, lastDays, timeOf } from './calendar.ts';

const IN_STOCK = `
  select denomination, state, count(*) as count from codes where account_id = @account and game_id = 'game_id_1' group by 1, 2`;
const LINE =
  /^(\d+) UC: (\d+) available(?:, (\d+) reserved)?(?:, (\d+) in doubt)?, (\d+) spent today(?= ·|$)/gm;
const SPENT = `r.game_id = 'game_id_1' and r.state = 'redeemed' and r.code_id is not null and r.created_at > @since`;
const DENOMINATION = 'select denomination from codes where id = @code';

export async function stock({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/stock', ({ text }) => /began at 00:00/.test(text));
  if (!shown) return [];
  const { now } = world.time.clock;
  const counts = rows<{ denomination: number; state: string; count: number }>(IN_STOCK);
  const today = readBooked({ rows }, SPENT, { since: now() - 2 * DAY_MS })
    .filter(({ createdAt }) => dayOf(zone, createdAt) === dayOf(zone, now()))
    .map(({ mode, denomination, codeId }) =>
      mode === 'database'
        ? denomination
        : rows<{ denomination: number }>(DENOMINATION, { code: codeId })[0]?.denomination,
    );
  // Where there are several games, each has its block.
  const block = shown.text.split(/\n\n/).find((each) => each.startsWith('Game 1\n')) ?? '';
  const told = [...block.matchAll(LINE)].map((line) => line.slice(1, 6).map((figure) => Number(figure ?? 0)));
  const kept = told.map(([of = 0]) => {
    const sum = (...states: string[]) =>
      counts
        .filter(({ denomination, state }) => denomination === of && states.includes(state))
        .reduce((total, { count }) => total + count, 0);
    const spent = today.filter((denomination) => denomination === of).length;
    return [of, sum('available', 'unverified'), sum('reserved'), sum('in_doubt'), spent];
  });
  const missing = counts.filter(
    ({ denomination, state }) => state === 'available' && !told.some(([of]) => of === denomination),
  );
  return [
    ...differ('stock', told.map(String), kept.map(String)),
    ...missing.map(({ denomination }) => `nothing of ${denomination}`),
  ];
}

const CHARGED =
  'select at, daily from usages where account_id = @account and returned_at is null and daily > 0 and at > @since order by at';
const ACCOUNT = `select coalesce((select purchased from quotas where account_id = @account), 0) as purchased,
  subscription_expires_at as until from accounts where id = @account`;

export async function quota({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  if (world.diary.isCalendarWrongToday) return [];
  const since = world.service.monotonicNow() - DAY_MS;
  const asked = world.time.clock.now();
  const shown = await ask('/quota', ({ text }) => text.includes('Daily quota'));
  if (!shown) return [];
  const usages = rows<{ at: number; daily: number }>(CHARGED, { since });
  const [account] = rows<{ purchased: number; until: number }>(ACCOUNT);
  if (!account) return ['there is no account'];
  const used = usages.reduce((sum, { daily }) => sum + daily, 0);
  const left = DAILY_QUARTERS - used;
  const told = [
    /Used (\S+) of 300, left (\S+)/,
    /activations left: (\S+)/,
    /Subscription until (\S+ \S+ \d+), (\d\d:\d\d)/,
  ].flatMap((pattern) => pattern.exec(shown.text)?.slice(1) ?? ['nothing']);
  const kept = [
    used / 4,
    left / 4,
    account.purchased / 4,
    dayOf(zone, account.until),
    timeOf(zone, account.until),
  ];
  const wrong = differ('quota', told, kept.map(String));
  const [, days = ''] = /([\d,]+) days? left/.exec(shown.text) ?? [];
  const daysAt = (at: number) => String(Math.ceil((account.until - at) / DAY_MS));
  if (![asked, world.time.clock.now()].some((at) => daysAt(at) === days.replace(',', '')))
    wrong.push(`${days} days of a subscription are left, and it ends in ${daysAt(asked)}`);
  let missing = Math.min(DAILY_QUARTERS, (Math.floor(left / 4) + 1) * 4) - left;
  const next = usages.find(({ daily }) => (missing -= daily) <= 0);
  const [, at] = /comes back in .*, (?:tomorrow )?at (\d\d:\d\d)\./.exec(shown.text) ?? [];
  // What comes free is told by the calendar, of which the scale of ages may be behind.
  const due = (next?.at ?? 0) + DAY_MS + world.time.clock.now() - world.service.monotonicNow();
  if ((next === undefined) !== (at === undefined)) wrong.push(`the next one is told for ${at}`);
  else if (next && ![due - 1_500, due, due + 1_500].some((moment) => timeOf(zone, moment) === at))
    wrong.push(`the next one is told for ${at}, and comes at ${timeOf(zone, due)}`);
  return wrong;
}

const COUNTS = /^(.+?): (?:✅ (\d+))?(?: · )?(?:❌ (\d+))?/;

/** The last three days, by the day and in all. */
export async function statistics({ world, zone, ask, rows }: ChatAudit): Promise<string[]> {
  const shown = await ask('/stats 3', ({ text, photo }) => photo !== undefined || /last 3 days/.test(text));
  const figures = shown?.message.photo ? undefined : shown?.text;
  if (figures === undefined) return [];
  const now = world.time.clock.now();
  const days = lastDays(zone, now, 3).toReversed();
  const booked = readBooked({ rows }, 'r.created_at > @since', { since: now - 4 * DAY_MS }).filter(
    ({ createdAt }) => days.includes(dayOf(zone, createdAt)),
  );
  const word = (what: string, of: typeof booked) => {
    // What is still in doubt is neither.
    const [redeemed, failed] = ['redeemed', 'failed'].map(
      (is) => of.filter(({ state }) => state === is).length,
    );
    return `${what} ${redeemed} ${failed}`;
  };
  const lines = figures.split('\n');
  const read = (line: string) => {
    const [, what, redeemed = '0', failed = '0'] = COUNTS.exec(line) ?? [];
    return `${what} ${redeemed} ${failed}`;
  };
  const from = lines.indexOf('By day');
  const told =
    from < 0
      ? []
      : lines
          .slice(from + 1)
          .filter((line) => COUNTS.test(line))
          .map(read);
  const kept = days.flatMap((day) => {
    const of = booked.filter(({ createdAt }) => dayOf(zone, createdAt) === day);
    return of.length > 0 ? [word(day.replace(/ \d+$/, ''), of)] : [];
  });
  const [, redeemed, failed] = /redeemed: (\d+) · ❌ failed: (\d+)/.exec(figures) ?? [];
  return [
    ...differ('by day', told, kept),
    ...differ('in all', [`all ${redeemed} ${failed}`], [word('all', booked)]),
  ];
}
