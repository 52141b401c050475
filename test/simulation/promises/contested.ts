// That another process fetches the updates of the bot is told to the host, and so is its end.
import { HOST_ID } from '../service.ts';
import type { World } from '../world.ts';

export function theEndOfAContestIsTold({ diary, said }: World): string[] {
  const until = diary.contestedUntil;
  if (until === undefined || diary.isAway({ id: HOST_ID }) || diary.restoredAt > until) return [];
  const isOver = said.today.some(
    ({ chatId, at, text }) => chatId === HOST_ID && at >= until && /no other process/i.test(text),
  );
  return isOver ? [] : ['no other process fetches the updates any more, and no host was told'];
}
