// Somebody with an account for a day or some: as long as it is paid for they redeem, by the chat and by a program; when
// it is over nothing is redeemed or read over HTTP any more, until the host gives another.
import { hasButton, REDEEM, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call } from './client.ts';
import type { Act, Self } from './index.ts';
import { followFromOwn } from './links.ts';
import { sendMalformed } from './looping.ts';
import { playerOf } from './operator.ts';
import type { Shop } from './shop.ts';

const AROUND_MS = 60_000;
/** Long enough that its end is told before. */
const SOME_DAYS = 5;
const UNTIL = 'select subscription_expires_at from accounts where id = ?';

export const actOnTrial: Act = async (world, self) => {
  const { phone, random } = self;
  if (random.chance(0.06)) return followFromOwn(world, self);
  if (random.chance(0.04)) return sendMalformed(world, self);
  if (random.chance(0.3)) return renew(world, self);
  if (random.chance(0.5)) return readOverHttp(world, self);
  const card = await phone.ask(`${playerOf(self)} 60`, says(/./));
  if (card && hasButton(REDEEM)(card)) await phone.press(card, REDEEM, { kind: 'redeem' });
};

async function readOverHttp(world: World, self: Self): Promise<void> {
  const { random, name, shop } = self;
  const path = random.pick(['/quota', '/db?gameId=game_id_1', '/history', '/stats?gameId=game_id_1']);
  const { now } = world.time.clock;
  const [before, from] = [untilOf(world, shop), now()];
  const answer = await call(world, self, path);
  const after = untilOf(world, shop);
  if (!answer || before !== after) return;
  if (Math.abs(before - from) < AROUND_MS || Math.abs(before - now()) < AROUND_MS) return;
  // A day has passed while it was asked.
  if (before > from !== before > now()) return;
  const expected = before > now() ? 200 : 403;
  if (answer.status !== expected && answer.status < 500 && answer.status !== 401)
    world.diary.notice(
      `${name} is answered ${answer.status} at ${path}, and its subscription ends ${new Date(before).toISOString()}`,
    );
}

async function renew(world: World, { shop, random }: Self): Promise<void> {
  if (untilOf(world, shop) > world.time.clock.now()) return;
  await give(world, shop, random.chance(0.25) ? SOME_DAYS : 1);
}

/** Their subscription goes on for an hour at least. */
export async function keepOnTrial(world: World, shop: Shop): Promise<void> {
  if (untilOf(world, shop) > world.time.clock.now() + HOUR_MS) return;
  await give(world, shop, 1);
}

/** Days begin when they are given, however long ago the last of them was over. */
async function give(world: World, shop: Shop, days: number): Promise<void> {
  const { service, time, random, diary } = world;
  const from = time.clock.now();
  const order = { accountId: shop.accountId, days, orderId: random.text(12) };
  const given = await service
    .command((core) => core.accounts.grant({ kind: 'host', by: 'cli' }, order))
    .then(
      () => true,
      () => false,
    );
  if (!given) return;
  const until = untilOf(world, shop);
  if (until < from + days * DAY_MS)
    diary.notice(`${days} days were given, and the subscription ends ${new Date(until).toISOString()}`);
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

export const untilOf = ({ disk }: World, { accountId }: Pick<Shop, 'accountId'>): number =>
  look(disk.databasePath(), (file) => file.prepare(UNTIL).pluck().get(accountId) as number | null) ?? 0;
