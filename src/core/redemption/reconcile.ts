// Settling what was left in doubt: the platform is asked about the same code, with growing pauses, for ever. What its
// answers mean is doubt-rules.ts; here is when that is done, and that it is written (conclude-doubt.ts).
import type { Games } from '../games.ts';
import type { CoreLog } from '../log.ts';
import { conclude, LONGEST_PAUSE_MS, postpone } from './conclude-doubt.ts';
import { readDoubt, type LookDeps, type Watched } from './doubt-known.ts';
import { createLook, type Look } from './doubt-look.ts';
import type { OutcomeMetrics } from './outcome-metrics.ts';
import type { RecordLost } from './record-lost.ts';

export interface Reconcile {
  /** Begins to look at what is due, as far as there are places; a place that becomes free takes the next at once. */
  checkDue(): void;
  /** The same, and resolves when nothing is due and nothing is looked at any more. */
  sweep(): Promise<void>;
  /** Resolves when nothing is looked at any more. */
  settled(): Promise<void>;
}

export interface ReconcileDeps extends LookDeps {
  games: Games;
  log: CoreLog;
  recordLost: RecordLost;
  outcomeMetrics: Pick<OutcomeMetrics, 'settled'>;
}

type CheckDeps = ReconcileDeps & { look: Look };

const LOOKS_AT_ONCE = 50;
/**
 * A look that could not be written down is not repeated sooner: where the store fails, the platform is not asked in a
 * loop.
 */
const UNWRITTEN_PAUSE_MS = 60_000;

/** More than this between two looks nobody has watched it. */
const LONGEST_GAP_MS = 20 * 60_000;

/**
 * When this process first knew of a doubt, and has last looked at it, in elapsed time: a calendar that jumps must not
 * shorten the settling period.
 */
interface Known {
  since: number;
  lookedAt: number;
  watchedMs: number;
}

/** What is listed of a doubt; its secrets are opened when it is looked at. */
type Due = { id: number; looks: number };

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const { store, clock, log, inFlight } = deps;
  const watched = new Map<number, Known>();
  const looking = new Map<number, Promise<void>>();
  const pausedUntil = new Map<number, number>();
  const look = createLook(deps);

  /** What this process still carries out is not looked at: "not redeemed" would not be final. */
  const isFree = (id: number) =>
    !looking.has(id) && !inFlight.redemptions.has(id) && (pausedUntil.get(id) ?? 0) <= clock.elapsed();

  async function checkOnce(due: Due): Promise<void> {
    const { id } = due;
    const now = clock.elapsed();
    const { since, lookedAt, watchedMs } = watched.get(id) ?? { since: now, lookedAt: now, watchedMs: 0 };
    const lookedAtMs = watchedMs + Math.min(now - lookedAt, LONGEST_GAP_MS);
    watched.set(id, { since, lookedAt: now, watchedMs: lookedAtMs });
    pausedUntil.delete(id);
    try {
      if (await checkDoubt({ ...deps, look }, id, { forMs: now - since, lookedAtMs })) watched.delete(id);
    } catch (error) {
      log.error({ err: error, redemptionId: id }, 'a doubt could not be settled');
      await store
        .write((tables) => {
          const looksTold = tables.redemptions.find(id)?.looksTold ?? null;
          const said = { longestMs: LONGEST_PAUSE_MS, said: 'failed' } as const;
          postpone(deps, tables, { ...due, looksTold }, said);
        })
        .catch(() => pausedUntil.set(id, clock.elapsed() + UNWRITTEN_PAUSE_MS));
    }
  }

  function checkDue(): void {
    const places = LOOKS_AT_ONCE - looking.size;
    if (places === 0 || inFlight.giveUp.signal.aborted) return;
    // Those that are not free are due, too.
    const limit = LOOKS_AT_ONCE + looking.size + pausedUntil.size;
    const listed = store.read((tables) => tables.redemptions.listDue(clock.now(), LONGEST_PAUSE_MS, limit));
    for (const due of listed.filter(({ id }) => isFree(id)).slice(0, places)) {
      const look = checkOnce(due).then(() => {
        looking.delete(due.id);
        checkAgain();
      });
      looking.set(due.id, look);
    }
  }

  function checkAgain(): void {
    try {
      checkDue();
    } catch (error) {
      log.error({ err: error }, 'doubts could not be read, it is tried again');
    }
  }

  async function settled(): Promise<void> {
    while (looking.size > 0) await Promise.race(looking.values());
  }

  return {
    checkDue,
    async sweep() {
      checkDue();
      await settled();
    },
    settled,
  };
}

/** One look: true when it settled the doubt (or somebody else had), false when it has to be looked at again. */
async function checkDoubt(deps: CheckDeps, id: number, watched: Watched): Promise<boolean> {
  const { store, upstreams, look } = deps;
  const open = store.read((tables) => readDoubt(tables, id));
  if (!open) return true;
  const end = await look(open, watched);
  const conclusion = await store.write((tables) => conclude(deps, tables, open.doubt, end));
  if (conclusion === 'spentElsewhere') upstreams.readPauses();
  if (conclusion !== 'postponed' && conclusion !== 'settledBefore')
    deps.outcomeMetrics.settled(id, conclusion);
  return conclusion !== 'postponed';
}
