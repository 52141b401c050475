// Links after a restore: one that was open in the backup waits until the account says so, and whatever of it the lost
// time has carried out is found by proof, whoever comes with the link then.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  ask,
  GAME,
  makeOf,
  openShop,
  pass,
  passTheSweep,
  reader,
  replaceBy,
  rest,
  type Shop,
} from '../../../test/world/core/orders/life.ts';
import { createWorld } from '../../../test/world/core/world.ts';
import { bindThreads, giveThreadsBack } from '../../../test/world/machine/threads.ts';
import { look } from '../../../test/world/run/rest.ts';
import { MINUTE_MS } from '../../clock.ts';
import type { IssuedClaim } from '../index.ts';

const [FIRST, SECOND] = ['5170925570', '5170925571'] as const;

let shop: Shop;
/** Each has a platform that names the player of a code, or tells an openid alone, by chance. */
const SEEDS = [1, 2, 3, 4, 5, 6];
let seed = 0;
beforeEach(async () => {
  bindThreads();
  const world = createWorld({ seed: (seed += 1) });
  await world.service.start();
  shop = await openShop(world);
});
afterEach(async () => {
  await shop.service.close();
  shop.time.end();
  giveThreadsBack();
});

const backUp = async () => (await shop.service.within(shop.service.backUp())).number;
const find = (id: string) => shop.service.core().claims.find(reader(shop), id);
const spentBy = () => [...shop.platform.spent.values()].map(({ playerId }) => playerId);
const stock = (count: number) => {
  const codes = Array.from({ length: count }, () => makeOf(shop, 'GOOD'));
  return ask(shop, (core) => core.codes.add(reader(shop), GAME, [{ denomination: 60, codes }]));
};
async function issueSome(count: number): Promise<IssuedClaim[]> {
  const idempotencyKey = { scope: 'http', key: 'lot-1' } as const;
  const asked = { gameId: GAME, denomination: 60, count, idempotencyKey };
  const answer = await ask(shop, (core) => core.claims.issue(reader(shop), asked));
  if (answer.status !== 'issued') throw new Error(answer.status);
  return answer.claims;
}
const issue = async (): Promise<IssuedClaim> => (await issueSome(1))[0]!;
/** What whoever has the link does with it, as far as it goes. */
async function use(token: string, playerId: string): Promise<string | undefined> {
  await ask(shop, ({ visits }) => visits.lookUp(token, playerId));
  const nonce = shop.service.core().visits.open(token)?.candidate?.nonce ?? '';
  const answer = await ask(shop, ({ visits }) =>
    visits.confirm(token, nonce, 'browser').catch((error: { code: string }) => ({ status: error.code })),
  );
  await rest(shop);
  return answer?.status;
}

const reopen = (id: string) =>
  ask(shop, ({ claims }) =>
    claims.reopen(reader(shop), id).catch((error: { code: string }) => ({ status: error.code })),
  );
const reopenAll = () =>
  ask(shop, ({ claims }) =>
    claims.reopenRestored(reader(shop)).catch((error: { code: string }) => error.code),
  );
/** How it went on, and how often: either way no second code is spent. */
const ends: string[] = [];
/** What came of the first time that the account set another player. */
const sets: string[] = [];

