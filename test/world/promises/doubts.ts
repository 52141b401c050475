// The end of a doubt is told, and what people are told of it is how it ended.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const NOTICE =
  /(?:[Rr]edemption|Активация|активация) (\d+)(?: was in doubt and is settled now| была под вопросом, теперь всё выяснилось)/;
const ENDS = [
  ['redeemed', /The code was redeemed for the player|Код активирован для игрока/],
  ['returned', /the code is unspent|код не потрачен/],
  ['spent', /the code had been used already|код уже был использован/],
] as const;
const ROW = "select state, error_code = 'CODE_USED' as isSpent from redemptions where id = ?";

export function whatIsToldOfADoubtIsTrue({ said, disk }: World): string[] {
  // Several may be told in one message.
  const told = said.today
    .flatMap(({ chatId, text }) => text.split('\n\n').map((part) => ({ chatId, text: part })))
    .filter(({ text }) => NOTICE.test(text));
  if (told.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const find = file.prepare(ROW);
    return told.flatMap(({ chatId, text }) => {
      const [, id] = NOTICE.exec(text) ?? [];
      const [end] = ENDS.find(([, words]) => words.test(text)) ?? [];
      const row = find.get(Number(id)) as { state: string; isSpent: number | null } | undefined;
      if (!row || end === undefined) return [];
      const kept = row.state === 'redeemed' ? 'redeemed' : row.isSpent === 1 ? 'spent' : 'returned';
      return kept === end ? [] : [`${chatId} read that the doubt of ${id} is ${end}, and it is ${kept}`];
    });
  });
}

/** What a stopping process writes down as failed is in doubt for no moment. */
const SETTLED = `
  select id, settled_at as settledAt from redemptions
  where settled_at > ? and doubted_at is not null and settled_at > doubted_at + 1000`;

/** Notices that were told are pruned then: of a longer pause nothing is known. */
const KEPT_MS = 2 * 24 * 60 * 60_000;

export function theEndOfADoubtIsTold({ disk, diary, time }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const told = [...diary.notices.values()].filter(({ kind }) => kind === 'doubtSettled');
    const since = Math.max(diary.judgedUntil, time.clock.now() - KEPT_MS);
    const settled = file.prepare(SETTLED).all(since) as { id: number; settledAt: number }[];
    return settled.flatMap(({ id, settledAt }) =>
      told.some(({ at, redemptionId }) => at === settledAt && redemptionId === id)
        ? []
        : [`the doubt of ${id} ended, and there is no notice of it`],
    );
  });
}
