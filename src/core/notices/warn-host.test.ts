// Trouble with the platform, told to the host: once an hour and sentence, however many meet it, and never lost for a failed write.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestCore, makeCode, type TestCore } from '../../../test/harness/core.ts';
import type { Store } from '../../store/index.ts';
import { createWarnHost } from './warn-host.ts';

const HOUR_MS = 60 * 60 * 1000;
const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const told = () =>
  t.store
    .read((tables) => tables.notices.listWaiting(1_000))
    .filter(({ kind }) => kind === 'platformTrouble')
    .map(({ payload }) => (payload as { sentence: string }).sentence);

test('a hundred redemptions that meet the same trouble tell it once, and again an hour later', async () => {
  t.platform.script.redeem = ({ playerId }) => ({
    status: 'refused',
    errorCode: 'NETWORK_ERROR',
    message: '',
    asked: false,
    hostNotice: playerId.startsWith('1') ? 'It is rate limited.' : 'The token is wrong.',
  });
  const redeemMany = () =>
    Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        t.core.redeem(t.actor, { gameId: 'game_id_2', playerId: `${1 + (index % 2)}2345`, code: makeCode() }),
      ),
    );
  await redeemMany();
  expect(told().toSorted()).toEqual(['It is rate limited.', 'The token is wrong.']);
  t.clock.advance(HOUR_MS - 1);
  await redeemMany();
  expect(told()).toHaveLength(2);
  t.clock.advance(1);
  await redeemMany();
  expect(told()).toHaveLength(4);
});

test('the hour is one that passed: a calendar that jumps neither repeats nor silences', async () => {
  const tell = createWarnHost({ ...t, log: LOG });
  await tell('Trouble.');
  t.clock.set(t.clock.now() + 48 * HOUR_MS);
  await tell('Trouble.');
  expect(told()).toHaveLength(1);
  t.clock.set(t.clock.now() - 96 * HOUR_MS);
  t.clock.advance(HOUR_MS);
  await tell('Trouble.');
  expect(told()).toHaveLength(2);
});

test('what could not be written is told by the next who meets it', async () => {
  let full = true;
  const store: Store = {
    ...t.store,
    write: (work) => (full ? Promise.reject(new Error('disk full')) : t.store.write(work)),
  };
  const tell = createWarnHost({ store, clock: t.clock, log: LOG });
  await tell('Trouble.');
  full = false;
  await tell('Trouble.');
  expect(told()).toEqual(['Trouble.']);
});
