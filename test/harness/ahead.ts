// Loaded into the real service by `node --import`: its clocks are ahead by as much as the parent says, so that a day
// needs no waiting.

/** What the parent may ask; it replaces what was asked before. */
export interface AheadCommand {
  aheadMs: number;
  /** Of the calendar alone, beside that. */
  jumpMs?: number;
  /** What waits for a moment that is past by then is done at once. Else timers do not notice. */
  wakes?: boolean;
}

// Importing it elsewhere, for the name above, does nothing.
if (process.channel && process.env.TORTURE_AHEAD !== undefined) moveClocks();

function moveClocks(): void {
  let [ahead, jump] = [0, 0];
  const [calendar, runTime] = [Date.now, performance.now.bind(performance)];
  Date.now = () => calendar() + ahead + jump;
  performance.now = () => runTime() + ahead;
  const wake = watchTimers();
  process.on('message', (asked: Partial<AheadCommand> & { id: number }) => {
    if (asked.aheadMs === undefined) return;
    [ahead, jump] = [asked.aheadMs, asked.jumpMs ?? 0];
    if (asked.wakes) wake();
    process.send?.({ id: asked.id });
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}

/** Returns what fires those whose moment is past. */
function watchTimers(): () => void {
  const { setTimeout: begin, clearTimeout: end } = globalThis;
  const waiting = new Map<unknown, { at: number; fire: () => void }>();
  const wait = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const fire = () => {
      waiting.delete(timer);
      end(timer);
      work(...args);
    };
    const timer = begin(fire, ms);
    waiting.set(timer, { at: performance.now() + ms, fire });
    return timer;
  };
  globalThis.setTimeout = Object.assign(wait, begin) as never;
  globalThis.clearTimeout = (timer) => {
    waiting.delete(timer);
    end(timer);
  };
  return () => {
    for (const { at, fire } of [...waiting.values()]) if (at <= performance.now()) fire();
  };
}
