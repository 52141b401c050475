// A program that looks things up: who a player is, and whether a code is redeemed. What it is told is held against the
// platform itself.
import { describePlayer } from '../../../src/platform/sandbox/people.ts';
import { hashOf } from '../promises/ledger.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { call, wishFor } from './client.ts';
import type { Kind, Self } from './index.ts';
import { playerOf } from './operator.ts';

const GAME = 'game_id_1';

export const checker: Kind = {
  kind: 'checker',
  ofAShop: 1,
  actsADay: 0.5,
  act(world, self) {
    if (self.random.chance(0.25)) return askDuring(world, self);
    return self.random.chance(0.5) ? askForPlayer(world, self) : askForCode(world, self);
  },
};

async function askForPlayer(world: World, self: Self): Promise<void> {
  const playerId = playerOf(self);
  const before = world.platform.timesLost(playerId);
  const answer = await call(world, self, `/character?gameId=${GAME}&playerId=${playerId}`);
  const { openid, name } = describePlayer(GAME, playerId);
  const told = (answer?.json ?? {}) as { openid?: string; name?: string };
  const isThere = !playerId.startsWith('404');
  if (answer?.status === 200 && (!isThere || told.openid !== openid || told.name !== name))
    world.diary.notice(`${self.name} was told that ${playerId} is ${JSON.stringify(told)}`);
  if (answer?.status === 404 && isThere && world.platform.timesLost(playerId) === before)
    world.diary.notice(`${self.name} was told that there is no ${playerId}`);
}

/** Of one of the shop's codes, or of another shop's: in stock, under way, or spent. */
async function askForCode(world: World, self: Self): Promise<void> {
  const { platform, disk, diary } = world;
  const others = world.shops.filter((each) => each !== self.shop);
  const whose = others.length > 0 && self.random.chance(0.3) ? self.random.pick(others) : self.shop;
  const minted = whose.minted();
  const spent = self.random.chance(0.4) ? minted.filter((each) => platform.find(GAME, each)) : [];
  const used = minted.filter((each) => openOf(world, each) !== undefined);
  const code = self.random.pick(used.length > 0 ? used : spent.length > 0 ? spent : minted);
  if (code === undefined) return;
  const before = platform.find(GAME, code);
  const open = openOf(world, code);
  const answer = await call(world, self, '/redemption-time', { body: { gameId: GAME, code } });
  const after = platform.find(GAME, code);
  const { openid, receiptId, receiptSuccessful } = (answer?.json ?? {}) as {
    openid?: string;
    receiptId?: number;
    receiptSuccessful?: boolean;
  };
  // Whoever hears of nothing takes it for unspent.
  if (answer?.status === 404 && open !== undefined && openOf(world, code) === open)
    diary.notice(`${self.name} was told that ${code} is not redeemed, and redemption ${open} of it is open`);
  if (answer?.status === 404 && before)
    diary.notice(`${self.name} was told that ${code} is not redeemed, and it is`);
  if (answer?.status === 200 && openid !== (after && describePlayer(GAME, after.playerId).openid))
    diary.notice(`${self.name} was told that ${code} is redeemed for ${openid}`);
  if (receiptId === undefined) return;
  const own = look(disk.databasePath(), (file) => file.prepare(RECEIPT).get(receiptId)) as
    { owner: number; state: string } | undefined;
  if (own?.owner !== self.shop.accountId)
    diary.notice(`${self.name} was told the receipt ${receiptId} of account ${own?.owner}`);
  if (own && open === undefined && receiptSuccessful !== (own.state === 'redeemed'))
    diary.notice(
      `${self.name} was told that the receipt ${receiptId} of ${code} is ${receiptSuccessful}, and it is ${own.state}`,
    );
}

const RECEIPT = 'select account_id as owner, state from redemptions where id = ?';
const OPEN = "select id from redemptions where state in ('pending', 'in_doubt') and code_hash = ?";

/** The redemption of this code that is under way or in doubt, whoever's it is. */
export const openOf = ({ disk }: World, code: string): number | undefined =>
  look(disk.databasePath(), (file) => {
    const hash = Buffer.from(hashOf(GAME, code), 'hex');
    return file.prepare(OPEN).pluck().get(hash) as number | undefined;
  });

const JUST_BEGUN_MS = 100;
const BEGUN =
  "select id, created_at as at from redemptions where state in ('pending', 'in_doubt') and code_hash = ?";

/** While it is ordered: what began meanwhile is told, too. */
async function askDuring(world: World, self: Self): Promise<void> {
  const { random, shop, name } = self;
  const { disk, diary, time } = world;
  const [code = ''] = shop.mint(60, 1);
  const asking = call(world, self, '/redemption-time', { body: { gameId: GAME, code } }).then((answer) => {
    const open = look(disk.databasePath(), (file) =>
      file.prepare(BEGUN).get(Buffer.from(hashOf(GAME, code), 'hex')),
    ) as { id: number; at: number } | undefined;
    if (answer?.status === 404 && open && time.clock.now() - open.at > JUST_BEGUN_MS)
      diary.notice(`${name} was told that ${code} is not redeemed, and redemption ${open.id} of it began`);
  });
  await time.sleep(20 + random.below(200));
  await wishFor(world, self, { gameId: GAME, codeOverride: code });
  await asking;
}
