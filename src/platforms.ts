// The upstreams that the settings name, made: the sandbox, or services.
import type { Clock } from './clock.ts';
import { ConfigError, type PlatformConfig } from './config.ts';
import type { Games } from './core/index.ts';
import { withGames } from './platform/games-there.ts';
import { identifyPlatform, identifyUpstream } from './platform/identity.ts';
import type { Platform, Upstream } from './platform/port.ts';
import { createProfiledPlatform } from './platform/profiles/profiled-platform.ts';
import { createSandboxes, type SandboxOptions } from './platform/sandbox/sandbox.ts';
import { createUpstream } from './platform/upstream/upstream.ts';
import { UPSTREAMS, type PlatformIdentity } from './store/engine/identity.ts';
import { assertUsable, readUpstreams, type UpstreamSettings } from './upstreams.ts';

/** Throws ConfigError with a sentence for the host. */
export function createPlatforms(config: PlatformConfig, games: Games, clock: Clock): Upstream[] {
  if (config.kind === 'sandbox') {
    const sessionGames = games.all.filter((game) => game.receipts === 'session').map(({ id }) => id);
    const { path, latencyMs, upstreams: count } = config;
    const all = nameSandboxes(openSandboxes({ path, latencyMs, count, clock, sessionGames }));
    // They share one truth.
    const gameIds = games.all.map(({ id }) => id);
    return all.map((each) => ({ ...each, witness: each.witness && gameIds }));
  }
  const gameIds = games.all.map(({ id }) => id);
  const all = readUpstreams(config, gameIds);
  assertUsable(all);
  return all.map((settings) => toUpstream(settings, clock));
}

/** As the service has it. */
export function toUpstream(settings: UpstreamSettings, clock: Clock): Upstream {
  const { name, profileName: profile, tier, witness, cost, currency, games: theirs } = settings;
  const knows = (gameId: string) => !theirs || gameId in theirs;
  return { name, profile, tier, witness, cost, currency, knows, platform: connectUpstream(settings, clock) };
}

/** One that takes every order, as the sandbox of the settings does. */
export const alone = <P>(platform: P, name = 'sandbox-1'): [Omit<Upstream, 'platform'> & { platform: P }] => [
  { name, profile: 'sandbox', tier: 1, witness: true, knows: () => true, platform },
];

/** The third is no witness: what only others know of a code, it is not asked. */
const NO_WITNESS = 3;

/** As the settings have several sandboxes. */
export const nameSandboxes = <P>(sandboxes: readonly P[]) =>
  sandboxes.flatMap((platform, index) => {
    const witness = index + 1 !== NO_WITNESS;
    return alone(platform, nameSandbox(index)).map((each) => ({ ...each, witness }));
  });

const nameSandbox = (index: number) => `sandbox-${index + 1}`;

/** As the database keeps them. Throws ConfigError. */
export function identifyPlatforms(config: PlatformConfig): PlatformIdentity {
  if (config.kind === 'sandbox') {
    const names = Array.from({ length: config.upstreams }, (_, index) => nameSandbox(index));
    return { platform: identifyPlatform(config), upstreams: new Map(names.map((name) => [name, 'sandbox'])) };
  }
  const upstreams = new Map(readUpstreams(config).map((each) => [each.name, identifyUpstream(each)]));
  return { platform: config.kind === 'upstream' ? identifyPlatform(config) : UPSTREAMS, upstreams };
}

/** One of them, whether it may be chosen or not. */
export function connectUpstream(upstream: UpstreamSettings, clock: Clock): Platform {
  const { name, profile, url, token, games } = upstream;
  const platform =
    profile === 'interface'
      ? createUpstream({ url, token, clock })
      : createProfiledPlatform({ name, profile, url, token, clock });
  return games ? withGames(platform, name, games) : platform;
}

function openSandboxes(options: SandboxOptions & { count: number }): Platform[] {
  try {
    return createSandboxes(options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be opened';
    throw new ConfigError([`SANDBOX_PATH: ${options.path} is no file for the sandbox: ${reason}`]);
  }
}
