// What people and programs do between the big wishes, one after the other: money, keys, look-ups, what the bot was in
// the middle of; and requests that are repeated under their own keys.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/clock.ts';
import type { IdempotencyKey } from '../../../../src/core/index.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import {
  ask,
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
  credentialsOf,
  listKnown,
  MAIN_GAME,
  ownerOf,
  pickShop,
  query,
  referenceOf,
  tell,
  type Fact,
  type Shops,
} from './world.ts';

const LOST_AT_MOST_MS = 15 * MINUTE_MS;
/** An hour from the sweep on, which the first order has begun. */
const REPEATED_WITHIN_MS = 55 * MINUTE_MS;

type Act = (world: Shops, random: Seeded) => Promise<void>;

const ACTS = {
  ...{ openShop, openOwn, invite, followLink, removeMember, changeRole, handOver, prolong },
  ...{ spendElsewhere, talk, payForUpdate, pay, refund, issueKey, revokeKey, lookUp, repeat },
} satisfies Record<string, Act>;

const WEIGHTS: Record<keyof typeof ACTS, number> = {
  ...{
    openShop: 1,
    openOwn: 1,
    invite: 5,
    followLink: 2,
    removeMember: 3,
    changeRole: 4,
    handOver: 3,
    prolong: 2,
  },
  ...{
    spendElsewhere: 5,
    talk: 3,
    payForUpdate: 2,
    pay: 4,
    refund: 2,
    issueKey: 3,
    revokeKey: 4,
    lookUp: 2,
    repeat: 4,
  },
};

/** Does one thing. */
export async function doSomething(world: Shops, random: Seeded): Promise<void> {
  const what = world.shops.length === 0 ? 'openShop' : random.weigh(WEIGHTS);
  world.note(what);
  world.count(what);
  await ACTS[what](world, random);
}

/** A customer uses a code that they were given in any past, with somebody else's service. */
function spendElsewhere(world: Shops, random: Seeded): Promise<void> {
  const left = world.facts
    .filter((fact) => fact.kind === 'handed out')
    .filter(({ codes }) => codes.length > 0);
  if (left.length === 0) return Promise.resolve();
  const { codes, stockKey } = random.pick(left);
  const code = random.pick(codes);
  const hash = world.hashOf(stockKey.gameId, code);
  // Whoever gave it once more has a used one.
  if (world.given.get(hash) !== 1) return Promise.resolve();
  const rows = query(
    world,
    "select 1 from codes where code_hash = ? and state = 'available'",
    Buffer.from(hash, 'hex'),
  );
  if (rows.length > 0) world.usedUnseen.add(code);
  world.platform.redeemElsewhere(stockKey.gameId, code, String(5_000_000_000 + world.next()));
  return Promise.resolve();
}

/** What the bot was in the middle of: none of it goes on after a restore. */
async function talk({ service, time, next }: Shops): Promise<void> {
  const [number, now] = [next(), time.machine.now()];
  const message = { update_id: number, message: { text: 'hello' } };
  const confirmation = {
    id: `d${number}`,
    chatId: number,
    userId: number,
    action: 'redeem-now',
    payload: '{}',
  };
  await service.within(
    service.store().write((tables) => {
      tables.inbox.save(number, JSON.stringify(message), now);
      tables.tasks.add({
        task: 'result',
        queue: `chat:${number}`,
        key: `message:${number}`,
        payload: '{}',
        now,
      });
      tables.confirmations.save({ ...confirmation, expiresAt: now + DAY_MS });
      tables.conversations.save(number, number, '{}', now);
    }),
  );
}

async function payForUpdate(world: Shops): Promise<void> {
  const updateId = world.next();
  const update = JSON.stringify({
    update_id: updateId,
    message: { successful_payment: { total_amount: 1 } },
  });
  const { service, time } = world;
  await service.within(
    service.store().write(({ inbox }) => inbox.save(updateId, update, time.machine.now())),
  );
  tell(world, { kind: 'payment waits', updateId });
}

