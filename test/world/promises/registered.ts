// Where a program registers an address, the owner of its account hears of it: by its host, each once at least.
import { RECEIVER } from '../machine/receivers.ts';
import { look } from '../run/rest.ts';
import { BEGINNINGS } from '../audit/notice-words.ts';
import type { World } from '../run/world.ts';

const REGISTERED = `
  select account_id as accountId, count(*) as count from webhooks
  where created_by like 'apiKey:%' and created_at > ? group by account_id`;
const OWNERS =
  "select telegram_id as id from members where account_id = ? and role = 'owner' and joined_at < ?";
const HOST = new URL(RECEIVER).host;

export function theOwnerHearsOfEachAddressThatAProgramRegisters(world: World): string[] {
  const { disk, diary, said, people } = world;
  const { judgedUntil } = diary;
  const touched = new Set(diary.staffing.map(({ id }) => id));
  return look(disk.databasePath(), (file) => {
    const owners = file.prepare(OWNERS);
    const accounts = file.prepare(REGISTERED).all(judgedUntil) as { accountId: number; count: number }[];
    return accounts.flatMap(({ accountId, count }) =>
      (owners.all(accountId, judgedUntil) as { id: number }[]).flatMap(({ id }) => {
        const isJudged =
          people.some(({ userId }) => userId === id) && !touched.has(id) && !diary.isAway({ id });
        const heard = said.today
          .filter(({ chatId, text }) => chatId === id && BEGINNINGS.webhookAdded?.test(text))
          .reduce((sum, { text }) => sum + text.split(HOST).length - 1, 0);
        return !isJudged || heard >= count
          ? []
          : [
              `programs of account ${accountId} registered ${count} addresses, and its owner ${id} heard of ${heard}`,
            ];
      }),
    );
  });
}
