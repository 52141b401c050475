// What an order of several codes does next, from how far it has come; and what is left of it. Nothing but the rows
// decides, so that it goes on wherever it was interrupted.
import { type OrderItem } from '../../core/index.ts';
import type { StoredBulkOrder, StoredBulkItem, NewBulkItem } from '../../store/bot-store.ts';
import type { OrderLine } from './order.ts';

/** Why an order stopped before its end; `order-stopped-<reason>` in the locales says it. */
export type StopReason =
  | 'asked'
  | 'failed'
  | 'doubt'
  | 'quota'
  | 'refusals'
  | 'subscription'
  | 'role'
  | 'account'
  | 'same'
  | 'input'
  | 'restored';

export type Step =
  | { kind: 'begin'; item: StoredBulkItem }
  | { kind: 'wait'; redemptionId: number }
  | { kind: 'end'; reason: StopReason | null };

/**
 * One after another: what is under way is waited for, the first doubt is the end, and so is Stop. After a failure
 * nothing more is begun for its player.
 */
export function nextOrderStep({
  items,
  stopRequested,
}: Pick<StoredBulkOrder, 'items' | 'stopRequested'>): Step {
  const failed = new Set<string>();
  for (const item of items) {
    if (failed.has(item.playerId)) continue;
    if (item.redemptionId === null) {
      return stopRequested ? { kind: 'end', reason: 'asked' } : { kind: 'begin', item };
    }
    switch (item.state) {
      case 'redeemed':
        break;
      case 'pending':
        return { kind: 'wait', redemptionId: item.redemptionId };
      case 'in_doubt':
        return { kind: 'end', reason: 'doubt' };
      default:
        failed.add(item.playerId);
    }
  }
  return { kind: 'end', reason: failed.size > 0 ? 'failed' : null };
}

/** What was never begun. */
export function leftOf({ items }: Pick<StoredBulkOrder, 'items'>): StoredBulkItem[] {
  return items.filter(({ redemptionId }) => redemptionId === null);
}

/** Those of each player, in their order. */
export function byPlayer<T extends { playerId: string }>(items: readonly T[]): T[][] {
  return [...Map.groupBy(items, ({ playerId }) => playerId).values()];
}

export function toLines(items: readonly NewBulkItem[]): OrderLine[] {
  return byPlayer(items).flatMap((own) => {
    const [first] = own;
    return first
      ? [{ player: { playerId: first.playerId, name: first.playerName }, items: countUp(own) }]
      : [];
  });
}

export function countUp(items: readonly { denomination: number }[]): OrderItem[] {
  const counts = new Map<number, number>();
  for (const { denomination } of items) counts.set(denomination, (counts.get(denomination) ?? 0) + 1);
  return [...counts].map(([denomination, count]) => ({ denomination, count }));
}
