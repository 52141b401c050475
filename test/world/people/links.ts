// Links that were followed before, that nobody followed in time, or whose maker may not give them any more: they let
// nobody in. Nor do they take anybody out of an account that holds something.
import { hasButton, says } from './phone.ts';
import { findAccountOf, look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Role } from '../../../src/core/index.ts';
import type { Person, Self } from './index.ts';
import type { Shop } from './shop.ts';

interface Link {
  token: string;
  at: number;
  /** Somebody came in by it, or tried it when it was over. */
  isUsed: boolean;
  /** Whom it was made for. */
  userId: number;
  role: Role;
}

const linksOf = ({ diary }: Pick<World, 'diary'>) => diary.remember<Link[]>(linksOf);
const DEAD_AFTER_MS = 30 * 60 * 60_000;
const LONG_DEAD_AFTER_MS = 48 * 60 * 60_000;
const ALIVE_MS = 20 * 60 * 60_000;
const KEPT = 8;

export function keepLink(
  world: World,
  shop: Shop,
  { token, userId, role }: { token: string; userId: number; role: Role },
): void {
  const { disk, time } = world;
  const came = look(disk.databasePath(), (file) =>
    file
      .prepare('select 1 from members where telegram_id = ? and account_id = ?')
      .get(userId, shop.accountId),
  );
  const kept = linksOf(world).get(shop) ?? [];
  linksOf(world).set(
    shop,
    [...kept, { token, at: time.clock.now(), isUsed: came !== undefined, userId, role }].slice(-KEPT),
  );
}

/** Somebody who is not in the shop any more tries the link that they, or others, once had. */
export async function followOldLink(
  world: World,
  { shop, random }: { shop: Shop; random: Pick<Self['random'], 'pick'> },
  person: Person,
): Promise<void> {
  const now = world.time.clock.now();
  const old = (linksOf(world).get(shop) ?? []).filter(({ at, isUsed }) => isUsed || now - at > DEAD_AFTER_MS);
  const link = old.length > 0 ? random.pick(old) : undefined;
  if (link) await person.phone?.ask(`/start ${link.token}`, says(/./));
}

/**
 * A link that nobody followed, and that is over for hours only: somebody outside tries it. False where there is none.
 */
export async function followLateLink(world: World, { shop }: Pick<Self, 'shop'>): Promise<boolean> {
  const { time } = world;
  const now = time.clock.now();
  const late = (linksOf(world).get(shop) ?? []).find(
    ({ at, isUsed }) => !isUsed && now - at > DEAD_AFTER_MS && now - at < LONG_DEAD_AFTER_MS,
  );
  const outsider = late && findOutsider(world, shop);
  if (!late || !outsider) return false;
  late.isUsed = true;
  await outsider.phone?.ask(`/start ${late.token}`, says(/./));
  return true;
}

/** Who was there before, or a stranger. */
function findOutsider({ people, disk }: World, shop: Shop): Person | undefined {
  // Who came back today is no member in `members` yet.
  const gone = [...shop.cameAs.keys()].filter((id) => findAccountOf(disk, id) !== shop.accountId);
  return people.find(({ userId }) => userId === gone[0]) ?? people.find(({ kind }) => kind === 'stranger');
}

/** Somebody who thought about it for some hours comes after all. */
export async function followLate(
  world: World,
  { shop, random }: Pick<Self, 'shop' | 'random'>,
): Promise<void> {
  const { time, diary, members, people } = world;
  const now = time.clock.now();
  const open = (linksOf(world).get(shop) ?? []).filter(
    ({ at, isUsed, userId }) =>
      !isUsed && now - at < ALIVE_MS && members.get(userId)?.accountId !== shop.accountId,
  );
  const link = open.length > 0 ? random.pick(open) : undefined;
  const who = people.find(({ userId }) => userId === link?.userId);
  if (!link || !who?.phone) return;
  diary.staffing.push({ id: link.userId, role: link.role, accountId: shop.accountId });
  link.isUsed = true;
  await who.phone.ask(`/start ${link.token}`, says(/./));
}

/** An admin makes a link, and is no admin any more when somebody follows it. */
export async function orphanLink(
  world: World,
  { shop, random }: Self,
  give: (id: number, role: Role) => Promise<void>,
): Promise<void> {
  const { members, people, disk, diary } = world;
  const admins = people.filter(({ kind, userId = 0 }) => {
    const member = members.get(userId);
    return kind !== 'payer' && member?.accountId === shop.accountId && member.role === 'admin';
  });
  const follower = findOutsider(world, shop);
  if (admins.length === 0 || !follower?.phone) return;
  const maker = random.pick(admins);
  const asked = await maker.phone?.ask('/invite operator', says(/start=join_/));
  const token = tokenIn(asked?.text);
  if (token === undefined || maker.userId === undefined) return;
  await give(maker.userId, 'support');
  // Who does not come through to us may invite still.
  const mayInvite = () =>
    look(disk.databasePath(), (file) => file.prepare(ROLE).pluck().get(maker.userId)) !== 'support';
  if (mayInvite()) return;
  const id = follower.userId ?? 0;
  const wasIn = findAccountOf(disk, id) === shop.accountId;
  await follower.phone.ask(`/start ${token}`, says(/./));
  if (!wasIn && findAccountOf(disk, id) === shop.accountId && !mayInvite())
    diary.notice(`${id} came in by a link of ${maker.name}, who may not invite any more`);
  // What is heard late is heard when its maker is an admin again.
  diary.staffing.push({ id, role: 'operator', accountId: shop.accountId });
  await give(maker.userId, 'admin');
}

const ROLE = 'select role from members where telegram_id = ?';

/** What a link in these words is followed by. */
export const tokenIn = (text = '') => /start=(join_[\w-]+)/.exec(text)?.[1];

/** Somebody who owns what is not empty is asked to work elsewhere: nothing of theirs is left behind. */
export async function followFromOwn(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const { people, disk, diary } = world;
  const owner = random.pick(people.filter(({ kind }) => kind === 'owner'))?.phone;
  const token = tokenIn((await owner?.ask('/invite operator', says(/start=join_/)))?.text);
  if (token === undefined) return;
  const where = () => findAccountOf(disk, phone.user.id);
  if (where() !== shop.accountId) return;
  await phone.ask(`/start ${token}`, says(/./));
  if (where() === shop.accountId) return;
  diary.notice(`${name} followed a link, and left account ${shop.accountId} with all that it holds`);
}

const MADE = 'select count(*) from invitations where account_id = ? and created_at >= ?';

/** One button pressed for one colleague, and once more for the next: each has a link of their own. */
export async function inviteTwo(
  { diary, disk, telegram, time }: World,
  { phone, shop, name }: Self,
): Promise<void> {
  const asked = await phone.ask('/invite', hasButton('operator'));
  if (!asked) return;
  const from = time.clock.now();
  await phone.press(asked, 'operator');
  await phone.press(asked, 'operator');
  await time.sleep(MADE_WITHIN_MS);
  const taps = diary.taps.filter(
    ({ user, at, label }) => user === phone.user && at >= from && label === 'operator',
  );
  const made = look(
    disk.databasePath(),
    (file) => file.prepare(MADE).pluck().get(shop.accountId, from) as number,
  );
  if (made === 1 && taps.length > 1 && taps.every(({ queryId }) => telegram.isTapAnswered(queryId)))
    diary.cutOff.push(`${name} invited ${taps.length} people, and has ${made} links`);
}

const MADE_WITHIN_MS = 10_000;
