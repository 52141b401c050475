// A queue that serves in turn whoever has something in it: however much one has, another waits for one piece of that.
// A utility; it knows nothing of the product.

/** `whose`: undefined is nobody's, of which one goes between any two others. */
export type FairQueue<T extends { whose: number | undefined }> = ReturnType<typeof createFairQueue<T>>;

export function createFairQueue<T extends { whose: number | undefined }>() {
  /** Of each in the order in which it came; whoever was served goes behind the others. */
  const lanes = new Map<number | undefined, T[]>();
  let size = 0;
  let isTurnOfNobody = false;

  function laneOf({ whose }: T): T[] {
    const lane = lanes.get(whose) ?? [];
    lanes.set(whose, lane);
    return lane;
  }

  function findNext(): number | undefined {
    isTurnOfNobody = !isTurnOfNobody && lanes.has(undefined);
    if (!isTurnOfNobody) for (const whose of lanes.keys()) if (whose !== undefined) return whose;
    return undefined;
  }

  return {
    size: () => size,
    push(item: T): void {
      laneOf(item).push(item);
      size += 1;
    },
    shift(): T | undefined {
      const whose = findNext();
      const [lane, next] = [lanes.get(whose), lanes.get(whose)?.shift()];
      if (next) size -= 1;
      lanes.delete(whose);
      if (lane && lane.length > 0) lanes.set(whose, lane);
      return next;
    },
    /** Takes out what stands at the front, as far as that holds for it. */
    removeWhile(holds: (item: T) => boolean): T[] {
      const removed: T[] = [];
      for (const [whose, lane] of lanes) {
        while (lane[0] && holds(lane[0])) removed.push(...lane.splice(0, 1));
        if (lane.length === 0) lanes.delete(whose);
      }
      size -= removed.length;
      return removed;
    },
    /** What came first of each. */
    firsts: (): T[] => [...lanes.values()].flatMap(([first]) => first ?? []),
    /** How many at most go before the next that somebody puts in: of nobody all that is in it. */
    countBefore(whose: number | undefined): number {
      if (whose === undefined) return size;
      const own = lanes.get(whose)?.length ?? 0;
      return Math.min(size, (own + 1) * lanes.size * 2);
    },
  };
}
