// The share of row 19 that is done to the real process over HTTP: programs add, take out and redeem with keys and
// without, in the middle it gets a SIGKILL, at a named point or anywhere, or a SIGTERM, perhaps beside a backup; then
// they ask again.
import { setTimeout as pause } from 'node:timers/promises';

import { loadKey } from '../../src/store/engine/keys.ts';
import { createCodeSeals, createSecrets } from '../../src/store/engine/secrets.ts';
import { runCliHere } from '../harness/run-here.ts';
import { check, query, readBooks, waitUntilSettled } from './books.ts';
import { ask, nextPlayer, redeem, toSent, type Answer, type Sent } from './client.ts';
import { JOB_KILL_POINTS } from './faults.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';
import { openShop, type Shop } from './shop.ts';
import { createLedger, type CodeRow, type Ledger } from './bulk-ledger.ts';

const ROUNDS_A_SHOP = 10;
const MOST_ADDED = 2_500;
const MOST_EXTRACTED = 1_500;
const LONGEST_MS = 400;
const LURKS_MS = 1_500;
const DENOMINATION = 60;
const QUIET_WITHIN_MS = 60_000;
const TRIES = 20;

const WEIGHTS = { 'SIGKILL anywhere': 4, 'SIGKILL at a point': 6, SIGTERM: 3 };
type JobKillPoint = (typeof JOB_KILL_POINTS)[number];
type End = keyof typeof WEIGHTS;

