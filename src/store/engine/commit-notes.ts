// Notes of what has changed, told after the commit.

/** What was noted since the last commit is told after the next; what was undone is told of, too. */
export function createCommitNotes() {
  const names = new Set<string>();
  const listeners: ((names: readonly string[]) => void)[] = [];
  return {
    note: (name: string) => void names.add(name),
    listen: (listener: (names: readonly string[]) => void) => void listeners.push(listener),
    notify() {
      if (names.size === 0) return;
      const told = [...names];
      names.clear();
      for (const listener of listeners) listener(told);
    },
  };
}
