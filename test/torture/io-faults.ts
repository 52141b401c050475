// Row 10: the Nth step of the store fails, N = 1 to the end, and a database that may not grow. What was acknowledged is
// kept, what did not begin never reaches the platform, and the service goes on when the disk does.
import { readBooks } from './books.ts';
import { ask, makeCode, redeem, type Answer } from './client.ts';
import type { DiskFault } from './faults.ts';
import { merge, type Findings } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

export interface FaultPlan {
  seed: number;
  /** Every how-many-th step is made to fail. */
  stride: number;
  tell?: (line: string) => void;
}

const MODES: readonly Omit<DiskFault, 'nth'>[] = [
  { kind: 'IOERR', count: 1 },
  { kind: 'IOERR_GONE', count: 1 },
  { kind: 'IOERR', count: Infinity },
];

/**
 * In every mode: the same requests again and again, each time with a later step failing, until none is left to fail.
 */
export async function failEveryStep({ seed, stride, tell }: FaultPlan): Promise<Findings> {
  const parts = MODES.map(async (mode, index) => {
    const shop = await openShop(seed + index);
    try {
      return await failSteps(shop, mode, 1 + (index % stride), stride, tell);
    } finally {
      await shop.close();
    }
  });
  return merge(...(await Promise.all(parts)));
}

async function failSteps(
  shop: Shop,
  mode: Omit<DiskFault, 'nth'>,
  first: number,
  stride: number,
  tell?: (line: string) => void,
): Promise<Findings> {
  const tried = { faults: 0, failedSteps: 0 };
  await shop.stock(60, ['60S', '60S', '60S', '60S']);
  for (let nth = first; ; nth += stride) {
    // JSON knows no Infinity.
    await shop.command({ fail: { ...mode, nth, count: Math.min(mode.count, 1_000_000) } });
    const actions = everyAction(shop, `${mode.kind}-${mode.count}-${nth}`);
    const struck = await waitUntilStruck(shop, actions);
    if (struck === undefined) {
      const violation = `${mode.kind} × ${mode.count}: step ${nth} ended the service: ${shop.service().stderr()}`;
      return { tried, violations: [violation] };
    }
    await shop.command({ fail: null });
    await actions;
    if (struck === 0) break;
    tried.faults += 1;
    tried.failedSteps += struck;
    tell?.(`${mode.kind} × ${mode.count}: step ${nth}`);
  }
  const violations = await worksAgain(shop);
  // What failed to be written may be looked at again only after long; a new process looks at once, and knows the disk
  // alone.
  await shop.service().kill();
  await shop.start();
  violations.push(...checkAnswers(shop), ...checkUnbegun(shop), ...(await shop.audit()));
  return { tried, violations: violations.map((violation) => `${mode.kind} × ${mode.count}: ${violation}`) };
}

/** Twice of it, and a fault has met four tries to write an end and all that is looked at twice a second. */
const LOOK_MS = 250;

/**
 * How many steps failed, when all is done or the fault has lasted: an end is written until it is written, so what waits
 * for one waits until the disk is mended. undefined where the service is gone.
 */
async function waitUntilStruck(shop: Shop, actions: Promise<void>): Promise<number | undefined> {
  let isOver = false;
  const over = actions.then(() => void (isOver = true));
  for (let looks = 0; ;) {
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
    const { struck } = await shop.command({}).catch(() => ({ struck: undefined }));
    if (struck === undefined) return undefined;
    if (isOver) return Number(struck);
    if (Number(struck) > 0) looks += 1;
    if (looks > 2) return Number(struck);
  }
}

/** One of everything that writes, one after the other so that the steps keep their numbers. */
async function everyAction(shop: Shop, name: string): Promise<void> {
  const { seeded } = shop;
  await addOne(shop);
  await shop.wish({ denomination: 60, key: `database-${name}` });
  await shop.wish({ denomination: 60 });
  await shop.wish({ codeOverride: makeCode(seeded, '60S'), gameId: 'game_id_3' });
  await shop.wish({ codeOverride: makeCode(seeded, 'USED') });
  const body = { denomination: 60, amount: 1 };
  const headers = { 'idempotency-key': `extract-${name}` };
  const extracted = await tryTo(shop, 'POST', '/db/extract', { body, headers });
  if (extracted?.status === 200) shop.extracted.push(...Object.values(extracted.body).map(String));
  await tryTo(shop, 'GET', '/character?playerId=5124780131&gameId=game_id_1');
  const doubtful = shop.wish({ codeOverride: makeCode(seeded, 'TIMEOUT'), key: `doubtful-${name}` });
  await addOne(shop);
  await doubtful;
}

