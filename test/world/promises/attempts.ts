// The ledger of attempts against the platform's own: nothing is called unspent that it spent for us, nothing is spent
// twice, and by the evening nothing is under way.
import { look } from '../run/rest.ts';
import type { Books } from '../run/world.ts';

/**
 * Of a code that was sent again for its player: which of the times spent it nobody needs to know. What was never sent
 * may be sent later under the same reference.
 */
const NOT_SPENT = `
  select redemption_id, reference from attempts a where state = 'not_spent' and proof <> 'person'
  and not exists (select 1 from attempts b where b.redemption_id = a.redemption_id and b.state <> 'not_spent')
  and not exists (select 1 from attempts b where b.reference = a.reference and b.state <> 'not_spent')`;
const LEFT = `
  select a.redemption_id as id, a.state, r.state as ends from attempts a join redemptions r on r.id = a.redemption_id
  where a.state = 'open' or (a.state = 'unknown' and r.state <> 'in_doubt')`;
const SPENT = `
  select r.id, r.state, sum(a.state = 'spent') as spent from attempts a join redemptions r on r.id = a.redemption_id
  group by r.id having spent <> (r.state = 'redeemed')`;

export function noAttemptIsCalledUnspentThatSpentItsCode({ disk, platform }: Books): string[] {
  const acquitted = new Map(
    look(disk.databasePath(), (file) => file.prepare(NOT_SPENT).raw().all() as [number, string][]).map(
      ([id, reference]) => [reference, id],
    ),
  );
  return [...platform.spent.values()].flatMap(({ code, reference }) => {
    const id = reference === undefined ? undefined : acquitted.get(reference);
    return id === undefined ? [] : [`the attempt of ${id} is called unspent, and it spent ${code}`];
  });
}

export function whatWasSentHasAnEnd({ disk }: Books): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(LEFT).all()) as {
    id: number;
    state: string;
    ends: string;
  }[];
  return rows.map(({ id, state, ends }) => `an attempt of ${id} is ${state}, and ${id} is ${ends}`);
}

export function aRedemptionIsRedeemedByOneSpentAttempt({ disk }: Books): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(SPENT).all()) as {
    id: number;
    state: string;
    spent: number;
  }[];
  return rows.map(({ id, state, spent }) => `${id} is ${state}, and ${spent} attempts of it are spent`);
}
