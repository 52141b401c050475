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
import { checkBooks, createAccount } from '../../harness/host.ts';
import { makeServiceFolder, spawnService, type Service } from '../process.ts';
import { addCodes, ask, makeCode, nextPlayer, redeem, toSent, type Account, type Sent } from '../client.ts';
import type { Findings, TortureOptions } from '../findings.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';

/** Between two requests: twenty a second. */
const EVERY_MS = 50;
/** So that the kills lie all over a rekey. */
const LONGEST_LIFE_MS = (count: number) => Math.max(2_000, count / 25);
const STOCK = 400;
/** A block of the history has so many redemptions. */
const BLOCK = 750;
const ENDS_WITHIN_MS = 3 * 60 * 60 * 1000;

interface Life {
  folder: string;
  path: string;
  seeded: Seeded;
  account: Account;
  service: Service;
  /** How many there are to be. */
  kills: number;
  /** Every wish, each with its key. */
  sent: Sent[];
  /** In stock from before. */
  stocked: string[];
  older: Buffer[];
  tried: Record<string, number>;
  violations: string[];
}

/** `count` redemptions in the file before the rekey. */
export async function rekeyUnderLoad({
  count,
  seed,
  tell,
  kills = 20,
}: TortureOptions & { kills?: number }): Promise<Findings> {
  const { folder, remove } = makeServiceFolder();
  const path = join(folder, 'redemption.db');
  const blocks = Math.ceil(count / BLOCK / 4);
  const made = await makeHistory(path, { accounts: 3 * blocks, blocks }, tell ?? (() => undefined));
  const life: Life = {
    ...{ folder, path, kills, seeded: createSeeded(seed), sent: [], stocked: [], older: [] },
    account: await createAccount(folder, { name: 'Busy', purchased: 1_000_000 }),
    service: await spawnService({ folder }),
    tried: { redemptions: made.redemptions, kills: 0, rekeys: 0, requests: 0, repeats: 0 },
    violations: [],
  };
  try {
    await live(life, tell);
    await judge(life);
  } finally {
    await life.service.kill();
    remove();
  }
  return { tried: life.tried, violations: life.violations };
}

async function live(life: Life, tell: TortureOptions['tell']): Promise<void> {
  const codes = Array.from({ length: STOCK }, () => makeCode(life.seeded, '60S'));
  life.stocked.push(...(await addCodes(life.service.url, life.account, 60, codes)));
  for (let n = 0; n < 20; n += 1) await wish(life);
  const load = keepBusy(life);
  const begun = performance.now();
  while (count(life, 'kills', 0) < life.kills || isRekeying(life)) {
    if (performance.now() - begun > ENDS_WITHIN_MS) throw new Error('The rekey does not end.');
    if (count(life, 'kills', 0) < life.kills) {
      if (!isRekeying(life)) await beginRekey(life);
      await pause(life.seeded.below(LONGEST_LIFE_MS(life.tried.redemptions ?? 0)));
      await life.service.kill('SIGKILL');
      count(life, 'kills');
      life.service = await spawnService({ folder: life.folder });
    } else await pause(500);
    tell?.(`${JSON.stringify(life.tried)}, violations: ${life.violations.length}`);
  }
  life.tried.seconds = Math.round((performance.now() - begun) / 1000);
  await load.end();
}

const count = ({ tried }: Life, what: string, more = 1): number => (tried[what] = (tried[what] ?? 0) + more);

function isRekeying({ path }: Life): boolean {
  const file = openReader(path);
  try {
    return readRekey(file) !== undefined;
  } finally {
    file.close();
  }
}

/** The service turns to the new key at its next start: the first kill. */
async function beginRekey(life: Life): Promise<void> {
  const key = readKey(keyFileOf(life.path));
  if (!life.older.some((known) => known.equals(key))) life.older.push(key);
  prepareNext(life.path);
  count(life, 'rekeys');
  await life.service.kill('SIGKILL');
  count(life, 'kills');
  life.service = await spawnService({ folder: life.folder });
}

