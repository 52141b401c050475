// What the host sees and does, word for word.
import { SHOP_DOINGS, writeFreely } from '../../../test/world/play/chat-doings.ts';
import { testChats } from '../../../test/world/play/chat-file.ts';
import { MONEY_DOINGS } from '../../../test/world/play/money-doings.ts';
import type { Stage } from '../../../test/world/play/stage.ts';

import type { Platform } from '../../platform/port.ts';

/** That nothing certain came of it. */
const SENT = `update attempts set state = 'unknown', error_code = 'UNKNOWN', ended_at = begun_at, quiet_until = begun_at
  where redemption_id = 1 and state = 'open'`;

/** Nobody knows what became of it: it answers something else, and tells of no code. */
const unclear = (sandbox: Platform): Platform => ({
  ...sandbox,
  hasNoLookUp: true,
  findCode: () => Promise.resolve({ status: 'unreachable', message: 'It tells of no code.' }),
  redeem: () =>
    Promise.resolve({
      ...({ status: 'unknown', errorCode: 'UNKNOWN', message: 'What it answered cannot be read.' } as const),
      answer: { httpStatus: 200, text: '{"done":"<perhaps>"}' },
    }),
});

const DOINGS = {
  /** `* sold 3`: whoever owns that account has the name of the owner of the first now. */
  sold: (t: Stage, accountId: string) =>
    writeFreely(
      t,
      `insert into members (telegram_id, account_id, role, name, username, joined_at)
      values (80, ${accountId}, 'owner', 'Buyer', 'owner_person', 0)`,
    ),
  /** `* gifts 7`: so many, of 1, 2, … activations, to the second account. */
  gifts: async (t: Stage, count: string) => {
    for (let purchased = 1; purchased <= Number(count); purchased += 1)
      await t.app().core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: 2, purchased });
  },
  /** `* erased`: as nothing was opened yet. */
  erased: (t: Stage) => {
    writeFreely(t, 'delete from members');
    writeFreely(t, 'delete from accounts');
  },
  /** `* waited`: every link was made a day before. */
  waited: (t: Stage) => writeFreely(t, 'update invitations set created_at = created_at - 86400000'),
  /** `* held`: no answer can decide what is in doubt. */
  held: (t: Stage) => writeFreely(t, "update tasks set run_at = null where task = 'doubt'"),
  /** `* setaside`: an update that brought the process down. */
  setaside: async (t: Stage) => {
    const store = t.beside();
    await store.write((tables) => {
      tables.inbox.save(-1, '{}', Date.UTC(2026, 0, 13, 12));
      tables.inbox.finish(-1, 'set_aside');
    });
    await store.close();
  },
  /** `* sweeps 3`: so many questions follow a restore. */
  sweeps: (t: Stage, count: string) => {
    for (let n = 1; n <= Number(count); n += 1)
      writeFreely(
        t,
        `insert into sweeps (account_id, game_id, denomination, needed) values (1, 'game_id_1', ${n}, 1)`,
      );
  },
  /** `* mutes 12`: so many redemptions that nobody tells the end of. */
  mutes: async (t: Stage, count: string) => {
    const order = { gameId: 'game_id_1', playerId: '5124780131' };
    const ends = Array.from({ length: Number(count) }, (_, n) =>
      t.app().core.redeem(t.actors.operator, { ...order, code: `MUTE1abcdefg${100 + n}` }),
    );
    await t.within(Promise.all(ends));
  },
  /** `* sending 2 8`: the first of them is sent for the second to the eighth time, this one now; `* sent`. */
  sending: (t: Stage, rest: string) => {
    const [from, to] = rest.split(' ').map(Number);
    for (let n = from ?? 0; n <= (to ?? 0); n += 1) {
      writeFreely(t, SENT);
      writeFreely(
        t,
        `insert into attempts (redemption_id, n, upstream, kind, reference, state, begun_at)
          select redemption_id, ${n}, upstream, 'resend', reference || ${n}, 'open', max(quiet_until)
          from attempts where redemption_id = 1`,
      );
    }
  },
  sent: (t: Stage) => writeFreely(t, SENT),
};

testChats(
  import.meta.dirname,
  [
    ['doubts', { sandboxes: 2, platformTimeoutMs: 300 }],
    ['many-doubts', { through: unclear }],
    ['menus'],
    ['giving'],
    ['accounts'],
    ['no-accounts'],
    ['refunds'],
    ['health', { platformTimeoutMs: 300 }],
    ['suspensions'],
    ['another-owner'],
    ['upstreams', { sandboxes: 3, platformTimeoutMs: 300 }],
  ],
  { ...SHOP_DOINGS, ...MONEY_DOINGS, ...DOINGS },
);
