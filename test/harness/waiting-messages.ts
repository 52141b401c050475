// What waits to be said, as the tasks of a store tell it.
import type { Store, Task } from '../../src/store/index.ts';

type Readable = Pick<Store, 'read'>;

/** How many messages wait, in all chats. */
export const countMessages = (store: Readable): number =>
  store.read(({ tasks }) => tasks.countWaiting().reduce((sum, { count }) => sum + count, 0));

/** The next message of a chat. */
export const firstMessage = (store: Readable, chatId: number): Task | undefined =>
  store.read(({ tasks }) => tasks.findFirst(`chat:${chatId}`));
