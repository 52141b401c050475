// Telegram cannot be reached, and what somebody ordered waits to be said; meanwhile they lose the right to read it.
// What is said in the end is said to whom they are by then.
import { FAULTS } from '../../telegram/faults.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { selvesOf, type Self } from '../people/index.ts';
import { hasButton, says } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

const AWAY_MS = 15_000;
const BACK_MS = 60_000;
const ROLE = 'select role from members where telegram_id = ? and account_id = ?';
const HEIR = "select telegram_id from members where account_id = ? and role = 'admin' order by joined_at";
const SECRETS = /topup\.|\b(?:60|325|660)S[A-Za-z0-9]{11,14}\b/;

export const parting: Fault = {
  name: 'parting',
  weight: 1,
  of: 'night',
  async happen(world, random) {
    const { telegram, time, diary, service } = world;
    const owners = selvesOf(world, 'owner').filter((self) => roleOf(world, self) === 'owner');
    const self = owners.length > 0 ? random.pick(owners) : undefined;
    if (!self || !service.isServing()) return;
    const { phone } = self;
    const asked = await phone.ask('/export 7 full', says(/./), 8_000);
    if (!asked || !hasButton('Make the file')(asked)) return;
    // What was pressed is heard, and nothing can be said any more.
    const order = telegram.api.faults.next(
      ({ method }) => method !== 'getUpdates',
      FAULTS.badGateway,
      Infinity,
    );
    const pressed = phone.press(asked, 'Make the file', { kind: 'walk' });
    await time.sleep(AWAY_MS);
    const heir = await handOver(world, random, self).catch(() => undefined);
    await time.sleep(2_000);
    const from = time.clock.now();
    order.cancel();
    await pressed;
    await time.sleep(BACK_MS);
    if (heir === undefined || roleOf(world, self) === 'owner') return;
    const read = world.said.today.find(
      ({ chatId, at, document = '' }) => chatId === phone.user.id && at >= from && SECRETS.test(document),
    );
    if (read) diary.amissBeside.push(`${self.name} owned the shop no more, and was sent its secrets`);
  },
};

const roleOf = ({ disk }: World, { phone, shop }: Self): unknown =>
  look(disk.databasePath(), (file) => file.prepare(ROLE).pluck().get(phone.user.id, shop.accountId));

/** By the core, since nobody hears of anything in the chat. */
async function handOver(world: World, random: Seeded, { phone, shop }: Self): Promise<number | undefined> {
  const { disk, diary, service, time } = world;
  const { accountId } = shop;
  const heirs = look(disk.databasePath(), (file) => file.prepare(HEIR).pluck().all(accountId) as number[]);
  const heir = heirs.length > 0 ? random.pick(heirs) : undefined;
  if (heir === undefined) return undefined;
  const at = time.clock.now();
  diary.staffing.push(
    { id: phone.user.id, role: 'admin', accountId, at },
    { id: heir, role: 'owner', accountId, at },
  );
  const actor = { kind: 'member', accountId, telegramId: phone.user.id, role: 'owner' } as const;
  const { status } = await service.command((core) => core.members.handOver(actor, heir));
  return status === 'handedOver' ? heir : undefined;
}
