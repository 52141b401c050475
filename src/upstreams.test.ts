// The file of upstreams and its profiles: what is read, that every mistake is told at once with its place and no token
// with it, and which one serves.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { ConfigError } from './config.ts';
import { assertUsable, readUpstreams } from './upstreams.ts';

const SHIPPED = fileURLToPath(new URL('../data', import.meta.url));
const EAST = { name: 'east', profile: 'interface', url: 'https://east.example.org', token: '$EAST_TOKEN' };
const VARIABLES: Record<string, string> = {
  EAST_TOKEN: 'hush-east',
  WEST_TOKEN: 'hush-west',
  BAD_TOKEN: 'hush hush',
};
const readVariable = (name: string) => VARIABLES[name];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'upstreams-'));
  mkdirSync(join(folder, 'profiles'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(file: unknown, profiles = join(SHIPPED, 'profiles'), gameIds = ['game_id_1']) {
  writeFileSync(join(folder, 'u.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return readUpstreams({ kind: 'upstreams', file: join(folder, 'u.json'), profiles, readVariable }, gameIds);
}

function mistakesOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toContain('hush');
    return error.mistakes.map((mistake) => mistake.replaceAll(folder, ''));
  }
  return [];
}

test('the file that is shipped as an example holds, and both of it serve', () => {
  const file = join(SHIPPED, 'upstreams.example.json');
  const upstreams = readUpstreams({
    kind: 'upstreams',
    file,
    profiles: join(SHIPPED, 'profiles'),
    readVariable,
  });
  expect(upstreams).toMatchObject([
    { name: 'east', profile: 'interface', token: 'hush-east', tier: 1, witness: true, cost: '0.30' },
    {
      name: 'west',
      profile: { settlingMs: 120_000 },
      token: 'hush-west',
      tier: 2,
      games: { game_id_1: '101' },
    },
  ]);
  expect(() => assertUsable(upstreams)).not.toThrow();
});

test('what is left out has its default', () => {
  expect(read([{ ...EAST, url: 'https://east.example.org/base//' }])).toEqual([
    {
      ...{ ...EAST, url: 'https://east.example.org/base', token: 'hush-east' },
      ...{ profileName: 'interface', tier: 1, witness: false },
    },
  ]);
});

test('the pair is one upstream of the built-in wire', () => {
  const pair = { url: 'https://a.example.org', token: 't' };
  expect(readUpstreams({ kind: 'upstream', ...pair })).toEqual([
    { ...pair, name: 'main', profileName: 'interface', profile: 'interface', tier: 1, witness: false },
  ]);
});

test.each([
  [{ name: 'East' }, '/0/name: must be 1 to 32'],
  [{ name: `e${'x'.repeat(32)}` }, '/0/name: must be 1 to 32'],
  [{ token: 'hush-itself' }, '/0/token: must be $NAME of an environment variable'],
  [{ token: '$NO_TOKEN' }, '/0/token: NO_TOKEN is not set'],
  [{ token: '$BAD_TOKEN' }, '/0/token: BAD_TOKEN must be visible ASCII'],
  [{ url: 'http://east.example.org' }, '/0/url: must begin with https://'],
  [{ url: 'http://127.0.0.1.example.org' }, '/0/url: must begin with https://'],
  [{ url: 'https://user:hush@east.example.org' }, '/0/url: must be an address without user'],
  [{ url: 'https://east.example.org/?hush' }, '/0/url: must be an address without user'],
  [{ url: 'east' }, '/0/url: must be an address'],
  [{ profile: 'nobody' }, '/0/profile: there is no such profile; there are interface, job-poll, result-code'],
  [{ profile: 'sandbox' }, '/0/profile: there is no such profile'],
  [{ profile: '../result-code' }, '/0/profile: must be the name of a profile'],
  [{ tier: 10 }, '/0/tier:'],
  [{ cost: '0,30', currency: 'USD' }, '/0/cost: must be an amount'],
  [{ cost: '0.30' }, '/0/currency: belongs beside cost'],
  [{ games: { game_id_9: '1' } }, '/0/games/game_id_9: is no game; there are game_id_1'],
  [{ speed: 1 }, '/0:'],
])('%j is a mistake', (change, place) => {
  const [mistake = '', ...others] = mistakesOf(() => read([{ ...EAST, ...change }]));
  expect(mistake).toContain(`UPSTREAMS_FILE: /u.json ${place}`.replace('/0:', '/0:'));
  expect(others.filter((other) => !other.includes('/0/url'))).toEqual([]);
});

test.each(['http://127.0.0.1:3001', 'http://localhost:3001', 'http://[::1]:3001/base'])(
  '%s goes to this machine alone',
  (url) => {
    expect(read([{ ...EAST, url }])).toMatchObject([{ url }]);
  },
);

test('every mistake of the file and of the profiles is told at once', () => {
  writeFileSync(join(folder, 'profiles', 'odd.json'), JSON.stringify({ settlingMs: 1, redeem: {} }));
  writeFileSync(join(folder, 'profiles', 'broken.json'), '{');
  const request = { method: 'GET', path: '/' };
  const pointless = { request, answers: [{ http: [200], where: { rc: 0 }, means: 'redeemed' }] };
  writeFileSync(
    join(folder, 'profiles', 'point.json'),
    JSON.stringify({ settlingMs: 1e4, redeem: pointless }),
  );
  writeFileSync(join(folder, 'profiles', 'interface.json'), '{}');
  const file = [
    { ...EAST, token: '$NO_TOKEN', tier: 'x' },
    EAST,
    { ...EAST, name: 'odd', profile: 'nobody' },
  ];
  const mistakes = mistakesOf(() => read(file, join(folder, 'profiles')));
  expect(new Set(mistakes.map((mistake) => mistake.split(': ').slice(0, 2).join(': ')))).toEqual(
    new Set([
      'UPSTREAM_PROFILES: /profiles/broken.json',
      'UPSTREAM_PROFILES: /profiles/interface.json',
      'UPSTREAM_PROFILES: /profiles/interface.json /settlingMs',
      'UPSTREAM_PROFILES: /profiles/interface.json /redeem',
      'UPSTREAM_PROFILES: /profiles/odd.json /settlingMs',
      'UPSTREAM_PROFILES: /profiles/odd.json /redeem/request',
      'UPSTREAM_PROFILES: /profiles/odd.json /redeem/answers',
      'UPSTREAM_PROFILES: /profiles/point.json /redeem/answers/0/where/rc',
      'UPSTREAM_PROFILES: /profiles/point.json /redeem/request',
      'UPSTREAMS_FILE: /u.json /0/tier',
      'UPSTREAMS_FILE: /u.json /0/token',
      'UPSTREAMS_FILE: /u.json /2/profile',
      'UPSTREAMS_FILE: /u.json /1/name',
    ]),
  );
  expect(mistakes.find((mistake) => mistake.includes('/where/rc'))).toContain('must be a JSON Pointer like');
});

const WEST = { ...EAST, name: 'west', token: '$WEST_TOKEN' };

test.each<[string, object[], string[]]>([
  ['by one', [{ ...EAST, games: { a: 'x', b: 'x' } }], ['/0/games/b: x is a over there, for east']],
  [
    'by two of one address',
    [
      { ...EAST, games: { a: 'x' } },
      { ...WEST, url: 'https://EAST.example.org/', games: { b: 'x' } },
    ],
    ['/1/games/b: x is a over there, for east'],
  ],
  [
    'by one that goes by our names',
    [EAST, { ...WEST, games: { b: 'a' } }],
    ['/1/games/b: a is a over there, for east'],
  ],
  [
    'by our names after another',
    [{ ...WEST, games: { b: 'a' } }, EAST],
    ['/1/games: a is b over there, for west'],
  ],
  ['of two addresses', [EAST, { ...WEST, url: 'https://west.example.org', games: { b: 'a' } }], []],
  ['that are two', [EAST, { ...WEST, games: { a: 'a' } }], []],
])('two games of ours that are one over there, %s', (_, file, told) => {
  expect(mistakesOf(() => read(file, undefined, ['a', 'b']))).toEqual(
    told.map((mistake) => `UPSTREAMS_FILE: /u.json ${mistake}: one code would be sent there for both`),
  );
});

test('a file that cannot be read, is not JSON or names nothing is a mistake', () => {
  const gone = { kind: 'upstreams', file: '/nowhere', profiles: '/nowhere', readVariable } as const;
  expect(mistakesOf(() => readUpstreams(gone))).toEqual([
    'UPSTREAM_PROFILES: /nowhere: cannot be read as a folder',
    'UPSTREAMS_FILE: /nowhere: cannot be read',
  ]);
  expect(mistakesOf(() => read('{'))).toEqual(['UPSTREAMS_FILE: /u.json: is not JSON']);
  expect(mistakesOf(() => read([]))).toEqual(['UPSTREAMS_FILE: /u.json /: it names no upstream']);
});

test('those that may be chosen serve; none is refused in a sentence', () => {
  const west = { ...EAST, name: 'west', token: '$WEST_TOKEN' };
  expect(() => assertUsable(read([EAST, { ...west, tier: 0 }]))).not.toThrow();
  expect(() => assertUsable(read([EAST, west]))).not.toThrow();
  expect(mistakesOf(() => assertUsable(read([{ ...EAST, tier: 0 }])))).toEqual([
    expect.stringContaining('no upstream may be chosen'),
  ]);
});
