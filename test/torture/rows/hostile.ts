// Row 11: hostile requests of every kind against the real process, for so many seconds, with a well-behaved client
// beside them. Only answers that may be given and that the document tells of, no crash, nothing in the log that is an
// error, and the client is served throughout. Before that, texts of full length through every reader, for a tenth of
// the time.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { readDocument, type JudgeAnswer } from '../../harness/document.ts';
import { createAccount } from '../../harness/host.ts';
import { drawnTexts, knownTexts } from '../../harness/hostile-texts.ts';
import { connectRaw, type Heard, type RawClient } from '../../harness/sockets.ts';
import { findDear, openTextReaders } from '../../harness/text-readers.ts';
import { makeAttack, type Attack, type Hostile } from './attacks.ts';
import { openChat } from '../chat.ts';
import { ask } from '../client.ts';
import { merge, type Findings, type TortureOptions } from '../findings.ts';
import { openShop, type Shop } from '../shop.ts';

const ATTACKERS = 8;
const WEBHOOK_PATH = '/updates';
/** A whole request is answered within this, however busy the attackers keep the process. */
const ANSWERED_WITHIN_MS = 20_000;
/** What stalls is let go after 10 s in its head, 30 s in its body. */
const STALLED_WITHIN_MS = 45_000;
const FRIEND_WITHIN_MS = 5_000;
const MOST_MB = 1_024;
const MOST_STALLED = 200;
const FREE = ['/history', '/stats', '/db', '/db/extractions', '/webhooks'];

/** `count` seconds of it. */
export async function beHostile(options: TortureOptions): Promise<Findings> {
  return merge(await writeHostile(options), await sendHostile(options));
}

/** Known texts once, then drawn ones: none keeps a reader busy. */
async function writeHostile({ count, seed }: TortureOptions): Promise<Findings> {
  const { readers, close } = await openTextReaders();
  const violations: string[] = [];
  const until = performance.now() + count * 100;
  let texts = 0;
  for (let round = 0; performance.now() < until; round += 1) {
    const some = round === 0 ? knownTexts({ brief: count < 60 }) : drawnTexts(seed + round, 100);
    texts += some.length;
    for (const reader of readers) {
      if (performance.now() < until) violations.push(...(await findDear(reader, some)).dear);
    }
  }
  await close();
  return { tried: { texts }, violations };
}

