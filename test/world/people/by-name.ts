// An operator who knows a regular by name: whoever is shown, it is somebody who has that name, and nobody else.
import { hasButton, REDEEM, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

const KNOWN = `
  select distinct player_name from redemptions where account_id = ? and state = 'redeemed' and player_name is not null
  order by id desc limit 20`;
const NAMED = 'select distinct player_id from redemptions where account_id = ? and player_name = ?';

const BESIDE_MS = 60_000;

export async function orderByName(
  { disk, diary, time }: World,
  { phone, random, shop, name }: Self,
): Promise<void> {
  const find = (sql: string, ...given: (number | string)[]) =>
    look(
      disk.databasePath(),
      (file) =>
        file
          .prepare(sql)
          .pluck()
          .all(...given) as string[],
    );
  const player = random.pick(find(KNOWN, shop.accountId));
  if (player === undefined) return;
  const card = await phone.ask(`${player} 60`, says(/./));
  const [, shown = ''] = /, ID (\d+)/.exec(card?.text ?? '') ?? [];
  if (!card || !hasButton(REDEEM)(card)) return;
  // What they ordered by its ID in the same moment is answered beside it.
  const isBeside = diary.questions.some(
    ({ user, text, at }) =>
      user.id === phone.user.id && shown !== '' && text.includes(shown) && at > time.clock.now() - BESIDE_MS,
  );
  if (isBeside) return;
  if (!find(NAMED, shop.accountId, player).includes(shown))
    diary.notice(`${name} ordered for ${player}, and is asked about ${shown}: ${card.text}`);
  await phone.press(card, REDEEM, { kind: 'redeem' });
}
