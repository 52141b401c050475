// People who try what another role may: a colleague's role, keys of programs, credentials in a file. Whoever may is served, and nobody else.
import { hasButton, says } from '../phone.ts';
import type { World } from '../world.ts';
import type { Self } from './index.ts';

const DEEDS = ['operator', 'support', 'remove'] as const;

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
  const asked = await phone.ask(`/members ${id} ${random.pick(DEEDS)}`, says(/./));
  const isForIt = asked && hasButton('Confirm')(asked) && /^(Make|Remove) /.test(asked.text);
  if (isForIt && !mayByNow()) await phone.press(asked, 'Confirm', { kind: 'staff' });
}

/** Keys and addresses of programs are the owner's alone. */
export async function tryKeys({ members, diary }: World, { phone, random, name }: Self): Promise<void> {
  const { role } = members.get(phone.user.id) ?? {};
  const mayBeOwner = () =>
    diary.restoredAt > diary.judgedUntil || diary.staffing.some(({ id }) => id === phone.user.id);
  if (role === undefined || role === 'owner') return;
  const asked = await phone.ask(random.pick(['/api_key new', '/api_key', '/webhooks']), says(/./));
  if (!asked || mayBeOwner() || !/new API key|^(API keys|Webhooks)|no (API key|webhook) yet/.test(asked.text))
    return;
  diary.amiss.push(`${name} is ${role}, and is shown what is their owner's: ${asked.text}`);
}

/** Receipts with their logins; an owner's alone (promises/files.ts). */
export async function exportWhole({ phone }: Pick<Self, 'phone'>): Promise<void> {
  const asked = await phone.ask('/export 7 full', says(/./));
  if (!asked || !hasButton('Confirm')(asked)) return;
  await phone.press(asked, 'Confirm', { kind: 'export' });
  await phone.sees(({ document }) => document !== undefined, 8_000);
}
