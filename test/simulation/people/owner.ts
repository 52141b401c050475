// The owner of a shop, who looks at how it goes.
import { says } from '../phone.ts';
import type { Kind } from './index.ts';

export const owner: Kind = {
  kind: 'owner',
  role: 'owner',
  ofTwelve: 1,
  actsADay: 1,
  async act(_world, { phone, random }) {
    await phone.ask(random.pick(['/stock', '/quota', '/history', '/start']), says(/./));
  },
};
