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
import type { PlayAction, PlayActionAnswer, ChatKey, MessageView, PlayEvent, Snapshot } from './protocol.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const HASTY = fileURLToPath(new URL('../test/harness/hasty-playground.ts', import.meta.url));
const WITHIN_MS = 55_000;
const FIRST_PLAYER = 5_170_925_571;
let players = 0;

interface Visit {
  url: string;
  state: Snapshot;
  process: ChildProcess;
  act(act: PlayAction): Promise<PlayActionAnswer>;
  until<T>(look: () => T | undefined | false, what: string): Promise<T>;
  said(chat: ChatKey, text: string | RegExp): MessageView | undefined;
  press(chat: Exclude<ChatKey, 'group'>, label: string): Promise<PlayActionAnswer>;
  leave(): Promise<number | null>;
}

const folder = mkdtempSync(join(tmpdir(), 'playground-test-'));
let visit: Visit;
beforeAll(async () => void (visit = await enter(folder)), 180_000);
afterAll(async () => {
  await visit.leave();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

describe('a new playground', () => {
  test('has people, a past and stock, and says so over HTTP with the key of the page', async () => {
    const { people, samples, service } = visit.state;
    expect(people.map(({ key }) => key)).toEqual([
      'owner',
      'admin',
      'operator',
      'support',
      'stranger',
      'host',
    ]);
    expect(people[3]?.menu.map(({ command }) => command)).not.toContain('redeem');
    expect(service.state).toBe('running');
    const stocked = service.stock
      .filter(({ available }) => available > 0)
      .map(({ denomination }) => denomination);
    expect(stocked).toEqual([60, 325, 660]);
    expect(samples.every(({ codes }) => codes.length > 0)).toBe(true);
    const authorization = `Bearer ${service.apiKey}`;
    const counts = await fetch(`${service.apiUrl}/db`, { headers: { authorization } }).then((answer) =>
      answer.json(),
    );
    expect(JSON.stringify(counts)).toContain('"60"');
    await visit.act({ action: 'say', person: 'support', chat: 'support', text: '/history' });
    await visit.until(() => visit.said('support', /in doubt/i), 'a doubt in the history');
    // The newest of all: those before it may be of yesterday.
    expect(visit.said('support', /receipt_14\b/)).toBeDefined();
  });

  test('adds what the owner pastes', async () => {
    const codes = visit.state.samples.find(({ key }) => key === 'fresh-325')?.codes ?? [];
    const before = stockOf(325);
    await visit.act({
      action: 'say',
      person: 'owner',
      chat: 'owner',
      text: `/add_codes 325 ${codes.join('\n')}`,
    });
    await visit.press('owner', `Add ${codes.length} codes`);
    await visit.until(() => stockOf(325) === before + codes.length, 'the new stock');
  });
});

describe('a redemption', () => {
  test('becomes a receipt, which support pulls', async () => {
    const id = await redeem(325);
    await visit.act({ action: 'say', person: 'support', chat: 'support', text: `/receipt_${id}` });
    const receipt = await visit.until(
      () => visit.said('support', new RegExp(`receipt_${id}\\b[^]*325|325[^]*receipt_${id}\\b`)),
      'the receipt',
    );
    expect(receipt.html).toContain('<tg-spoiler>');
  });

  test('whose answer is lost settles by itself', async () => {
    await beginTimeout();
    const doubt = await visit.until(() => visit.said('operator', /^❔[^]*receipt_\d+/), 'the doubt');
    await visit.until(() => visit.said('operator', redeemed(receiptOf(doubt))), 'the settlement');
  }, 180_000);

  test('in whose middle the process is killed settles after the next start', async () => {
    // The platform has done it, and says nothing.
    await beginTimeout();
    await visit.until(() => visit.said('operator', /^⏳/), 'the beginning');
    const earlier = lastReceipt();
    expect(await visit.act({ action: 'kill' })).toEqual({ ok: true });
    await visit.until(() => visit.state.service.state === 'running', 'the start');
    await visit.until(
      () => lastReceipt() > earlier && visit.said('operator', redeemed(lastReceipt())),
      'the end',
    );
  }, 180_000);
});

test('a payment is credited, and the page shows it', async () => {
  await visit.act({ action: 'say', person: 'owner', chat: 'owner', text: '/buy_activations 1' });
  const invoice = await visit.until(() => messages('owner').find((one) => one.invoice), 'the invoice');
  const before = visit.state.service.quota.purchased;
  const act = { action: 'pay', person: 'owner', chat: 'owner', messageId: invoice.id } as const;
  expect(await visit.act(act)).toEqual({ ok: true });
  await visit.until(() => visit.state.service.quota.purchased === before + 1000, 'the balance');
});

test('the bot answers in the group', async () => {
  await visit.act({ action: 'say', person: 'operator', chat: 'group', text: '/stock' });
  await visit.until(() => messages('group').find(({ byBot }) => byBot), 'an answer in the group');
});

describe('the door', () => {
  test('is closed to other names, other sites and other kinds of content', async () => {
    expect(await statusFor({ host: 'playground.example' })).toBe(403);
    expect(await statusFor({ origin: 'http://playground.example' })).toBe(403);
    const body = JSON.stringify({ action: 'kill' });
    expect((await fetch(`${visit.url}play/action`, { method: 'POST', body })).status).toBe(415);
    expect((await fetch(`${visit.url}..%2fmain.ts`)).status).toBe(404);
  });

  test('is not opened where a real token is set', async () => {
    const child = run([], { TELEGRAM_BOT_TOKEN: '1:x' });
    const said = collect(child, 'stderr');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said()).toMatch(/^TELEGRAM_BOT_TOKEN is set: [^\n]+\n$/);
  });
});

test('a named folder is kept: the next visit goes on where this one ended', async () => {
  const isAtRest = () => visit.state.service.stock.every(({ reserved }) => reserved === 0);
  await visit.until(isAtRest, 'the end of whatever is under way');
  const { apiKey, stock } = visit.state.service;
  expect(await visit.leave()).toBe(0);
  expect(existsSync(join(folder, 'redemption.db'))).toBe(true);
  visit = await enter(folder);
  expect(visit.state.service).toMatchObject({ apiKey, stock });
  await redeem(60);
}, 180_000);

const messages = (chat: ChatKey) => visit.state.messages.filter((one) => one.chat === chat && !one.deleted);
const stockOf = (denomination: number) =>
  visit.state.service.stock.find((line) => line.denomination === denomination)?.available ?? 0;

/** Redeems from the stock as the operator; resolves with the receipt that it has become. */
async function redeem(denomination: number): Promise<number> {
  const earlier = lastReceipt();
  const text = `/redeem ${nextPlayer()} ${denomination}`;
  await visit.act({ action: 'say', person: 'operator', chat: 'operator', text });
  await visit.press('operator', 'Redeem');
  return visit.until(
    () => lastReceipt() > earlier && visit.said('operator', redeemed(lastReceipt())) && lastReceipt(),
    'the receipt of a redemption',
  );
}

/** Has the operator redeem a code to which no answer comes. */
async function beginTimeout(): Promise<void> {
  const [code] = visit.state.samples.find(({ key }) => key === 'TIMEOUT')?.codes ?? [];
  await visit.act({ action: 'freshSamples', key: 'TIMEOUT' });
  const text = `/redeem ${nextPlayer()} ${code}`;
  await visit.act({ action: 'say', person: 'operator', chat: 'operator', text });
  await visit.press('operator', 'Game 1');
  await visit.press('operator', 'Redeem');
}

/** Another each time: whoever orders the same for one player is asked in other words. */
const nextPlayer = () => FIRST_PLAYER + (players += 1);

const receiptOf = ({ html }: MessageView) => Number(/receipt_(\d+)/.exec(html)?.[1] ?? 0);
const lastReceipt = () => Math.max(0, ...messages('operator').map(receiptOf));
const redeemed = (receipt: number) => new RegExp(`Redeemed</b> · receipt ${receipt}\\b`);

function run(args: string[], env: Record<string, string>): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, ['--import', HASTY, MAIN, ...args], {
    env: { PATH, HOME, ...COMPILE_CACHE, PLAYGROUND_PORT: '0', ...env },
  });
}

