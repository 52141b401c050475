// Orders, assembled: their verbs, and the worker that runs their steps and whatever else is a task of the core.
import type { CoreLog } from '../log.ts';
import type { TaskHandler, TaskWorkerDeps } from '../tasks/run-task.ts';
import { createTaskWorker } from '../tasks/worker.ts';
import { createOrders, type Orders, type OrdersDeps } from './orders.ts';
import { ORDER_TASK } from './place.ts';
import { createPresses, type Presses } from './presses.ts';
import { createOrderRunner, type OrderRunnerDeps } from './runner.ts';

export interface Ordering {
  orders: Orders;
  presses: Presses;
  /** Runs what is due, as it does by itself. */
  rest(): Promise<void>;
  /** What was open goes on. Never rejects. */
  start(): Promise<void>;
  /** Begins nothing more. */
  stop(): Promise<void>;
}

export function createOrdering(
  deps: OrdersDeps & OrderRunnerDeps & Pick<TaskWorkerDeps, 'store' | 'clock'> & { log: CoreLog },
  others: Readonly<Record<string, TaskHandler>>,
): Ordering {
  const runner = createOrderRunner(deps);
  const handlers = { ...others, [ORDER_TASK]: runner.handler };
  const steps = createTaskWorker({ ...deps, describe: describeTaskError }, handlers);
  return {
    orders: createOrders(deps),
    presses: createPresses(deps),
    rest: steps.rest,
    async start() {
      await runner
        .wakeAll()
        .catch((error: unknown) => deps.log.error({ err: error }, 'orders go on in a while'));
      steps.start();
    },
    stop: steps.stop,
  };
}

/** What may be written of why a step failed: no code, no name. */
function describeTaskError(error: unknown): object {
  return error instanceof Error ? { name: error.name, message: error.message } : { name: 'unknown' };
}
