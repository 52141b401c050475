// Planted bugs of the queue of tasks: lost, run twice, out of order, starved, dead without a word.
import type { PlantedBug } from './planted-bug.ts';

const TABLE = 'src/store/tables/tasks.ts';
const RUN = 'src/core/tasks/run-task.ts';
const WORKER = 'src/core/tasks/worker.ts';
const tests = ['src/core/tasks/worker.test.ts'];

export const TASKS: PlantedBug[] = [
  {
    name: 'what was under way at a kill is lost',
    file: TABLE,
    edits: [['crashes: sql`crashes + 1` }', 'crashes: sql`crashes + 1`, runAt: sql`null` }']],
    tests: ['src/store/tables/tasks.test.ts'],
  },
  {
    name: 'a task whose end the disk refuses at first is run again',
    file: RUN,
    edits: [
      [
        'retry(writePauseMs, () => store.write(work), { signal, lastTry: true, onRetry });',
        'store.write(work);',
      ],
    ],
    tests,
  },
  {
    name: 'what has failed goes behind the others of its queue',
    file: TABLE,
    edits: [
      ["      runAt: bound('runAt'),\n", "      runAt: bound('runAt'),\n      queuedAt: bound('runAt'),\n"],
    ],
    tests,
  },
  {
    name: 'a queue in which much waits is served before all others',
    file: WORKER,
    edits: [['      if (queues.delete(key)) queues.set(key, queue);\n', '']],
    tests,
  },
  {
    name: 'what hangs holds the place of others',
    file: WORKER,
    edits: [
      [
        'createConcurrencyLimit(handler.atOnce, LONG_MS)',
        'createConcurrencyLimit(handler.atOnce, 1_000 * LONG_MS)',
      ],
    ],
    tests,
  },
  {
    name: 'a task dies without a word',
    file: RUN,
    edits: [['return bury?.(tables, task);', 'return;']],
    tests,
  },
  {
    name: 'what brings the process down is run again for ever',
    file: RUN,
    edits: [['task.crashes < MOST_CRASHES ?', 'task.crashes >= 0 ?']],
    tests,
  },
  {
    name: 'what was released while it ran is held all the same',
    file: TABLE,
    edits: [["iif(${ph('isHeld')} and locked_at is not null,", "iif(${ph('isHeld')},"]],
    tests: ['src/store/tables/tasks.test.ts'],
  },
  {
    name: 'the end of a redemption lets nothing go that waits for it',
    file: 'src/core/promises.ts',
    edits: [
      [
        '  tables.tasks.release(redemptionHold(redemptionId), now);\n',
        '  tables.tasks.release(redemptionHold(-redemptionId), now);\n',
      ],
    ],
    tests: ['src/core/redemption/redeem.test.ts'],
  },
  {
    name: 'a notice that cannot be worded holds up all others for ever',
    file: 'src/bot/outbox/notices.ts',
    edits: [['task.attempts < MOST_MISTAKES ||', 'task.attempts >= 0 ||']],
    tests: ['src/bot/outbox/chats.test.ts'],
  },
  {
    name: 'what another process has queued waits for the next start',
    file: 'src/store/engine/queued-notes.ts',
    edits: [['        if (now === seen) return;\n', '        if (now !== undefined) return;\n']],
    tests,
  },
];
