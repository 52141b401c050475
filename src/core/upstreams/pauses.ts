// Pauses of upstreams: by a host, or by its own answer that our key or balance there is at fault. Kept until somebody
// resumes it.
import type { CoreClock } from '../../clock.ts';
import type { Upstream } from '../../platform/port.ts';
import type { Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { requireHost, type HostActor } from '../context.ts';

export interface UpstreamPause {
  /** ms UTC */
  at: number;
  by: 'host' | 'service';
  reason: string;
}

export type UpstreamPauses = Readonly<Record<string, UpstreamPause>>;

interface Deps {
  store: Store;
  clock: Pick<CoreClock, 'now'>;
  upstreams: { all: readonly Pick<Upstream, 'name'>[] };
}

/** `unknown`: there is no such upstream. `unchanged`: it was so. */
export type PauseAnswer = { status: 'paused' | 'resumed' | 'unchanged' | 'unknown' };

/** Pauses it; false where it was paused. */
export function pauseUpstream(
  tables: Tables,
  name: string,
  { actor, reason, now }: { actor: HostActor | { kind: 'service' }; reason: string; now: number },
): boolean {
  const pauses = tables.upstreamPauses.find();
  if (pauses[name]) return false;
  const by = actor.kind === 'host' ? actor.kind : 'service';
  tables.upstreamPauses.save({ ...pauses, [name]: { at: now, by, reason } });
  record(tables, actor, 'upstreamPaused', { accountId: null, object: name, reason }, now);
  return true;
}

/** The verbs of hosts. */
export function createUpstreamPauses({ store, clock, upstreams }: Deps) {
  const change = async (name: string, work: (tables: Tables) => PauseAnswer): Promise<PauseAnswer> => {
    if (!upstreams.all.some((each) => each.name === name)) return { status: 'unknown' };
    return store.write(work);
  };
  return {
    /** Nothing is sent there until it is resumed; what it was sent it is still asked about. */
    pause: (actor: HostActor, name: string, reason: string): Promise<PauseAnswer> => {
      requireHost(actor);
      return change(name, (tables) => {
        const isNew = pauseUpstream(tables, name, { actor, reason, now: clock.now() });
        return { status: isNew ? 'paused' : 'unchanged' };
      });
    },
    resume: (actor: HostActor, name: string, reason?: string): Promise<PauseAnswer> => {
      requireHost(actor);
      return change(name, (tables) => {
        const { [name]: pause, ...others } = tables.upstreamPauses.find();
        if (!pause) return { status: 'unchanged' };
        tables.upstreamPauses.save(others);
        const resumed = { accountId: null, object: name, reason };
        record(tables, actor, 'upstreamResumed', resumed, clock.now());
        return { status: 'resumed' };
      });
    },
  };
}
