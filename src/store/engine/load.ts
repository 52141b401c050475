// How long what waits will take to write, by what was written lately: whether something new may still begin.

/** More than this in waiting, and nothing new begins: whoever asks would get no answer in a time he waits for. */
const CROWDED_MS = 2_000;
/** Fewer never are a crowd: one slow commit would else turn people away from an idle service. */
const FLOOR = 128;
/** More always are one, however fast it goes: what waits is held in memory. */
const CEILING = 10_000;
/** How much the newest commit counts in the average. */
const NEWEST = 1 / 8;

/** Of one commit: the writes in it by kind and the work they were, and all else (COMMIT, other work of the event loop). */
export interface CommitFigures {
  ordinary: { writes: number; ms: number };
  bulk: { writes: number; ms: number };
  restMs: number;
}

/** What waits, by kind. */
interface Waiting {
  ordinary: number;
  bulk: number;
}

export interface Load {
  observe(commit: CommitFigures): void;
  /** Whether more waits than is written in about 2 s, at most so many writes and so much work a commit. */
  isCrowd(waiting: Waiting, perCommit: { writes: number; ms: number }): boolean;
}

/** Moving averages of recent commits; before the first one only the number counts. */
export function createLoad(): Load {
  let ordinaryMs = 0;
  let bulkMs = 0;
  let restMs = 0;
  const average = (old: number, newest: number) => old + (newest - old) * NEWEST;

  return {
    observe({ ordinary, bulk, restMs: rest }) {
      if (ordinary.writes > 0) ordinaryMs = average(ordinaryMs, ordinary.ms / ordinary.writes);
      if (bulk.writes > 0) bulkMs = average(bulkMs, bulk.ms / bulk.writes);
      restMs = average(restMs, rest);
    },
    isCrowd({ ordinary, bulk }, perCommit) {
      const writes = ordinary + bulk;
      if (writes < FLOOR || writes > CEILING) return writes > CEILING;
      const workMs = ordinary * ordinaryMs + bulk * bulkMs;
      const commits = Math.max(writes / perCommit.writes, workMs / perCommit.ms);
      return workMs + commits * restMs > CROWDED_MS;
    },
  };
}
