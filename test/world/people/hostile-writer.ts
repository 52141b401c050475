// Texts of full length that are made to keep a reader busy, wherever something may be written: whoever sends them is
// answered like anybody else, and so are the others.
import { drawnTexts, LONGEST_MESSAGE, repeat } from '../../harness/hostile-texts.ts';
import { says } from './phone.ts';
import type { World } from '../run/world.ts';
import type { Act, Self } from './index.ts';

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
