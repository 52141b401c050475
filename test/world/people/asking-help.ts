// Somebody asks what they may do: whatever their role may, and nothing else, is listed to them.
import type { Role } from '../../../src/core/index.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

/** From bot.md, by hand. */
const EVERYBODY = 'start receipt stock history find quota settings paysupport terms help cancel'.split(' ');
const OPERATORS = 'redeem orders add_codes batches'.split(' ');
const ADMINS = 'extract_codes stats export buy_activations subscribe members invite'.split(' ');
const LISTED: Readonly<Record<Role, readonly string[]>> = {
  support: EVERYBODY,
  operator: [...EVERYBODY, ...OPERATORS],
  admin: [...EVERYBODY, ...OPERATORS, ...ADMINS],
  owner: [...EVERYBODY, ...OPERATORS, ...ADMINS, 'api_key', 'log'],
};

export async function askForHelp({ members, diary }: World, { phone, name }: Self): Promise<void> {
  const { role } = members.get(phone.user.id) ?? {};
  const list = await phone.ask('/help', ({ text }) => /^\/start — /m.test(text));
  // By now they may be something else: in another past, by their owner's order, in another shop.
  const isOther =
    diary.restoredAt > diary.judgedUntil || diary.staffing.some(({ id }) => id === phone.user.id);
  if (!role || !list || isOther) return;
  const listed = [...list.text.matchAll(/^\/(\w+) — /gm)].map(([, command]) => String(command));
  const [told, due] = [listed, LISTED[role]].map((each) => each.toSorted().join(' '));
  if (told !== due) diary.amiss.push(`${name} is ${role}, and is told of ${told}`);
}
