// What /health says where a chat cannot make it so: another platform and its clock, a backup, what waits to be said.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

import { personOf } from '../../../test/harness/bot.ts';
import { FAULTS } from '../../../test/telegram/faults.ts';
import { createCalendar } from '../../../test/world/play/calendar.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';

let t: Stage;
afterEach(() => t.stop());

async function look(line: RegExp): Promise<string | undefined> {
  const host = personOf(t.api, t.host);
  host.looksAway();
  host.says('/health');
  return line.exec((await host.sees('Running for')).text)?.[1];
}

test('a platform that is none of ours, whether it can be reached, and how far its clock is from ours', async () => {
  const { clock } = createCalendar();
  let [aheadMs, isReachable] = [0, true];
  t = await openStage({
    clock,
    api: { flood: 'none', clock },
    through: (sandbox) => ({
      ...sandbox,
      name: 'upstream',
      findNow: () => clock.now() + aheadMs,
      isReachable: () => Promise.resolve(isReachable),
    }),
  });
  const said: [number, string | undefined][] = [];
  for (aheadMs of [3_000, -3_000, 3_001, -119_999, -360_000, 26 * 60 * 60_000])
    said.push([aheadMs, await look(/Platform: (.*)/)]);
  expect(said).toEqual([
    [3_000, 'the real one, reachable, its clock agrees with ours'],
    [-3_000, 'the real one, reachable, its clock agrees with ours'],
    [3_001, 'the real one, reachable, its clock is 3 s ahead of ours'],
    [-119_999, 'the real one, reachable, its clock is 120 s behind ours'],
    [-360_000, 'the real one, reachable, its clock is 6 min behind ours'],
    [26 * 60 * 60_000, 'the real one, reachable, its clock is 1 d 2 h ahead of ours'],
  ]);
  isReachable = false;
  await t.restart();
  expect(await look(/Platform: (.*),/)).toBe('the real one, not reachable');
});

test('the newest backup, or that there is none; what waits to be said, and since when', async () => {
  const { clock } = createCalendar();
  const folder = mkdtempSync(join(tmpdir(), 'redemption-backups-'));
  try {
    t = await openStage({ clock, api: { flood: 'none', clock }, backups: folder });
    expect(await look(/Last backup: (.*)/)).toBe('none yet');
    writeFileSync(join(folder, 'redemption-2026-01-13T08-00-00Z.db'), '');
    expect(await look(/Last backup: (.*)/)).toBe('13 Jan 2026, 08:00 UTC');
    t.api.faults.next(({ params }) => params.text('chat_id') === String(t.people.owner.id), FAULTS.longFlood);
    t.api.send(t.people.owner, t.people.owner, '/help');
    await t.api.waitFor(() => t.api.faults.ordered() === 0);
    expect(await look(/to be said: (.*)/)).toMatch(/since 13 Jan 2026, 12:00 UTC/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
