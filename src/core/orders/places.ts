// The places of orders under way: so many side by side of an account and in all, accounts in turn. Held while a
// redemption is carried out by this process; what is in doubt holds none.

export interface Places {
  /** Whether the order has a place; where it has not, it stands in the line of its account. */
  take(accountId: number, orderId: number): boolean;
  /** Gives its place up, or leaves the line; the orders that have one by that. Safe to repeat. */
  free(orderId: number): number[];
}

export function createPlaces(most: { ofAccount: number; inAll: number }): Places {
  /** Whose are those that have a place or stand in a line. */
  const accounts = new Map<number, number>();
  const held = new Map<number, Set<number>>();
  /** By account, in turn: the first line is served first, and goes behind the others. */
  const lines = new Map<number, Set<number>>();
  let inAll = 0;

  const hasRoom = (accountId: number) =>
    inAll < most.inAll && (held.get(accountId)?.size ?? 0) < most.ofAccount;

  function hold(accountId: number, orderId: number): void {
    const own = held.get(accountId) ?? new Set();
    held.set(accountId, own.add(orderId));
    inAll += 1;
  }

  function leaveLine(accountId: number, orderId: number): void {
    const line = lines.get(accountId);
    line?.delete(orderId);
    if (line?.size === 0) lines.delete(accountId);
  }

  function serve(): number[] {
    const served: number[] = [];
    for (const [accountId, line] of [...lines]) {
      const [first] = line;
      if (first === undefined || !hasRoom(accountId)) continue;
      leaveLine(accountId, first);
      // Behind the others.
      if (lines.delete(accountId)) lines.set(accountId, line);
      hold(accountId, first);
      served.push(first);
    }
    return served;
  }

  return {
    take(accountId, orderId) {
      accounts.set(orderId, accountId);
      if (held.get(accountId)?.has(orderId)) return true;
      const line = lines.get(accountId);
      const isNext = (line?.size ?? 0) === 0 || line?.values().next().value === orderId;
      if (isNext && hasRoom(accountId)) {
        leaveLine(accountId, orderId);
        hold(accountId, orderId);
        return true;
      }
      lines.set(accountId, (line ?? new Set()).add(orderId));
      return false;
    },
    free(orderId) {
      const accountId = accounts.get(orderId);
      if (accountId === undefined) return [];
      accounts.delete(orderId);
      leaveLine(accountId, orderId);
      const own = held.get(accountId);
      if (own?.delete(orderId)) inAll -= 1;
      if (own?.size === 0) held.delete(accountId);
      return serve();
    },
  };
}
