// A process that redeems and tells how much it wrote: `write_bytes` of /proc/self/io, which counts a page of a file
// each time it becomes dirty. The log, the checkpoints, and the last checkpoint when the file is closed are all in it.
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

import { openBenchCore } from './bench-core.ts';

export interface WrittenBytes {
  /** 0 where the system does not count them. */
  perRedemption: number;
}

process.on('disconnect', () => process.exit());
process.on('message', ({ redemptions }: { redemptions: number }) => {
  void measure(redemptions).then((answer) => process.send?.(answer));
});

async function measure(redemptions: number): Promise<WrittenBytes> {
  const bench = await openBenchCore();
  await bench.fill(redemptions + 1_000);
  // What filling left in the log is not of the redemptions.
  const other = new Database(bench.path);
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
  const before = readWritten();
  await bench.redeem(redemptions);
  await bench.close();
  return { perRedemption: (readWritten() - before) / redemptions };
}

function readWritten(): number {
  try {
    return Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
