// The upstreams of the settings: the pair of UPSTREAM_URL and UPSTREAM_TOKEN, or the file of several with the profiles
// that it names. Every mistake is told at once, with its place; no token is in a file, and none in a mistake.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { ConfigError, type UpstreamsConfig } from './config.ts';
import { isBareAddress, isVisible } from './config-values.ts';
import { Profile } from './platform/profiles/profile.ts';

export interface UpstreamSettings {
  /** For ever: what was sent there is remembered by it. */
  name: string;
  profileName: string;
  /** The built-in wire, or a file's. */
  profile: 'interface' | Profile;
  url: string;
  token: string;
  /** 1 is chosen first; 0 never. */
  tier: number;
  /** Whether it may be asked about codes that others were sent; the games of which its "unused" counts then. */
  witness: boolean | string[];
  cost?: string | undefined;
  currency?: string | undefined;
  /** Our games as it calls them; absent: all, by the same names. */
  games?: Readonly<Record<string, string>> | undefined;
}

const BUILT_IN = 'interface';
const PROFILE_NAME = /^[a-z][a-z0-9-]{0,63}$/;
const VARIABLE = /^\$[A-Z_][A-Z0-9_]*$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const Entry = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be 1 to 32 of a-z 0-9 -, a letter first'),
    profile: z.string().regex(PROFILE_NAME, 'must be the name of a profile'),
    url: z
      .string()
      .refine(isBareAddress, 'must be an address without user, password, ? and #')
      .refine(isSafe, 'must begin with https://: http goes to this machine alone'),
    token: z.string().regex(VARIABLE, 'must be $NAME of an environment variable, never the token itself'),
    tier: z.int().min(0).max(9).default(1),
    witness: z.union([z.boolean(), z.array(z.string()).min(1)]).default(false),
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

const Entries = z.array(z.unknown()).min(1, 'it names no upstream');

/** What is looked at even where something else of an entry is wrong. */
const Loose = z.object({
  name: z.string().catch(''),
  profile: z.string().catch(BUILT_IN),
  url: z.string().catch(''),
  token: z.string().catch(''),
  games: z.record(z.string(), z.unknown()).optional().catch({}),
  witness: z.array(z.string()).catch([]),
});

/** Reads them. Throws ConfigError with every mistake. `gameIds`: of the catalogue, where it is known. */
export function readUpstreams(config: UpstreamsConfig, gameIds?: readonly string[]): UpstreamSettings[] {
  if (config.kind === 'upstream') {
    const { url, token } = config;
    return [{ name: 'main', profileName: BUILT_IN, profile: BUILT_IN, url, token, tier: 1, witness: false }];
  }
  const mistakes: string[] = [];
  const profiles = readProfiles(config.profiles, mistakes);
  const place = `UPSTREAMS_FILE: ${config.file}`;
  const known = { ...config, profiles, gameIds, names: new Set<string>(), games: new Map() } satisfies Known;
  const entries = readJson(config.file, Entries, place, mistakes) ?? [];
  const upstreams = entries.flatMap((raw, index): UpstreamSettings[] => {
    const parsed = Entry.safeParse(raw);
    const judged = judge(Loose.catch(Loose.parse({})).parse(raw), known);
    const told = [...(parsed.error?.issues ?? []), ...judged.mistakes];
    mistakes.push(...told.map(({ path, message }) => `${place} ${placeOf([index, ...path])}: ${message}`));
    if (!parsed.data || !judged.profile) return [];
    const { profile: profileName, url, ...entry } = parsed.data;
    const { profile, token } = judged;
    return [{ ...entry, profileName, profile, url: url.replace(/(?<!\/)\/+$/, ''), token }];
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return upstreams;
}

interface Known {
  readVariable: (name: string) => string | undefined;
  profiles: ReadonlyMap<string, Profile | undefined>;
  gameIds: readonly string[] | undefined;
  /** Those that came before. */
  names: Set<string>;
  /** Our games, and for whom, by what they are at which address. */
  games: Map<string, { game: string; by: string }>;
}

/** What no schema of one entry can know. */
function judge({ name, profile, url, token: variable, games, witness }: z.infer<typeof Loose>, known: Known) {
  const mistakes: { path: string[]; message: string }[] = [];
  const addMistake = (message: string, ...path: string[]) => mistakes.push({ path, message });
  if (name !== '' && known.names.has(name)) addMistake('is the name of another one, too', 'name');
  known.names.add(name);
  const isThere = profile === BUILT_IN || known.profiles.has(profile);
  const there = [BUILT_IN, ...known.profiles.keys()].join(', ');
  if (PROFILE_NAME.test(profile) && !isThere)
    addMistake(`there is no such profile; there are ${there}`, 'profile');
  const token = VARIABLE.test(variable) ? (known.readVariable(variable.slice(1)) ?? '') : undefined;
  if (token === '') addMistake(`${variable.slice(1)} is not set`, 'token');
  else if (token !== undefined && !isVisible(token))
    addMistake(`${variable.slice(1)} must be visible ASCII without spaces`, 'token');
  for (const [field, ids] of [
    ['games', Object.keys(games ?? {})],
    ['witness', witness],
  ] as const)
    for (const game of ids)
      if (known.gameIds && !known.gameIds.includes(game))
        addMistake(`is no game; there are ${known.gameIds.join(', ')}`, field, game);
  const address = (URL.parse(url)?.href ?? url).replace(/(?<!\/)\/+$/, '');
  const ours = games ?? Object.fromEntries(known.gameIds?.map((id) => [id, id]) ?? []);
  for (const [game, theirs] of Object.entries(ours)) {
    const place = JSON.stringify([address, theirs]);
    const { game: other, by } = known.games.get(place) ?? { game, by: name };
    const is = `${String(theirs)} is ${other} over there, for ${by}: one code would be sent there for both`;
    if (other !== game) addMistake(is, 'games', ...(games ? [game] : []));
    known.games.set(place, { game: other, by });
  }
  const wire: UpstreamSettings['profile'] | undefined =
    profile === BUILT_IN ? profile : known.profiles.get(profile);
  return { mistakes, profile: wire, token: token ?? '' };
}

/** Throws ConfigError where none of them may ever be chosen. */
export function assertUsable(upstreams: readonly UpstreamSettings[]): void {
  if (!upstreams.some(({ tier }) => tier > 0))
    throw new ConfigError(['UPSTREAMS_FILE: no upstream may be chosen: give one a "tier" of 1 to 9']);
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
  for (const issue of parsed.error?.issues ?? []) {
    // What is wrong with a key, not only that something is.
    const [{ message } = issue] = issue.code === 'invalid_key' ? issue.issues : [issue];
    mistakes.push(`${place} ${placeOf(issue.path)}: ${message}`);
  }
  return parsed.data;
}

const placeOf = (path: readonly PropertyKey[]) => path.map((key) => `/${String(key)}`).join('') || '/';

function isSafe(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.protocol === 'https:' || (parsed !== null && LOOPBACK.test(parsed.hostname));
}
