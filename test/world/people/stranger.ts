// A stranger, who has an account of their own that nobody knows: tries what is there, buys now and then, and presses
// what is not theirs.
import { hasButton, says } from './phone.ts';
import type { Kind } from './index.ts';
import { guessKeys } from './guessing.ts';
import { writeHostile } from './hostile-writer.ts';
import { forge, forgeOfHost } from './operator.ts';

export const stranger: Kind = {
  kind: 'stranger',
  ofAShop: 1,
  actsADay: 0.5,
  async act(world, self) {
    const { phone, random } = self;
    switch (
      random.weigh({ start: 2, redeem: 2, forge: 3, receipt: 2, buy: 1, guess: 0.5, host: 1, hostile: 1 })
    ) {
      case 'hostile':
        return writeHostile(world, self);
      case 'start':
        return void (await phone.ask('/start', says(/./)));
      case 'redeem':
        return void (await phone.ask(`/redeem ${5_170_000_000 + random.below(9)} 60`, says(/./)));
      case 'receipt':
        return void (await phone.ask(`/receipt ${1 + random.below(world.day * 20)}`, says(/./)));
      case 'guess':
        return guessKeys(world, { phone, random });
      case 'forge':
        return forge(world, { phone, random });
      case 'host':
        return forgeOfHost(world, { phone, random });
      case 'buy':
        return void (await phone.ask(
          '/buy_activations 1',
          (message) => message.invoice !== undefined || hasButton(/./)(message),
        ));
    }
  },
};
