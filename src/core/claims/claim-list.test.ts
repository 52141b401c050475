// The list of claim links: what it can be filtered by, its pages both ways, and one of them with what its page shows.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { GAME, makeOf, openOrderWorld, reader, type OrderWorld } from '../../../test/harness/order-world.ts';
import { DAY_MS } from '../../clock.ts';
import type { ClaimRequest, Core, IssuedClaim } from '../index.ts';

let world: OrderWorld;
let core: () => Core;
beforeEach(async () => {
  world = await openOrderWorld();
  ({ core } = world);
});
afterEach(() => world.close());

let keys = 0;
const actor = () => reader(world);
async function issue(asked: Partial<ClaimRequest> = {}): Promise<IssuedClaim[]> {
  const codes = (count: number) => Array.from({ length: count }, () => makeOf('GOOD'));
  const stock = [60, 325].map((denomination) => ({ denomination, codes: codes(asked.count ?? 1) }));
  await core().codes.add(actor(), GAME, stock);
  const answer = await core().claims.issue(actor(), {
    ...{ gameId: GAME, count: 1, idempotencyKey: { scope: 'http', key: `key-${(keys += 1)}` } },
    ...(asked.amount === undefined && { denomination: 60 }),
    ...asked,
  });
  if (answer.status !== 'issued') throw new Error(`None was made: ${answer.status}.`);
  return answer.claims;
}
type Filter = Parameters<Core['claimList']['page']>[1];
const newest = { order: 'newest', limit: 200 } as const;
const found = async (filter: Filter) =>
  (await core().claimList.page(actor(), filter, newest)).rows.map(({ id }) => id);

test('by state, trouble, day, game, amount and reference, each alone and together', async () => {
  const [old] = await issue({ reference: 'old' });
  world.clock.advance(2 * DAY_MS);
  const [sum, revoked, stuck] = (
    await Promise.all([issue({ amount: 385 }), issue(), issue({ reference: 'lot' })])
  ).flat();
  await core().claims.revoke(actor(), revoked!.id);
  await world.store().write((tables) => {
    const row = tables.claims.findByName(stuck!.id);
    tables.claims.stick(row!.id, 'shortage');
  });
  const day = (ms: number) => {
    const at = new Date(ms);
    return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() };
  };
  const [first, today] = [day(old!.createdAt), day(world.clock.now())];
  const cases: [Filter, (IssuedClaim | undefined)[]][] = [
    [{}, [stuck, revoked, sum, old]],
    [{ state: 'open' }, [sum, old]],
    [{ state: 'revoked' }, [revoked]],
    [{ trouble: 'shortage' }, [stuck]],
    [{ trouble: 'lookUps' }, []],
    [{ to: first }, [old]],
    [{ from: today }, [stuck, revoked, sum]],
    [{ amount: 385 }, [sum]],
    [{ amount: 60, state: 'open' }, [old]],
    [{ gameId: GAME, reference: 'lot' }, [stuck]],
    [{ gameId: 'game_id_4' }, []],
  ];
  for (const [filter, claims] of cases)
    expect([filter, new Set(await found(filter))]).toEqual([
      filter,
      new Set(claims.map((claim) => claim?.id)),
    ]);
});

test('pages joined, back again, and all of them walked are the same', async () => {
  const all = (await issue({ count: 45 })).map(({ id }) => id).reverse();
  const pages: string[][] = [];
  let page = await core().claimList.page(actor(), {}, { order: 'newest', limit: 20 });
  for (;;) {
    pages.push(page.rows.map(({ id }) => id));
    if (!page.next) break;
    const beside = { after: page.next };
    page = await core().claimList.page(actor(), {}, { order: 'newest', limit: 20, beside });
  }
  expect([pages.flat(), pages.map(({ length }) => length)]).toEqual([all, [20, 20, 5]]);
  const back = { before: page.previous! };
  const before = await core().claimList.page(actor(), {}, { order: 'newest', limit: 20, beside: back });
  expect([before.rows.map(({ id }) => id), before.total]).toEqual([pages[1], { count: 45, isMore: false }]);
  const walked: string[] = [];
  for await (const rows of core().claimList.walk(actor(), {}, 'oldest'))
    walked.push(...rows.map(({ id }) => id));
  expect(walked).toEqual(all.toReversed());
});

test('one of them says who gave it out, and how many players were looked up by it', async () => {
  expect(core().claimList.hasAny(actor())).toBe(false);
  world.platform.script.findCharacter = () => ({ status: 'notFound' });
  const [claim] = await issue();
  await core().visits.lookUp(claim!.token, '5999999999');
  expect(core().claimList.read(actor(), claim!.id)).toMatchObject({
    ...{ id: claim!.id, state: 'open', amount: 60, looks: 1, misses: 1, isUndecided: false },
    actorLabel: { kind: 'apiKey', apiKeyId: 1 },
  });
  expect([core().claimList.hasAny(actor()), core().claimList.read(actor(), 'clm_none')]).toEqual([
    true,
    undefined,
  ]);
});