async function addOne(shop: Shop): Promise<void> {
  const code = makeCode(shop.seeded, '60S');
  const body = [{ denomination: 60, codes: [code] }];
  const answer = await tryTo(shop, 'POST', '/db', { body });
  if (answer?.status === 200) shop.added.push(code);
}

/** undefined when the connection breaks: then nothing was acknowledged. */
function tryTo(shop: Shop, ...action: [method: string, path: string, options?: Parameters<typeof ask>[4]]) {
  return ask(shop.service().url, shop.account, ...action).catch((): Answer | undefined => undefined);
}

/** 429: an account whose requests cannot be carried out, one after the other, is made to wait. */
const BEGAN_NOTHING: ReadonlySet<number> = new Set([429, 500]);

/** What did not begin never reached the platform, took no code and left no redemption. */
function checkUnbegun(shop: Shop): string[] {
  const { redemptions, orders } = readBooks(shop.folder);
  const known = new Set([...redemptions, ...orders].map(({ playerId }) => playerId));
  return shop.sent
    .filter(
      ({ playerId, answers }) =>
        answers.every(({ status }) => BEGAN_NOTHING.has(status)) && known.has(playerId),
    )
    .map(({ playerId }) => `${playerId}: answered as if nothing had begun, but something did`);
}

/** Every redemption was answered, and what was answered is one of the things that may be. */
function checkAnswers(shop: Shop): string[] {
  return shop.sent.flatMap(({ playerId, answers, interruptions }) => {
    if (interruptions > 0) return [`${playerId}: the connection broke`];
    const strange = answers.filter(
      ({ status }) => ![200, 503].includes(status) && !BEGAN_NOTHING.has(status),
    );
    return strange.map(({ status, body }) => `${playerId}: answered ${status}: ${JSON.stringify(body)}`);
  });
}

async function worksAgain(shop: Shop): Promise<string[]> {
  await shop.repeatUnanswered();
  await shop.stock(60, ['60S']);
  const { answers } = await shop.wish({ denomination: 60 });
  return answers[0]?.status === 200 ? [] : [`does not redeem any more: ${JSON.stringify(answers[0]?.body)}`];
}

const LANES = 8;

/** The database may not grow, in the middle of the load; then it may again. SQLite itself says SQLITE_FULL. */
export async function fillTheDisk({ rounds, seed }: { rounds: number; seed: number }): Promise<Findings> {
  const shop = await openShop(seed);
  const tried = { rounds: 0, refused: 0, unknown: 0 };
  const violations: string[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await shop.stock(
        60,
        Array.from({ length: 300 }, () => '60S'),
      );
      const first = shop.sent.length;
      await loadWhileFull(shop, round);
      const answers = shop.sent.slice(first).flatMap((sent) => sent.answers);
      tried.refused += answers.filter(({ status }) => status === 500).length;
      tried.unknown += answers.filter(({ body }) => body.errorCode === 'UNKNOWN').length;
      tried.rounds += 1;
      violations.push(...(await worksAgain(shop)));
    }
    violations.push(...checkAnswers(shop), ...checkUnbegun(shop), ...(await shop.audit()));
    if (tried.refused === 0) violations.push('the disk was never full');
  } finally {
    await shop.close();
  }
  return { tried, violations };
}

async function loadWhileFull(shop: Shop, round: number): Promise<void> {
  let enough = false;
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = 0; !enough; turn += 1) {
      const key = turn % 2 === 0 ? { key: `full-${round}-${lane}-${turn}` } : {};
      const direct = turn % 3 === 0 ? { codeOverride: makeCode(shop.seeded, '60S') } : { denomination: 60 };
      const sent = await shop.wish({ ...direct, ...key });
      // A failed begin under a key leaves the key unused: repeating is the same wish.
      if (sent.key !== undefined && sent.answers[0]?.status === 500) {
        await redeem(shop.service().url, shop.account, sent);
      }
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  await shop.command({ full: true });
  const first = shop.sent.length;
  const failures = () => shop.sent.slice(first).filter(({ answers }) => answers[0]?.status === 500).length;
  const until = performance.now() + 10_000;
  while (failures() < 5 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50));
  await shop.command({ full: false });
  enough = true;
  await Promise.all(lanes);
}
