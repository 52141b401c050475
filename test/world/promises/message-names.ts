// A message is named alike at every address that is told of it: whoever has several knows it again by its name.
import type { Delivered, Receivers } from '../machine/receivers.ts';
import type { World } from '../run/world.ts';

/** By which message each redemption was told first, and when. */
const firstOf = new WeakMap<Receivers, Map<number, { id: string; at: number }>>();

export function judgeName(
  { receivers, diary }: World,
  { id, at, path }: Delivered,
  redemptionId: number,
): string[] {
  const known = firstOf.get(receivers) ?? new Map<number, { id: string; at: number }>();
  firstOf.set(receivers, known);
  const first = known.get(redemptionId);
  // In a past that was lost it may have had another name.
  if (first === undefined || first.at <= diary.restoredAt) {
    known.set(redemptionId, { id, at });
    return [];
  }
  return first.id === id
    ? []
    : [`redemption ${redemptionId} is told by ${first.id}, and at ${path} by ${id}`];
}
