// What happens between two restores. Each action tells the world outside what it was told, and looks at once whether
// anything was given that must not be given.
import { noteSent, prepareBegin } from '../../../src/core/redemption/begin.ts';
import { settleRedeemed } from '../../../src/core/redemption/settle.ts';
import { createCoreClock, DAY_MS, HOUR_MS, momentOf } from '../../../src/clock.ts';
import { createAddingWork, openAdding } from '../../../src/core/stock/add-codes.ts';
import { randomIds } from '../../../src/ids.ts';
import { TEST_GAMES } from '../../harness/core.ts';
import { repeat, repeatLost } from './repeats.ts';
import {
  changeRole,
  followLink,
  handOver,
  invite,
  openOwn,
  openShop,
  prolong,
  removeMember,
} from './people.ts';
import {
  count,
  credentialsOf,
  GAME_ID,
  listKnown,
  makeBackup,
  ownerOf,
  pickShop,
  query,
  readSpent,
  referenceOf,
  restart,
  tell,
  type World,
} from './world.ts';
import { upstreamsOver } from '../../harness/upstreams.ts';

const GAME = TEST_GAMES.all[0]!;
const STOCK_KEY = { gameId: GAME_ID, denomination: 60 };
/** How codes behave: most redeem, some are refused, and some are never answered for. */
const PREFIXES = {
  '60S': 12,
  DOWN: 1,
  RISK: 1,
  USED: 1,
  INVALID: 1,
  LOST: 1,
  TIMEOUT: 1,
  GARBLED: 1,
  NOORDER: 1,
};

const WEIGHTS = {
  openShop: 2,
  openOwn: 1,
  add: 8,
  redeem: 10,
  redeemGiven: 4,
  extract: 5,
  spendElsewhere: 3,
  undo: 3,
  leavePending: 4,
  endRunning: 4,
  settle: 2,
  leaveAdding: 3,
  leaveCollecting: 2,
  leaveExtracting: 2,
  talk: 3,
  payForUpdate: 2,
  pay: 4,
  refund: 2,
  issueKey: 3,
  revokeKey: 4,
  invite: 5,
  followLink: 2,
  removeMember: 3,
  changeRole: 4,
  handOver: 3,
  prolong: 2,
  lookUp: 2,
  repeat: 3,
  repeatLost: 2,
  restart: 2,
  backUp: 8,
};
type Action = keyof typeof WEIGHTS;

/** Does one thing, and lets some time pass. */
export async function doSomething(world: World): Promise<void> {
  world.clock.advance(1 + world.seeded.below(world.seeded.pick([1000, 60_000, HOUR_MS])));
  const action = world.shops.length === 0 ? 'openShop' : world.seeded.weigh(WEIGHTS);
  count(world, action);
  await ACTIONS[action](world);
}

const ACTIONS: Record<Action, (world: World) => Promise<void>> = {
  openShop,
  openOwn,
  add,
  redeem,
  redeemGiven,
  extract,
  spendElsewhere,
  undo,
  leavePending,
  endRunning,
  settle,
  leaveAdding,
  leaveCollecting,
  leaveExtracting,
  talk,
  payForUpdate,
  pay,
  refund,
  issueKey,
  revokeKey,
  invite,
  followLink,
  removeMember,
  changeRole,
  handOver,
  prolong,
  lookUp,
  repeat,
  repeatLost,
  restart,
  backUp: makeBackup,
};

const makeCode = (world: World) => `${world.seeded.weigh(PREFIXES)}${String(world.next()).padStart(13, '0')}`;
const makeCodes = (world: World) => Array.from({ length: 1 + world.seeded.below(4) }, () => makeCode(world));
const makePlayer = (world: World) => String(5_000_000_000 + world.next());

async function add(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const codes = makeCodes(world);
  const key = `adding-${world.next()}`;
  const idempotencyKey = { scope: 'http' as const, key };
  await world.core.codes.add(someone.program, GAME_ID, [{ denomination: 60, codes }], { idempotencyKey });
  tell(world, { kind: 'added under', shop: someone.shop, key, codes, at: world.clock.now() });
  for (const code of codes) tell(world, { kind: 'added', code });
}