async function sendHostile({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const chat = await openChat();
  const webhook = { WEBHOOK_URL: `http://127.0.0.1:9${WEBHOOK_PATH}`, WEBHOOK_SECRET: 'known-to-nobody' };
  // The loop may stand still for a moment: that must not look like a platform that does not answer.
  const patient = { PLATFORM_TIMEOUT_MS: '10000' };
  const shop = await openShop(seed, { ...patient, ...chat.env, ...webhook });
  try {
    const { apiKey } = await createAccount(shop.folder, { name: 'Hostile', purchased: 1_000 });
    const judge = await readDocument(shop.service().url);
    const field = createField(shop, { apiKey, webhook: WEBHOOK_PATH }, seed, judge);
    const until = performance.now() + count * 1_000;
    const isOver = () => performance.now() > until || field.hasEnded();
    const told = tell && setInterval(() => tell(JSON.stringify(field.tried)), 60_000);
    await Promise.all([
      befriend(shop, field, isOver),
      ...Array.from({ length: ATTACKERS }, () => field.attackUntil(isOver)),
    ]);
    clearInterval(told);
    field.leave();
    const violations = [...field.violations, ...(await inspect(shop, field))];
    return { tried: field.tried, violations };
  } finally {
    await shop.close();
    await chat.close();
  }
}

interface Field {
  tried: Record<string, number>;
  violations: string[];
  judge: JudgeAnswer;
  hasEnded(): boolean;
  attackUntil(isOver: () => boolean): Promise<void>;
  /** Lets go of the connections that stalled. */
  leave(): void;
}

function createField(shop: Shop, hostile: Hostile, seed: number, judge: JudgeAnswer): Field {
  const { port } = new URL(shop.service().url);
  const tried: Record<string, number> = { attacks: 0 };
  const violations: string[] = [];
  const stalled = new Set<RawClient>();
  let ended = false;
  void shop.service().exited.then(() => (ended = true));
  let next = seed * 1_000_000;

  function stall(client: RawClient, number: number): void {
    stalled.add(client);
    const late = setTimeout(
      () => violations.push(`attack ${number}: a connection was kept for ${STALLED_WITHIN_MS} ms`),
      STALLED_WITHIN_MS,
    );
    void client.ended.then(() => (clearTimeout(late), stalled.delete(client)));
  }

  async function attackOnce(): Promise<void> {
    const number = (next += 1);
    const attack = makeAttack(number, hostile);
    tried.attacks = (tried.attacks ?? 0) + 1;
    tried[attack.name] = (tried[attack.name] ?? 0) + 1;
    const client = connectRaw(Number(port));
    await send(client, attack);
    if (attack.leaves === 'never' && stalled.size < MOST_STALLED) return stall(client, number);
    if (attack.leaves === 'answered') {
      const heard = await hear(client, attack.whole ? ANSWERED_WITHIN_MS : 300);
      const fault = findFault(heard, attack) ?? judgeHeard(judge, heard, attack, tried);
      if (fault !== undefined && !ended) violations.push(`attack ${number}, ${attack.name}: ${fault}`);
    }
    client.socket.destroy();
  }

  return {
    tried,
    violations,
    judge,
    hasEnded: () => ended,
    async attackUntil(isOver) {
      while (!isOver()) await attackOnce();
    },
    leave() {
      for (const client of stalled) client.socket.destroy();
    },
  };
}

/** Held against the document where the request can be read: its first line. */
function judgeHeard(
  judge: JudgeAnswer,
  heard: Heard | 'silence' | 'ended',
  { pieces }: Attack,
  tried: Record<string, number>,
): string | undefined {
  const begin = pieces.slice(0, 100).map((piece) => Buffer.from(piece).subarray(0, 500).toString('latin1'));
  const line = /^(GET|POST|DELETE) (\/\S*) HTTP\/1\.1\r\n/.exec(begin.join(''));
  if (!line || typeof heard === 'string') return undefined;
  tried.judged = (tried.judged ?? 0) + 1;
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), withinMs);
  });
  const answer = async (): Promise<Heard> => {
    const heard = await client.next();
    return heard.status < 200 ? answer() : heard;
  };
  const heard = await Promise.race([answer().catch(() => 'ended' as const), late]);
  clearTimeout(timer);
  return heard;
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
async function befriend(
  shop: Shop,
  { tried, violations, judge }: Field,
  isOver: () => boolean,
): Promise<void> {
  const tooks: number[] = [];
  const { url } = shop.service();
  const expect = (what: string, right: boolean, answer: unknown) => {
    if (!right) violations.push(`the well-behaved client: ${what} was answered ${JSON.stringify(answer)}`);
  };
  const get = async (path: string) => {
    const answer = await ask(url, shop.account, 'GET', path);
    const body = JSON.stringify(Array.isArray(answer.body) ? [...answer.body] : answer.body);
    const fault = judge({ method: 'GET', path, status: answer.status, body });
    if (fault !== undefined) violations.push(`the well-behaved client: ${fault}`);
    return answer;
  };
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const from = performance.now();
    const result = await work();
    tooks.push(performance.now() - from);
    return result;
  };
  for (let day = 0; !isOver(); day += 1) {
    try {
      await timed(() => shop.stock(60, ['60S']));
      const sent = await timed(() => shop.wish({ denomination: 60, key: `friend-${day}` }));
      const [answer] = sent.answers;
      expect('a redemption', answer?.status === 200 && answer.body.type === 'ActivationReceipt', answer);
      const kept = await timed(() => get(`/history/${answer?.id}`));
      expect('its receipt', kept.status === 200 && isDeepStrictEqual(kept.body, answer?.body), kept);
      const player = await timed(() => get(`/character?gameId=game_id_1&playerId=${sent.playerId}`));
      expect('a look-up', player.status === 200 && typeof player.body.name === 'string', player);
      const quota = await timed(() => get('/quota'));
      expect('the quota', quota.status === 200, quota);
      for (const path of FREE) expect(path, (await timed(() => get(path))).status === 200, path);
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
async function inspect(shop: Shop, field: Field): Promise<string[]> {
  const service = shop.service();
  if (field.hasEnded()) return [`the process ended: ${service.stderr().slice(-2_000)}`];
  const violations: string[] = [];
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const peakMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  field.tried.peakMb = peakMb;
  if (peakMb > MOST_MB) violations.push(`its memory was ${peakMb} MB`);
  const errors = service.errors();
  if (errors.length > 0) violations.push(`${errors.length} errors were logged, such as ${errors[0]}`);
  if (service.stderr() !== '') violations.push(`it wrote: ${service.stderr().slice(0, 500)}`);
  return [...violations, ...(await shop.audit())];
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
