// Two people exchange their @names, as happens where a name is sold, and the host grants days to that name: they go to
// nobody by a name that is somebody else's now; where the bot cannot know whose it is, it asks.
import type { User } from '../../telegram/types.ts';
import { alone } from '../people/phone.ts';
import { hasButton, says, type Phone } from '../people/phone.ts';
import { HOST_ID } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

const NAME = 'topup_desk';
const OTHER = 'other_desk';
const HEARD_MS = 5_000;
const ANSWER = says(/Give this account|More than one|no account/i);
const pairs = new WeakMap<World['telegram'], [User, User]>();

export const exchangedNames: Fault = {
  name: 'exchanged names',
  weight: 1,
  isAlone: true,
  async happen(world, random) {
    const { service, telegram, time, diary, shops, people } = world;
    const phone = people.find(({ kind }) => kind === 'host')?.phone;
    const [first, second] = shops;
    if (!phone || !first || !second || !service.isServing() || diary.isAway({ id: HOST_ID })) return;
    let pair = pairs.get(telegram);
    if (!pair) {
      const create = (username: string) => telegram.api.createUser({ first_name: 'desk', username });
      pair = [create(NAME), create(OTHER)];
      await first.join(pair[0], 'support');
      await second.join(pair[1], 'support');
      pairs.set(telegram, pair);
    }
    const [one, another] = pair;
    [one.username, another.username] = [another.username, one.username];
    const holder = one.username === NAME ? one : another;
    const isHeardOfBoth = random.chance(0.5);
    diary.note(
      `${holder.id} has the name @${NAME} now${isHeardOfBoth ? '' : ', and the other one is not heard'}`,
    );
    for (const user of isHeardOfBoth ? pair : [holder]) telegram.api.send(user, user, '/help');
    await time.sleep(HEARD_MS);
    const account = (holder === one ? first : second).accountId;
    await alone(phone, () => askForGrant(world, phone, { account, holder }));
  },
};

async function askForGrant(
  { service, telegram, diary }: World,
  phone: Phone,
  { account, holder }: { account: number; holder: User },
): Promise<void> {
  const starts = service.starts();
  const asked = await phone.ask(`/grant @${NAME} 1`, ANSWER);
  if (!asked || service.starts() !== starts || telegram.api.unconfirmed().length > 0) return;
  const isSure = hasButton('Give 1 day')(asked) && asked.text.startsWith(`${account} ·`);
  const isAsked = !hasButton('Give 1 day')(asked) && asked.text.includes(String(holder.id));
  if (!isSure && !isAsked)
    diary.amissBeside.push(`@${NAME} is of account ${account}, and the host is asked: ${asked.text}`);
}
