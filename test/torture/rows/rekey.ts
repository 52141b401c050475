// Of no row: a rekey under load. So many redemptions are there; while they are sealed anew, people redeem, repeat, add
// codes and take them out, and the process is killed again and again. Nobody is refused, nothing is new twice, and at the
// end the older key opens nothing.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';

import { readRekey } from '../../../src/store/backup/rekey.ts';
import { openAll, SEALED_COLUMNS } from '../../../src/store/backup/sealed-columns.ts';
import { openReader } from '../../../src/store/engine/connection.ts';
import { idOf, olderKeyFileOf, prepareNext } from '../../../src/store/engine/key-ring.ts';
import { keyFileOf, readKey } from '../../../src/store/engine/keys.ts';
import { createCodeSeals, createSecrets, type Secrets } from '../../../src/store/engine/secrets.ts';
import { hashEnds } from '../../../src/store/tables/code-ends.ts';
import { makeHistory } from '../../bench/history/making.ts';
import { check } from '../books.ts';
import { ask, makeCode, nextPlayer, redeem, toSent, type Sent } from '../client.ts';
import { count, type Findings, type TortureOptions } from '../findings.ts';
import { inShop, type Shop } from '../shop.ts';

/** Between two requests: twenty a second. */
const EVERY_MS = 50;
/** So that the kills lie all over a rekey. */
const longestLifeMs = (redemptions: number) => Math.max(2_000, redemptions / 25);
const STOCK = 400;
/** A block of the history has so many redemptions. */
const BLOCK = 750;
const ENDS_WITHIN_MS = 3 * 60 * 60 * 1000;

/** `count` redemptions in the file before the rekey. */
export async function rekeyUnderLoad({
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
    for (let n = 0; n < 20; n += 1) await wish(shop);
    const load = keepBusy(shop);
    const older = await rekey(shop, kills, tell);
    await load.end();
    await judge(shop, older);
  };
  return inShop(seed, {}, live, { makePast });
}

const databaseOf = ({ folder }: { folder: string }) => join(folder, 'redemption.db');

/** Until it was killed so often, and the last one is over; the keys of before. */
async function rekey(shop: Shop, kills: number, tell: TortureOptions['tell']): Promise<Buffer[]> {
  const older: Buffer[] = [];
  const begun = performance.now();
  const isKilled = () => count(shop, 'kills', 0) >= kills;
  while (!isKilled() || isRekeying(shop)) {
    if (performance.now() - begun > ENDS_WITHIN_MS) throw new Error('The rekey does not end.');
    if (isKilled()) await pause(500);
    else {
      if (!isRekeying(shop)) {
        const key = readKey(keyFileOf(databaseOf(shop)));
        if (!older.some((known) => known.equals(key))) older.push(key);
        // The service turns to the new key at its next start: the first kill.
        prepareNext(databaseOf(shop));
        count(shop, 'rekeys');
        await kill(shop);
      }
      await pause(shop.seeded.below(longestLifeMs(count(shop, 'redemptions', 0))));
      await kill(shop);
    }
    tell?.(`${JSON.stringify(shop.tried)}, violations: ${shop.violations.length}`);
  }
  count(shop, 'seconds', Math.round((performance.now() - begun) / 1000));
  return older;
}

async function kill(shop: Shop): Promise<void> {
  await shop.restart('SIGKILL');
  count(shop, 'kills');
}

function isRekeying(shop: Shop): boolean {
  const file = openReader(databaseOf(shop));
  try {
    return readRekey(file) !== undefined;
  } finally {
    file.close();
  }
}

/** Sends until it is answered, through every kill, as a program does that has a key. */
async function insist(shop: Shop, sent: Sent): Promise<void> {
  let answer;
  while (!(answer = await redeem(shop.service().url, shop.account, sent))) await pause(EVERY_MS);
  const { status, body } = answer;
  count(shop, 'requests');
  if (status !== 200 && !(status === 503 && body.type === 'ActivationError'))
    shop.violations.push(`refused: ${status} ${JSON.stringify(body)}`);
}

