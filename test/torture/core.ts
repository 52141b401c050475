// Rows 19, 20, 28 and 29: worlds by the verbs of the core alone (test/world/core), until so many rounds of bulk work,
// restores, sets of services or lives of a shop were lived.
import { formatCoreFinding, liveByTheCore } from '../world/core/world.ts';
import type { LifeName } from '../world/core/lives.ts';
import { bindConnections } from '../world/machine/disk.ts';
import { bindThreads, giveThreadsBack } from '../world/machine/threads.ts';
import type { Findings, TortureOptions } from './findings.ts';

export const liveByCore =
  (only: LifeName, what: string) =>
  async ({ count, seed, tell }: TortureOptions): Promise<Findings> => {
    bindConnections();
    bindThreads();
    const { tried, findings } = await liveByTheCore({ seed, only, until: { what, count }, tell });
    giveThreadsBack();
    return { tried, violations: findings.map(formatCoreFinding) };
  };