/** `count` rounds of it. */
export async function killTheService({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const parts: Findings[] = [];
  for (let done = 0; done < count; done += ROUNDS_A_SHOP) {
    parts.push(await keepShop(seed + done, Math.min(ROUNDS_A_SHOP, count - done)));
    tell?.(`${Math.min(done + ROUNDS_A_SHOP, count)} of ${count} rounds of the real process`);
  }
  return merge(...parts);
}

/** What a program wants; asked for again until there is an answer. */
interface Request {
  name: string;
  isOver: boolean;
  send(url: string): Promise<void>;
}

interface Market {
  shop: Shop;
  ledger: Ledger;
  open: Request[];
  redemptions: Sent[];
  violations: string[];
  tried: Record<string, number>;
}

async function keepShop(seed: number, rounds: number): Promise<Findings> {
  const shop = await openShop(seed, { PLATFORM_TIMEOUT_MS: '2000' });
  const tried: Record<string, number> = { 'rounds of the real process': 0 };
  const market: Market = {
    shop,
    ledger: createLedger(),
    open: [],
    redemptions: [],
    violations: [],
    tried,
  };
  let round = 0;
  try {
    for (; round < rounds && market.violations.length === 0; round += 1) {
      await playRound(market);
      count(market, 'rounds of the real process');
    }
  } finally {
    await shop.close();
  }
  return { tried, violations: market.violations.map((each) => `shop ${seed}, round ${round}: ${each}`) };
}

async function playRound(market: Market): Promise<void> {
  const { shop } = market;
  const { seeded } = shop;
  for (let left = 1 + seeded.below(4); left > 0; left -= 1) market.open.push(wishToAdd(market));
  for (let left = seeded.below(3); left > 0; left -= 1) market.open.push(wishToExtract(market));
  for (let left = seeded.below(4); left > 0; left -= 1) market.open.push(wishToRedeem(market));
  for (let left = 1 + seeded.below(2); left > 0; left -= 1) {
    const end = seeded.weigh(WEIGHTS);
    const point = end === 'SIGKILL at a point' ? await lurk(market) : undefined;
    const backUp = seeded.chance(0.25) ? makeBackup(market) : undefined;
    const asking = sendAll(market);
    await strike(market, end, point);
    await Promise.all([asking, backUp]);
  }
  for (let tries = 0; tries < TRIES && market.open.some(({ isOver }) => !isOver); tries += 1)
    await sendAll(market);
  for (const { name, isOver } of market.open)
    if (!isOver) market.violations.push(`${name} is never answered`);
  market.open = [];
  await audit(market);
}

async function sendAll({ shop, open }: Market): Promise<void> {
  const { url } = shop.service();
  await Promise.all(open.filter(({ isOver }) => !isOver).map((request) => request.send(url)));
}

/** It is to die at this point of its work. */
async function lurk({ shop }: Market): Promise<JobKillPoint> {
  const at = shop.seeded.pick(JOB_KILL_POINTS);
  const nth = at.startsWith('slice') ? 1 + shop.seeded.below(8) : 1;
  await shop.command({ kill: { at, nth } });
  return at;
}

/** The process ends in this way, and another begins; perhaps that one is killed, too, before it is ready. */
async function strike(market: Market, end: End, point: JobKillPoint | undefined): Promise<void> {
  const { shop } = market;
  const { seeded } = shop;
  const service = shop.service();
  count(market, end);
  if (point) {
    await Promise.race([service.exited, pause(LURKS_MS)]);
    if (service.stderr().includes(`killed at ${point}`)) count(market, `killed at ${point}`);
  } else await pause(seeded.below(LONGEST_MS));
  await service.kill(end === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
  if (seeded.chance(0.2)) await dieAtStart(market);
  await shop.start();
}

/** What was left open goes on as soon as it starts: it is killed in the middle of that. */
async function dieAtStart(market: Market): Promise<void> {
  const { shop } = market;
  try {
    await shop.start(shop.seeded.pick(JOB_KILL_POINTS));
    await Promise.race([shop.service().exited, pause(LURKS_MS)]);
    await shop.service().kill('SIGKILL');
  } catch {
    // It came so far before it was ready.
    count(market, 'killed before it was ready');
  }
  count(market, 'killed again after the start');
}

async function makeBackup(market: Market): Promise<void> {
  const file = `${market.shop.folder}/backup-${market.shop.seeded.text(8)}`;
  const { exitCode, stderr } = await runCliHere(market.shop.folder, 'backup', file);
  if (exitCode !== 0) market.violations.push(`the backup failed: ${stderr}`);
}

function wishToAdd({ shop, ledger, violations, tried }: Market): Request {
  const { seeded, account } = shop;
  const codes = Array.from({ length: 1 + seeded.below(MOST_ADDED) }, () => `60S${seeded.text(14)}`);
  const key = seeded.chance(0.5) ? `add-${seeded.text(12)}` : undefined;
  const body = [{ denomination: DENOMINATION, codes }];
  return {
    name: `adding ${codes.length} codes ${key ?? 'without a key'}`,
    isOver: false,
    async send(url) {
      // Each time that it asks is another time.
      ledger.give(codes);
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await hear(ask(url, account, 'POST', '/db', { body, headers }));
      if (!answer || answer.status === 503) return;
      this.isOver = true;
      if (answer.status !== 200)
        return void violations.push(`${this.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      tried['codes added'] = (tried['codes added'] ?? 0) + codes.length;
      const { accepted, used, disowned, invalid } = answer.body as unknown as {
        accepted: Record<string, number>;
        used: string[];
        disowned: string[];
        invalid: string[];
      };
      const told = (accepted[DENOMINATION] ?? 0) + used.length + disowned.length + invalid.length;
      if (told === codes.length) ledger.acknowledge(codes);
      else tried['added by halves'] = (tried['added by halves'] ?? 0) + 1;
    },
  };
}

function wishToExtract({ shop, ledger, violations, tried }: Market): Request {
  const { seeded, account } = shop;
  const amount = 1 + seeded.below(MOST_EXTRACTED);
  const key = seeded.chance(0.7) ? `extract-${seeded.text(12)}` : undefined;
  const body = { denomination: DENOMINATION, amount };
  let extractions = 0;
  return {
    name: `extracting ${amount} codes ${key ?? 'without a key'}`,
    isOver: false,
    async send(url) {
      const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
      const answer = await hear(ask(url, account, 'POST', '/db/extract', { body, headers }));
      if (!answer || answer.status === 503) return;
      this.isOver = true;
      if (answer.status !== 200)
        return void violations.push(`${this.name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      extractions += 1;
      const codes = Object.values(answer.body).map(String);
      tried['codes handed out over HTTP'] = (tried['codes handed out over HTTP'] ?? 0) + codes.length;
      ledger.handOut(key ?? `${this.name} ${seeded.text(8)} ${extractions}`, codes);
      // Asked again, under its key it is the same.
      if (key !== undefined) {
        const again = await hear(ask(url, account, 'POST', '/db/extract', { body, headers }));
        if (again?.status === 200) ledger.handOut(key, Object.values(again.body).map(String));
      }
    },
  };
}

function wishToRedeem({ shop, redemptions }: Market): Request {
  const { seeded, account } = shop;
  const wish = { gameId: 'game_id_1', denomination: DENOMINATION, key: `order-${seeded.text(12)}` };
  const sent = toSent({ playerId: nextPlayer(), ...wish });
  redemptions.push(sent);
  return {
    name: `redeeming ${sent.key}`,
    isOver: false,
    async send(url) {
      this.isOver = (await redeem(url, account, sent)) !== undefined;
    },
  };
}

/** undefined when the process was gone before its answer was whole. */
function hear(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch(() => undefined);
}

async function audit(market: Market): Promise<void> {
  const { shop, ledger, violations, redemptions } = market;
  const { folder } = shop;
  const until = performance.now() + QUIET_WITHIN_MS;
  const countRunning = () => query(folder, `select id from jobs where state = 'running'`).length;
  while (countRunning() > 0 && performance.now() < until) await pause(50);
  if (countRunning() > 0) violations.push('jobs go on for ever');
  if (!(await waitUntilSettled(folder))) violations.push('redemptions are open for ever');
  const { orders } = readBooks(folder);
  for (const { playerId } of redemptions)
    if (orders.filter((order) => order.playerId === playerId).length > 1)
      violations.push(`${playerId} has two orders`);
  const spent = new Set(orders.map(({ code }) => code));
  violations.push(...ledger.audit(readRows(folder), spent), ...(await check(folder)));
}

function readRows(folder: string): CodeRow[] {
  const seals = createCodeSeals(createSecrets(loadKey(`${folder}/redemption.db`, undefined)));
  const rows = query(
    folder,
    'select code_hash as hash, code_secret as secret, state, batch_id as batchId, extraction_id as extractionId from codes',
  ) as (Omit<CodeRow, 'code'> & { hash: Buffer; secret: Buffer })[];
  return rows.map(({ hash, secret, ...row }) => ({ ...row, code: seals.open({ hash, secret }) }));
}

function count({ tried }: Market, what: string): void {
  tried[what] = (tried[what] ?? 0) + 1;
}
