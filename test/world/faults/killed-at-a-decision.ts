// Somebody cancels what they pasted, or adds it, by a preview of which the service does not know that it arrived; in
// that moment the process is killed. The update of the paste is not over by then: what was decided begins no other
// import when it is handled again.
import { FAULTS } from '../../telegram/faults.ts';
import type { Seeded } from '../../harness/seeded.ts';
import { alone } from '../people/phone.ts';
import { selvesOf, type Self } from '../people/index.ts';
import { ADD } from '../people/pasting.ts';
import { DENOMINATIONS } from '../people/shop.ts';
import { hasButton } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';
import { killAtACommit } from './kill.ts';

const CODES = 3;
/** With what is decided, or when the press is over. */
const MOST_COMMITS = 2;
const WITHIN_MS = 6_000;
const AWAY_MS = 3_000;
const HANDLED_AGAIN_MS = 15_000;
const OPEN = `
  select max(i.id) from imports i
  where actor = ? and state = 'collecting' and exists (select 1 from import_pieces p where p.import_id = i.id)`;

const DECIDED = "select 1 from imports where id = ? and state <> 'collecting'";

export const killedAtADecision: Fault = {
  name: 'killed at a decision',
  weight: 1,
  of: 'end',
  async happen(world, random) {
    const self = random.pick(selvesOf(world, 'admin'));
    if (self && world.service.isServing()) await alone(self.phone, () => decide(world, random, self));
  },
};

async function decide(world: World, random: Seeded, self: Self): Promise<void> {
  const { telegram, diary, disk, time } = world;
  const { phone, shop, name } = self;
  const { id } = phone.user;
  const findOpen = () =>
    look(disk.databasePath(), (file) => file.prepare(OPEN).pluck().get(`member:${id}`)) as number | null;
  const unheard = telegram.api.faults.next(
    ({ method, params }) => method === 'sendMessage' && params.text('chat_id') === String(id),
    FAULTS.cutAfter,
    Infinity,
  );
  const denomination = random.pick(DENOMINATIONS);
  const preview = await phone.ask(
    `${denomination} UC\n${shop.mint(denomination, CODES).join('\n')}`,
    hasButton(ADD),
  );
  const open = findOpen();
  if (preview && open !== null) {
    const pressed = random.chance(0.5)
      ? phone.press(preview, ADD, { kind: 'add' })
      : phone.press(preview, 'Cancel');
    const which = 1 + random.below(MOST_COMMITS);
    const awayMs = random.below(AWAY_MS);
    const counts = () => look(disk.databasePath(), (file) => file.prepare(DECIDED).get(open) !== undefined);
    await killAtACommit(world, { what: 'at a decision', which, withinMs: WITHIN_MS, awayMs, counts });
    await pressed;
  }
  unheard.cancel();
  await time.sleep(HANDLED_AGAIN_MS);
  const again = findOpen();
  if (open !== null && again !== null && again !== open)
    diary.amissBeside.push(
      `${name} decided about what they pasted (import ${open}), and it is open as ${again}`,
    );
}
