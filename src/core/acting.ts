// What asks the platform for something: redemptions, orders, look-ups.
import { createChanges } from './changes.ts';
import { createCheckAfterLoss } from './redemption/after-loss.ts';
import { createFindCharacter, createFindRedemptionTime } from './redemption/look-ups.ts';
import { createOrderList } from './orders/order-list.ts';
import { createOrdering } from './orders/ordering.ts';
import { createRedemptions, type RedeemDeps } from './redemption/redeem.ts';

type ActingDeps = Omit<RedeemDeps, 'checkAfterLoss' | 'isStopping'> &
  Parameters<typeof createCheckAfterLoss>[0] &
  Parameters<typeof createFindCharacter>[0];

/** The verbs, and the orders as a whole. */
export function createActing(deps: ActingDeps, isStopping: () => boolean) {
  const checkAfterLoss = createCheckAfterLoss(deps);
  const redemptions = createRedemptions({ ...deps, checkAfterLoss, isStopping });
  const changes = createChanges(deps.store);
  const ordering = createOrdering({ ...deps, redemptions, changes, isStopping });
  const verbs = {
    redeem: redemptions.redeem,
    beginRedemption: redemptions.begin,
    redemptionEnded: redemptions.ended,
    orders: ordering.orders,
    orderList: createOrderList(deps),
    presses: ordering.presses,
    changes,
    findCharacter: createFindCharacter(deps),
    findRedemptionTime: createFindRedemptionTime(deps),
  };
  return { ordering, verbs };
}