/** Sends until it is answered, through every kill, as a program does that has a key. */
async function insist(life: Life, sent: Sent): Promise<void> {
  const before = sent.answers.length;
  while (sent.answers.length === before) {
    await redeem(life.service.url, life.account, sent);
    if (sent.answers.length === before) await pause(EVERY_MS);
  }
  const { status, body } = sent.answers.at(-1)!;
  count(life, 'requests');
  if (status !== 200 && !(status === 503 && body.type === 'ActivationError'))
    life.violations.push(`refused: ${status} ${JSON.stringify(body)}`);
}

async function wish(life: Life): Promise<void> {
  const { seeded, sent } = life;
  const what = seeded.chance(0.5) ? { denomination: 60 } : { codeOverride: makeCode(seeded, '60S') };
  const next = toSent({ playerId: nextPlayer(), gameId: 'game_id_1', key: `order-${sent.length}`, ...what });
  sent.push(next);
  await insist(life, next);
}

/** The same key again is the same redemption, whichever key of ours it began under. */
async function repeat(life: Life): Promise<void> {
  const sent = life.seeded.pick(life.sent);
  const [first] = sent.answers;
  if (!first) return;
  await insist(life, sent);
  count(life, 'repeats');
  const id = sent.answers.at(-1)?.id;
  const isFree = first.status === 503 && first.body.errorCode === 'NO_CODES_AVAILABLE';
  if (id !== first.id && !isFree) life.violations.push(`order ${sent.key}: first ${first.id}, then ${id}`);
}

/** A code that is there, or was redeemed, is no new one. */
async function addAgain(life: Life): Promise<void> {
  const used = life.sent.flatMap(({ codeOverride, answers }) =>
    codeOverride && answers[0]?.status === 200 ? codeOverride : [],
  );
  const known = life.seeded.pick([...life.stocked, ...used]);
  const fresh = makeCode(life.seeded, '60S');
  const body = [{ denomination: 60, codes: [known, fresh] }];
  const headers = { 'idempotency-key': `add-${fresh}` };
  for (;;) {
    const answer = await ask(life.service.url, life.account, 'POST', '/db', { body, headers }).catch(
      () => undefined,
    );
    // Bulk work is put off where the machine does not keep up, rekey or not; a redemption never is.
    if (answer?.status === 429) count(life, 'adding put off');
    if (!answer || answer.status === 429) {
      await pause(EVERY_MS);
      continue;
    }
    const accepted = (answer.body.accepted as Record<string, number> | undefined)?.[60] ?? 0;
    const rejected = JSON.stringify(answer.body).includes(known);
    if (answer.status !== 200)
      life.violations.push(`adding was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
    else if (!rejected) life.violations.push(`${known} was added a second time (${accepted} accepted)`);
    else life.stocked.push(fresh);
    count(life, 'added again');
    return;
  }
}

function keepBusy(life: Life) {
  let isOver = false;
  const under = new Set<Promise<void>>();
  const lane = (async () => {
    while (!isOver) {
      const work = life.seeded
        .pick([wish, wish, repeat, addAgain])(life)
        .catch((error: unknown) => {
          life.violations.push(`a request failed: ${String(error)}`);
        });
      under.add(work);
      void work.finally(() => under.delete(work));
      await pause(EVERY_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await lane;
      await Promise.all(under);
    },
  };
}

async function judge(life: Life): Promise<void> {
  const { path, older, violations } = life;
  const { drift, rows } = await checkBooks(life.folder);
  if (drift > 0) violations.push(`check: ${JSON.stringify(rows.slice(0, 3))}`);
  await life.service.kill('SIGTERM');
  const file = new Database(path, { readonly: true });
  try {
    const own = createSecrets(readKey(keyFileOf(path)));
    for (const [name, secrets, opens] of [
      ['the new key', own, true] as const,
      ...older.map((key) => [`the older key ${idOf(key)}`, createSecrets(key), false] as const),
    ])
      violations.push(...judgeKey(file, { name, secrets, opens }));
    violations.push(...judgeHashes(file, own));
  } finally {
    file.close();
  }
  for (const key of older)
    if (!readKey(olderKeyFileOf(path, idOf(key))).equals(key))
      violations.push(`the key ${idOf(key)} is not kept`);
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
