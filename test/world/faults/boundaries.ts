// A day to the millisecond: a new customer of the host, whose subscription ends and whose activations come free while
// somebody looks at the clock. Until the moment that was told nothing changes, and from then on it has.
import Database from 'better-sqlite3';

import { learnNotices } from '../audit/notices.ts';
import { call } from '../people/client.ts';
import { DAILY_QUARTERS, DAY_MS } from '../promises/quota.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

const HOST = { kind: 'host', by: 'cli' } as const;
const HOUR_MS = 60 * 60_000;
const LOOK_UP = '/character?gameId=game_id_1&playerId=5170000001';
/** For what costs nothing but may be done by subscribers alone. */
const LIST = '/db/extractions?gameId=game_id_1';
const END = 'select subscription_expires_at from accounts where id = ?';
const AT = 'select max(at) from usages where account_id = ?';

export const boundaries: Fault = {
  name: 'a day to the millisecond',
  weight: 1,
  of: 'night',
  // More than the two days for which a list waits.
  suspends: ['everyPasteIsAnswered'],
  async happen(world) {
    const { service, time, diary, disk } = world;
    if (!service.isServing() || time.machine.now() !== time.clock.now()) return;
    const starts = service.starts();
    const isSame = () => service.isServing() && service.starts() === starts;
    const customer = { name: 'customer', days: 2 };
    const { accountId, apiKey } = await service.command((core) => core.accounts.create(HOST, customer));
    const shop = { accountId, apiKey } as World['shops'][number];
    const ask = async (path: string) => (await call(world, { name: 'customer', shop }, path))?.status;
    if ((await ask(LOOK_UP)) === 200 && isSame()) {
      const due = useUpTheRest(world, accountId) + DAY_MS;
      pass(world, Math.max(0, due - service.monotonicNow()));
      const status = await ask(LOOK_UP);
      // Whether it was asked in this very millisecond is certain only while it is.
      if (isSame() && status === 429 && service.monotonicNow() === due)
        diary.amissBeside.push(
          'an activation comes free a day after it was used, and the customer is refused then',
        );
      const early = look(disk.databasePath(), (file) => file.prepare(AT).pluck().get(accountId)) as number;
      if (isSame() && status === 200 && early < due)
        diary.amissBeside.push(`the customer was charged ${due - early} ms before an activation came free`);
    }
    // A past without them knows no end.
    if (!isSame()) return;
    const end = look(disk.databasePath(), (file) => file.prepare(END).pluck().get(accountId)) as number;
    pass(world, Math.max(0, end - 1 - time.clock.now()));
    const before = await ask(LIST);
    if (isSame() && before === 403 && time.clock.now() < end)
      diary.amissBeside.push('the subscription ended before its end');
    pass(world, Math.max(0, end - time.clock.now()));
    if ((await ask(LIST)) === 200 && isSame())
      diary.amissBeside.push('the subscription lasts longer than it was paid for');
  },
};

/** So much time in a moment, in which nothing happens. */
export function pass(world: World, ms: number): void {
  const { time, service } = world;
  // What was told is forgotten after two days.
  if (service.isServing()) learnNotices(world);
  time.skip(ms);
}

/** So long after the first usage, an hour as a rule, everything else is used up; when that one was made. */
export function useUpTheRest({ disk }: World, accountId: number, afterMs = HOUR_MS): number {
  const file = new Database(disk.databasePath());
  try {
    const used = file
      .prepare('select sum(daily) from usages where account_id = ?')
      .pluck()
      .get(accountId) as number;
    const at = file.prepare(AT).pluck().get(accountId) as number;
    const daily = DAILY_QUARTERS - used;
    file.transaction(() => {
      file
        .prepare(
          "insert into usages (account_id, at, daily, purchased, kind) values (?, ?, ?, 0, 'redemptionTime')",
        )
        .run(accountId, at + afterMs, daily);
      file.prepare('update quotas set used = used + ? where account_id = ?').run(daily, accountId);
    })();
    return at;
  } finally {
    file.close();
  }
}
