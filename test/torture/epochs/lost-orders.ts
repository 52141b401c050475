// Orders of the last minutes before a restore: whoever repeats one under its own key within the hour has what was carried out for it, and no
// second code.
import type { Fact, World } from './world.ts';
import { count, credentialsOf, GAME_ID, listKnown, query, referenceOf, tell } from './world.ts';
import { join } from 'node:path';

const STOCK_KEY = { gameId: GAME_ID, denomination: 60 };
const MINUTE_MS = 60_000;
const LOST_AT_MOST_MS = 15 * MINUTE_MS;
/** An hour from the sweep on, which the first order has begun. */
const REPEATED_WITHIN_MS = 55 * MINUTE_MS;
/** What the platform never answers for is not clear for ever, and takes its patience each time. */
const NEVER_ANSWERED = 'TIMEOUT';

type Request = Extract<Fact, { kind: 'request' }>;

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
