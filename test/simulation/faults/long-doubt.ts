// Orders are in doubt for longer than anybody remembers: the platform hides what it did, and then cannot say it. Meanwhile people ask
// for the same once more, and are warned; and whoever asks about such a code is not told that it is unspent.
import type { Seeded } from '../../torture/seeded.ts';
import { call } from '../people/client.ts';
import { openOf } from '../people/checker.ts';
import { selvesOf } from '../people/index.ts';
import { findButton, hasButton, REDEEM } from '../phone.ts';
import { GOOD_MANNERS } from '../platform.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

const ACTING = 6;
const HIDDEN_MS = 55_000;
const LONGER_MS = 12 * 60_000;
const ORDERING = new Set(['operator', 'several', 'client']);
const DOUBTS = `
  select id, account_id as accountId, player_id as playerId, denomination, created_at as createdAt from redemptions
  where state in ('pending', 'in_doubt') and game_id = 'game_id_1' and mode = 'database' order by id desc`;
const MAY =
  "select 1 from members where telegram_id = ? and account_id = ? and role in ('owner', 'admin', 'operator')";

interface Row {
  id: number;
  accountId: number;
  playerId: string;
  denomination: number;
  createdAt: number;
}

export const longDoubt: Fault = {
  name: 'long doubt',
  weight: 2,
  async happen(world, random) {
    const { platform, time, diary } = world;
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, hidesFailure: 0.6, hidesSuccess: 0.3 };
    const acting = actSome(world, random, { count: ACTING, by: ({ kind }) => ORDERING.has(kind) });
    await time.sleep(HIDDEN_MS);
    platform.manners = { ...GOOD_MANNERS, losesCodes: 1 };
    diary.struck.push({ what: 'a long doubt', at: time.clock.now() });
    time.skip(LONGER_MS);
    await time.sleep(2_000);
    await readHistory(world);
    await askForTheSame(world, random);
    platform.manners = GOOD_MANNERS;
    await askAboutCodes(world, random);
    platform.manners = manners;
    await acting;
  },
};

const findDoubts = ({ disk }: World): Row[] =>
  look(disk.databasePath(), (file) => file.prepare(DOUBTS).all() as Row[]);

/** A program that reads what there is: what is in doubt has not gone well, and has no end. */
async function readHistory(world: World): Promise<void> {
  const { diary, shops } = world;
  for (const doubt of findDoubts(world).slice(0, 3)) {
    const shop = shops.find(({ accountId }) => accountId === doubt.accountId);
    if (!shop) continue;
    const answer = await call(world, { shop, name: 'a program that reads' }, '/history');
    if (answer?.status !== 200 || !findDoubts(world).some(({ id }) => id === doubt.id)) continue;
    const listed = answer.json as { id: number; error: boolean; settledAt?: string }[];
    const line = listed.find(({ id }) => id === doubt.id);
    if (line && (!line.error || line.settledAt !== undefined))
      diary.amiss.push(`a program reads of ${doubt.id}, which is in doubt: ${JSON.stringify(line)}`);
  }
}

/** A colleague is asked for the same by the same customer. */
async function askForTheSame(world: World, random: Seeded): Promise<void> {
  const { diary, disk } = world;
  const may = (id: number, accountId: number) =>
    look(disk.databasePath(), (file) => file.prepare(MAY).get(id, accountId)) !== undefined;
  for (const doubt of findDoubts(world).slice(0, 3)) {
    const colleagues = selvesOf(world, 'operator').filter(({ phone }) => may(phone.user.id, doubt.accountId));
    const self = colleagues.length > 0 ? random.pick(colleagues) : undefined;
    if (!self) continue;
    const { restoredAt } = diary;
    const { playerId, denomination, id } = doubt;
    const fits = hasButton(REDEEM);
    const card = await self.phone.ask(
      `/redeem ${playerId} ${denomination}`,
      (message) => fits(message) && message.text.includes(playerId),
      8_000,
    );
    const isOpen = findDoubts(world).some((each) => each.id === id);
    // Who has last redeemed for another game is asked about that one.
    if (card && !isOfGame(world, card.text)) continue;
    const label = card && findButton(card, REDEEM)?.text;
    if (isOpen && diary.restoredAt === restoredAt && label === 'Redeem')
      diary.amiss.push(
        `${self.name} is asked about ${denomination} for ${playerId} as if ${id} were not in doubt`,
      );
  }
}

/** Whether a card is of the game of the doubts. */
function isOfGame({ service }: World, text: string): boolean {
  const [, shown] = /^Game: (.+)$/m.exec(text) ?? [];
  const others = service.games.filter(({ id }) => id !== 'game_id_1');
  return !others.some(({ name }) => name.en === shown);
}

async function askAboutCodes(world: World, random: Seeded): Promise<void> {
  const open = world.shops.flatMap((shop) =>
    shop.minted().filter((code) => openOf(world, code) !== undefined),
  );
  const programs = selvesOf(world, 'checker');
  const code = open.length > 0 ? random.pick(open) : undefined;
  const program = programs.length > 0 ? random.pick(programs) : undefined;
  if (code === undefined || !program) return;
  const before = openOf(world, code);
  const body = { gameId: 'game_id_1', code };
  const answer = await call(world, program, '/redemption-time', { body });
  if (answer?.status === 404 && openOf(world, code) === before)
    world.diary.amiss.push(
      `${program.name} was told that ${code} is not redeemed, and redemption ${String(before)} of it is open`,
    );
}
