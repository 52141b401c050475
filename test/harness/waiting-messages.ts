// What waits to be said, as the tasks of a store tell it.
import type { Store, Task } from '../../src/store/index.ts';

type Readable = Pick<Store, 'read'>;

/** How many messages wait, in all chats. */
export const countMessages = (store: Readable): number =>
  store.read(({ tasks }) => tasks.countWaiting().reduce((sum, { count }) => sum + count, 0));

/** The next message of a chat: of its own queue, else of one in which something alone has waited. */
export const firstMessage = (store: Readable, chatId: number): Task | undefined =>
  store.read(({ tasks }) => {
    const queues = tasks.listQueues().filter((queue) => `${queue}:`.startsWith(`chat:${chatId}:`));
    return queues.sort().map(tasks.findFirst)[0];
  });
