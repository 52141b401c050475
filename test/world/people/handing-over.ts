// A shop is handed over to one of its admins, and back: whoever owns it, somebody does, and it is who was told so.
import { hasButton, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Person, Self } from './index.ts';

const OWNER = "select telegram_id from members where account_id = ? and role = 'owner'";
const FIRST = 'Hand over the account';
const SURE = 'I know what this means';

/** To an admin; or back, where somebody else owns it by now. */
export async function handOver(world: World, self: Self): Promise<void> {
  const { people, members, disk } = world;
  const { shop, phone, random } = self;
  const owner = look(disk.databasePath(), (file) => file.prepare(OWNER).pluck().get(shop.accountId));
  const isMine = owner === phone.user.id;
  const heirs = people.filter(({ kind, userId = 0 }) => {
    const member = members.get(userId);
    return kind === 'admin' && member?.accountId === shop.accountId && member.role === 'admin';
  });
  const from = isMine ? phone : people.find(({ userId }) => userId === owner)?.phone;
  const to = isMine ? (heirs.length > 0 ? random.pick(heirs).userId : undefined) : phone.user.id;
  if (!from || to === undefined) return;
  const heir = people.find(({ userId }) => userId === to)?.phone;
  const leaving = isMine && heir && random.chance(0.4) ? await askToLeave(heir) : undefined;
  await give(world, from, { id: to, accountId: shop.accountId });
  const owns = look(disk.databasePath(), (file) => file.prepare(OWNER).pluck().get(shop.accountId)) === to;
  if (heir && leaving && owns) await heir.press(leaving, LEAVE, { kind: 'staff' });
  // Mostly it was meant for an hour.
  if (isMine && random.chance(0.7)) await handOver(world, self);
}

/** Whoever is about to own the shop was about to leave it: as its owner they cannot. */
async function askToLeave(heir: NonNullable<Person['phone']>) {
  const card = await heir.ask('/members', hasButton(LEAVE));
  if (card) await heir.press(card, LEAVE);
  return card && heir.sees((message) => hasButton(LEAVE)(message) && /^Leave /.test(message.text), 5_000);
}

const LEAVE = 'Leave the account';

async function give(
  { diary, time }: World,
  from: NonNullable<Person['phone']>,
  { id: to, accountId }: { id: number; accountId: number },
): Promise<void> {
  const card = await from.ask(`/members ${to}`, says(/./));
  if (!card || !hasButton(FIRST)(card)) return;
  await from.press(card, FIRST);
  const warned = await from.sees(hasButton(SURE), 5_000);
  if (!warned) return;
  await from.press(warned, SURE);
  const asked = await from.sees(
    (message) => hasButton(FIRST)(message) && /^Last question/.test(message.text),
    5_000,
  );
  if (!asked) return;
  const at = time.clock.now();
  const orders: World['diary']['staffing'] = [
    { id: from.user.id, role: 'admin', accountId, isDone: false, at },
    { id: to, role: 'owner', accountId, isDone: false, at },
  ];
  diary.staffing.push(...orders);
  const done = await from.press(asked, FIRST, { kind: 'staff' });
  const isDone = done?.id === asked.id && done.text.startsWith('Done: ');
  for (const order of orders) order.isDone = isDone;
}
