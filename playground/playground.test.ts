// The playground as a visitor has it: the real command, driven over HTTP as the page drives it, and for nobody who
// would see its seconds pass.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { COMPILE_CACHE } from '../test/harness/compile-cache.ts';
import type { ChatKey } from './personas.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const HASTY = fileURLToPath(new URL('../test/harness/hasty-playground.ts', import.meta.url));
const WITHIN_MS = 55_000;
const FIRST_PLAYER = 5_170_925_571;
let players = 0;
/** Those of the past, then one for each redemption. */
let receipts = 14;

const folder = mkdtempSync(join(tmpdir(), 'playground-test-'));
let child: ChildProcess;
let url = '';
beforeAll(() => enter(), 180_000);
afterAll(async () => {
  await leave();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

describe('a new playground', () => {
  test('has people, a past and stock, and says so over HTTP with the key of the page', async () => {
    const page = await look('support');
    for (const name of ['Owner', 'Admin', 'Operator', 'Support', 'Stranger', 'Service', 'Group']) {
      expect(page).toContain(`<span class="person-name">${name}</span>`);
    }
    const offers = (command: string, screen: string) => screen.includes(`id="command-${command}"`);
    await until(async () => offers('history', await look('support')), 'the commands of support');
    expect(offers('redeem', await look('support'))).toBe(false);
    expect(page).toContain('Process running');
    for (const denomination of [60, 325, 660]) expect(stockOf(page, denomination)).toBeGreaterThan(0);
    const { address, key } = programsOf(page);
    const answer = await fetch(`${address}/db`, { headers: { authorization: `Bearer ${key}` } });
    expect(await answer.text()).toContain('"60"');
    await say('support', '/history');
    await until(
      async () => /receipt_14\b[^]+in doubt/i.test(await look('support')),
      'a doubt in the history',
    );
  });

  test('adds what the owner pastes', async () => {
    const before = stockOf(await look('owner'), 325);
    await say('owner', `/add_codes 325 ${(await copy('fresh-325')).replace(/^.*\n/, '')}`);
    await press('owner', 'Add 3 codes');
    await until(async () => stockOf(await look('owner'), 325) === before + 3, 'the new stock');
  });

  test('takes a file of codes with its caption', async () => {
    const body = new FormData();
    body.set('file', new Blob([await copy('fresh-660')]), 'codes.txt');
    body.set('text', 'from the supplier');
    await fetch(`${url}say?as=admin&chat=admin`, { method: 'POST', body });
    await press('admin', 'Add 2 codes');
    expect(await look('admin')).toContain('<b>codes.txt</b>');
  });

  test('a button that is pressed is the one that was seen, whatever stands in its place by then', async () => {
    const before = stockOf(await look('admin'), 60);
    await say('admin', await copy('fresh-60'));
    const add = await find('admin', 'Add 5 codes');
    await act('press', add);
    await find('admin', 'Undo');
    await act('press', add);
    await until(async () => stockOf(await look('admin'), 60) === before + 5, 'the new stock');
    expect(await look('admin')).toContain('title="Undo"');
  });
});

describe('a redemption', () => {
  test('becomes a receipt, which support pulls', async () => {
    const id = await redeem(325);
    await say('support', `/receipt_${id}`);
    await until(async () => /class="spoiler"/.test(await look('support')), 'the receipt');
  });

  test('whose answer is lost settles by itself', async () => {
    await beginTimeout();
    const doubt = async () => /sign-text">❔[^]*receipt_\d+/.test(await look('operator'));
    await until(doubt, 'the doubt');
    await until(async () => isRedeemed(await look('operator'), receipts), 'the settlement');
  }, 180_000);

  test('in whose middle the process is killed settles after the next start', async () => {
    await beginTimeout();
    await until(async () => /sign-text">⏳/.test(await look('operator')), 'the beginning');
    await act('kill');
    expect(await look('operator')).toContain('Process running');
    await until(async () => isRedeemed(await look('operator'), receipts), 'the end');
  }, 180_000);
});

test('a payment is credited, and the page shows it', async () => {
  await say('owner', '/buy_activations 1');
  const message = await until(
    async () => /data-do="\/pay\?as=owner&amp;chat=owner&amp;message=(\d+)"/.exec(await look('owner'))?.[1],
    'the invoice',
  );
  await act('pay', { as: 'owner', chat: 'owner', message });
  await until(async () => (await look('owner')).includes('+ 1000 bought'), 'the balance');
});

test('the bot answers in the group', async () => {
  await say('operator', '/stock', 'group');
  await until(async () => />Bot<[^]*In stock|>Bot<[^]*60 UC/.test(await look('group')), 'an answer');
});

describe('the door', () => {
  test('is closed to other names, to other sites, and to what is no file of the page', async () => {
    expect(await statusFor({ host: 'playground.example' })).toBe(403);
    expect(await statusFor({ origin: 'http://playground.example' })).toBe(403);
    expect(await statusFor({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect((await fetch(`${url}..%2fmain.ts`)).status).toBe(404);
    expect((await fetch(`${url}nothing`, { method: 'POST' })).status).toBe(404);
  });

  test('is not opened where a real token is set', async () => {
    const other = run([], { TELEGRAM_BOT_TOKEN: '1:x' });
    const said = collect(other, 'stderr');
    expect(await once(other, 'close')).toEqual([1, null]);
    expect(said()).toMatch(/^TELEGRAM_BOT_TOKEN is set: [^\n]+\n$/);
  });
});

test('a named folder is kept: the next visit goes on where this one ended', async () => {
  await until(async () => !/chip waiting/.test(await look('operator')), 'the end of whatever is under way');
  const before = await look('operator');
  expect(await leave()).toBe(0);
  expect(existsSync(join(folder, 'redemption.db'))).toBe(true);
  await enter();
  const page = await look('operator');
  expect(programsOf(page).key).toBe(programsOf(before).key);
  expect(stockOf(page, 60)).toBe(stockOf(before, 60));
  await redeem(60);
}, 180_000);

/** Starts the command on the folder. */
async function enter(): Promise<void> {
  child = run([folder], {});
  const [said, wrong] = [collect(child, 'stdout'), collect(child, 'stderr')];
  url = await until(
    () => Promise.resolve(/^Open +(\S+)/m.exec(said())?.[1]),
    () => `an address; it said: ${wrong()}`,
  );
}

async function leave(): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

/** The page as one of the people has it. */
const look = async (as: ChatKey): Promise<string> => (await fetch(`${url}?as=${as}`)).text();

async function act(name: string, what: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(`${url}${name}?${new URLSearchParams(what).toString()}`, { method: 'POST' });
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

const say = (as: ChatKey, text: string, chat = as) => act('say', { as, chat, text });
const copy = async (key: string) => String((await act('copy', { key })).copy);

/** The last button of this label, as the page has it pressed. */
async function find(as: ChatKey, label: string): Promise<Record<string, string>> {
  const button = new RegExp(`title="${label}"\\s+data-do="/press\\?([^"]+)"`, 'g');
  const query = await until(
    async () => [...(await look(as)).matchAll(button)].at(-1)?.[1],
    `a button ${label}`,
  );
  return Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
}

const press = async (as: ChatKey, label: string) => void (await act('press', await find(as, label)));

/** Redeems from the stock as the operator; resolves with the receipt that it has become. */
async function redeem(denomination: number): Promise<number> {
  const receipt = (receipts += 1);
  await say('operator', `/redeem ${nextPlayer()} ${denomination}`);
  await press('operator', 'Redeem');
  await until(async () => isRedeemed(await look('operator'), receipt), 'the receipt of a redemption');
  return receipt;
}

/** Has the operator redeem a code to which no answer comes. */
async function beginTimeout(): Promise<void> {
  receipts += 1;
  await say('operator', `/redeem ${nextPlayer()} ${await copy('TIMEOUT')}`);
  await press('operator', 'Redeem');
}

/** Another each time: whoever orders the same for one player is asked in other words. */
const nextPlayer = () => FIRST_PLAYER + (players += 1);

const isRedeemed = (page: string, receipt: number) =>
  new RegExp(`<b>Redeemed</b> · receipt ${receipt}\\b`).test(page);
const stockOf = (page: string, denomination: number) =>
  Number(new RegExp(`data-denomination="${denomination}">[^]*?class="available">(\\d+)<`).exec(page)?.[1]);

function programsOf(page: string): { address: string; key: string } {
  const [address = '', key = ''] = [...page.matchAll(/<code>(http:[^<]+|crs_[^<]+)<\/code/g)].map(
    ([, one]) => one!,
  );
  return { address, key };
}

function run(args: string[], env: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, ['--import', HASTY, MAIN, ...args], {
    env: { PATH, HOME, ...COMPILE_CACHE, PLAYGROUND_PORT: '0', ...env },
  });
}

function collect(from: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  from[stream]?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

async function until<T>(ask: () => Promise<T>, what: string | (() => string)): Promise<NonNullable<T>> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end;) {
    const found = await ask();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`There never was ${typeof what === 'string' ? what : what()}`);
}

function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end();
  });
}
