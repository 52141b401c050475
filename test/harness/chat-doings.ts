// What happens to a shop between two lines of a chat file (chat-file.ts), as lines that begin with `*`.
import Database from 'better-sqlite3';

import type { Role } from '../../src/core/index.ts';
import type { TestBot } from './bot-app.ts';

/** Numbered, so that a file shows the same codes each time. */
const code = (denomination: number, n: number) => `${denomination}S${String(n).padStart(12, '0')}`;

export const SHOP_DOINGS = {
  /** `* codes 60 3`: so many come into the stock; `* codes 60 3 game_id_2` into that of another game. */
  codes: (t: TestBot, rest: string) => {
    const [denomination, count, gameId = 'game_id_1'] = rest.split(' ');
    const before = numbered.get(t) ?? 1;
    numbered.set(t, before + Number(count));
    const codes = Array.from({ length: Number(count) }, (_, n) => code(Number(denomination), before + n));
    return t.app().core.codes.add(t.actors.owner, gameId, [{ denomination: Number(denomination), codes }]);
  },
  /** `* redeem 60 5170925570`: the operator redeems one from the stock. */
  redeem: (t: TestBot, rest: string) => {
    const [denomination, playerId = ''] = rest.split(' ');
    const order = { gameId: 'game_id_1', playerId, denomination: Number(denomination) };
    return t.app().core.redeem(t.actors.operator, order);
  },
  /** `* subscription ends`. */
  subscription: (t: TestBot) => write(t, 'update accounts set subscription_expires_at = 1'),
  /** `* removed operator`. */
  removed: (t: TestBot, who: string) => write(t, 'delete from members where telegram_id = ?', idOf(t, who)),
  /** `* role operator support`. */
  role: (t: TestBot, rest: string) => {
    const [who = '', role] = rest.split(' ');
    write(t, 'update members set role = ? where telegram_id = ?', role, idOf(t, who));
  },
  restart: (t: TestBot) => t.restart(),
};

const numbered = new WeakMap<TestBot, number>();

const idOf = (t: TestBot, who: string) => t.people[who as Role].id;

/** As another process would. */
function write(t: TestBot, sql: string, ...values: unknown[]): void {
  const file = new Database(t.app().databasePath);
  file.prepare(sql).run(...values);
  file.close();
}
