// Loaded into the real service by `node --import`: its clocks are ahead by as much as the parent says, so that a day
// needs no waiting. Timers do not notice.

/** What the parent may ask. */
export interface AheadCommand {
  aheadMs: number;
}

// Importing it elsewhere, for the name above, does nothing.
if (process.channel && process.env.TORTURE_AHEAD !== undefined) moveClocks();

function moveClocks(): void {
  let ahead = 0;
  const [calendar, runTime] = [Date.now, performance.now.bind(performance)];
  Date.now = () => calendar() + ahead;
  performance.now = () => runTime() + ahead;
  process.on('message', ({ aheadMs, id }: AheadCommand & { id: number }) => {
    ahead = aheadMs;
    process.send?.({ id });
  });
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
}
