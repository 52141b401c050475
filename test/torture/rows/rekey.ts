// Of no row: rekeys that are killed. So many redemptions are there; the service is stopped, and `rekey` is killed again
// and again, whenever that is: the old file or the new one is in place, opened by one key whole and by no other, every
// order is known under its key, no code is added twice, and the key of before is kept.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';

import { openAll, SEALED_COLUMNS } from '../../../src/store/backup/sealed-columns.ts';
import { idOf, loadKeyRing } from '../../../src/store/engine/keys.ts';
import { createCodeSeals, createSecrets, type Secrets } from '../../../src/store/engine/secrets.ts';
import { hashEnds } from '../../../src/store/tables/code-ends.ts';
import { makeHistory } from '../../bench/history/making.ts';
import { check } from '../books.ts';
import { ask, makeCode, nextPlayer, redeem, toSent } from '../client.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { CLI, ROOT, serviceEnv } from '../process.ts';
import { inShop, type Shop } from '../shop.ts';

const STOCK = 60;
const WISHES = 20;
/** A block of the history has so many redemptions. */
const BLOCK = 750;

/** `count` redemptions in the file before the first rekey. */
export async function killRekeys({
  count: wanted,
  seed,
  tell,
  kills = 20,
}: TortureOptions & { kills?: number }): Promise<Findings> {
  const blocks = Math.ceil(wanted / BLOCK / 4);
  let redemptions = 0;
  const makePast = async (folder: string) => {
    const size = { accounts: 3 * blocks, blocks };
    ({ redemptions } = await makeHistory(databaseOf({ folder }), size, tell ?? (() => undefined)));
  };
  const live = async (shop: Shop) => {
    count(shop, 'redemptions', redemptions);
    await shop.stock(60, Array<string>(STOCK).fill('60S'));
    for (let n = 0; n < WISHES; n += 1) await wish(shop);
    await stop(shop);
    const lastsMs = await rekey(shop);
    for (let n = 0; n < kills; n += 1) {
      await rekey(shop, shop.seeded.below(Math.ceil(lastsMs)));
      await judge(shop);
      tell?.(`${JSON.stringify(shop.tried)}, violations: ${shop.violations.length}`);
    }
    await rekey(shop);
    await judge(shop);
    await shop.start();
    for (const sent of shop.sent) await repeat(shop, sent);
    await addAgain(shop);
    shop.violations.push(...(await check(shop.folder)));
  };
  return inShop(seed, {}, live, makePast);
}

const databaseOf = ({ folder }: { folder: string }) => join(folder, 'redemption.db');

const stop = (shop: Shop) => shop.service().kill('SIGTERM');

/** Killed after so long, or to its end; how long it took. */
async function rekey(shop: Shop, killedAfterMs?: number): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [CLI, 'rekey'], {
    cwd: ROOT,
    env: serviceEnv(shop.folder),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const exited = once(child, 'close');
  if (killedAfterMs !== undefined) {
    await pause(killedAfterMs);
    child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  count(shop, signal === null ? 'rekeys' : 'kills');
  if (signal === null && code !== 0) shop.violations.push(`a rekey ended with ${code}: ${said}`);
  return performance.now() - begun;
}

async function wish(shop: Shop): Promise<void> {
  const { seeded, sent } = shop;
  const what = seeded.chance(0.5) ? { denomination: 60 } : { codeOverride: makeCode(seeded, '60S') };
  const next = toSent({ playerId: nextPlayer(), gameId: 'game_id_1', key: `order-${sent.length}`, ...what });
  sent.push(next);
  await redeem(shop.service().url, shop.account, next);
}

/** The same key again is the same redemption, whichever key of ours it began under. */
async function repeat(shop: Shop, sent: Shop['sent'][number]): Promise<void> {
  const [first] = sent.answers;
  await redeem(shop.service().url, shop.account, sent);
  count(shop, 'repeats');
  const id = sent.answers.at(-1)?.id;
  if (first === undefined || id !== first.id)
    shop.violations.push(`order ${sent.key}: first ${first?.id}, then ${id}`);
}

/** Codes that are there, or were redeemed, are no new ones. */
async function addAgain({ added, sent, account, service, violations }: Shop): Promise<void> {
  const known = [...added, ...sent.flatMap(({ codeOverride }) => codeOverride ?? [])];
  const { status, body } = await ask(service().url, account, 'POST', '/db', {
    body: [{ denomination: 60, codes: known }],
  });
  const told = JSON.stringify(body);
  const again = known.filter((code) => !told.includes(code));
  if (status !== 200 || again.length > 0)
    violations.push(`${again.length} codes were added a second time: ${status} ${told}`);
}

/** One key opens all, every other nothing, and those of before are there. */
async function judge(shop: Shop): Promise<void> {
  const { violations } = shop;
  const path = databaseOf(shop);
  const { current, others } = loadKeyRing(path, undefined);
  const keys = [...new Map([current, ...others].map((key) => [idOf(key), key])).values()];
  const file = new Database(path, { readonly: true });
  try {
    const opening = keys.filter((key) => countOpened(file, createSecrets(key)).closed === 0);
    const [own] = opening;
    if (!own || opening.length > 1) return void violations.push(`${opening.length} keys open the file`);
    for (const key of keys) {
      const { opened } = countOpened(file, createSecrets(key));
      if (key !== own && opened > 0) violations.push(`the key ${idOf(key)} opens ${opened} values, too`);
    }
    violations.push(...judgeHashes(file, createSecrets(own)));
  } finally {
    file.close();
  }
}

function countOpened(file: Database.Database, secrets: Secrets): { opened: number; closed: number } {
  let closed = 0;
  const values = SEALED_COLUMNS.map((column) =>
    openAll(file, column, secrets, { report: () => (closed += 1) }),
  );
  return { opened: values.reduce((sum, each) => sum + each, 0) - closed, closed };
}

/** By the ends of their codes redemptions are found under the new key, and nothing lies there under another. */
function judgeHashes(file: Database.Database, secrets: Secrets): string[] {
  const seals = createCodeSeals(secrets);
  const rows = file.prepare<
    [],
    { hash: Buffer; secret: Buffer; head: Buffer | null; tail: Buffer; own: Buffer }
  >(
    `select coalesce(case when r.code_secret is null then c.code_hash end, r.code_hash) as hash,
      coalesce(r.code_secret, c.code_secret) as secret, r.code_head_hash as head, r.code_tail_hash as tail, r.code_hash as own
     from redemptions r left join codes c on c.id = r.code_id where r.code_hash is not null`,
  );
  let [ends, hashes] = [0, 0];
  for (const { hash, secret, head, tail, own } of rows.iterate()) {
    const wanted = hashEnds(secrets, seals.open({ hash, secret }));
    if (!isDeepStrictEqual({ head, tail }, { ...wanted })) ends += 1;
    if (!hash.equals(own)) hashes += 1;
  }
  const found = { 'ends of before': ends, 'hashes of before': hashes };
  return Object.entries(found).flatMap(([what, wrong]) => (wrong > 0 ? [`${what}: ${wrong}`] : []));
}
