// Somebody who tries whatever there is, step by step: begins with a command, presses what stands there, answers what is
// asked, changes their mind, corrects what they wrote, presses under old messages, and is not put off by a restart in
// between. In shops with an even number they speak Russian.
import type { SeenMessage } from '../../telegram/types.ts';
import { forge, playerOf } from './operator.ts';
import type { World } from '../run/world.ts';
import type { Kind, Self } from './index.ts';
import { ANY, DENOMINATIONS } from './shop.ts';

const BEGINNINGS = [
  ['/redeem', 5],
  ['/add_codes', 4],
  ['/add', 1],
  ['/extract_codes', 2],
  ['/links', 1],
  ['/links 60 2', 1],
  ['/find', 2],
  ['/receipt', 1],
  ['/batches', 2],
  ['/stock', 1],
  ['/settings', 1],
  ['/history', 1],
  ['/orders', 1],
  ['/stats', 1],
  ['/export', 1],
  ['/members', 1],
  ['/help', 1],
] as const;
const WEIGHTS = Object.fromEntries(BEGINNINGS);
const MOST_STEPS = 8;
const PATIENCE_MS = 6_000;
const APART_MS = 60_000;
/** Leads out of what was begun. */
const LEAVES = /^(Cancel|Отмена)$/;
/** What would end the shop, or is its owner's alone: nobody presses it by chance. */
const NEVER =
  /leave|hand|own|Покинуть|Передать|remove|Удалить|Revoke|Отозвать|Close|Закрыть|Limits|Лимиты|members:role|members-do/i;

export const walker: Kind = {
  kind: 'walker',
  role: 'admin',
  ofAShop: 1,
  actsADay: 0.8,
  language: (shop) => (shop % 2 === 0 ? 'ru' : 'en'),
  async act(world, self) {
    if (self.random.chance(0.1)) return forge(world, self);
    await walk(world, self);
  },
};

/** From one of these commands on, or whatever a walker tries. */
export async function walk(world: World, self: Self, beginnings?: readonly string[]): Promise<void> {
  const { phone, random } = self;
  const beginning = beginnings ? random.pick(beginnings) : random.weigh(WEIGHTS);
  const isOld = random.chance(0.15);
  let seen = isOld
    ? random.pick(phone.newest(12))
    : await phone.ask(beginning ?? '/help', () => true, PATIENCE_MS);
  for (let step = 1; step <= MOST_STEPS && seen; step += 1) {
    if (random.chance(0.04)) await restart(world);
    seen = await goOn(world, self, seen);
  }
  if (random.chance(0.3)) await phone.ask('/cancel', () => true, PATIENCE_MS);
}

/** Presses something that stands under it, or answers. */
async function goOn(world: World, self: Self, seen: SeenMessage): Promise<SeenMessage | undefined> {
  const { phone, random } = self;
  const labels = seen.buttons
    .filter(({ callback_data: data, text }) => data !== undefined && !NEVER.test(`${text} ${data}`))
    .map(({ text }) => text)
    .filter((text) => !LEAVES.test(text) || random.chance(0.15));
  const label = random.chance(0.75) ? random.pick(labels) : undefined;
  if (label !== undefined) return phone.press(seen, label, { kind: 'walk' });
  return phone.ask(answerTo(world, self), () => true, PATIENCE_MS);
}

function answerTo({ secrets }: World, self: Self): string {
  const { random, shop, phone } = self;
  const denomination = random.pick(DENOMINATIONS);
  switch (random.weigh({ player: 4, denomination: 3, codes: 3, number: 2, mix: 1, nonsense: 1 })) {
    case 'player':
      return playerOf(self);
    case 'denomination':
      return `${denomination}`;
    case 'codes': {
      const codes = shop.mint(ANY, 1 + random.below(3));
      // Whoever typed them may read them.
      secrets.add(-phone.user.id, codes);
      return codes.join('\n');
    }
    case 'number':
      return `${1 + random.below(5)}`;
    case 'mix':
      return `${playerOf(self)} ${denomination}`;
    case 'nonsense':
      return random.pick(['?', 'спасибо', 'done', '👍', '0']);
  }
}

/** Between two taps. */
async function restart({ service, diary, time, faults }: World): Promise<void> {
  // Only where processes end in the middle of something.
  if (!faults.some(({ of }) => of === 'end')) return;
  // What began under a wrong calendar is judged by it after a restart: nobody could know better.
  if (!service.isServing() || time.machine.now() !== time.clock.now()) return;
  // Who is interrupted again and again is set aside: that is another fault.
  if (time.clock.now() - service.endedAt() < APART_MS) return;
  diary.note('killed: between two taps');
  service.kill();
  await service.start();
}
