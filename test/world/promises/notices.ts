// A notice reaches everybody whom it is for, in words that fit it, and nobody else: of an account its owner and admins,
// of an action whoever did it, too.
import type { WrittenNotice } from '../audit/notices.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const MEMBERS = 'select telegram_id as id, role, joined_at as joinedAt from members where account_id = ?';
const MUTED = 'select muted_notices from preferences where telegram_id = ?';
const PLAYER = 'select player_id from redemptions where id = ?';
const ASKED = new Set(['owner', 'admin']);

/** What each of them says of its facts after its beginning, in both languages. */
const WORDS: Readonly<Record<string, (notice: WrittenNotice) => RegExp>> = {
  // A game that left the catalogue has no currency.
  stockLow: ({ denomination, threshold, left }) => {
    const few = `(?:than|меньше) ${threshold}(?!\\d)`;
    const how = left === undefined ? few : '(?:No code|больше нет)';
    return new RegExp(`^📉(?=[^]*${how})[^]*<b>${denomination}(?: [^<]*)?</b>`, 'u');
  },
  doubtSettled: ({ redemptionId }) => new RegExp(`^ℹ️ [^\\n]*\\b${redemptionId}(?!\\d)`, 'u'),
  quotaUsed: ({ percent }) => (percent === 100 ? /^⛔/u : /^⏳ [^\n]*80/u),
  subscriptionEnds: ({ daysLeft = 0 }) => {
    if (daysLeft === 0) return /^📅 [^\n]*(?:ended|закончилась):/u;
    const [en, ru] = daysLeft === 1 ? ['1 day', 'день'] : [`${daysLeft} days`, `${daysLeft} дн[^ ]*`];
    return new RegExp(`^📅 [^\\n]*(?:in ${en}|через ${ru}):`, 'u');
  },
};

export function everyNoticeReachesWhoItIsFor({ disk, diary, said, people }: World): string[] {
  const touched = new Set(diary.staffing.map(({ id }) => id));
  return look(disk.databasePath(), (file) => {
    const members = file.prepare(MEMBERS);
    const muted = file.prepare(MUTED).pluck();
    const playerOf = file.prepare(PLAYER).pluck();
    const wants = (id: number, kind: string) =>
      !String((muted.get(id) as string | undefined) ?? '')
        .split(',')
        .includes(kind) &&
      !diary.taps.some(({ user, data }) => user.id === id && data.startsWith('settings:notice'));
    return [...diary.notices.values()].flatMap((facts) => {
      const { id, accountId, kind } = facts;
      const words = WORDS[kind]?.(facts);
      if (!words || facts.isJudged) return [];
      const due = (members.all(accountId) as { id: number; role: string; joinedAt: number }[]).filter(
        (member) =>
          (ASKED.has(member.role) || facts.actor === `member:${member.id}`) &&
          member.joinedAt < diary.judgedUntil &&
          !touched.has(member.id) &&
          people.some(({ userId }) => userId === member.id) &&
          !diary.isAway(member) &&
          wants(member.id, kind),
      );
      return due
        .filter(({ id: reader }) => {
          const isAnswered = kind === 'doubtSettled' && facts.actor === `member:${reader}`;
          const player = playerOf.get(facts.redemptionId ?? 0) as string | undefined;
          return !said.today.some(
            ({ chatId, text, at }) =>
              chatId === reader &&
              (isTold(words, text) ||
                (isAnswered && isReceipt(text, facts.redemptionId ?? 0)) ||
                (isAnswered && at >= facts.at && isEndFor(text, player))),
          );
        })
        .map((member) => `${member.id} was not told of notice ${id}, ${kind} ${JSON.stringify(facts)}`);
    });
  });
}

/** Several of one kind are one message. */
const isTold = (words: RegExp, text: string): boolean =>
  words.test(text) || text.split('\n\n').some((part) => words.test(part));

/** Whoever redeemed it in the chat gets the receipt itself, or a line of the order of several that it belongs to. */
const isReceipt = (text: string, id: number): boolean =>
  new RegExp(`^(?:✅|❌)[^\\n]*(?:receipt|чек)\\D{0,12}${id}(?!\\d)`, 'imu').test(text);

/** An order of several says what became of each place in the end, which the next code may have taken. */
const isEndFor = (text: string, player = '?'): boolean =>
  /^(?:✅|❌|⏹)/u.test(text) && text.includes(`<code>${player}</code>`);

const UNTIL = 'select subscription_expires_at from accounts where id = ?';

/** Nobody is told that a subscription has ended that goes on, whatever the calendar says. */
export function noSubscriptionIsCalledOver({ disk, diary, time }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const until = file.prepare(UNTIL).pluck();
    return [...diary.notices.values()].flatMap(({ kind, at, accountId, daysLeft, endsAt = 0 }) => {
      if (kind !== 'subscriptionEnds' || at <= diary.judgedUntil) return [];
      const goesOn = daysLeft === 0 && endsAt > time.clock.now() && until.get(accountId) === endsAt;
      return goesOn ? [`account ${accountId} was told that its subscription is over, which goes on`] : [];
    });
  });
}
