// Requests that are repeated under their own keys: what was answered is answered alike, and an order of the last
// minutes before a restore has what was carried out for it, and no second code.
import type { Fact, World } from './world.ts';
import { count, credentialsOf, GAME_ID, listKnown, query, referenceOf, tell } from './world.ts';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/clock.ts';

const STOCK_KEY = { gameId: GAME_ID, denomination: 60 };
const LOST_AT_MOST_MS = 15 * MINUTE_MS;
/** An hour from the sweep on, which the first order has begun. */
const REPEATED_WITHIN_MS = 55 * MINUTE_MS;
/** What the platform never answers for is not clear for ever, and takes its patience each time. */
const NEVER_ANSWERED = 'TIMEOUT';

type Request = Extract<Fact, { kind: 'request' }>;

/** A client that had no answer asks again, under its key. */
export async function repeat(world: World): Promise<void> {
  await REPEATS[world.seeded.weigh({ adding: 1, extraction: 1, request: 2 })](world);
}

const REPEATS = { adding: repeatAdding, extraction: repeatExtraction, request: repeatRequest };

/** What is added is told as the first time, and nothing is added again, wherever it is by now. */
async function repeatAdding(world: World): Promise<void> {
  const fresh = listKnown(world, 'added under').filter(({ at }) => at > world.clock.now() - DAY_MS + HOUR_MS);
  if (fresh.length === 0) return;
  const { shop, key, codes } = world.seeded.pick(fresh);
  const actor = world.core.apiKeys.authenticate(shop.key)?.actor;
  if (!actor) return;
  const idempotencyKey = { scope: 'http' as const, key };
  const stockKeys = [{ denomination: 60, codes: [...codes] }];
  const answer = await world.core.codes.add(actor, GAME_ID, stockKeys, { idempotencyKey });
  if (!answer.replayed || answer.accepted.get(60) !== codes.length)
    world.violations.push(`${key} was ${codes.join()}, and is ${JSON.stringify(answer)}`);
}

/**
 * What was handed out is told again; less of it where the other past spent or handed out the same codes. One that took
 * nothing pinned no key: it is a new one.
 */
async function repeatExtraction(world: World): Promise<void> {
  const fresh = listKnown(world, 'handed out').filter(
    ({ at, codes }) => codes.length > 0 && at > world.clock.now() - DAY_MS + HOUR_MS,
  );
  if (fresh.length === 0) return;
  const { shop, key, amount, codes } = world.seeded.pick(fresh);
  const actor = world.core.apiKeys.authenticate(shop.key)?.actor;
  if (!actor) return;
  const idempotencyKey = { scope: 'http' as const, key };
  const answer = await world.core.codes.extract(actor, { ...STOCK_KEY, amount, idempotencyKey });
  if (!answer.replayed || answer.codes.some((code) => !codes.includes(code)))
    world.violations.push(`${key} was ${codes.join()}, and is ${JSON.stringify(answer)}`);
}

async function repeatRequest(world: World): Promise<void> {
  const fresh = listKnown(world, 'request').filter(({ at }) => at > world.clock.now() - DAY_MS + HOUR_MS);
  if (fresh.length === 0) return;
  const { shop, key, playerId, reference } = world.seeded.pick(fresh);
  const actor = world.core.apiKeys.authenticate(shop.key)?.actor;
  if (!actor) return;
  const idempotencyKey = { scope: 'http' as const, key };
  const answer = await world.core.redeem(actor, { ...STOCK_KEY, playerId, idempotencyKey });
  if (answer.status !== 'answered' || referenceOf(world, answer.redemption.id) !== reference)
    world.violations.push(`order ${key} was ${reference}, and is ${JSON.stringify(answer)}`);
}

/** Repeats every order that the last restore has lost, if it has lost little. */
export async function repeatLost(world: World): Promise<void> {
  for (const request of listLost(world)) await repeatOne(world, request);
}

function listLost({ store, clock, facts, known }: World): Request[] {
  const { lost } = store;
  if (!lost || lost.until - lost.asOf > LOST_AT_MOST_MS || clock.now() - lost.until > REPEATED_WITHIN_MS)
    return [];
  return facts.filter((fact, index): fact is Request => {
    if (fact.kind !== 'request' || known.has(index)) return false;
    return fact.at > lost.asOf && fact.at <= lost.until;
  });
}

async function repeatOne(world: World, { shop, key, playerId }: Request): Promise<void> {
  const actor = world.core.apiKeys.authenticate(shop.key)?.actor;
  const [spent] = listSpentFor(world, playerId);
  // Of a code that was added in the lost time nothing is known.
  const isFound = listKnown(world, 'added').some(({ code }) => code === spent);
  if (!actor || spent === undefined || !isFound || spent.startsWith(NEVER_ANSWERED)) return;
  const idempotencyKey = { scope: 'http' as const, key };
  const answer = await world.core.redeem(actor, { ...STOCK_KEY, playerId, idempotencyKey });
  count(world, 'repeated after a loss');
  const [, second] = listSpentFor(world, playerId);
  if (second !== undefined) world.violations.push(`order ${key} had ${spent}, and has spent ${second}, too`);
  if (answer.status !== 'answered') return;
  const { id, state, code, errorCode } = answer.redemption;
  if (state === 'failed' && errorCode === 'NETWORK_ERROR') return count(world, 'not clear after a loss');
  if (state !== 'redeemed' || code !== spent)
    return void world.violations.push(`order ${key} had ${spent}, and is ${JSON.stringify(answer)}`);
  const reference = referenceOf(world, id);
  tell(world, { kind: 'receipt', id, reference, code, credentials: credentialsOf(world, id) });
  tell(world, { kind: 'request', shop, key, playerId, reference, at: world.clock.now() });
}

/** Of the platform's own file. */
function listSpentFor({ folder }: World, playerId: string): string[] {
  const sql = 'select code from redemptions where player_id = ? order by redeemed_at';
  return query<{ code: string }>(join(folder, 'sandbox.db'), sql, playerId).map(({ code }) => code);
}
