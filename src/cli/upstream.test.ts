// `upstream list`, `upstream test`, `upstream pause` and `upstream resume` at the host's command line: what they tell,
// what they cost, and no secret.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runHere } from '../../test/harness/run-here.ts';
import { numberedCodes, openTrader } from '../../test/harness/traded-store.ts';
import { json, startScriptedServer, type ScriptedServer } from '../../test/scripted-server.ts';
import { createStore } from '../store/index.ts';

const DATA = fileURLToPath(new URL('../../data', import.meta.url));
const CODE = 'HUSHHUSH00000001';
let folder: string;
let server: ScriptedServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'upstream-'));
  server = await startScriptedServer();
  const west = { name: 'west', profile: 'result-code', url: server.url, token: '$WEST_TOKEN' };
  const jobs = { name: 'jobs', profile: 'job-poll', url: server.url, token: '$WEST_TOKEN', tier: 0 };
  writeFileSync(join(folder, 'u.json'), JSON.stringify([west, { ...jobs, cost: '0.30', currency: 'USD' }]));
});
afterEach(async () => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
  await server.close();
});

async function run(...args: string[]) {
  return runWith({}, ...args);
}

async function runWith(changes: Record<string, string>, ...args: string[]) {
  const env = { PLATFORM: 'upstream', UPSTREAMS_FILE: 'u.json', UPSTREAM_PROFILES: join(DATA, 'profiles') };
  const more = { GAMES_FILE: join(DATA, 'games.json'), WEST_TOKEN: 'hush-token' };
  const ended = await runHere(folder, ['upstream', ...args], { ...env, ...more, ...changes });
  expect(ended.out + ended.err).not.toMatch(/hush/i);
  const lines = ended.out.split('\n').filter((line) => line !== '');
  return { ...ended, lines: lines.map((line) => JSON.parse(line) as unknown) };
}

/** The code as it is typed, or comes by a pipe. */
async function lookUp(name: string, typed = `${CODE}\n`) {
  const stdin = new PassThrough();
  stdin.write(typed);
  if (typed.trim() === '') stdin.end();
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as unknown as typeof process.stdin);
  const looked = await run('test', '--name', name, '--code', '--game', 'game_id_1');
  // A terminal that is still read keeps the program from its end.
  expect(stdin.readableFlowing).not.toBe(true);
  return looked;
}

const SANDBOXES = { PLATFORM: 'sandbox', UPSTREAMS_FILE: '', SANDBOX_UPSTREAMS: '2' };

test('the list tells of each what a doubt is settled by', async () => {
  const { lines } = await run('list');
  const nothing = { witness: false, games: null };
  expect(lines).toEqual([
    {
      name: 'west',
      profile: 'result-code',
      url: server.url,
      tier: 1,
      cost: null,
      ...nothing,
      provesBy: ['resend'],
    },
    {
      ...{ name: 'jobs', profile: 'job-poll', url: server.url, tier: 0, cost: '0.30 USD', ...nothing },
      provesBy: ['record', 'lookup'],
    },
  ]);
});

test('sandboxes are listed as what they are', async () => {
  const { lines } = await runWith({ ...SANDBOXES, SANDBOX_UPSTREAMS: '3' }, 'list');
  const common = { profile: 'sandbox', url: null, tier: 1, cost: null, games: null, provesBy: ['lookup'] };
  expect(lines).toEqual(
    [true, true, false].map((witness, index) => ({ name: `sandbox-${index + 1}`, witness, ...common })),
  );
});

