// A stranger, who has an account of their own that nobody knows: tries what is there, buys now and then, and presses
// what is not theirs.
import { hasButton, says } from './phone.ts';
import type { Kind, Act, Self } from './index.ts';
import { guessKeys } from './guessing.ts';
import { forge, forgeOfHost } from './operator.ts';
import { drawnTexts, LONGEST_MESSAGE, repeat } from '../../harness/hostile-texts.ts';
import type { World } from '../run/world.ts';

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

// Texts of full length that are made to keep a reader busy, wherever something may be written: whoever sends them is
// answered like anybody else, and so are the others.

const MOST_SEED = 2 ** 31;
/** Of a caption, as Telegram has it. */
const LONGEST_CAPTION = 1_024;
const PICTURE = Buffer.from('a picture of nothing');

/** Something with a sign in it: nothing but blanks is sent by no client. */
function writeText({ random }: Pick<Self, 'random'>): string {
  const [text = ''] = drawnTexts(random.below(MOST_SEED), 1);
  const known = repeat(random.pick(['0@', '1@@@', '1-', '(', '+1 (', '#', 'не ', 'a.']));
  return random.chance(0.3) || text.trim() === '' ? known : text.toWellFormed();
}

/** Behind a command that a role has: what is looked for, a zone, a link. */
const COMMANDS = { find: '/find', zone: '/settings', link: '/start', redeem: '/redeem' } as const;

export const writeHostile: Act = async (_world: World, self) => {
  const { phone, random } = self;
  const text = writeText(self);
  const where = random.weigh({ chat: 4, caption: 1, find: 1, zone: 1, link: 1, redeem: 1 });
  if (where === 'chat') await phone.ask(text, says(/./));
  else if (where === 'caption')
    await phone.ask({ photo: PICTURE, caption: text.slice(0, LONGEST_CAPTION) }, says(/./));
  else await phone.ask(`${COMMANDS[where]} ${text}`.slice(0, LONGEST_MESSAGE).trim(), says(/./));
  // What it may have begun is left.
  await phone.ask('/cancel', says(/./));
};
