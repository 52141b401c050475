// An operator whose customers want several codes at once: one order of many, stopped now and then.
import { hasButton, REDEEM, says } from './phone.ts';
import type { SeenMessage } from '../../telegram/types.ts';
import { look } from '../run/rest.ts';
import { managesOne } from '../machine/catalogue.ts';
import type { World } from '../run/world.ts';
import type { Kind, Self } from './index.ts';
import { randomPlayer } from './client.ts';
import { playerOf } from './operator.ts';
import { orderForSeveral } from './several-players.ts';

const REST = 'Continue with the rest';
const COUNTS: Readonly<Record<string, number>> = { '60 x2': 2, '60 x3': 3, '60+325': 2, '660': 1 };

export const several: Kind = {
  kind: 'several',
  role: 'operator',
  ofAShop: 1,
  actsADay: 0.27,
  async act(world, self) {
    const { phone, random, name } = self;
    if (random.chance(0.25)) return orderTooMany(world, self);
    if (random.chance(0.25)) return orderForSeveral(world, self);
    const what = random.pick(['60 x2', '60 x3', '60+325', '660']);
    // Nobody else's.
    const player = random.chance(0.5) ? randomPlayer(random) : undefined;
    const card = await phone.ask(
      `${player ?? playerOf(self)} ${what}`,
      (message) => hasButton(REDEEM)(message) || says(/no |not |unknown|nothing|only/i)(message),
    );
    if (!card || !hasButton(REDEEM)(card)) return;
    if (player !== undefined && card.text.includes(player)) judgeCost(world, { name, what }, card.text);
    await phone.press(card, REDEEM, { kind: 'several' });
    const running = await phone.sees(hasButton('Stop'), 4_000);
    if (running && random.chance(0.3)) await phone.press(running, 'Stop');
    const end = COUNTS[what] === 1 ? /receipt_\d+/ : /All \d+ redeemed|Stopped:/;
    const ended = await phone.sees((message) => message.id >= card.id && end.test(message.text), 60_000);
    if (ended && player !== undefined && ended.text.includes(player))
      judgeRest(world, { name, player, ordered: COUNTS[what] ?? 1 }, ended.text);
    if (ended && hasButton('Logins')(ended) && random.chance(0.3)) await readLogins(world, self, ended);
    if (ended && player !== undefined && ended.text.includes(player) && random.chance(0.8))
      await goOnWithTheRest(world, self, ended);
  },
};

function judgeCost({ diary }: World, { name, what }: { name: string; what: string }, text: string): void {
  const [, cost] = /Cost: (\d+) activation/.exec(text) ?? [];
  if (cost !== undefined && Number(cost) !== COUNTS[what])
    diary.notice(`${name} ordered ${what}, and is asked for ${cost} activations`);
}

const FEWEST = `
  select denomination, count(*) as count from codes
  where account_id = ? and game_id = 'game_id_1' and state in ('available', 'unverified') group by 1 order by 2 limit 1`;
/** As long as this stays the same there were never more of them meanwhile; undefined while some may come back. */
const WITNESS = `
  select (select count(*) from batches where account_id = :account) || ' ' ||
    (select count(*) from redemptions where account_id = :account and mode = 'database')
  where not exists (select 1 from codes where account_id = :account and state in ('reserved', 'in_doubt'))`;
const MOST_CODES = 10;

/** One more than there are: nobody is asked to confirm that. */
async function orderTooMany({ disk, diary, service }: World, self: Self): Promise<void> {
  const { phone, name, shop } = self;
  const find = () =>
    look(disk.databasePath(), (file) => file.prepare(FEWEST).get(shop.accountId)) as
      { denomination: number; count: number } | undefined;
  const witness = () =>
    look(disk.databasePath(), (file) => file.prepare(WITNESS).pluck().get({ account: shop.accountId })) as
      string | undefined;
  const [fewest, seen] = [find(), witness()];
  if (!fewest || fewest.count >= MOST_CODES) return;
  // Another game may have enough of them.
  if (!managesOne(service.games)) return;
  const what = `${fewest.denomination} x${fewest.count + 1}`;
  const player = randomPlayer(self.random);
  const card = await phone.ask(`${player} ${what}`, ({ text }) => text.includes(player));
  if (
    card &&
    hasButton(REDEEM)(card) &&
    find()?.count === fewest.count &&
    seen !== undefined &&
    witness() === seen
  )
    diary.notice(`${name} is asked to confirm ${what}, and there are ${fewest.count}: ${card.text}`);
}

/** The logins of all that are redeemed come in one message. */
async function readLogins({ diary }: World, { phone, name }: Self, ended: SeenMessage): Promise<void> {
  const seen = await phone.press(ended, 'Logins');
  const numbersOf = (text: string) => [...text.matchAll(/receipt_(\d+)/g)].map(([, id]) => id);
  const redeemed = ended.text
    .split('\n')
    .filter((line) => line.startsWith('✅'))
    .flatMap(numbersOf);
  if (!seen || !/^Logins of /.test(seen.text)) return;
  const shown = numbersOf(seen.text);
  if (redeemed.some((id) => !shown.includes(id)))
    diary.notice(`${name} wants the logins of ${redeemed.join(', ')}, and gets those of ${shown.join(', ')}`);
}

/** What was not redeemed is asked about once more, and nothing else. */
async function goOnWithTheRest(world: World, { phone, name }: Self, ended: SeenMessage): Promise<void> {
  const [, left] = /Not redeemed: (.+)/.exec(ended.text) ?? [];
  const [, player] = /, ID (\d+)/.exec(ended.text) ?? [];
  if (left === undefined || !hasButton(REST)(ended)) return;
  // A card that came twice stands there still: this one comes after it.
  const newest = phone.newest().at(-1)?.id ?? ended.id;
  await phone.press(ended, REST);
  const card = await phone.sees(
    (message) => message.id > newest && message.text.includes(`ID ${player}`) && hasButton(REDEEM)(message),
    10_000,
  );
  const [, wanted] = /: (.+) from stock/.exec(card?.text ?? '') ?? [];
  if (!card || wanted === undefined) return;
  if (wanted !== left)
    world.diary.notice(`${name} goes on with what was not redeemed (${left}), and is asked about ${wanted}`);
  await phone.press(card, REDEEM, { kind: 'several' });
}

const REDEEMED = "select count(*) from redemptions where player_id = ? and state = 'redeemed'";

/** What was ordered for a player whom nobody else knows is redeemed, or told as not redeemed. */
function judgeRest(
  { diary, disk }: World,
  { name, player, ordered }: { name: string; player: string; ordered: number },
  text: string,
): void {
  const [, rest = ''] = /Not redeemed: (.+)/.exec(text) ?? [];
  const redeemed = look(disk.databasePath(), (file) => file.prepare(REDEEMED).pluck().get(player) as number);
  const left = [...rest.matchAll(/\d+ UC(?: × (\d+))?/g)].reduce(
    (sum, [, count]) => sum + Number(count ?? 1),
    0,
  );
  // One code alone has a receipt, and no rest.
  if (ordered > 1 && redeemed + left !== ordered)
    diary.notice(
      `${name} ordered ${ordered} codes for ${player}: ${redeemed} are redeemed, and left is: ${rest}`,
    );
}