async function pay(world: Shops, random: Seeded): Promise<void> {
  const someone = pickShop(world, random);
  if (!someone) return;
  const { service, time } = world;
  const number = world.next();
  const [orderId, chargeId] = [`bill-${number}`, `charge-${number}`];
  const terms = {
    accountId: someone.owner.accountId,
    currency: 'XTR',
    amount: 770,
    kind: 'activations',
  } as const;
  const bill = { ...terms, id: orderId, orderedBy: number, count: 1, at: time.machine.now() };
  await service.within(service.store().write(({ purchaseOrders }) => purchaseOrders.save(bill)));
  tell(world, { kind: 'bill', orderId, shop: someone.shop });
  if (random.chance(0.3)) return;
  const payment = { ...terms, chargeId, paidBy: `member:${number}`, thousands: 1 };
  await ask(world, ({ purchases }) =>
    purchases.credit(payment, (tables) => tables.purchaseOrders.markPaid(orderId, chargeId)),
  );
  tell(world, { kind: 'paid', chargeId });
}

async function refund(world: Shops, random: Seeded): Promise<void> {
  const paid = listKnown(world, 'paid');
  if (paid.length === 0) return;
  const { chargeId } = random.pick(paid);
  await ask(world, ({ purchases }) => purchases.refund({ kind: 'paymentSystem' }, chargeId));
  tell(world, { kind: 'refunded', chargeId });
}

async function issueKey(world: Shops, random: Seeded): Promise<void> {
  const someone = pickShop(world, random);
  if (!someone) return;
  const { key } = await ask(world, ({ apiKeys }) => apiKeys.issue(someone.owner));
  tell(world, { kind: 'key', key });
}

/** Never the first one of a shop: by it the shop is known. */
async function revokeKey(world: Shops, random: Seeded): Promise<void> {
  const { authenticate } = world.service.core().apiKeys;
  const keys = listKnown(world, 'key').filter(({ key }) => !world.shops.some((shop) => shop.key === key));
  if (keys.length === 0) return;
  const { key } = random.pick(keys);
  const actor = authenticate(key)?.actor;
  const shop = world.shops.find((each) => authenticate(each.key)?.actor.accountId === actor?.accountId);
  const owner = shop && ownerOf(world, shop);
  if (!actor || !owner) return;
  await ask(world, ({ apiKeys }) => apiKeys.revoke(owner, actor.apiKeyId));
  tell(world, { kind: 'revoked', key });
}

const CHARGED =
  "select id, at from usages where kind = 'character' and returned_at is null order by id desc limit 1";

async function lookUp(world: Shops, random: Seeded): Promise<void> {
  const someone = pickShop(world, random);
  if (!someone) return;
  const [before] = query<{ id: number }>(world, CHARGED);
  const player = { gameId: MAIN_GAME, playerId: String(5_000_000_000 + world.next()) };
  await ask(world, (core) => core.findCharacter(someone.program, player));
  const [after] = query<{ id: number; at: number }>(world, CHARGED);
  if (after && after.id !== before?.id) tell(world, { kind: 'charged', shop: someone.shop, at: after.at });
}

const keyed = (key: string): { idempotencyKey: IdempotencyKey } => ({
  idempotencyKey: { scope: 'http', key },
});
const actorOf = ({ service }: Shops, { shop }: { shop: { key: string } }) =>
  service.core().apiKeys.authenticate(shop.key)?.actor;

