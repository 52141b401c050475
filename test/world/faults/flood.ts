// Somebody writes without end while the platform hangs, each message a look-up, and a group chats away: nobody else
// waits for them, they are told once that what came later was not read, and of what a group talks about nothing is
// kept.
import type { User } from '../../telegram/types.ts';
import { selvesOf } from '../people/index.ts';
import { says } from '../people/phone.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

const MESSAGES = 2_200;
/** The bot fetches a hundred at a time. */
const FETCHED_MS = 10_000;
const ANSWERED_WITHIN_MS = 5_000;
const HELP = /Every day|Каждый день/;
const NOT_READ = /have not read|не прочитал/;
const writers = new WeakMap<World['telegram'], User>();

export const flood: Fault = {
  name: 'flood',
  weight: 1,
  isAlone: true,
  async happen(world, random) {
    const { service, telegram, platform, time, diary, said } = world;
    const [shop] = world.shops;
    const asking = random.pick(selvesOf(world, 'support').filter((self) => self.shop !== shop));
    if (!shop || !asking || !service.isServing() || diary.isAway(asking.phone.user)) return;
    const writer = writers.get(telegram) ?? telegram.api.createUser({ first_name: 'writer' });
    if (!writers.has(telegram)) await shop.join(writer, 'operator');
    writers.set(telegram, writer);
    const starts = service.starts();
    const { manners } = platform;
    platform.manners = { ...manners, hidesPlayers: 1 };
    diary.note(`a member writes ${MESSAGES} messages, and the platform hangs`);
    for (let index = 0; index < MESSAGES; index += 1)
      telegram.api.send(writer, writer, String(5_170_000_000 + index));
    for (let index = 0; index < 20; index += 1)
      telegram.api.send(asking.phone.user, asking.shop.group, `@${telegram.api.bot.username} is it you?`);
    await time.sleep(FETCHED_MS);
    const answer = await asking.phone.ask('/help', says(HELP), ANSWERED_WITHIN_MS);
    const isCalm = service.starts() === starts && !diary.isAway(asking.phone.user);
    if (!answer && isCalm)
      diary.amissBeside.push(`while somebody writes without end, ${asking.name} is not answered`);
    const told = said.today.filter(({ chatId, text }) => chatId === writer.id && NOT_READ.test(text));
    if (told.length !== 1 && isCalm)
      diary.amissBeside.push(`who wrote without end is told ${told.length} times that it was not read`);
    platform.manners = { ...platform.manners, hidesPlayers: 0 };
  },
};
