// The wire as a file: lines that begin at the margin are asked, and what stands indented below each is what was answered,
// word for word: status, headers, body. `shop POST /redeem {…}` is asked with the key of the shop, `other`, `ended` and
// `revoked` with theirs, `nobody` without one; `shop (Prefer: respond-async) GET …` with a header; `<order>` is the order
// that was told last, `<claim>` the first claim of what was told last; `* codes 60 3` is what happens meanwhile
// (chat-doings.ts). `npm test -- <file> -u` writes what comes now; the difference is to be read.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

import { createLogger } from '../../../src/log.ts';
// Loaded before time is simulated: a module is read from the disk while timers strike.
import '../../../src/webhooks/public.ts';
import { createJudge } from '../../harness/document.ts';
import { SHOP_DOINGS } from './chat-doings.ts';
import { createCalendar } from './calendar.ts';
import { openStage, type Stage } from './stage.ts';

const LINE = /^(\w+)(?: \((.*?)\))? ([A-Z]+) (\S+)(?: (.*))?$/;
/** In a body or header, so many characters. */
const MANY = /<(\d+) characters>/g;
/** What every answer carries, unless it says so. */
const USUAL: Record<string, RegExp> = {
  'content-type': /^application\/json$/,
  'cache-control': /^no-store$/,
  'x-content-type-options': /^nosniff$/,
  'x-request-id': /^[\w-]{10,}$/,
  'x-platform': /^[\w-]+$/,
};
const WIDTH = 110;
/** Codes of sixteen characters, as those of the file are, and what is fiction of the sandbox. */
const SECRET = /\b(?=[A-Z0-9]*\d)[A-Z0-9]{15,16}\b|@accounts\.invalid|whsec_/;

/**
 * Asks what the file asks in a world of its own, and holds the answers against what stands there, and against
 * openapi.json. No secret of an answer is logged.
 */
export async function holdExchanges(path: string): Promise<void> {
  const calendar = createCalendar();
  const logged: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void logged.push(line) } });
  const t = await openStage({ clock: calendar.clock, log });
  try {
    const keys = await issueKeys(t);
    const judge = createJudge(await (await t.ask('/openapi.json')).text());
    const doings: Record<string, (stage: Stage, rest: string) => unknown> = {
      ...calendar.doings,
      ...SHOP_DOINGS,
    };
    const written: string[] = [];
    let [order, claim] = ['', ''];
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      if (line.startsWith('#')) written.push('', line);
      if (line === '' || line.startsWith('#') || line.startsWith(' ')) continue;
      const [, doing, rest = ''] = /^\* (\w+) ?(.*)$/.exec(line) ?? [];
      if (doing !== undefined) {
        await t.within(Promise.resolve(doings[doing]?.(t, rest)));
        written.push('', line);
        continue;
      }
      const asked = line.replace('<order>', order).replace('<claim>', claim);
      const answer = await ask(t, keys, asked);
      const body = await answer.text();
      const [, , , method = '', at = ''] = LINE.exec(asked) ?? [];
      expect(judge({ method, path: at, status: answer.status, body })).toBeUndefined();
      order = /"id":"(ord_[\w-]+)"/.exec(body)?.[1] ?? order;
      claim = /"id":"(clm_[\w-]+)"/.exec(body)?.[1] ?? claim;
      written.push('', line, ...describe(answer, body).map((each) => `  ${each}`.trimEnd()));
    }
    await expect(`${written.join('\n').trimStart()}\n`).toMatchFileSnapshot(path);
    expect(logged.length).toBeGreaterThan(100);
    for (const secret of [SECRET, ...keys.values()])
      expect(
        logged.filter((line) => (typeof secret === 'string' ? line.includes(secret) : secret.test(line))),
      ).toEqual([]);
  } finally {
    await t.stop();
  }
}

/** The keys of the shop, of another, of one whose subscription has ended, and one that was revoked. */
async function issueKeys(t: Stage): Promise<Map<string, string>> {
  const { accounts, apiKeys } = t.app().core;
  const host = { kind: 'host', by: 'cli' } as const;
  const other = await accounts.create(host, { name: 'Other', days: 30 });
  const ended = await accounts.create(host, { name: 'Ended', days: 0 });
  const revoked = await accounts.create(host, { name: 'Revoked', days: 30 });
  const key = apiKeys.authenticate(revoked.apiKey)?.actor;
  const beside = t.beside();
  await beside.write((tables) => tables.apiKeys.revoke(revoked.accountId, Number(key?.apiKeyId), 0));
  await beside.close();
  return new Map([
    ['shop', t.app().apiKey],
    ['other', other.apiKey],
    ['ended', ended.apiKey],
    ['revoked', revoked.apiKey],
    ['unknown', 'crs_nobody'],
  ]);
}

function ask(t: Stage, keys: ReadonlyMap<string, string>, line: string): Promise<Response> {
  const [, who = '', headers = '', method = '', path = '', text] = LINE.exec(line) ?? [];
  if (method === '') throw new Error(`Nobody knows how to ask: ${line}`);
  const many = (words: string) => words.replaceAll(MANY, (_, count) => 'x'.repeat(Number(count)));
  const key = keys.get(who);
  const given = headers
    .split('; ')
    .filter(Boolean)
    .map((header) => header.split(/: (.*)/, 2) as [string, string]);
  const body = text === undefined ? undefined : many(text);
  return t.ask(path, {
    method,
    headers: [
      ...(key === undefined ? [] : [['authorization', `Bearer ${key}`] as [string, string]]),
      ...(body === undefined || /content-type/i.test(headers)
        ? []
        : [['content-type', 'application/json'] as [string, string]]),
      ...given.map(([name, value]): [string, string] => [name, many(value)]),
    ],
    ...(body !== undefined && { body }),
  });
}

function describe(answer: Response, body: string): string[] {
  const headers = Object.fromEntries(answer.headers);
  const unusual = Object.entries(headers).filter(([name, value]) => !USUAL[name]?.test(value));
  const missing = Object.keys(USUAL).filter((name) => !(name in headers));
  return [
    String(answer.status),
    ...unusual.map(([name, value]) => `${name}: ${name === 'retry-after' ? '…' : tidy(value)}`),
    ...missing.map((name) => `(no ${name})`),
    ...formatBody(body),
  ];
}

function formatBody(body: string): string[] {
  if (body === '') return ['(nothing)'];
  try {
    return tidy(format(JSON.parse(body), '')).split('\n');
  } catch {
    return tidy(body).split('\n');
  }
}

/** In one line where it fits, else a line for each of its parts. */
function format(value: unknown, indent: string): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + short.length <= WIDTH) return short;
  const deeper = `${indent}  `;
  const parts = Object.entries(value).map(([name, part]) => {
    const lead = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    return deeper + lead + format(part, deeper);
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** Without what is by chance. */
const tidy = (text: string): string =>
  text
    .replaceAll(/topup\.[0-9a-f]+@accounts\.invalid/g, '(login)')
    .replaceAll(/("password": ?")[^"]*"/g, '$1(password)"')
    .replaceAll(/\b1\d{19}\b/g, '(account)')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
    .replaceAll(/\b(?:ord|clm|wh|dlv)_[\w-]+/g, (id) => `${id.slice(0, id.indexOf('_'))}_…`)
    .replaceAll(/\/c\/[\w-]{22}/g, '/c/…')
    .replaceAll(/"took": ?\d+/g, '"took": …')
    .replaceAll(/\b\d+ s\b/g, '… s')
    .replaceAll(/;t=\d+/g, ';t=…');
