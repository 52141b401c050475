// Hosts end the sweeps that follow a restore, in the chat, and sell by verification alone: it is in the audit log, once,
// and nothing is asked about any more before it is taken.
import { hasButton, says } from '../people/phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const SELL = /^Sell by verification alone$/;
const OPEN = 'select count(*) from sweeps where ended_at is null';
const LOGGED = "select count(*) from audit_log where what = 'sweepsEnded' and at >= ?";

/** Whether they have: whoever is away cannot. */
export async function sellUnswept(world: World): Promise<boolean> {
  const { diary, disk, time, service } = world;
  const phone = world.people.find(({ kind }) => kind === 'host')?.phone;
  if (!phone || diary.isAway(phone.user) || !service.isServing()) return false;
  const [starts, since] = [service.starts(), time.clock.now()];
  const shown = await phone.ask('/health', says(/^Service/));
  if (!shown || !hasButton(SELL)(shown)) return false;
  const asked = await phone.press(shown, SELL);
  if (!asked || !hasButton(SELL)(asked)) return false;
  await phone.press(asked, SELL, { kind: 'sweeps' });
  const read = (sql: string, ...bound: number[]) =>
    look(
      disk.databasePath(),
      (file) =>
        file
          .prepare(sql)
          .pluck()
          .get(...bound) as number,
    );
  const logged = read(LOGGED, since - 1_000);
  // Nothing came of it in time, or it came to a process that was killed.
  if (logged === 0) return false;
  diary.note('a host sells by verification alone');
  const open = read(OPEN);
  if (logged > 1) diary.amissBeside.push(`that sweeps were ended stands in the audit log ${logged} times`);
  if (open > 0 && service.starts() === starts)
    diary.amissBeside.push(`a host sells by verification alone, and ${open} sweeps are open`);
  return true;
}
