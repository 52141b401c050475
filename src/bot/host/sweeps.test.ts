// A host ends the questions that follow a restore: shown by /health, asked once more, done once.
import { expect, test } from 'vitest';

import { askHostMenu, createHostMenus } from '../../../test/harness/host-menus.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createHealthHandlers } from './health.ts';
import { createSweepsHandlers } from './sweeps.ts';

const open = (count: number) => ({
  sweeps: { list: () => Array.from({ length: count }, () => ({})) },
  health: {
    countOpen: () => ({ pending: 0 }),
    platformReachable: () => Promise.resolve(true),
    isSandbox: true,
    platformAheadMs: () => undefined,
    listUnproven: () => Promise.resolve([]),
  },
  doubts: { summary: () => ({ count: 0, held: 0, oldestAt: undefined }) },
});

test.each([
  [0, undefined],
  [3, ['host-button-sell-unswept -> host:sweeps']],
])('with %i sweeps open', async (count, button) => {
  const { deps } = createHostMenus(open(count));
  const connection = { current: () => 'fine', since: () => 0 };
  const [[, html, ...rows] = []] = await askHostMenu(createHealthHandlers(deps, fake(connection)), '/health');
  expect(html?.includes(`host-sweeps {"count":${count}}`)).toBe(count > 0);
  expect(rows[0]).toEqual(button ? [button[0]] : ['host-button-look-again -> go:health']);
});

test('it is asked once more', async () => {
  const { deps, kept } = createHostMenus(open(3));
  const said = await askHostMenu(createSweepsHandlers(deps), 'host:sweeps');
  expect(JSON.stringify(said)).toContain('host-ask-sell-unswept');
  expect(kept).toMatchObject([{ action: 'host-sell-unswept' }]);
});

test('where nothing is open any more, nothing is asked', async () => {
  const { deps, kept } = createHostMenus(open(0));
  const said = await askHostMenu(createSweepsHandlers(deps), 'host:sweeps');
  expect([said, kept]).toEqual([[['alert', 'button-old']], []]);
});
