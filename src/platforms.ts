// The upstreams that the settings name, made: the sandbox, or services.
import type { Clock } from './clock.ts';
import { ConfigError, type PlatformConfig } from './config.ts';
import type { Games } from './core/index.ts';
import { withGames } from './platform/games-there.ts';
import { identifyPlatform } from './platform/identity.ts';
import type { Platform, Upstream } from './platform/port.ts';
import { createProfiledPlatform } from './platform/profiles/profiled-platform.ts';
import { createSandbox, type SandboxOptions } from './platform/sandbox/sandbox.ts';
import { createUpstream } from './platform/upstream/upstream.ts';
import { chooseUpstream, readUpstreams, type UpstreamSettings } from './upstreams.ts';

/** Throws ConfigError with a sentence for the host. */
export function createPlatforms(config: PlatformConfig, games: Games, clock: Clock): Upstream[] {
  if (config.kind === 'sandbox') {
    const sessionGames = games.all.filter((game) => game.receipts === 'session').map(({ id }) => id);
    return alone(openSandbox({ path: config.path, latencyMs: config.latencyMs, clock, sessionGames }));
  }
  const gameIds = games.all.map(({ id }) => id);
  const all = readUpstreams(config, gameIds);
  chooseUpstream(all);
  return all.map((settings) => {
    const { name, tier, witness, cost, currency, games: theirs } = settings;
    const knows = (gameId: string) => !theirs || gameId in theirs;
    return { name, tier, witness, cost, currency, knows, platform: connectUpstream(settings, clock) };
  });
}

/** One that takes every order, as the sandbox of the settings does. */
export const alone = (platform: Platform, name = 'sandbox-1'): [Upstream] => [
  { name, tier: 1, witness: true, knows: () => true, platform },
];

/** As the database keeps it. Throws ConfigError. */
export function namePlatform(config: PlatformConfig): string {
  if (config.kind === 'sandbox') return identifyPlatform(config);
  return identifyPlatform({ kind: 'upstream', url: chooseUpstream(readUpstreams(config)).url });
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

function openSandbox(options: SandboxOptions): Platform {
  try {
    return createSandbox(options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be opened';
    throw new ConfigError([`SANDBOX_PATH: ${options.path} is no file for the sandbox: ${reason}`]);
  }
}
