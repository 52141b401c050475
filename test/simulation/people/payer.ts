// Whoever pays for the shop: for activations and for the subscription, sometimes the same invoice twice, sometimes somebody else's.
import type { Diary } from '../diary.ts';
import { hasButton } from '../phone.ts';
import type { SeenMessage } from '../../../src/playground/telegram/types.ts';
import type { World } from '../world.ts';
import type { Kind, Self } from './index.ts';

export const payer: Kind = {
  kind: 'payer',
  role: 'admin',
  ofTwelve: 1,
  actsADay: 0.5,
  async act(world, self) {
    const { phone, random } = self;
    if (random.chance(0.15)) return payForOthers(world, self);
    const kept = invoices.get(phone);
    invoices.delete(phone);
    // What was ordered in a past that is lost, nobody knows.
    if (kept && kept.at > world.diary.lostAt) return pay(world, self, kept.invoice);
    // Some think about it for a while: hours, a night, a restore.
    if (random.chance(0.35)) return orderInvoice(world, self);
    const asked = await askForInvoice(self);
    if (!asked) return;
    await pay(world, self, asked);
    if (random.chance(0.15)) await pay(world, self, asked);
  },
};

/** Paid the next time. */
export async function orderInvoice({ time }: World, self: Self): Promise<void> {
  const at = time.clock.now();
  const invoice = await askForInvoice(self);
  if (invoice) invoices.set(self.phone, { invoice, at });
}

async function askForInvoice({ phone, random }: Self): Promise<SeenMessage | undefined> {
  const asked = await phone.ask(
    random.chance(0.55) ? '/buy_activations 1' : '/subscribe',
    (message) => message.invoice !== undefined || hasButton(/./)(message),
  );
  return asked?.invoice ? asked : undefined;
}

const invoices = new WeakMap<object, { invoice: SeenMessage; at: number }>();

/** An invoice that came from another shop: it was forwarded, and can be paid like every other. */
async function payForOthers(world: World, self: Self): Promise<void> {
  const others = world.people.filter(({ kind, name }) => kind === 'payer' && name !== self.name);
  if (others.length === 0) return;
  const other = self.random.pick(others);
  if (world.members.get(other.userId ?? 0)?.accountId === world.members.get(self.phone.user.id)?.accountId)
    return;
  const invoice = await other.phone?.ask('/buy_activations 1', (message) => message.invoice !== undefined);
  if (invoice?.invoice) await pay(world, self, invoice);
}

async function pay({ telegram, diary, time }: World, { phone }: Self, invoice: SeenMessage): Promise<void> {
  diary.note(`${phone.user.first_name} pays`);
  const paid = await telegram.api.pay(phone.user, invoice);
  if (!paid.ok) return diary.note(`${phone.user.first_name} could not pay`);
  const { chargeId, updateId = 0 } = paid;
  const entry: Diary['paid'][number] = {
    user: phone.user,
    chargeId,
    updateId,
    at: time.clock.now(),
    isHeardToday: true,
  };
  diary.paid.push(entry);
}
