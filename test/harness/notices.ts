// Notices that wait to be announced, for tests of what writes them.
import type { Core } from '../../src/core/index.ts';
import type { Store, Task } from '../../src/store/index.ts';

const LISTED = 10_000;
const QUEUE = { queue: 'notices', task: 'announce', priority: 0 };

const listTasks = (store: Pick<Store, 'read'>): Task[] =>
  store.read(({ tasks }) => tasks.listLike(QUEUE, LISTED));

/** Oldest first; what does not open any more is left out. */
export const listNotices = (store: Pick<Store, 'read'>) =>
  listTasks(store).flatMap(({ payload }) => {
    if (payload === undefined) return [];
    const { kind, accountId, ...rest } = JSON.parse(payload) as { kind: string; accountId: number | null };
    return [{ kind, accountId, payload: rest }];
  });

/** The same with whom they are for. */
export const listWithRecipients = (core: Pick<Core, 'notices'>, store: Pick<Store, 'read'>) =>
  core.notices.read(listTasks(store));