async function wish(shop: Shop): Promise<void> {
  const { seeded, sent } = shop;
  const what = seeded.chance(0.5) ? { denomination: 60 } : { codeOverride: makeCode(seeded, '60S') };
  const next = toSent({ playerId: nextPlayer(), gameId: 'game_id_1', key: `order-${sent.length}`, ...what });
  sent.push(next);
  await insist(shop, next);
}

/** The same key again is the same redemption, whichever key of ours it began under. */
async function repeat(shop: Shop): Promise<void> {
  const sent = shop.seeded.pick(shop.sent);
  const [first] = sent.answers;
  if (!first) return;
  await insist(shop, sent);
  count(shop, 'repeats');
  const id = sent.answers.at(-1)?.id;
  const isFree = first.status === 503 && first.body.errorCode === 'NO_CODES_AVAILABLE';
  if (id !== first.id && !isFree) shop.violations.push(`order ${sent.key}: first ${first.id}, then ${id}`);
}

/** A code that is there, or was redeemed, is no new one. */
async function addAgain(shop: Shop): Promise<void> {
  const { seeded, sent, added, violations } = shop;
  const used = sent.flatMap(({ codeOverride, answers }) =>
    codeOverride && answers[0]?.status === 200 ? codeOverride : [],
  );
  const known = seeded.pick([...added, ...used]);
  const fresh = makeCode(seeded, '60S');
  const order = {
    body: [{ denomination: 60, codes: [known, fresh] }],
    headers: { 'idempotency-key': `add-${fresh}` },
  };
  const add = () => ask(shop.service().url, shop.account, 'POST', '/db', order).catch(() => undefined);
  let answer;
  while (!(answer = await add()) || answer.status === 429) {
    // Bulk work is put off where the machine does not keep up, rekey or not; a redemption never is.
    if (answer) count(shop, 'adding put off');
    await pause(EVERY_MS);
  }
  const told = JSON.stringify(answer.body);
  if (answer.status !== 200) violations.push(`adding was refused: ${answer.status} ${told}`);
  else if (!told.includes(known)) violations.push(`${known} was added a second time: ${told}`);
  else added.push(fresh);
  count(shop, 'added again');
}

function keepBusy(shop: Shop) {
  const ended = new AbortController();
  const under = new Set<Promise<void>>();
  const lane = (async () => {
    while (!ended.signal.aborted) {
      const work = shop.seeded
        .pick([wish, wish, repeat, addAgain])(shop)
        .catch((error: unknown) => void shop.violations.push(`a request failed: ${String(error)}`));
      under.add(work);
      void work.finally(() => under.delete(work));
      await pause(EVERY_MS);
    }
  })();
  return {
    async end() {
      ended.abort();
      await lane;
      await Promise.all(under);
    },
  };
}

async function judge(shop: Shop, older: readonly Buffer[]): Promise<void> {
  const { violations, folder } = shop;
  const path = databaseOf(shop);
  violations.push(...(await check(folder)));
  await shop.service().kill('SIGTERM');
  const file = new Database(path, { readonly: true });
  try {
    const own = createSecrets(readKey(keyFileOf(path)));
    violations.push(...judgeKey(file, { name: 'the new key', secrets: own, opens: true }));
    for (const key of older) {
      const secrets = createSecrets(key);
      violations.push(...judgeKey(file, { name: `the older key ${idOf(key)}`, secrets, opens: false }));
      if (!readKey(olderKeyFileOf(path, idOf(key))).equals(key))
        violations.push(`the key ${idOf(key)} is not kept`);
    }
    violations.push(...judgeHashes(file, own));
  } finally {
    file.close();
  }
}

/** All of a file, or nothing of it. */
function judgeKey(
  file: Database.Database,
  { name, secrets, opens }: { name: string; secrets: Secrets; opens: boolean },
): string[] {
  return SEALED_COLUMNS.flatMap((column) => {
    let closed = 0;
    const values = openAll(file, column, secrets, { report: () => (closed += 1) });
    const wrong = opens ? closed : values - closed;
    return wrong > 0
      ? [`${name} ${opens ? 'does not open' : 'opens'} ${wrong} of ${column.table}.${column.column}`]
      : [];
  });
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
