// People who try what another role may: a colleague's role, what another role is shown, credentials in a file. Whoever
// may is served, and nobody else.
import { hasButton, says } from './phone.ts';
import type { World } from '../run/world.ts';
import type { Role } from '../../../src/core/index.ts';
import type { Self } from './index.ts';

const ACTIONS = ['operator', 'support', 'remove'] as const;
const OUST = /^(Make \w+|Remove)$/;

/** An admin changes or removes another admin: that is their owner's alone. */
export async function oustColleague({ members, diary }: World, { phone, random }: Self): Promise<void> {
  const { accountId: own, role: held } = members.get(phone.user.id) ?? {};
  // Whom the shop was handed over to, may: also while they ask.
  const mayByNow = () => diary.staffing.some(({ id, role }) => id === phone.user.id && role === 'owner');
  if (held === 'owner' || mayByNow()) return;
  // Whom their owner has given another role today, may be anything by now.
  const isGiven = (id: number) => diary.staffing.some((order) => order.id === id);
  const colleagues = [...members].filter(
    ([id, { accountId, role }]) =>
      id !== phone.user.id && accountId === own && role === 'admin' && !isGiven(id),
  );
  if (colleagues.length === 0) return;
  const [id] = random.pick(colleagues);
  const action = random.pick(ACTIONS);
  const asked = await phone.ask(`/members ${id} ${action}`, says(/./));
  const isForIt = asked && hasButton(OUST)(asked) && /^(New role for|Remove) /.test(asked.text);
  if (!isForIt || mayByNow()) return;
  await phone.press(asked, OUST, { kind: 'staff' });
  // A finger that slips may press once more as the owner; and whom their owner has made less meanwhile, an admin may
  // change.
  const role = action === 'remove' ? undefined : action;
  if (mayByNow() || isGiven(id))
    diary.staffing.push({ id, role, ...(own !== undefined && { accountId: own }) });
}

/** What a command shows to whoever may, where it is said in English. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  '/api_key new': /new API key/,
  '/api_key': /API keys|no API key yet/,
  '/members': /Members of/,
  '/invite operator': /start=join_/,
  '/extract_codes 60 1': /Take out 1 code|There are no codes of/,
  '/links 60 1': /Make 1 link|not enough in stock/,
  '/export 7': /making the file|no receipts from|Times are/,
  '/stats': /The last \d+ days/,
  '/buy_activations 1': /The invoice for|How many/,
};
const OF_OWNERS = ['/api_key new', '/api_key'] as const;
const NOT_THEIRS: Readonly<Partial<Record<Role, readonly string[]>>> = {
  admin: OF_OWNERS,
  operator: Object.keys(SHOWN),
  support: Object.keys(SHOWN),
};

/** Somebody asks for what another role has. */
export async function overstep(world: World, self: Self): Promise<void> {
  const { members, diary } = world;
  const { phone, random, name } = self;
  if (random.chance(0.3)) return askForHelp(world, self);
  const { role } = members.get(phone.user.id) ?? {};
  const commands = role && NOT_THEIRS[role];
  if (!commands) return;
  const command = random.pick(commands);
  const asked = await phone.ask(command, says(/./));
  // By now they may be something else: by their owner's order, in another shop.
  const isOther = diary.staffing.some(({ id }) => id === phone.user.id);
  if (!asked || isOther || !SHOWN[command]?.test(asked.text)) return;
  diary.notice(`${name} is ${role}, and is shown ${command}: ${asked.text}`);
}

const DELETE = 'Delete the file';

/** Receipts with their logins; an owner's alone (promises/files.ts). Read, the file is deleted. */
export async function exportWhole({ phone }: Pick<Self, 'phone'>): Promise<void> {
  const asked = await phone.ask('/export 7 full', says(/./));
  if (!asked || !hasButton('Make the file')(asked)) return;
  await phone.press(asked, 'Make the file', { kind: 'export' });
  const file = await phone.sees(({ document }) => document !== undefined, 8_000);
  if (file && hasButton(DELETE)(file)) await phone.press(file, DELETE);
}

// Somebody asks what they may do: whatever their role may, and nothing else, is listed to them.

/** From bot.md, by hand. */
const EVERYBODY = 'start receipt stock history find quota settings paysupport terms help cancel'.split(' ');
const OPERATORS = 'redeem orders add_codes batches'.split(' ');
const ADMINS = 'extract_codes links stats export buy_activations subscribe members invite'.split(' ');
const LISTED: Readonly<Record<Role, readonly string[]>> = {
  support: EVERYBODY,
  operator: [...EVERYBODY, ...OPERATORS],
  admin: [...EVERYBODY, ...OPERATORS, ...ADMINS],
  owner: [...EVERYBODY, ...OPERATORS, ...ADMINS, 'api_key', 'log'],
};

export async function askForHelp({ members, diary }: World, { phone, name }: Self): Promise<void> {
  const { role } = members.get(phone.user.id) ?? {};
  const list = await phone.ask('/help', ({ text }) => /^\/start — /m.test(text));
  // By now they may be something else: by their owner's order, in another shop.
  const isOther = diary.staffing.some(({ id }) => id === phone.user.id);
  if (!role || !list || isOther) return;
  const listed = [...list.text.matchAll(/^\/(\w+) — /gm)].map(([, command]) => String(command));
  const [told, due] = [listed, LISTED[role]].map((each) => each.toSorted().join(' '));
  if (told !== due) diary.notice(`${name} is ${role}, and is told of ${told}`);
}
