// That no backup can be made is told to the host, each time that it begins.
import { HOST_ID } from '../service.ts';
import type { World } from '../world.ts';

const TOLD = /No backup could be made/;
/** A process that ends in that moment leaves it to the next, which finds it out anew. */
const AT_ONCE_MS = 5_000;

export function hostsAreToldThatBackupsFail({ service, said, diary }: World): string[] {
  const failures = service.takeFailures();
  const told = said.today.filter(({ chatId, text }) => chatId === HOST_ID && TOLD.test(text));
  return failures.flatMap((at, index) => {
    const isStruck = diary.struck.some((each) => each.at >= at && each.at < at + AT_ONCE_MS);
    if (isStruck || diary.restoredAt >= at || diary.isAway({ id: HOST_ID })) return [];
    const until = failures[index + 1] ?? Infinity;
    if (told.some((words) => words.at >= at && words.at < until)) return [];
    return [`backups fail since ${new Date(at).toISOString()}, and no host was told`];
  });
}
