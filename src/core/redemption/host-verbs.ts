// What whoever hosts the service may do about redemptions and about where they are sent: doubts, and the upstreams with
// how each stands and has served, what it proves by and what is not proven of it.
import { DAY_MS, type CoreClock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import type { Games } from '../games.ts';
import { requireHost, type HostActor } from '../context.ts';
import { createDoubts } from './doubts.ts';
import { createSweepsForHost } from './sweep.ts';
import { sumCosts } from '../upstreams/costs.ts';
import { createUpstreamPauses } from '../upstreams/pauses.ts';
import { listProofs, type UpstreamProof } from '../upstreams/proofs.ts';
import type { UpstreamState, Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';

export interface UpstreamSummary extends UpstreamState {
  profile: string;
  provesBy: UpstreamProof[];
  /** Of the last 24 hours, as far as the newest attempts of all go back. */
  day: { attempts: number; redeemed: number; medianMs: number | undefined; costs: string[] };
  /** What it was sent that is not proven. */
  open: number;
  unknown: number;
}

interface Deps {
  store: Store;
  clock: CoreClock;
  games: Games;
  upstreams: Upstreams;
  witnesses: Pick<Witnesses, 'list'>;
}

/** What the host alone may do about redemptions and about where they are sent. */
export interface HostVerbs {
  /** What is in doubt. */
  doubts: ReturnType<typeof createDoubts>;
  /** Where codes are sent. */
  upstreams: ReturnType<typeof createUpstreamsForHost>;
  /** What is asked about before it is sold, after a restore. */
  sweeps: ReturnType<typeof createSweepsForHost>;
}

export const createHostVerbs = (deps: Deps): HostVerbs => ({
  doubts: createDoubts(deps),
  upstreams: createUpstreamsForHost(deps),
  sweeps: createSweepsForHost(deps),
});

/** So many attempts are looked through, whatever a day has had. */
const LOOKED_THROUGH = 5_000;

/** The verbs about upstreams, for the host alone. */
function createUpstreamsForHost(deps: Deps) {
  const { store, clock, upstreams } = deps;
  return {
    ...createUpstreamPauses(deps),
    list(actor: HostActor): UpstreamSummary[] {
      requireHost(actor);
      const { newest, unproven } = store.read(({ attemptFigures }) => ({
        newest: attemptFigures.listNewest(LOOKED_THROUGH),
        unproven: attemptFigures.countUnproven(),
      }));
      const since = clock.now() - DAY_MS;
      return upstreams.list().map((state) => {
        const upstream = upstreams.find(state.name);
        const own = newest.filter(({ upstream: name, begunAt }) => name === state.name && begunAt >= since);
        const count = (of: 'open' | 'unknown') =>
          unproven.find((each) => each.upstream === state.name && each.state === of)?.count ?? 0;
        return {
          ...state,
          profile: upstream?.profile ?? '',
          provesBy: upstream ? listProofs(upstream.platform) : [],
          day: measureDay(own),
          ...{ open: count('open'), unknown: count('unknown') },
        };
      });
    },
  };
}

type Newest = ReturnType<Tables['attemptFigures']['listNewest']>;

function measureDay(attempts: Newest): UpstreamSummary['day'] {
  const ended = attempts.filter(({ state }) => state !== 'open');
  const redeemed = ended.filter(({ state }) => state === 'spent');
  const times = redeemed
    .flatMap(({ proof, begunAt, endedAt }) => (proof === 'answer' && endedAt ? [endedAt - begunAt] : []))
    .sort((a, b) => a - b);
  return {
    ...{ attempts: ended.length, redeemed: redeemed.length },
    costs: sumCosts(redeemed.flatMap(({ cost }) => cost ?? [])),
    medianMs: times[Math.floor(times.length / 2)],
  };
}
