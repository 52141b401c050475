// The question for thresholds: what it shows, what it hears, and what is kept together with what is told.
import { expect, test } from 'vitest';

import { holdConversation } from '../../../test/harness/bot-prompts.ts';
import { soon } from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { createThresholdsConversation, isThresholds } from './thresholds.ts';

const GAMES = [
  { id: 'game_id_1', currency: 'UC', denominations: [60, 325, 660, 10_000] },
  { id: 'game_id_2', currency: 'diamonds', denominations: [60] },
];
const LISTED = [
  { gameId: 'game_id_1', denomination: 60, threshold: 0, isOpen: true },
  { gameId: 'game_id_1', denomination: 325, threshold: 50, isOpen: false },
  { gameId: 'game_id_1', denomination: 660, threshold: 0, isOpen: false },
  { gameId: 'game_id_1', denomination: 10_000, threshold: 0, isOpen: true },
  { gameId: 'game_id_2', denomination: 60, threshold: 7, isOpen: false },
];

async function hold(text: string | undefined, said: readonly string[], games = GAMES.slice(0, 1)) {
  const set: unknown[] = [];
  const deps = {
    store: { inTransaction: (rows: unknown) => rows },
    core: {
      games: { managed: games, find: (id: string) => games.find((each) => each.id === id) },
      stockAlerts: {
        list: () => LISTED,
        set: (_actor: object, alert: object, rows?: () => ActionRows) =>
          soon(() => void set.push(alert, ...(rows?.().messages ?? []))),
      },
    },
  };
  const entry = createThresholdsConversation(fake(deps));
  const given = text === undefined ? {} : { text };
  const fields = { actor: { kind: 'member', accountId: 1, telegramId: 6, role: 'owner' } };
  const hears = said.map((each) => (each.startsWith('game-') ? { choice: each } : { text: each }));
  const held = await holdConversation(entry, { given, hears, fields });
  return { said: held.said.flatMap(([how, words]) => (how === 'tap' ? [] : [words])), end: held.end, set };
}

const asked = (...lines: string[]) => ['settings-stock', '', ...lines, '', 'settings-stock-ask'].join('\n');
const QUESTION = asked(
  'settings-stock-key-open {"stockKey":"60, 10000 UC","threshold":"open"}',
  'settings-stock-key {"stockKey":"325 UC","threshold":"50"}',
  'settings-stock-key-off {"stockKey":"660 UC","threshold":"0"}',
);
const WRONG = 'settings-threshold-wrong {"denominations":"60, 325, 660, 10000","most":"100000"}';
const setTo = (denomination: number, threshold: number, gameId = 'game_id_1') => ({
  gameId,
  denomination,
  threshold,
});
const told = (...lines: string[]) => ({
  key: 'threshold:77',
  chatId: 5,
  content: JSON.stringify({ html: lines.join('\n') }),
});
const saved = (stockKey: string, threshold: number) =>
  `settings-threshold-${threshold === 0 ? 'off' : 'set'} {"stockKey":"${stockKey}","threshold":"${threshold}"}`;

test.each<[text: string, set: object[], words: string[]]>([
  ['60 50', [setTo(60, 50)], [saved('60 UC', 50)]],
  ['10000 100000', [setTo(10_000, 100_000)], [saved('10000 UC', 100_000)]],
  ['60 0', [setTo(60, 0)], [saved('60 UC', 0)]],
  ['60 OFF', [setTo(60, 0)], [saved('60 UC', 0)]],
  ['60 ВЫКЛ', [setTo(60, 0)], [saved('60 UC', 0)]],
  [' 60 5\n325  0 ', [setTo(60, 5), setTo(325, 0)], [saved('60 UC', 5), saved('325 UC', 0)]],
  ['60 5, 325 6', [setTo(60, 5), setTo(325, 6)], [saved('60 UC', 5), saved('325 UC', 6)]],
])('%j is kept with what is said of it, asked for or given', async (text, set, words) => {
  const kept = [...set, told(...words)];
  expect(await hold(undefined, [text])).toEqual({ said: [QUESTION], end: 'over', set: kept });
  expect(await hold(text, [])).toEqual({ said: [], end: 'over', set: kept });
});

test.each(['61 5', '60 100001', '60 5\n61 5'])('%j does not fit, and is asked about', async (text) => {
  expect(await hold(undefined, [text])).toEqual({ said: [QUESTION, WRONG], end: 'waiting', set: [] });
  expect(await hold(text, [])).toEqual({ said: [WRONG], end: 'waiting', set: [] });
});

test.each(['5170925570 60', '60 5170925570', '51709 60', '5170925570', 'sixty 5', '60 five', '60 5\nhello'])(
  '%j is for others',
  async (text) => {
    expect(await hold(undefined, [text])).toEqual({ said: [QUESTION], end: 'left', set: [] });
  },
);

test('of several games one is asked for first, also for what was given', async () => {
  const which = 'codes-which-game';
  const { said, set } = await hold('60 50', ['game-game_id_2'], GAMES);
  const stockKey = String.raw`60 diamonds (game-name {\"game\":\"game_id_2\"})`;
  expect(said).toEqual([which]);
  expect(set).toEqual([setTo(60, 50, 'game_id_2'), told(saved(stockKey, 50))]);
  expect((await hold(undefined, ['game-game_id_2'], GAMES)).said).toEqual([
    which,
    asked(`settings-stock-key {"stockKey":"${stockKey}","threshold":"7"}`),
  ]);
});

test('where no game keeps codes that is said', async () => {
  expect(await hold('60 50', [], [])).toEqual({ said: ['settings-stock-none'], end: 'over', set: [] });
});

test.each([
  ['60 50', true],
  ['5170925571', false],
  ['60 5\nhello', false],
  ['', false],
])('%j behind the command means thresholds: %j', (text, is) => {
  expect(isThresholds(text)).toBe(is);
});
