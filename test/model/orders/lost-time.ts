// A backup, and going back to it: what was begun in between is known to the platform alone.
import fc from 'fast-check';

import { command, isOver, pass, QUARTER_MS } from './command.ts';
import { GAME, reader, type OrderWorld } from './world.ts';

/** A lost time that is longer is only listed: who repeats an order of it begins it anew. */
const GIVEN_MS = 15 * 60_000;

export const backUp = command('back up', fc.constant(0), async (world) => {
  await world.backUp();
  const orders = world.orders.map(({ id, marks }) => ({ marks: marks.length, isOver: isOver(world, id) }));
  world.backup = { at: world.clock.now(), keys: world.keys.length, orders };
});

/** The machine is lost: whoever ordered in the lost time repeats it, where that was short enough, and goes on with the rest. */
export const restore = command('restore', fc.boolean(), async (world, goesOn) => {
  const { backup, orders, clock } = world;
  if (!backup) return;
  const isShort = clock.now() - backup.at <= GIVEN_MS;
  await world.goBack();
  noteUnknown(world);
  Object.assign(world, { backup: undefined, keys: world.keys.slice(0, backup.keys) });
  world.orders = orders.filter((order, index) => {
    const before = backup.orders[index];
    order.isOfLostTime ||= before?.isOver !== true || before.marks !== order.marks.length;
    return before !== undefined;
  });
  for (const { request } of isShort ? orders.slice(backup.orders.length) : []) {
    const answer = await world.core().orders.place(reader(world), request);
    const order = orders.find((each) => each.request === request);
    if (order && answer.status === 'placed') world.orders.push({ ...order, id: answer.order.id });
  }
  await world.rest();
  await pass(world, QUARTER_MS);
  if (!goesOn) return;
  for (const { id } of world.orders.filter((order) => order.isOfLostTime)) {
    const idempotencyKey = { scope: 'http', key: `resume-${(world.made += 1)}` } as const;
    await world.core().orders.resume(reader(world), id, { idempotencyKey });
    await world.rest();
  }
  await pass(world, QUARTER_MS);
});

/** What was added after the backup is in no stock: that it is spent nobody can know, and an order that wants it takes another. */
function noteUnknown(world: OrderWorld): void {
  const isKnown = world.reader().prepare('select 1 from codes where code_hash = ?');
  for (const code of world.added)
    if (isKnown.get(world.store().seals.hash(GAME, code)) === undefined) world.unknown.add(code);
}
