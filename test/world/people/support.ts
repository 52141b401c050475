// Support, with a customer waiting: looks for receipts by whatever the customer says, also in the group of the shop.
import { hasButton, says, TAKE_OUT } from './phone.ts';
import { writeHostile } from './stranger.ts';
import { leaf, readPages } from './looking.ts';
import type { Kind } from './index.ts';
import { overstep } from './overstepping.ts';
import { walk } from './walker.ts';

/** What customers say. */
const SAID = ['failed yesterday', 'BkgP', '0001'];

export const support: Kind = {
  kind: 'support',
  role: 'support',
  ofAShop: 1,
  actsADay: 0.5,
  async act(world, self) {
    const { phone, random, shop } = self;
    const id = 1 + random.below(world.day * 20);
    switch (
      random.weigh({
        receipt: 3,
        find: 2,
        history: 2,
        pages: 2,
        walk: 2,
        group: 4,
        redeem: 1,
        overstep: 1,
        hostile: 1,
      })
    ) {
      case 'receipt':
        return void (await phone.ask(`/receipt ${id}`, says(/./)));
      case 'find':
        return void (await phone.ask(
          random.pick([`/find ${id}`, '/find today', '/find in doubt', '517100', ...SAID]),
          says(/./),
        ));
      case 'walk':
        return walk(world, self, ['/find', '/history', '/receipt', `/receipt ${id}`, '/stats', '/export']);
      case 'pages':
        return readPages(world, self);
      case 'history':
        return leaf(
          self,
          await phone.ask(random.pick(['/history', '/history yesterday', '/find 517100']), says(/./)),
        );
      case 'group':
        return phone.say(
          random.pick([`/receipt_${id}`, `/receipt_${id}`, '/stock', '/quota', '/find today']),
          shop.group,
        );
      case 'hostile':
        return writeHostile(world, self);
      case 'overstep':
        return overstep(world, self);
      // What their role may not do is refused, in a sentence.
      case 'redeem': {
        const asked = await phone.ask('/extract_codes 60 1', says(/./));
        if (asked && hasButton(TAKE_OUT)(asked)) await phone.press(asked, TAKE_OUT, { kind: 'extract' });
        return;
      }
    }
  },
};