describe.each(SEEDS)('by chance %i', () => {
  test('one that was open in the backup and used since is of whoever used it, or waits once more', async () => {
    await stock(4);
    const { token, id } = await issue();
    const backup = await backUp();
    expect([await use(token, FIRST), find(id)?.state]).toEqual(['confirmed', 'settled']);
    await pass(shop, MINUTE_MS);

    await replaceBy(shop, backup);
    expect(find(id)).toMatchObject({ state: 'stuck', trouble: 'afterRestore' });
    expect(await reopen(id)).toEqual({ status: 'OVERLOADED' });
    await passTheSweep(shop, 0);
    expect(await reopen(id)).toMatchObject({ status: 'reopened' });
    ends.push((await use(token, SECOND)) ?? '');
    await passTheSweep(shop, 0);
    const { state, trouble, playerId } = find(id) ?? {};
    expect([state, trouble, playerId]).toEqual(
      ends.at(-1) === 'confirmed' ? ['settled', undefined, FIRST] : ['stuck', 'afterRestore', undefined],
    );
    expect(spentBy()).toEqual([FIRST]);
    // Whoever came now is another: the login of the first is not for them.
    const logins = shop.service.core().visits.open(token, 'browser')?.receipts ?? [];
    expect(logins.filter(({ credentials }) => credentials !== null)).toEqual([]);
  });

  test('one that was used since is of whoever used it, whomever the account sets; unproven it is asked twice', async () => {
    await stock(4);
    const { token, id } = await issue();
    const backup = await backUp();
    await use(token, FIRST);
    await pass(shop, MINUTE_MS);

    await replaceBy(shop, backup);
    const set = () =>
      ask(shop, ({ claims }) =>
        claims
          .setPlayer(reader(shop), id, { playerId: SECOND })
          .catch((error: { code: string }) => ({ status: error.code })),
      );
    expect(await set()).toEqual({ status: 'OVERLOADED' });
    await passTheSweep(shop, 0);
    const answer = await set();
    await passTheSweep(shop, 0);
    if (answer?.status === 'unproven') {
      expect([find(id)?.trouble, spentBy()]).toEqual(['afterRestore', [FIRST]]);
      expect(await set()).toMatchObject({ status: 'begun', claim: { playerId: SECOND } });
    } else
      expect([answer, find(id)?.playerId, spentBy()]).toMatchObject([{ status: 'begun' }, FIRST, [FIRST]]);
    sets.push(answer?.status ?? '');
  });

  test('one that was made and used in the lost time is the same when made again, and used', async () => {
    await stock(4);
    const backup = await backUp();
    const made = await issue();
    await use(made.token, FIRST);
    await pass(shop, MINUTE_MS);

    await replaceBy(shop, backup);
    const again = await issue();
    expect([again.token, again.id, again.state]).toEqual([made.token, made.id, 'open']);
    expect(await use(again.token, SECOND)).toBe('OVERLOADED');
    await passTheSweep(shop, 0);
    // Whoever used it is known by their own ID, whatever the platform tells.
    await use(again.token, SECOND);
    await passTheSweep(shop, 0);
    if (find(again.id)?.state === 'stuck') {
      await reopen(again.id);
      await use(again.token, FIRST);
      await passTheSweep(shop, 0);
    }
    expect([find(again.id)?.state, find(again.id)?.playerId, spentBy()]).toEqual(['settled', FIRST, [FIRST]]);
  });

  test('one that nobody used is used by whoever comes, once the account has said so', async () => {
    await stock(4);
    const { token, id } = await issue();
    const backup = await backUp();
    await ask(shop, (core) => core.redeem(reader(shop), { gameId: GAME, playerId: FIRST, denomination: 60 }));
    await pass(shop, MINUTE_MS);

    await replaceBy(shop, backup);
    await reopen(id);
    await passTheSweep(shop, 0);
    await reopen(id);
    await use(token, SECOND);
    if (find(id)?.state === 'stuck') {
      await reopen(id);
      await use(token, SECOND);
    }
    await passTheSweep(shop, 0);
    expect([find(id)?.state, spentBy()]).toEqual(['settled', [FIRST, SECOND]]);
  });

  test('what the account has decided of one lost time is decided anew after the next', async () => {
    await stock(4);
    const { token, id } = await issue();
    const redeem = () =>
      ask(shop, (core) => core.redeem(reader(shop), { gameId: GAME, playerId: FIRST, denomination: 60 }));
    const first = await backUp();
    await redeem();
    await pass(shop, MINUTE_MS);
    await replaceBy(shop, first);
    await reopen(id);
    await passTheSweep(shop, 0);
    await reopen(id);
    await use(token, SECOND);
    // A platform that names players has told that nobody used it.
    if (find(id)?.state === 'settled') return;
    await reopen(id);
    const second = await backUp();
    await use(token, SECOND);
    expect(find(id)?.state).toBe('settled');
    await pass(shop, MINUTE_MS);

    await replaceBy(shop, second);
    await reopen(id);
    await passTheSweep(shop, 0);
    await reopen(id);
    await use(token, '5170925572');
    await passTheSweep(shop, 0);
    expect(spentBy()).toEqual([FIRST, SECOND]);
  });
});

test('all that were open in the backup are opened by one act, once their codes were asked about, and no other', async () => {
  await stock(30);
  const claims = await issueSome(25);
  const [revoked, used, lost] = claims as [IssuedClaim, IssuedClaim, IssuedClaim];
  await ask(shop, (core) => core.claims.revoke(reader(shop), revoked.id));
  expect(await use(used.token, FIRST)).toBe('confirmed');
  const backup = await backUp();
  expect(await use(lost.token, SECOND)).toBe('confirmed');
  await pass(shop, MINUTE_MS);

  await replaceBy(shop, backup);
  const stuck = () => claims.filter(({ id }) => find(id)?.trouble === 'afterRestore').length;
  const isThere = () => shop.service.core().claims.hasRestored(reader(shop));
  expect([stuck(), isThere(), await reopenAll(), stuck()]).toEqual([23, true, 'OVERLOADED', 23]);
  await passTheSweep(shop, 10 * MINUTE_MS);
  expect([await reopenAll(), stuck(), isThere(), await reopenAll()]).toEqual([23, 0, false, 0]);
  expect([find(revoked.id)?.state, find(used.id)?.state]).toEqual(['revoked', 'settled']);
  const acts = look(shop.service.disk.databasePath(), (file) =>
    file.prepare("select after from audit_log where what = 'claimsReopened'").pluck().all(),
  );
  expect(acts).toEqual(['{"count":23}']);
  // What the lost time has used is nobody else's.
  await use(lost.token, '5170925572');
  await passTheSweep(shop, 0);
  expect(spentBy()).toEqual([FIRST, SECOND]);
});

test('both were met: a platform that names players, and one that does not', () => {
  expect(new Set(ends)).toEqual(new Set(['confirmed', 'changed']));
  expect(new Set(sets)).toEqual(new Set(['begun', 'unproven']));
});
