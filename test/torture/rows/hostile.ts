// Row 11: hostile requests of every kind against the real process, for so many seconds, with a well-behaved client
// beside them. Only answers that may be given and that the document tells of, no crash, nothing in the log that is an
// error, and the client is served throughout. Before that, texts of full length through every reader, for a tenth of
// the time.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { pause, within } from '../../../src/waiting.ts';
import { readDocument, type JudgeAnswer } from '../../harness/document.ts';
import { createAccount } from '../../harness/host.ts';
import { drawnTexts, knownTexts } from '../../harness/hostile-texts.ts';
import { connectRaw, type Heard, type RawClient } from '../../harness/sockets.ts';
import { findDear, openTextReaders } from '../../harness/text-readers.ts';
import { inChat } from '../chat.ts';
import { ask } from '../client.ts';
import { count, merge, type Findings, type TortureOptions } from '../findings.ts';
import type { Shop } from '../shop.ts';
import { makeAttack, type Attack, type Hostile } from './attacks.ts';

const ATTACKERS = 8;
const WEBHOOK_PATH = '/updates';
/** A whole request is answered within this, however busy the attackers keep the process. */
const ANSWERED_WITHIN_MS = 20_000;
/** What stalls is let go after 10 s in its head, 30 s in its body. */
const STALLED_WITHIN_MS = 45_000;
const FRIEND_WITHIN_MS = 5_000;
const MOST_MB = 1_024;
const MOST_STALLED = 200;
const FREE = ['/quota', '/history', '/stats', '/db', '/db/extractions', '/webhooks'];

/** `count` seconds of it. */
export const beHostile = async (options: TortureOptions): Promise<Findings> =>
  merge(await writeHostile(options), await sendHostile(options));

/** Known texts once, then drawn ones: none keeps a reader busy. */
async function writeHostile({ count: seconds, seed }: TortureOptions): Promise<Findings> {
  const { readers, close } = await openTextReaders();
  const violations: string[] = [];
  const until = performance.now() + seconds * 100;
  let texts = 0;
  for (let round = 0; performance.now() < until; round += 1) {
    const some = round === 0 ? knownTexts({ brief: seconds < 60 }) : drawnTexts(seed + round, 100);
    texts += some.length;
    for (const reader of readers) {
      if (performance.now() < until) violations.push(...(await findDear(reader, some)).dear);
    }
  }
  await close();
  return { tried: { texts }, violations };
}

/** What the attackers and the friend have in common. */
interface Field {
  shop: Shop;
  judge: JudgeAnswer;
  /** Connections that stall, until they are let go. */
  stalled: Set<RawClient>;
  /** The process is gone. */
  hasEnded(): boolean;
  isOver(): boolean;
}

function sendHostile({ count: seconds, seed, tell }: TortureOptions): Promise<Findings> {
  const webhook = { WEBHOOK_URL: `http://127.0.0.1:9${WEBHOOK_PATH}`, WEBHOOK_SECRET: 'known-to-nobody' };
  // The loop may stand still for a moment: that must not look like a platform that does not answer.
  return inChat(seed, { env: { PLATFORM_TIMEOUT_MS: '10000', ...webhook } }, async (shop) => {
    const { url, exited } = shop.service();
    const hostile = await nameHostile(shop);
    let isGone = false;
    void exited.then(() => (isGone = true));
    const hasEnded = () => isGone;
    const until = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() > until || isGone;
    const field: Field = { shop, judge: await readDocument(url), stalled: new Set(), hasEnded, isOver };
    const told = tell && setInterval(() => tell(JSON.stringify(shop.tried)), 60_000);
    let next = seed * 1_000_000;
    const attack = async () => {
      while (!isOver()) await attackOnce(field, (next += 1), hostile);
    };
    await Promise.all([befriend(field), ...Array.from({ length: ATTACKERS }, attack)]);
    clearInterval(told);
    for (const client of field.stalled) client.socket.destroy();
    if (isGone) shop.violations.push(`the process ended: ${shop.service().stderr().slice(-2_000)}`);
    else await inspect(shop);
  });
}

/** An account of theirs, and all that the document has, and what it has not. */
async function nameHostile(shop: Shop): Promise<Hostile> {
  const { apiKey } = await createAccount(shop.folder, { name: 'Hostile', purchased: 1_000 });
  const { body } = await ask(shop.service().url, shop.account, 'GET', '/openapi.json');
  const paths = Object.entries(body.paths as Record<string, object>);
  const withMethod = (method: string, ...more: string[]) => [
    ...paths.flatMap(([path, has]) => (method in has ? path.replaceAll(/\{\w+\}/g, '1') : [])),
    ...more,
  ];
  const gets = withMethod('get', '/metrics', '/docs', '/openapi.json');
  return { apiKey, webhook: WEBHOOK_PATH, posts: withMethod('post', '/nothing'), gets };
}

async function attackOnce(
  { shop, judge, stalled, hasEnded }: Field,
  number: number,
  hostile: Hostile,
): Promise<void> {
  const attack = makeAttack(number, hostile);
  count(shop, 'attacks');
  count(shop, attack.name);
  const client = connectRaw(Number(new URL(shop.service().url).port));
  await send(client, attack);
  if (attack.leaves === 'never' && stalled.size < MOST_STALLED) {
    stalled.add(client);
    const late = `attack ${number}: a connection was kept for ${STALLED_WITHIN_MS} ms`;
    const timer = setTimeout(() => shop.violations.push(late), STALLED_WITHIN_MS);
    void client.ended.then(() => (clearTimeout(timer), stalled.delete(client)));
    return;
  }
  if (attack.leaves === 'answered') {
    const heard = await hear(client, attack.whole ? ANSWERED_WITHIN_MS : 300);
    const fault = findFault(heard, attack) ?? judgeHeard(judge, heard, attack, shop);
    if (fault !== undefined && !hasEnded())
      shop.violations.push(`attack ${number}, ${attack.name}: ${fault}`);
  }
  client.socket.destroy();
}

