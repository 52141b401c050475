// The upstreams of the settings: the pair of UPSTREAM_URL and UPSTREAM_TOKEN, or the file of several with the profiles that it names.
// Every mistake is told at once, with its place; no token is in a file, and none in a mistake.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { ConfigError, type UpstreamsConfig } from './config.ts';
import { isBareAddress, isVisible } from './config-values.ts';
import { Profile } from './platform/profiles/profile.ts';

export interface Upstream {
  /** For ever: what was sent there is remembered by it. */
  name: string;
  /** The built-in wire, or a file's. */
  profile: 'interface' | Profile;
  url: string;
  token: string;
  /** 1 is chosen first; 0 never. */
  tier: number;
  /** Whether it may be asked about codes that others were sent. */
  witness: boolean;
  cost?: string | undefined;
  currency?: string | undefined;
  /** Our games as it calls them; absent: all, by the same names. */
  games?: Readonly<Record<string, string>> | undefined;
}

const BUILT_IN = 'interface';
const PROFILE_NAME = /^[a-z][a-z0-9-]{0,63}$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const Entry = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z 0-9 -, a letter first'),
    profile: z.string().regex(PROFILE_NAME, 'must be the name of a profile'),
    url: z
      .string()
      .refine(isBareAddress, 'must be an address without user, password, ? and #')
      .refine(isSafe, 'must begin with https://: http goes to this machine alone'),
    token: z
      .string()
      .regex(/^\$[A-Z_][A-Z0-9_]*$/, 'must be $NAME of an environment variable, never the token itself'),
    tier: z.int().min(0).max(9).default(1),
    witness: z.boolean().default(false),
    cost: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount like "0.30"')
      .optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three capital letters')
      .optional(),
    games: z.record(z.string(), z.string().min(1)).optional(),
  })
  .refine((entry) => (entry.cost === undefined) === (entry.currency === undefined), {
    path: ['currency'],
    message: 'belongs beside cost: both or neither',
  });

const File = z.array(Entry).min(1, 'names no upstream');

/** Reads them. Throws ConfigError with every mistake. `gameIds`: of the catalogue, where it is known. */
export function readUpstreams(config: UpstreamsConfig, gameIds?: readonly string[]): Upstream[] {
  if (config.kind === 'upstream')
    return [
      { name: 'main', profile: BUILT_IN, url: config.url, token: config.token, tier: 1, witness: false },
    ];
  const mistakes: string[] = [];
  const profiles = readProfiles(config.profiles, mistakes);
  const place = `UPSTREAMS_FILE: ${config.file}`;
  const entries = readJson(config.file, File, place, mistakes) ?? [];
  const upstreams = entries.map(({ token: variable, ...entry }, index): Upstream => {
    const tell = (field: string, why: string) => mistakes.push(`${place} /${index}/${field}: ${why}`);
    const profile = entry.profile === BUILT_IN ? BUILT_IN : profiles.get(entry.profile);
    if (!profile && !profiles.has(entry.profile))
      tell('profile', `there is no such profile; there are ${[BUILT_IN, ...profiles.keys()].join(', ')}`);
    if (entries.findIndex(({ name }) => name === entry.name) < index)
      tell('name', 'is the name of another one, too');
    const token = config.readVariable(variable.slice(1)) ?? '';
    if (token === '') tell('token', `${variable.slice(1)} is not set`);
    else if (!isVisible(token)) tell('token', `${variable.slice(1)} must be visible ASCII without spaces`);
    for (const game of Object.keys(entry.games ?? {}))
      if (gameIds && !gameIds.includes(game))
        tell(`games/${game}`, `is no game; there are ${gameIds.join(', ')}`);
    return { ...entry, url: entry.url.replace(/(?<!\/)\/+$/, ''), token, profile: profile ?? BUILT_IN };
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return upstreams;
}

/** The one that serves. Throws ConfigError where that is not one. */
export function chooseUpstream(upstreams: readonly Upstream[]): Upstream {
  const usable = upstreams.filter(({ tier }) => tier > 0);
  const [only, another] = usable;
  if (!only)
    throw new ConfigError(['UPSTREAMS_FILE: no upstream may be chosen: give one a "tier" of 1 to 9']);
  if (!another) return only;
  const names = usable.map(({ name }) => name).join(', ');
  throw new ConfigError([
    `UPSTREAMS_FILE: ${names} may be chosen, and this version serves one: give all others "tier": 0`,
  ]);
}

/** By name, from `<name>.json`; undefined for one with a mistake, which is told. */
function readProfiles(folder: string, mistakes: string[]): Map<string, Profile | undefined> {
  const place = `UPSTREAM_PROFILES: ${folder}`;
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  } catch {
    mistakes.push(`${place}: cannot be read as a folder`);
  }
  return new Map(
    files.sort().map((file) => {
      const name = file.slice(0, -'.json'.length);
      if (!PROFILE_NAME.test(name) || name === BUILT_IN || name === 'sandbox')
        mistakes.push(`${place}/${file}: is no name for a profile`);
      return [name, readJson(join(folder, file), Profile, `${place}/${file}`, mistakes)];
    }),
  );
}

function readJson<T>(file: string, schema: z.ZodType<T>, place: string, mistakes: string[]): T | undefined {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    mistakes.push(`${place}: ${why}`);
    return undefined;
  }
  const parsed = schema.safeParse(json);
  for (const { path, message } of parsed.error?.issues ?? [])
    mistakes.push(`${place} ${path.map((key) => `/${String(key)}`).join('')}: ${message}`);
  return parsed.data;
}

function isSafe(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' || (parsed !== null && LOOPBACK.test(parsed.hostname));
}
