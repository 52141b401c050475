// Upstreams of the shipped profiles for tests: a platform that is asked by one, before a server whose answers are
// scripted.
import { readFileSync } from 'node:fs';

import { systemClock } from '../../src/clock.ts';
import type { Send } from '../../src/outgoing.ts';
import type { PlatformOrder, Platform } from '../../src/platform/port.ts';
import { Profile } from '../../src/platform/profiles/profile.ts';
import { createProfiledPlatform } from '../../src/platform/profiles/profiled-platform.ts';

export const PROFILED_TOKEN = 'canary-token-0123456789';
export const PROFILED_ORDER: PlatformOrder = {
  reference: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  gameId: 'game_id_1',
  code: '60Sabcdefghijkl',
  playerId: '5123456789',
  denomination: 60,
};

/** One of data/profiles, by its name. */
export function readShipped(name: string): Profile {
  const file = new URL(`../../data/profiles/${name}.json`, import.meta.url);
  return Profile.parse(JSON.parse(readFileSync(file, 'utf8')));
}

export const connectProfiled = (profile: Profile, url: string, send?: Send): Platform =>
  createProfiledPlatform({ name: 'west', profile, url, token: PROFILED_TOKEN, clock: systemClock, send });
