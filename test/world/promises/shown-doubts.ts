// A message that says of an order that nothing is certain yet does not go on saying so: when it is certain, the chat is
// shown how it ended.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const DOUBT = /^❔[^\n]*· (?:receipt|чек) №? ?(\d+)/u;
/** The queue of what is said in a chat begins with its id. */
const ENDED = `select 1 from tasks where waits_for = 'redemption:' || ? and done_at is not null
  and queue_key || ':' like 'chat:' || ? || ':%'`;

export function aDoubtThatIsShownIsShownToItsEnd({ said, disk, diary }: World): string[] {
  const shown = said.today.flatMap((words) => {
    const id = DOUBT.exec(words.text)?.[1];
    return id === undefined ? [] : [{ ...words, id }];
  });
  if (shown.length === 0) return [];
  return look(disk.databasePath(), (file) => {
    const watched = file.prepare(ENDED).pluck();
    return shown.flatMap(({ chatId, id, at }) => {
      if (watched.get(id, chatId) === undefined || diary.isAway({ id: chatId })) return [];
      const end = new RegExp(`^(?:✅|⚠️|❌)[^\\n]*· (?:receipt|чек) №? ?${id}(?!\\d)`, 'u');
      // Whoever left meanwhile is told that it is no longer theirs to see.
      const gone = new RegExp(`(?:no longer a member|больше не участник).* ${id}(?!\\d)`, 'u');
      const isEnd = (text: string) => end.test(text) || gone.test(text);
      return said.today.some((words) => words.chatId === chatId && words.at >= at && isEnd(words.text))
        ? []
        : [`${chatId} was shown that ${id} is in doubt, and not how it ended`];
    });
  });
}
