// What asks the platform for something: redemptions, orders, claim links, look-ups.
import { createClaims } from './claims/claims.ts';
import { createIssueClaims } from './claims/issue.ts';
import { createVisits } from './claims/visits.ts';
import { createChanges } from './changes.ts';
import { createDoubtHandler, type DoubtTaskDeps } from './redemption/doubt-task.ts';
import { createFindCharacter, createFindRedemptionTime } from './redemption/look-ups.ts';
import { createOrderList } from './orders/order-list.ts';
import { createOrdering } from './orders/ordering.ts';
import { createRedemptions, type RedeemDeps } from './redemption/redeem.ts';
import { createFindRepeated } from './redemption/repeated.ts';
import { DOUBT_TASK } from './redemption/settle.ts';
import { createSweepHandler, SWEEP_TASK, type SweepDeps } from './redemption/sweep.ts';

type ActingDeps = Omit<RedeemDeps, 'findRepeated' | 'isStopping'> &
  SweepDeps &
  DoubtTaskDeps &
  Parameters<typeof createFindRepeated>[0] &
  Parameters<typeof createFindCharacter>[0];

/** The verbs, and the orders as a whole. */
export function createActing(deps: ActingDeps, isStopping: () => boolean) {
  const findRepeated = createFindRepeated(deps);
  const redemptions = createRedemptions({ ...deps, findRepeated, isStopping });
  const changes = createChanges(deps.store);
  const handlers = { [SWEEP_TASK]: createSweepHandler(deps), [DOUBT_TASK]: createDoubtHandler(deps) };
  const ordering = createOrdering({ ...deps, redemptions, changes, isStopping }, handlers);
  const findCharacter = createFindCharacter(deps);
  const claiming = { ...deps, findCharacter, isStopping };
  const verbs = {
    redeem: redemptions.redeem,
    beginRedemption: redemptions.begin,
    redemptionEnded: redemptions.ended,
    orders: ordering.orders,
    orderList: createOrderList(deps),
    presses: ordering.presses,
    changes,
    claims: { ...createClaims(deps), issue: createIssueClaims(claiming) },
    visits: createVisits(claiming),
    findCharacter,
    findRedemptionTime: createFindRedemptionTime(deps),
  };
  return { ordering, verbs };
}
