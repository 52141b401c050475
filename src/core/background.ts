// What the core does by itself. Each is a ticking of its own, so that none waits behind another.
import { createTelling, createTicking, type Ticking } from '../ticking.ts';
import type { Store, Tables } from '../store/index.ts';
import type { WatchSubscriptions } from './accounts/subscriptions.ts';
import { pruneDeliveries } from './accounts/webhook-deliveries.ts';
import type { HostAlerts } from './alerts/host-alerts.ts';
import { expireClaims } from './claims/claims.ts';
import { pruneKeys } from './idempotency.ts';
import type { Logger } from '../log.ts';
import type { Recover } from './redemption/recover.ts';
import { DAY_MS, momentOf, type CoreClock } from '../clock.ts';
import { createScaleSaver } from './monotonic-scale.ts';
import { createWatchAllStock } from './stock/alerts.ts';
import type { Imports } from './stock/imports.ts';
import type { Jobs } from './stock/jobs.ts';

/** Only where the start could not do it; it costs nothing when it is done. */
const RECOVERED_EVERY_MS = 5_000;
const JOBS_EVERY_MS = 500;
const ALERTS_EVERY_MS = 1_000;
const SCALE_KEPT_EVERY_MS = 1_000;
const CHORES_LOOKED_AT_EVERY_MS = 1_000;
const CHORES_EVERY_MS = 60_000;
const PRUNED_AT_ONCE = 500;
const ANSWERS_KEPT_MS = 30 * DAY_MS;
const CREDENTIALS_AT_ONCE = 100;
const IMPORTS_AT_ONCE = 20;
const CLAIMS_AT_ONCE = 20;

export interface BackgroundDeps {
  store: Store;
  recover: Recover;
  watchSubscriptions: WatchSubscriptions;
  imports: Pick<Imports, 'prune' | 'closeInterrupted'>;
  jobs: Pick<Jobs, 'resume' | 'prune'>;
  hostAlerts: Pick<HostAlerts, 'check'>;
  /** How long logins and passwords are kept; for good without it. */
  keepCredentialsMs?: number | undefined;
  clock: CoreClock;
  log: Logger;
}

/** Never two ticks of one work at once; what fails is tried again at its next tick. */
export function createBackground(deps: BackgroundDeps): Ticking {
  const { recover, imports, jobs, hostAlerts, log } = deps;
  const tell = (work: string): Parameters<typeof createTelling> => [
    (error) => log.error({ err: error, work }, 'background work failed, it is tried again'),
    () => log.info({ work }, 'background work goes on'),
  ];
  const tick = (everyMs: number, name: string, work: (isStopping: () => boolean) => Promise<void>) =>
    createTicking(everyMs, work, ...tell(name));
  const tickings = [
    tick(RECOVERED_EVERY_MS, 'recovery', async () => void (await recover())),
    tick(JOBS_EVERY_MS, 'jobs', async () => {
      jobs.resume();
      await imports.closeInterrupted();
    }),
    tick(SCALE_KEPT_EVERY_MS, 'monotonic scale', createScaleSaver(deps)),
    tick(ALERTS_EVERY_MS, 'host alerts', hostAlerts.check),
    tick(CHORES_LOOKED_AT_EVERY_MS, 'chores', createChores(deps, tell)),
  ];
  return {
    start() {
      for (const ticking of tickings) ticking.start();
    },
    async stop() {
      await Promise.all(tickings.map((ticking) => ticking.stop()));
    },
  };
}

/** Soon after the start and once a minute; one that fails keeps none of the others from being done. */
function createChores(
  { store, imports, jobs, watchSubscriptions, keepCredentialsMs = Infinity, clock }: BackgroundDeps,
  tell: (work: string) => Parameters<typeof createTelling>,
): (isStopping: () => boolean) => Promise<void> {
  const pruneAll = async (some: (tables: Tables) => number): Promise<void> => {
    while ((await store.write(some)) === PRUNED_AT_ONCE);
  };
  const chores: Record<string, (isStopping: () => boolean) => Promise<void>> = {
    thresholds: createWatchAllStock({ store, clock }),
    subscriptions: watchSubscriptions,
    keys: () => pruneAll((tables) => pruneKeys(tables, momentOf(clock), PRUNED_AT_ONCE)),
    claims: async () => {
      const expire = () => store.write((tables) => expireClaims(tables, momentOf(clock), CLAIMS_AT_ONCE));
      while ((await expire()) === CLAIMS_AT_ONCE);
    },
    imports: async () => {
      while ((await imports.prune(IMPORTS_AT_ONCE)) === IMPORTS_AT_ONCE);
    },
    jobs: async () => {
      while (await jobs.prune());
    },
    tasks: () => pruneAll(({ tasks }) => tasks.prune(clock.safeNow(), PRUNED_AT_ONCE)),
    'audit log': () => pruneAll(({ auditLog }) => auditLog.prune(clock.safeNow(), PRUNED_AT_ONCE)),
    credentials: async (isStopping) => {
      const until = clock.safeNow() - keepCredentialsMs;
      const prune = () =>
        store.write(({ credentials }) => credentials.prune(until, CREDENTIALS_AT_ONCE), { bulk: true });
      while (until > 0 && !isStopping() && (await prune()) === CREDENTIALS_AT_ONCE);
    },
    'answers of upstreams': () =>
      pruneAll(({ attempts }) => attempts.pruneAnswers(clock.safeNow() - ANSWERS_KEPT_MS, PRUNED_AT_ONCE)),
    webhooks: async (isStopping) => {
      const prune = () => store.write((tables) => pruneDeliveries(tables, momentOf(clock)), { bulk: true });
      while (!isStopping() && (await prune()));
    },
  };
  const all = Object.entries(chores).map(([name, chore]) => ({
    chore,
    telling: createTelling(...tell(name)),
  }));
  let doneAt = -Infinity;
  return async (isStopping) => {
    if (clock.elapsed() - doneAt <= CHORES_EVERY_MS) return;
    doneAt = clock.elapsed();
    for (const { chore, telling } of all) await telling(() => chore(isStopping));
  };
}
