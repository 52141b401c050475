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
  actsADay: 0.4,
  async act(world, self) {
    const { phone, random } = self;
    const asked = await phone.ask(
      random.chance(0.7) ? '/buy_activations 1' : '/subscribe',
      (message) => message.invoice !== undefined || hasButton(/./)(message),
    );
    if (!asked?.invoice) return;
    await pay(world, self, asked);
    if (random.chance(0.15)) await pay(world, self, asked);
  },
};

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
