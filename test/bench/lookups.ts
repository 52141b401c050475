// Row 7: what must not grow with the years. A code is taken and the quota is checked in a large database and in a small one.
import { createStore, type Store, type Tables } from '../../src/store/index.ts';
import { DENOMINATION, GAME_ID, makeFolder } from './bench-core.ts';
import { median, roundsOf, takeTurns, type BenchGroup, type Figure } from './figures.ts';
import { makeDatabase } from './large-database.ts';

const SMALL = 1_000;
const LARGE = 5_000_000;
const TAKEN = 200;
const CHECKED = 5_000;
const WINDOW_MS = 24 * 60 * 60 * 1000;
const GOAL = 1.5;

export const lookups: BenchGroup = {
  rows: [7],

  async measure(_asked, options) {
    const rounds = roundsOf(options) * 3;
    const rows = options.quick ? LARGE / 10 : LARGE;
    const { folder, remove } = makeFolder();
    options.tell(`look-ups: making ${rows} codes and charges`);
    const small = await open(`${folder}/small/redemption.db`, SMALL);
    const large = await open(`${folder}/large/redemption.db`, rows);
    options.tell(`look-ups: ${rounds} rounds`);
    for (const each of [small, large]) await each.takeCodes();
    const taken = await takeTurns(rounds, { small: small.takeCodes, large: large.takeCodes });
    const checked = await takeTurns(rounds, { small: small.checkQuota, large: large.checkQuota });
    for (const each of [small, large]) await each.store.close();
    remove();
    const size = rows.toLocaleString('en');
    return [
      compare(`taking a code of ${size} / of ${SMALL.toLocaleString('en')}`, taken),
      compare(`checking the quota, ${size} charges / ${SMALL.toLocaleString('en')}`, checked),
    ];
  },
};

function compare(figure: string, us: { small: number[]; large: number[] }): Figure {
  const [ours, against] = [median(us.large), median(us.small)];
  const ratio = ours / against;
  const word = (value: number) => `${value.toFixed(2)} us`;
  return {
    row: 7,
    figure,
    ours: word(ours),
    against: word(against),
    ratio,
    goal: `<= ${GOAL}`,
    met: ratio <= GOAL,
  };
}

interface Measured {
  store: Store;
  /** Microseconds each takes. */
  takeCodes(): Promise<number>;
  checkQuota(): Promise<number>;
}

async function open(path: string, rows: number): Promise<Measured> {
  const { actor } = await makeDatabase(path, rows);
  const store = createStore({ path, exclusive: false });
  const lot = { accountId: actor.accountId, gameId: GAME_ID, denomination: DENOMINATION };
  return {
    store,
    takeCodes: () =>
      timeInOneWrite(store, TAKEN, ({ codes }) => {
        if (!codes.takeOldest({ ...lot, now: 1 })) throw new Error('There are no codes left to take.');
      }),
    checkQuota: () =>
      timeInOneWrite(store, CHECKED, ({ quota }) => {
        const now = Date.now();
        quota.roll(actor.accountId, now - WINDOW_MS, now);
      }),
  };
}

/** The rollback at the end leaves every round the same rows. */
async function timeInOneWrite(store: Store, times: number, work: (tables: Tables) => void): Promise<number> {
  let us = NaN;
  const undone = new Error('undone');
  await store
    .write((tables) => {
      const startedAt = performance.now();
      for (let done = 0; done < times; done += 1) work(tables);
      us = ((performance.now() - startedAt) * 1000) / times;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return us;
}
