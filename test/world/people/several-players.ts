// An operator whose customers came together: a line for each, one card for all of them, redeemed at once or one by one.
// Each gets what stood on their own line, and nobody anything else.
import { findButton, hasButton, REDEEM, REDEEM_ALL, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { randomPlayer } from './client.ts';
import type { Self } from './index.ts';

const WISHES = ['60', '325', '60 x2', '660'] as const;
const ONE_BY_ONE = 'One by one';
const PATIENCE_MS = 60_000;

const BEGUN = `
  select denomination || ' ' || count(*) from redemptions where player_id = ? and denomination is not null and state <> 'failed'
  group by denomination order by denomination`;

export async function orderForSeveral(world: World, self: Self): Promise<void> {
  const { diary, disk } = world;
  const { phone, random, name } = self;
  const orders = Array.from({ length: 2 + random.below(2) }, () => ({
    player: randomPlayer(random),
    what: random.pick(WISHES),
  }));
  const text = orders.map(({ player, what }) => `${player} ${what}`).join('\n');
  const card = await phone.ask(
    text,
    (message) => hasButton(REDEEM_ALL)(message) || says(/no |not |unknown|nothing|only/i)(message),
  );
  if (!card || !hasButton(REDEEM_ALL)(card)) return;
  const shown = orders.filter(({ player }) => card.text.includes(player));
  if (random.chance(0.3)) return redeemOneByOne(self, card, shown.length);
  await phone.press(card, REDEEM_ALL, { kind: 'several' });
  const ended = await phone.sees(
    ({ id, text: words }) => id >= card.id && /All \d+ redeemed for \d+ players|Stopped:/.test(words),
    PATIENCE_MS,
  );
  if (!ended || !/All \d+ redeemed/.test(ended.text)) return;
  for (const { player, what } of shown) {
    const [denomination = '', count = '1'] = what.split(' x');
    const begun = look(disk.databasePath(), (file) => file.prepare(BEGUN).pluck().all(player) as string[]);
    if (begun.join() !== `${denomination} ${count}`)
      diary.notice(
        `${name} ordered ${what} for ${player}, and is told that all is redeemed: ${begun.join()}`,
      );
  }
}

/** Each has a confirmation of its own. */
async function redeemOneByOne(
  { phone }: Self,
  card: Parameters<Self['phone']['press']>[0],
  count: number,
): Promise<void> {
  await phone.press(card, ONE_BY_ONE);
  await phone.sees(({ id, text }) => id > card.id && /Redeem this\?/.test(text), 10_000);
  const cards = phone.newest(count + 1).filter((each) => each.id > card.id && findButton(each, REDEEM));
  for (const each of cards) await phone.press(each, REDEEM, { kind: 'redeem' });
}
