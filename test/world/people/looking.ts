// People who look: operators for what is theirs and for what is not, support through page after page.
import type { SeenMessage } from '../../telegram/types.ts';
import { hasButton, REDEEM, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

/** Of a card that was left hours ago. */
const PAGES = /^‹ (?!Back)| ›$/u;
const MOST_PAGES = 4;

/** Numbers of receipts are known to everybody: from a group, from a colleague, by counting. */
export async function lookAround(
  { diary }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  const old = phone.newest(12).find(hasButton(REDEEM));
  if (old && random.chance(0.4)) return void (await phone.press(old, REDEEM, { kind: 'redeem' }));
  const number = random.pick([...diary.numbers.keys()].slice(-30)) ?? 1;
  await phone.ask(
    random.pick(['/find today', '/find failed', '/history', `/receipt ${number}`, `${number}`]),
    says(/./),
  );
}

export async function leaf(
  self: Pick<Self, 'phone' | 'random'>,
  first: SeenMessage | undefined,
): Promise<void> {
  const { phone, random } = self;
  let seen = first;
  for (let page = 1; page <= MOST_PAGES && seen; page += 1) {
    const label = random.pick(seen.buttons.map(({ text }) => text).filter((text) => PAGES.test(text)));
    if (label === undefined) return;
    seen = await phone.press(seen, label);
  }
}

const LISTED = /\/receipt_(\d+)/g;
/** Who reads them twice at once, does not know which answer is whose. */
const reading = new WeakSet<Self['phone']>();
const NEWEST = 'select id from redemptions where account_id = ? order by created_at desc, id desc limit 400';

/** Page after page: between two of them nothing is left out. */
export async function readPages(world: World, self: Self): Promise<void> {
  if (reading.has(self.phone)) return;
  reading.add(self.phone);
  await compareTwo(world, self).finally(() => reading.delete(self.phone));
}

async function compareTwo(world: World, { phone, shop, name }: Self): Promise<void> {
  const { members, disk, diary } = world;
  const isWhole = () => {
    const member = members.get(phone.user.id);
    const isGiven = diary.staffing.some(({ id }) => id === phone.user.id);
    return member?.accountId === shop.accountId && member.role !== 'operator' && !isGiven;
  };
  if (!isWhole()) return;
  const idsOf = (shown: SeenMessage | undefined) =>
    [...(shown?.text ?? '').matchAll(LISTED)].map(([, id]) => Number(id));
  // Not a notice with a receipt, or what was asked for before.
  const shown = await phone.ask('/history', says(/page \D*1\b[^]*\/receipt_/), 8_000);
  const first = idsOf(shown);
  const turned = shown && hasButton(/Next/)(shown) ? await phone.press(shown, /Next/) : undefined;
  const second = turned?.id === shown?.id ? idsOf(turned) : [];
  const [last, next] = [first.at(-1), second[0]];
  if (last === undefined || next === undefined) return;
  // Who was given another role meanwhile, is shown other lines; and what is dated wrong comes in between.
  if (!isWhole()) return;
  const kept = look(disk.databasePath(), (file) =>
    file.prepare(NEWEST).pluck().all(shop.accountId),
  ) as number[];
  const [at, then] = [kept.indexOf(last), kept.indexOf(next)];
  if (at >= 0 && then > at + 1)
    diary.notice(`${name} read ${last} at the end of a page, and ${next} behind it`);
}