/** What was answered is answered alike. */
export async function repeat(world: Shops, random: Seeded): Promise<void> {
  const kind = random.pick(['added under', 'handed out', 'request', 'request'] as const);
  const since = world.time.machine.now() - DAY_MS + HOUR_MS;
  const fresh = listKnown(world, kind).filter(({ at, key }) => at > since && key !== '');
  const fact = fresh.length > 0 ? random.pick(fresh) : undefined;
  const actor = fact && actorOf(world, fact);
  if (!actor) return;
  const { stockKey, key } = fact;
  const { gameId, denomination } = stockKey;
  const wrong = (was: string, is: unknown) =>
    world.amiss.push(`${key} was ${was}, and is ${JSON.stringify(is)}`);
  if (fact.kind === 'added under') {
    // Nothing is added again, wherever it is by now.
    const codes = [{ denomination, codes: [...fact.codes] }];
    const answer = await ask(world, (core) => core.codes.add(actor, gameId, codes, keyed(key)));
    if (!answer.replayed) wrong(fact.codes.slice(0, 5).join(), answer);
  } else if (fact.kind === 'handed out') {
    // Less of it where the other past spent or handed out the same codes; what took nothing pinned no key.
    const { codes, amount } = fact;
    if (codes.length === 0) return;
    const answer = await ask(world, (core) =>
      core.codes.extract(actor, { ...stockKey, amount, ...keyed(key) }),
    );
    if (!answer.replayed || answer.codes.some((code) => !codes.includes(code))) wrong(codes.join(), answer);
  } else {
    const request = { ...stockKey, playerId: fact.playerId, ...keyed(key) };
    const answer = await ask(world, (core) => core.redeem(actor, request));
    if (answer.status !== 'answered' || referenceOf(world, answer.redemption.id) !== fact.reference)
      wrong(fact.reference, answer);
  }
}

type Request = Extract<Fact, { kind: 'request' }>;

/** Repeats every order that the last restore has lost, if it has lost little: each has what was carried out for it. */
export async function repeatLost(world: Shops): Promise<void> {
  const { service, time, facts, known } = world;
  const { lost } = service.store();
  const now = time.machine.now();
  if (!lost || lost.until - lost.asOf > LOST_AT_MOST_MS || now - lost.until > REPEATED_WITHIN_MS) return;
  const requests = facts.filter(
    (fact, index): fact is Request =>
      fact.kind === 'request' && !known.has(index) && fact.at > lost.asOf && fact.at <= lost.until,
  );
  for (const request of requests) await repeatOne(world, request);
}

async function repeatOne(world: Shops, { shop, key, stockKey, playerId }: Request): Promise<void> {
  const actor = actorOf(world, { shop });
  const [spent] = listSpentFor(world, playerId);
  // Of a code that was added in the lost time nothing is known.
  const isKnown = listKnown(world, 'added').some(({ codes }) => codes.includes(spent ?? ''));
  if (!actor || spent === undefined || !isKnown) return;
  const answer = await ask(world, (core) => core.redeem(actor, { ...stockKey, playerId, ...keyed(key) }));
  world.count('repeated after a loss');
  const [, second] = listSpentFor(world, playerId);
  if (second !== undefined) world.amiss.push(`order ${key} had ${spent}, and has spent ${second}, too`);
  if (answer.status !== 'answered') return;
  const { id, state, code, errorCode } = answer.redemption;
  if (state === 'failed' && errorCode === 'NETWORK_ERROR') return world.count('not clear after a loss');
  if (state !== 'redeemed' || code !== spent)
    return void world.amiss.push(`order ${key} had ${spent}, and is ${JSON.stringify(answer)}`);
  // What a lost time carried out has a reference of its own since.
  const reference = referenceOf(world, id);
  const receipt = { id, reference, gameId: stockKey.gameId, code, credentials: credentialsOf(world, id) };
  tell(world, { kind: 'receipt', ...receipt, isOfStock: true });
  tell(world, { kind: 'request', shop, key, stockKey, playerId, reference, at: world.time.machine.now() });
}

/** By the platform's own ledger. */
const listSpentFor = ({ platform }: Shops, playerId: string): string[] =>
  [...platform.spent.values()].filter((each) => each.playerId === playerId).map(({ code }) => code);
