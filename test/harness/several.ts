// A core over several scripted upstreams, each a region of its own unless a test lets them share what they have
// redeemed.
import type { Core, CoreDeps } from '../../src/core/index.ts';
import type { RedeemOutcome, Upstream } from '../../src/platform/port.ts';
import Database from 'better-sqlite3';
import { openTestCore, type TestCore } from './core.ts';
import { createScriptedPlatform, type ScriptedPlatform } from './platform.ts';

export interface SeveralUpstreams extends Omit<TestCore, 'core' | 'platform' | 'restart'> {
  core: Core;
  /** By name, in the order of their settings. */
  upstreams: Record<string, ScriptedPlatform>;
  /** Another process over the same store. */
  restart(): Core;
  /** Rows as they stand in the file. */
  rows(sql?: string): Record<string, unknown>[];
  /** By another process. */
  change(sql: string): void;
}

type Settings = Partial<Omit<Upstream, 'platform'>> & { wire?: Partial<ScriptedPlatform> };

/** `settings`: by name. `share`: what one has redeemed, all know as redeemed. */
export async function openSeveral(
  settings: Record<string, Settings>,
  { share = false, ...parts }: { share?: boolean } & Partial<CoreDeps> = {},
): Promise<SeveralUpstreams> {
  const t = await openTestCore();
  const spent: ScriptedPlatform['spent'] = new Map();
  const upstreams: Record<string, ScriptedPlatform> = {};
  for (const [name, { wire }] of Object.entries(settings)) {
    const platform = createScriptedPlatform(() => t.clock.now(), share ? spent : undefined);
    upstreams[name] = Object.assign(platform, wire);
  }
  const all = Object.entries(settings).map(([name, { wire: _wire, ...given }]): Upstream => {
    const platform = upstreams[name];
    if (!platform) throw new Error(`There is no ${name}.`);
    return { name, profile: 'scripted', tier: 1, witness: false, knows: () => true, ...given, platform };
  });
  const restart = () => t.restart({ upstreams: all, ...parts });
  const open = () => new Database(t.store.path);
  return {
    ...t,
    core: restart(),
    upstreams,
    restart,
    rows(sql = 'select * from attempts order by redemption_id, n') {
      const file = open();
      const found = file.prepare(sql).all() as Record<string, unknown>[];
      file.close();
      return found;
    },
    change(sql) {
      const file = open();
      file.exec(sql);
      file.close();
    },
  };
}

export const refused = (
  errorCode: Extract<RedeemOutcome, { status: 'refused' }>['errorCode'],
  more: Partial<Extract<RedeemOutcome, { status: 'refused' }>> = {},
): RedeemOutcome => ({ status: 'refused', errorCode, message: errorCode, asked: true, ...more });

export const NEVER_SENT = refused('NETWORK_ERROR', { asked: false, neverSent: true });
export const LOST = { status: 'unknown', errorCode: 'UNKNOWN', message: 'silence' } as const;