test('a test asks whether it is there, and of a code only where one is given', async () => {
  server.answerWith((response) => void response.writeHead(200).end());
  const pinged = await run('test', '--name', 'west');
  expect(pinged).toMatchObject({ exitCode: 0, err: '' });
  expect(pinged.lines).toEqual([{ upstream: 'west', asked: 'ping', answer: 'there', costs: 'nothing' }]);
  expect(server.heard.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /health']);

  server.answerWith((response, heard) =>
    heard.method === 'GET'
      ? void response.writeHead(200).end()
      : json(200, { code: CODE, status: 'unused' })(response, heard),
  );
  const looked = await lookUp('jobs');
  const costs = 'what the upstream takes for a look-up';
  expect(looked.lines).toEqual([
    { upstream: 'jobs', asked: 'ping', answer: 'there', costs: 'nothing' },
    { upstream: 'jobs', asked: 'look-up', answer: 'notRedeemed', costs },
  ]);
});

test('what is wrong is said, with exit 1', async () => {
  expect(await run('test', '--name', 'nobody')).toMatchObject({
    exitCode: 1,
    err: 'There is no upstream nobody. There are: west, jobs.\n',
  });
  server.answerWith((response) => void response.writeHead(502).end());
  const away = await lookUp('jobs');
  expect(away).toMatchObject({ exitCode: 1, err: expect.stringContaining('answered 502') as string });
  expect(away.lines).toMatchObject([{ answer: 'no answer' }, { answer: 'unreachable' }]);
  server.answerWith(json(200, { rc: 9, about: CODE, msg: 'partner unknown' }));
  const unread = await lookUp('jobs');
  expect(unread.err).toContain('What it answered: {"rc":9,"about":"[secret]","msg":"partner unknown"}');
  expect((await lookUp('west')).err).toMatch(/has no look-up of codes: nothing was asked/);
  expect((await run('test', '--name', 'west', '--code')).err).toMatch(/--code and --game/);
  expect((await lookUp('jobs', '\n')).err).toBe('There was no code on standard input: nothing was asked.\n');
  const shown = await run('test', '--name', 'jobs', '--code', CODE, '--game', 'game_id_1');
  expect(shown).toMatchObject({
    exitCode: 1,
    out: '',
    err: expect.stringContaining('Say --code alone') as string,
  });
});

test('one is paused and resumed beside the running service, whatever is repeated', async () => {
  const change = (act: string, name: string) => runWith(SANDBOXES, act, '--name', name);
  expect((await change('pause', 'sandbox-2')).err).toMatch(/There is no database/);
  const key = Buffer.alloc(32, 3).toString('base64');
  const made = { ...SANDBOXES, ENCRYPTION_KEY: key };
  mkdirSync(join(folder, 'data'));
  await createStore({
    path: join(folder, 'data/redemption.db'),
    encryptionKey: Buffer.from(key, 'base64'),
    exclusive: true,
  }).close();
  const acts: unknown[] = [];
  for (const act of ['pause', 'pause', 'resume', 'resume'])
    acts.push(...(await runWith(made, act, '--name', 'sandbox-2', '--reason', 'No balance.')).lines);
  expect(acts).toEqual(
    ['paused', 'unchanged', 'resumed', 'unchanged'].map((is) => ({ upstream: 'sandbox-2', is })),
  );
  expect((await runWith(made, 'pause', '--name', 'sandbox-3')).err).toBe(
    'There is no upstream sandbox-3. There are: sandbox-1, sandbox-2.\n',
  );
  expect((await runWith(made, 'answers')).lines).toEqual([]);
});

test('a restore and doctor say of which games nobody is believed', async () => {
  const env = { PLATFORM: 'upstream', UPSTREAMS_FILE: 'u.json', UPSTREAM_PROFILES: join(DATA, 'profiles') };
  const key = Buffer.alloc(32, 3);
  const more = { ENCRYPTION_KEY: key.toString('base64'), GAMES_FILE: join(DATA, 'games.json') };
  const type = (...args: string[]) => runHere(folder, args, { ...env, ...more, WEST_TOKEN: 'hush-token' });
  mkdirSync(join(folder, 'data'));
  const store = createStore({
    path: join(folder, 'data/redemption.db'),
    encryptionKey: key,
    exclusive: true,
  });
  const trader = await openTrader(
    () => store,
    () => 0,
  );
  await trader.addCodes(numberedCodes('A', 1));
  await store.close();
  await type('backup', 'backup.db');
  const restore = async (upstreams: object[]) => {
    for (const name of ['redemption.db', 'redemption.db-wal', 'redemption.db.state'])
      rmSync(join(folder, 'data', name), { force: true });
    writeFileSync(join(folder, 'u.json'), JSON.stringify(upstreams));
    return (await type('restore', 'backup.db')).err;
  };
  const upstreams = JSON.parse(readFileSync(join(folder, 'u.json'), 'utf8')) as object[];
  const none = "nobody's word that a code of game_id_1 is unspent counts";
  const [west, jobs] = upstreams;
  const elsewhere = { ...west, games: { game_id_2: '2' } };
  const unproven = [
    upstreams,
    [west],
    [west, { ...jobs, witness: true }],
    [west, { ...jobs, witness: ['game_id_2'] }],
  ];
  const proven = [[jobs], [elsewhere, jobs], [west, { ...jobs, witness: ['game_id_1'] }]];
  for (const all of unproven) expect(await restore(all as object[])).toContain(none);
  expect((await type('doctor')).out).toContain(none);
  for (const all of proven) expect(await restore(all as object[])).not.toContain(none);
  expect((await type('doctor')).out).not.toContain(none);
});