function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** Starts the command and reads its events as the page does. */
async function enter(named: string): Promise<Visit> {
  const child = run([named], {});
  const [said, wrong] = [collect(child, 'stdout'), collect(child, 'stderr')];
  const url = await poll(
    () => /^Open +(\S+)/m.exec(said())?.[1],
    () => `an address; it said: ${wrong()}`,
  );
  const state = await follow(url);
  const visit: Omit<Visit, 'press'> = {
    url,
    state,
    process: child,
    async act(act) {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}play/action`, { method: 'POST', headers, body: JSON.stringify(act) });
      return (await answer.json()) as PlayActionAnswer;
    },
    until: (look, what) => poll(look, () => `${what}; ${lately(state)}; ${wrong()}`),
    said: (chat, text) =>
      state.messages.findLast(
        (one) => one.chat === chat && one.byBot && !one.deleted && matches(one.html, text),
      ),
    async leave() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill('SIGINT');
      const [code] = (await once(child, 'close')) as [number | null];
      return code;
    },
  };
  return { ...visit, press: (chat, label) => press(visit, chat, label) };
}

async function press(visit: Omit<Visit, 'press'>, chat: Exclude<ChatKey, 'group'>, label: string) {
  const found = await visit.until(() => {
    const last = visit.state.messages.filter((one) => one.chat === chat && !one.deleted).at(-1);
    const row = last?.keyboard.findIndex((buttons) => buttons.some(({ text }) => text === label)) ?? -1;
    return (
      last &&
      row >= 0 && {
        messageId: last.id,
        row,
        column: last.keyboard[row]!.findIndex(({ text }) => text === label),
      }
    );
  }, `a button ${label}`);
  return visit.act({ action: 'press', person: chat, chat, ...found });
}

/** The page's memory: the snapshot, kept up to date by what follows. */
async function follow(url: string): Promise<Snapshot> {
  const answer = await fetch(`${url}play/events`);
  const lines = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let state: Snapshot | undefined;
  let rest = '';
  const read = async (): Promise<void> => {
    const { value, done } = await lines.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts.filter((one) => one.startsWith('data: '))) {
      const event = JSON.parse(part.slice(6)) as Snapshot | PlayEvent;
      if (event.kind === 'snapshot') state = event;
      else if (state) apply(state, event);
    }
  };
  while (!state) await read();
  const goOn = (): void => void read().then(goOn, () => undefined);
  goOn();
  return state;
}

function apply(state: Snapshot, event: PlayEvent): void {
  if (event.kind === 'service') state.service = event.service;
  if (event.kind === 'samples') state.samples = event.samples;
  if (event.kind !== 'message') return;
  const { id, chat } = event.message;
  const at = state.messages.findIndex((one) => one.id === id && one.chat === chat);
  if (at >= 0) state.messages[at] = event.message;
  else state.messages.push(event.message);
}

async function poll<T>(look: () => T | undefined | false, what: () => string): Promise<T> {
  for (const until = Date.now() + WITHIN_MS; Date.now() < until;) {
    const found = look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`There never was ${what()}`);
}

function lately({ messages }: Snapshot): string {
  const said = messages
    .slice(-4)
    .map(({ chat, html, buttons }) => `${chat}: ${html} ${buttons.map(({ text }) => `[${text}]`).join('')}`);
  return `lately:\n${said.join('\n')}`;
}

const matches = (text: string, pattern: string | RegExp) =>
  typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text);

function statusFor(headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(visit.url, { headers }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end();
  });
}
