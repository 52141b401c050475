// What asks the platform for something: redemptions, orders, claim links, look-ups.
import { createClaims } from './claims/claims.ts';
import { createClaimList } from './claims/claim-list.ts';
import { createIssueClaims, createQuoteClaims } from './claims/issue.ts';
import { createClaimIssues } from './claims/issues.ts';
import { createRestoredClaims } from './claims/restored.ts';
import { createSetPlayer } from './claims/set-player.ts';
import { createVisits } from './claims/visits.ts';
import { createChanges } from './changes.ts';
import { createDoubtHandler, type DoubtTaskDeps } from './redemption/doubt-task.ts';
import { createFindCharacter, createFindRedemptionTime } from './redemption/look-ups.ts';
import { createOrderList } from './orders/order-list.ts';
import { createRedemptions, type RedeemDeps } from './redemption/redeem.ts';
import { createFindRepeated } from './redemption/repeated.ts';
import { DOUBT_TASK } from './redemption/settle.ts';
import { createSweepHandler, SWEEP_TASK, type SweepDeps } from './redemption/sweep.ts';
import { createTaskWorker } from './tasks/worker.ts';
import { createOrders } from './orders/orders.ts';
import { ORDER_TASK } from './orders/place.ts';
import { createPresses } from './orders/presses.ts';
import { createOrderRunner, type OrderRunnerDeps } from './orders/runner.ts';

type ActingDeps = Omit<RedeemDeps, 'findRepeated' | 'isStopping'> &
  SweepDeps &
  DoubtTaskDeps &
  Parameters<typeof createFindRepeated>[0] &
  Parameters<typeof createFindCharacter>[0] &
  Pick<OrderRunnerDeps, 'upstreams'>;

/** The verbs, and what goes on by itself: the worker of the steps of orders and of whatever else is a task of the core. */
export function createActing(deps: ActingDeps, isStopping: () => boolean) {
  const { store, log } = deps;
  const findRepeated = createFindRepeated(deps);
  const redemptions = createRedemptions({ ...deps, findRepeated, isStopping });
  const acting = { ...deps, redemptions, changes: createChanges(store), isStopping };
  const runner = createOrderRunner(acting);
  const handlers = {
    [SWEEP_TASK]: createSweepHandler(deps),
    [DOUBT_TASK]: createDoubtHandler(deps),
    [ORDER_TASK]: runner.handler,
  };
  const worker = createTaskWorker({ ...deps, describe: describeTaskError }, handlers);
  const findCharacter = createFindCharacter(deps);
  const claiming = { ...deps, findCharacter, findRepeated, isStopping };
  const claims = createClaims(deps);
  const verbs = {
    redeem: redemptions.redeem,
    beginRedemption: redemptions.begin,
    orders: createOrders(acting),
    orderList: createOrderList(deps),
    presses: createPresses(acting),
    changes: acting.changes,
    claims: {
      ...claims,
      ...createClaimIssues(deps),
      ...createRestoredClaims(deps),
      quote: createQuoteClaims(deps),
      issue: createIssueClaims(claiming),
      setPlayer: createSetPlayer({ ...claiming, reopen: claims.reopen }),
    },
    claimList: createClaimList(deps),
    visits: createVisits(claiming),
    findCharacter,
    findRedemptionTime: createFindRedemptionTime(deps),
  };
  return {
    verbs,
    /** Runs what is due, as it does by itself. */
    rest: worker.rest,
    /** What was open goes on. Never rejects. */
    async start(): Promise<void> {
      await runner.wakeAll().catch((error: unknown) => log.error({ err: error }, 'orders go on in a while'));
      worker.start();
    },
    /** Begins nothing more. */
    stop: worker.stop,
  };
}

/** What may be written of why a step failed: no code, no name. */
function describeTaskError(error: unknown): object {
  return error instanceof Error ? { name: error.name, message: error.message } : { name: 'unknown' };
}
