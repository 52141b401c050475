// Whoever pays for the shop: for activations and for the subscription, sometimes the same invoice twice, sometimes
// somebody else's.
import type { Diary } from '../run/diary.ts';
import { hasButton } from './phone.ts';
import type { SeenMessage } from '../../telegram/types.ts';
import type { World } from '../run/world.ts';
import type { Kind, Self } from './index.ts';

export const payer: Kind = {
  kind: 'payer',
  role: 'admin',
  ofAShop: 1,
  actsADay: 0.33,
  async act(world, self) {
    const { phone, random } = self;
    if (random.chance(0.15)) return payForOthers(world, self);
    const kept = invoicesOf(world).get(phone);
    invoicesOf(world).delete(phone);
    if (kept) return payKept(world, self, kept);
    // Some think about it for a while: hours, a night, a restore.
    if (random.chance(0.35)) return orderInvoice(world, self);
    const asked = await askForInvoice(self);
    if (!asked) return;
    await pay(world, self, asked);
    if (random.chance(0.15)) await pay(world, self, asked);
  },
};

/** Without thinking about it. */
export async function payAtOnce(world: World, self: Self, words = formatOrder(self)): Promise<void> {
  const asked = await askForInvoice(self, words);
  if (asked) await pay(world, self, asked);
}

/** Paid the next time. */
export async function orderInvoice(world: World, self: Self): Promise<void> {
  const { clock } = world.time;
  const at = clock.now();
  const invoice = await askForInvoice(self);
  // Under a wrong calendar nobody knows how old it is.
  if (invoice) invoicesOf(world).set(self.phone, { invoice, at, by: clock.now() });
}

/** What was left for later, if anything was. */
export async function payKeptInvoice(world: World, self: Self): Promise<void> {
  const kept = invoicesOf(world).get(self.phone);
  invoicesOf(world).delete(self.phone);
  if (kept) await payKept(world, self, kept);
}

/** Within a day it can be paid. */
async function payKept(world: World, self: Self, { invoice, at, by }: Kept): Promise<void> {
  const { diary, time } = world;
  // A day may pass while it is made, and while it is paid: it was so old at least.
  const age = time.clock.now() - by;
  const error = await pay(world, self, invoice);
  if (error === undefined && age > DEAD_MS)
    diary.notice(`${self.name} pays an invoice that is ${Math.floor(age / 3_600_000)} hours old`);
  const isYoung = time.clock.now() - at < PAYABLE_MS;
  if (error !== undefined && TOO_OLD.test(error) && isYoung)
    diary.notice(`${self.name} pays an invoice of today, and is told: ${error}`);
}

async function askForInvoice(self: Self, words = formatOrder(self)): Promise<SeenMessage | undefined> {
  const asked = await self.phone.ask(
    words,
    (message) => message.invoice !== undefined || hasButton(/./)(message),
  );
  return asked?.invoice ? asked : undefined;
}

const formatOrder = ({ random }: Self): string => (random.chance(0.55) ? BUY : '/subscribe');

export const BUY = '/buy_activations 1';
const DEAD_MS = 25 * 60 * 60_000;
const PAYABLE_MS = 23 * 60 * 60_000;
/** A thousand activations, and a subscription. */
const PRICE_USD = 10;
const TOO_OLD = /too old/;
const invoicesOf = ({ diary }: World) => diary.remember<Kept>(invoicesOf);

/** Made after the one moment and before the other. */
interface Kept {
  invoice: SeenMessage;
  at: number;
  by: number;
}

/** An invoice that came from another shop: it was forwarded, and can be paid like every other. */
async function payForOthers(world: World, self: Self): Promise<void> {
  const others = world.people.filter(({ kind, name }) => kind === 'payer' && name !== self.name);
  if (others.length === 0) return;
  const other = self.random.pick(others);
  if (world.members.get(other.userId ?? 0)?.accountId === world.members.get(self.phone.user.id)?.accountId)
    return;
  const invoice = await other.phone?.ask(BUY, (message) => message.invoice !== undefined);
  if (invoice?.invoice) await pay(world, self, invoice);
}

/** Why it could not be paid, as far as that was said. */
async function pay(
  { telegram, diary, time, service }: World,
  { phone }: Self,
  invoice: SeenMessage,
): Promise<string | undefined> {
  diary.note(`${phone.user.first_name} pays`);
  const before = service.starsNow();
  const paid = await telegram.api.pay(phone.user, invoice);
  if (!paid.ok) {
    diary.note(`${phone.user.first_name} could not pay`);
    return 'error' in paid ? paid.error : undefined;
  }
  // The price may change while the payment is on its way.
  const [due, asked] = [service.starsNow(), before].map((stars) => Math.ceil(PRICE_USD * stars));
  if (invoice.invoice?.totalAmount !== due && invoice.invoice?.totalAmount !== asked)
    diary.notice(`${phone.user.first_name} paid ${invoice.invoice?.totalAmount} Stars, and it costs ${due}`);
  const { chargeId, updateId = 0 } = paid;
  const entry: Diary['paid'][number] = {
    user: phone.user,
    chargeId,
    updateId,
    at: time.clock.now(),
    isHeardToday: true,
  };
  diary.paid.push(entry);
  return undefined;
}