/** What Node answers by itself to what it cannot read: a status, and no words. */
const UNREAD = new Set([400, 408, 417, 431]);

/** Held against the document where the request can be read. */
function judgeHeard(
  judge: JudgeAnswer,
  heard: Heard | 'silence' | 'ended',
  { pieces }: Attack,
  shop: Shop,
): string | undefined {
  const begin = pieces.slice(0, 100).map((piece) => Buffer.from(piece).subarray(0, 500).toString('latin1'));
  const line = /^(GET|POST|DELETE) (\/\S*) HTTP\/1\.1\r\n/.exec(begin.join(''));
  if (!line || typeof heard === 'string') return undefined;
  if (heard.body === '' && UNREAD.has(heard.status)) return undefined;
  count(shop, 'judged');
  return judge({ method: line[1]!, path: line[2]!, status: heard.status, body: heard.body });
}

async function send(client: RawClient, { pieces, pauseMs }: Attack): Promise<void> {
  let over = false;
  void client.ended.then(() => (over = true));
  for (const [index, piece] of pieces.entries()) {
    if (over) return;
    client.send(piece);
    if (pauseMs > 0 && index < pieces.length - 1) await pause(pauseMs);
    // Whoever is refused stops sending.
    while (!over && client.socket.writableLength > 1 << 20) await pause(5);
  }
}

/** The first answer that is one; undefined when the connection ended, or nothing came, before it. */
async function hear(client: RawClient, withinMs: number): Promise<Heard | 'silence' | 'ended'> {
  const answer = async (): Promise<Heard> => {
    const heard = await client.next();
    return heard.status < 200 ? answer() : heard;
  };
  const heard = answer().catch(() => 'ended' as const);
  return (await within(heard, withinMs)) ?? 'silence';
}

/** Nothing that an answer to strangers may hold. */
const LEAKS = /\bat (async )?\S+ \(?(file|node|\/)|node_modules|src\/\w+|SQLITE|ZodError|TypeError/;

function findFault(heard: Heard | 'silence' | 'ended', attack: Attack): string | undefined {
  const quoted = () =>
    JSON.stringify(
      Buffer.from(attack.pieces[0] ?? '')
        .toString('latin1')
        .slice(0, 400),
    );
  if (typeof heard === 'string') return attack.whole ? `${heard} after ${quoted()}` : undefined;
  const { status, body } = heard;
  const isAllowed = status === 503 || (status >= 200 && status < 500);
  const isWorded = status < 400 || body === '' || /^\{.*("error"|"errorCode"|"type")/s.test(body);
  if (isAllowed && isWorded && (status < 400 || !LEAKS.test(body))) return undefined;
  return `${status} ${body.slice(0, 300)} after ${quoted()}`;
}

/** A shop that goes on with its day; everything it asks is answered, and right. */
async function befriend({ shop, judge, isOver }: Field): Promise<void> {
  const { violations, tried } = shop;
  const { url } = shop.service();
  const tooks: number[] = [];
  const expect = (what: string, right: boolean, answer: unknown) => {
    if (!right) violations.push(`the well-behaved client: ${what} was answered ${JSON.stringify(answer)}`);
  };
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    tooks.push(performance.now() - from);
    return result;
  };
  const get = async (path: string) => {
    const answer = await timed(() => ask(url, shop.account, 'GET', path));
    const body = JSON.stringify(Array.isArray(answer.body) ? [...answer.body] : answer.body);
    const fault = judge({ method: 'GET', path, status: answer.status, body });
    if (fault !== undefined) violations.push(`the well-behaved client: ${fault}`);
    return answer;
  };
  for (let day = 0; !isOver(); day += 1) {
    try {
      await timed(() => shop.stock(60, ['60S']));
      const sent = await timed(() => shop.wish({ denomination: 60, key: `friend-${day}` }));
      const [answer] = sent.answers;
      expect('a redemption', answer?.status === 200 && answer.body.type === 'ActivationReceipt', answer);
      const kept = await get(`/history/${answer?.id}`);
      expect('its receipt', kept.status === 200 && isDeepStrictEqual(kept.body, answer?.body), kept);
      const player = await get(`/character?gameId=game_id_1&playerId=${sent.playerId}`);
      expect('a look-up', player.status === 200 && typeof player.body.name === 'string', player);
      for (const path of FREE) expect(path, (await get(path)).status === 200, path);
    } catch (error) {
      expect('a request', isOver(), error instanceof Error ? error.message : error);
    }
    await pause(20);
  }
  tooks.sort((a, b) => a - b);
  tried.friendly = tooks.length;
  tried.friendlyP99Ms = Math.round(tooks[Math.floor(tooks.length * 0.99)] ?? 0);
  tried.friendlySlowestMs = Math.round(tooks.at(-1) ?? 0);
  if (tried.friendlySlowestMs > FRIEND_WITHIN_MS)
    violations.push(`the well-behaved client waited ${tried.friendlySlowestMs} ms`);
}

/** The process afterwards: the same one, sound, and with the memory of a sound one. */
async function inspect(shop: Shop): Promise<void> {
  const { tried, violations } = shop;
  const { pid, errors, stderr } = shop.service();
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  tried.peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  const [first] = errors();
  if (tried.peakMb > MOST_MB) violations.push(`its memory was ${tried.peakMb} MB`);
  if (first !== undefined) violations.push(`${errors().length} errors were logged, such as ${first}`);
  if (stderr() !== '') violations.push(`it wrote: ${stderr().slice(0, 500)}`);
  violations.push(...(await shop.audit()));
}