/** Failures that cost nothing, from the wire document. */
const FREEING = new Set(['NO_CODES_AVAILABLE', 'NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'NETWORK_ERROR']);

export async function redeem(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const key = `order-${world.next()}`;
  const playerId = makePlayer(world);
  const idempotencyKey = { scope: 'http' as const, key };
  const answer = await world.core.redeem(someone.program, { ...STOCK_KEY, playerId, idempotencyKey });
  if (answer.status !== 'answered') return;
  const reference = referenceOf(world, answer.redemption.id);
  // What touched nothing has left its key free.
  if (!FREEING.has(answer.redemption.errorCode ?? ''))
    tell(world, { kind: 'request', shop: someone.shop, key, playerId, reference, at: world.clock.now() });
  noteReceipt(world, answer.redemption);
}

/** A code from anywhere: fresh, handed out before, or lying in somebody's stock. */
async function redeemGiven(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const from = world.seeded.weigh({ fresh: 1, left: 2, stock: 2 });
  const kinds = { left: 'left', stock: 'added' } as const;
  const known = from === 'fresh' ? [] : world.facts.filter(({ kind }) => kind === kinds[from]);
  const given = known.length > 0 ? world.seeded.pick(known) : undefined;
  const code = given && 'code' in given ? given.code : makeCode(world);
  const answer = await world.core.redeem(someone.program, {
    gameId: GAME_ID,
    playerId: makePlayer(world),
    code,
  });
  if (answer.status === 'answered') noteReceipt(world, answer.redemption, true);
}

/** `given`: whoever sent the code had it, so that it may have left before. */
function noteReceipt(
  world: World,
  redemption: { id: number; state: string; code?: string },
  given = false,
): void {
  const { id, state, code } = redemption;
  if (state !== 'redeemed' || code === undefined) return;
  const reference = referenceOf(world, id);
  if (readSpent(world).get(code) !== reference)
    world.violations.push(`receipt ${id} is of another redemption`);
  if (!given && listKnown(world, 'left').some((left) => left.code === code))
    world.violations.push(`${code} had left, and was redeemed from the stock`);
  tell(world, { kind: 'receipt', id, reference, code, credentials: credentialsOf(world, id) });
}

async function extract(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { shop, program } = someone;
  const key = `extraction-${world.next()}`;
  const amount = 1 + world.seeded.below(3);
  const codes = await extractFrom(world, program, amount, key);
  tell(world, { kind: 'handed out', shop, key, amount, codes, at: world.clock.now() });
}

export async function extractFrom(
  world: World,
  program: NonNullable<ReturnType<typeof pickShop>>['program'],
  amount: number,
  key = `all-${world.next()}`,
): Promise<string[]> {
  const idempotencyKey = { scope: 'http' as const, key };
  const { codes } = await world.core.codes.extract(program, { ...STOCK_KEY, amount, idempotencyKey });
  noteLeft(world, codes);
  return codes;
}

function noteLeft(world: World, codes: readonly string[]): void {
  const spent = readSpent(world);
  const left = new Set(listKnown(world, 'left').map(({ code }) => code));
  for (const code of codes) {
    if (spent.has(code) && !world.usedUnseen.has(code))
      world.violations.push(`${code} was spent, and handed out`);
    if (left.has(code)) world.violations.push(`${code} was handed out twice`);
    tell(world, { kind: 'left', code, how: 'extracted' });
  }
}

/** A customer uses a code that they were given, with somebody else's service. */
async function spendElsewhere(world: World): Promise<void> {
  const left = world.facts.filter((fact) => fact.kind === 'left');
  if (left.length === 0) return;
  const { code } = world.seeded.pick(left);
  const order = { reference: randomIds.uuid(), gameId: GAME_ID, code, playerId: makePlayer(world) };
  if (listCodes(world, "state = 'available'").includes(code)) world.usedUnseen.add(code);
  await world.sandbox.redeem(order, { signal: AbortSignal.timeout(1) });
}

async function undo(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { owner } = someone;
  const batches = query<{ id: number }>(
    world.path,
    'select id from batches where account_id = ? and undone_at is null and at > ?',
    owner.accountId,
    world.clock.now() - HOUR_MS,
  );
  if (batches.length === 0) return;
  const { id } = world.seeded.pick(batches);
  await world.core.imports.undo(owner, id);
  const undone = listCodes(world, "batch_id = ? and state = 'undone'", id);
  for (const code of undone) tell(world, { kind: 'left', code, how: 'undone' });
}

/** The process is about to die in the middle of a redemption, before or after the platform heard of it. */
async function leavePending(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { store, clock } = world;
  const reference = randomIds.uuid();
  const request = { gameId: GAME.id, playerId: makePlayer(world), denomination: 60 };
  const read = { actor: someone.program, game: GAME, request };
  const begin = prepareBegin(
    {
      store,
      upstreams: upstreamsOver(world.sandbox, world),
      witnesses: { canProve: () => true },
      badRequestLimit: { count: () => undefined },
    },
    read,
    reference,
  );
  const { begun } = await store.write((tables) => begin(tables, momentOf(createCoreClock(clock))));
  if (!begun || world.seeded.chance(0.5)) return;
  const { code, playerId, unverified } = begun;
  const isSpent = readSpent(world).has(code);
  if (unverified && isSpent) return;
  // As it is done once the platform has said that it is unspent.
  if (unverified) await store.write((tables) => noteSent(tables, begun, clock.now()));
  const order = { reference, gameId: GAME_ID, code, playerId };
  const told = await world.sandbox.redeem(order, { signal: AbortSignal.timeout(1) });
  if (told.status === 'redeemed') world.running.push(begun);
}

/** The process did not die: its receipt comes, with the credentials that are told once. */
async function endRunning(world: World): Promise<void> {
  const begun = world.running.shift();
  if (!begun) return;
  const { id, code, playerId } = begun;
  const credentials = { email: `${id}@example.org`, password: `secret ${id}` };
  const names = { openid: playerId, playerName: 'Player', region: null, productName: null };
  const receipt = { ...names, amount: 60, warning: false, credentials };
  await world.store.write((tables) => settleRedeemed(tables, begun, receipt, 'answer', world.clock.now()));
  noteReceipt(world, { id, state: 'redeemed', code });
}

/** The platform is asked about what is in doubt, and what came out is told. */
async function settle(world: World): Promise<void> {
  world.clock.advance(HOUR_MS);
  await world.core.settleDoubts();
  const told = new Set(world.facts.map((fact) => (fact.kind === 'receipt' ? fact.reference : '')));
  // What was recovered is told to whoever repeats it.
  const redeemed = query<{ id: number }>(
    world.path,
    "select id from redemptions where state = 'redeemed' and actor <> 'lost'",
  );
  for (const { id } of redeemed) {
    if (told.has(referenceOf(world, id))) continue;
    const { code } = world.store.read((tables) => tables.redemptions.get(id));
    if (code !== null) noteReceipt(world, { id, state: 'redeemed', code }, true);
  }
}

async function leaveAdding(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { store, clock } = world;
  const coreClock = createCoreClock(clock);
  const { accountId } = someone.program;
  const slices = [makeCodes(world), makeCodes(world), makeCodes(world)];
  const owned = { accountId, actor: `member:${someone.owner.telegramId}`, now: clock.now() };
  const jobId = await store.write((tables) => {
    const batchId = tables.batches.open({ ...owned, gameId: GAME_ID });
    return openAdding(
      tables,
      { ...owned, batchId },
      slices.map((codes) => ({ denomination: 60, codes })),
    );
  });
  const work = createAddingWork({ store, games: TEST_GAMES, clock: coreClock });
  for (const codes of slices.slice(0, world.seeded.below(3))) {
    const job = store.read((tables) => tables.jobs.find(jobId!));
    await work.step(job!);
    for (const code of codes) tell(world, { kind: 'added', code });
  }
}

async function leaveCollecting(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const importId = await world.core.imports.begin(someone.owner, STOCK_KEY);
  const codes = makeCodes(world);
  const piece = { key: 'one', position: 1, kind: 'message' as const, text: codes.join('\n') };
  await world.core.imports.addPiece(someone.owner, importId, piece);
  if (world.seeded.chance(0.5)) return;
  const committed = await world.core.imports.commit(someone.owner, importId);
  if (committed?.added === codes.length) for (const code of codes) tell(world, { kind: 'added', code });
}

async function leaveExtracting(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { accountId } = someone.program;
  const now = world.clock.now();
  const owned = { accountId, actor: 'host', now };
  const extractionId = await world.store.write((tables) => {
    const id = tables.extractions.open({ ...owned, ...STOCK_KEY, requested: 5 });
    const jobId = tables.jobs.open({ ...owned, kind: 'extract', subjectId: id, total: 5 });
    const done = tables.extractions.extract({ ...owned, ...STOCK_KEY, extractionId: id, amount: 2 });
    tables.jobs.advance(jobId, { done, cursor: null });
    return id;
  });
  noteLeft(world, listCodes(world, 'extraction_id = ?', extractionId));
}

/** What the bot was in the middle of: none of it goes on after a restore. */
async function talk(world: World): Promise<void> {
  const number = world.next();
  const person = { chatId: number, userId: number };
  const now = world.clock.now();
  await world.store.write((tables) => {
    tables.inbox.save(number, JSON.stringify({ update_id: number, message: { text: 'hello' } }), now);
    const place = { task: 'result', queue: `chat:${number}` };
    tables.tasks.add({ ...place, key: `message:${number}`, payload: '{}', now });
    tables.confirmations.save({
      id: `d${number}`,
      ...person,
      action: 'redeem-now',
      payload: '{}',
      expiresAt: now + DAY_MS,
    });
    tables.conversations.save(number, number, '{}', now);
  });
}

async function payForUpdate(world: World): Promise<void> {
  const updateId = world.next();
  const update = { update_id: updateId, message: { successful_payment: { total_amount: 1 } } };
  await world.store.write((tables) => tables.inbox.save(updateId, JSON.stringify(update), world.clock.now()));
  tell(world, { kind: 'payment waits', updateId });
}

async function pay(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { accountId } = someone.owner;
  const number = world.next();
  const orderId = `order-${number}`;
  const terms = { accountId, currency: 'XTR', amount: 770 };
  const order = { ...terms, id: orderId, orderedBy: number, kind: 'activations' as const, count: 1 };
  await world.store.write((tables) => tables.purchaseOrders.save({ ...order, at: world.clock.now() }));
  tell(world, { kind: 'order', orderId, shop: someone.shop });
  if (world.seeded.chance(0.3)) return;
  const chargeId = `charge-${number}`;
  const payment = {
    ...terms,
    chargeId,
    paidBy: `member:${number}`,
    kind: 'activations' as const,
    thousands: 1,
  };
  await world.core.purchases.credit(payment, (tables) => tables.purchaseOrders.markPaid(orderId, chargeId));
  tell(world, { kind: 'paid', chargeId });
}

async function refund(world: World): Promise<void> {
  const paid = listKnown(world, 'paid');
  if (paid.length === 0) return;
  const { chargeId } = world.seeded.pick(paid);
  await world.core.purchases.refund({ kind: 'paymentSystem' }, chargeId);
  tell(world, { kind: 'refunded', chargeId });
}

async function issueKey(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const { key } = await world.core.apiKeys.issue(someone.owner);
  tell(world, { kind: 'key', key });
}

/** Never the first one of a shop: by it the shop is known. */
async function revokeKey(world: World): Promise<void> {
  const keys = listKnown(world, 'key').filter(({ key }) => !world.shops.some((shop) => shop.key === key));
  if (keys.length === 0) return;
  const { key } = world.seeded.pick(keys);
  const actor = world.core.apiKeys.authenticate(key)?.actor;
  const shop = world.shops.find(
    (each) => world.core.apiKeys.authenticate(each.key)?.actor.accountId === actor?.accountId,
  );
  if (!actor || !shop) return;
  const owner = ownerOf(world, shop);
  if (!owner) return;
  await world.core.apiKeys.revoke(owner, actor.apiKeyId);
  tell(world, { kind: 'revoked', key });
}

async function lookUp(world: World): Promise<void> {
  const someone = pickShop(world);
  if (!someone) return;
  const sql =
    "select id, at from usages where kind = 'character' and returned_at is null order by id desc limit 1";
  const [before] = query<{ id: number }>(world.path, sql);
  await world.core.findCharacter(someone.program, { gameId: GAME_ID, playerId: makePlayer(world) });
  const [after] = query<{ id: number; at: number }>(world.path, sql);
  if (after && after.id !== before?.id) tell(world, { kind: 'charged', shop: someone.shop, at: after.at });
}

function listCodes(world: World, where: string, ...values: unknown[]): string[] {
  return query<{ hash: Buffer; secret: Buffer }>(
    world.path,
    `select code_hash as hash, code_secret as secret from codes where ${where}`,
    ...values,
  ).map((row) => world.store.seals.open(row));
}
