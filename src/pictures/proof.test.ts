// What the proof of a receipt says, before it is painted.
import { expect, test } from 'vitest';

import { LANGUAGES } from '../locales.ts';
import { composeProof, type ProofFacts } from './proof.ts';

const FACTS: ProofFacts = {
  ...{ id: 4711, shop: 'Shop & Co', timeZone: 'Europe/Moscow', playerId: '5124780131', code: '••••••••A1B2' },
  ...{ playerName: 'Ирина<77', productName: '60 UC', amount: '60 UC', createdAt: Date.UTC(2026, 10, 30, 3) },
  settledAt: null,
  isSandbox: false,
};
/** Its words, and where the lowest row of it stands. */
function read(svg: string) {
  const texts = [...svg.matchAll(/<text x="(\d+)" y="([\d.]+)"[^>]*>([^<]*)</g)];
  const lowest = Math.max(...texts.flatMap(([, x, y]) => (x === '80' ? [Number(y)] : [])));
  return { words: texts.map(([, , , text]) => text), lowest };
}

test.each(LANGUAGES)('in %s it has all of its facts, and nothing that is not in them', (language) => {
  const { words } = read(composeProof(FACTS, language));
  for (const fact of ['Shop &amp; Co', 'Ирина&lt;77', '5124780131', '60 UC', '4711', '••••••••A1B2'])
    expect(words).toContain(fact);
  expect(words).toContainEqual(expect.stringMatching(/^30 .* 2026, 06:00 UTC\+3$/));
  expect(words.join()).not.toContain('{');
});

test('a name that the font cannot draw whole is left out: the ID says who it is', () => {
  for (const playerName of ['玩家一', 'Анна🔥', null]) {
    const { words } = read(composeProof({ ...FACTS, playerName }, 'en'));
    expect(words).not.toContain('Player');
    expect(words).toContain('5124780131');
  }
});

test('everything at once stays above the band of the sandbox', () => {
  const all = { ...FACTS, settledAt: FACTS.createdAt + 720_000, isSandbox: true };
  const { words, lowest } = read(composeProof(all, 'en'));
  expect(words).toContain('SANDBOX: nothing real was redeemed');
  expect(words).toContainEqual('30 Nov 2026, 06:12 UTC+3');
  expect(lowest).toBeLessThan(1_160);
});
