// A program that went wrong sends what is malformed in a loop, or what changes nothing: it costs nothing, leaves
// nothing behind, and soon it is not even heard (wire.md).
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call } from './client.ts';
import type { Self } from './index.ts';
import { extract } from './stocker.ts';
import { hashOf } from '../promises/ledger.ts';

/** More than twice as many as are heard in a minute: where one is over meanwhile, one of the two meets its end. */
const SENT = 250;
const MALFORMED = '12';

export async function sendMalformed(world: World, self: Pick<Self, 'shop' | 'name' | 'random'>) {
  const { diary, service } = world;
  const starts = service.starts();
  const isOrder = self.random.chance(0.5);
  const order = { gameId: 'game_id_1', denomination: 60, playerId: MALFORMED };
  const one = () =>
    isOrder
      ? call(world, self, '/redeem', { body: order })
      : call(world, self, `/character?gameId=game_id_1&playerId=${MALFORMED}`);
  const answers = await Promise.all(Array.from({ length: SENT }, one));
  // A process that begins has counted nothing.
  if (service.starts() !== starts) return;
  const statuses = answers.map((answer) => answer?.status);
  if (statuses.includes(undefined)) return;
  const heard = statuses.filter((status) => status === (isOrder ? 503 : 404)).length;
  if (heard > 0 && !statuses.includes(429))
    diary.cutOff.push(`${self.name} sent ${SENT} malformed requests in a moment, and all were heard`);
}

/** But by this very program. */
const NEVER_STOCKED = [1800, 3850, 8100];
const HAS = `
  select 1 from codes where account_id = ? and game_id = 'game_id_1' and denomination = ?
    and state in ('available', 'unverified', 'reserved', 'in_doubt') limit 1`;
const REDEEMED = "select 1 from codes where code_hash = ? and state = 'redeemed'";
const EMPTY = `
  select (select count(*) from extractions e where e.account_id = @account and e.at >= @since and e.taken = 0 and e.ended_at is not null)
    + (select count(*) from batches b where b.account_id = @account and b.at >= @since and b.added = 0 and b.undone_at is null
      and b.actor like 'apiKey:%')`;
/** What another program does in the same moment may come to nothing, too. */
const BY_OTHERS = 2;
const REPEATED = 6;

/**
 * Takes out of what is empty and adds what is known, again and again: nothing is written for it. Then the key of one is
 * free.
 */
export async function changeNothing(world: World, self: Self): Promise<void> {
  const { diary, time, disk, service } = world;
  const { shop, random, name } = self;
  const account = shop.accountId;
  const ask = <T>(sql: string, ...by: unknown[]) =>
    look(
      disk.databasePath(),
      (file) =>
        file
          .prepare(sql)
          .pluck()
          .get(...by) as T | undefined,
    );
  const denomination = NEVER_STOCKED.find((each) => ask(HAS, account, each) === undefined);
  if (denomination === undefined) return;
  const codes = shop.minted().filter((code) => ask(REDEEMED, Buffer.from(hashOf('game_id_1', code), 'hex')));
  const [since, starts] = [time.clock.now(), service.starts()];
  const times = random.chance(0.2) ? SENT : REPEATED;
  const body = { denomination, amount: 2 };
  const take = (key = `nothing-${random.text(12)}`) =>
    call(world, self, '/db/extract?gameId=game_id_1', { body, key });
  const key = `nothing-${random.text(12)}`;
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) => take(index ? undefined : key)),
  );
  for (let again = 0; codes.length > 0 && again < REPEATED; again += 1)
    await call(world, self, '/db?gameId=game_id_1', {
      body: [{ denomination: 60, codes: codes.slice(0, 3) }],
    });
  if (service.starts() !== starts) return;
  const left = ask<number>(EMPTY, { account, since }) ?? 0;
  if (left > BY_OTHERS) diary.notice(`${name} changed nothing, and ${left} rows are kept of it`);
  const statuses = answers.map((answer) => answer?.status);
  if (times === SENT && !statuses.includes(undefined) && !statuses.includes(429))
    diary.cutOff.push(`${name} took nothing out ${SENT} times in a moment, and was heard each time`);
  await takeUnderTheKey(world, self, { key, body });
}

const TAKEABLE = `
  select 1 from codes c where account_id = @account and game_id = 'game_id_1' and denomination = @denomination and state = 'available'
    and not exists (select 1 from stock_pauses p where p.account_id = c.account_id and p.game_id = c.game_id
      and p.denomination = c.denomination and p.paused_at is not null)`;

/** What came to nothing is asked for again when there is something. */
async function takeUnderTheKey(
  world: World,
  self: Self,
  { key, body }: { key: string; body: { denomination: number; amount: number } },
): Promise<void> {
  const { diary, time, disk } = world;
  const { shop, name } = self;
  const { denomination } = body;
  const codes = shop.mint(denomination, body.amount);
  await call(world, self, '/db?gameId=game_id_1', { body: [{ denomination, codes }] });
  const extraction = { by: name, key, body, at: time.clock.now(), codes: undefined };
  diary.extractions.push(extraction);
  const taken = await extract(world, self, extraction);
  if (taken?.length !== 0) return;
  const by = { account: shop.accountId, denomination };
  if (look(disk.databasePath(), (file) => file.prepare(TAKEABLE).get(by)))
    diary.notice(`${name} is given nothing under ${key}, since there was nothing before`);
}
