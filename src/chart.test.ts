import { expect, test } from 'vitest';

import { drawChart } from './chart.ts';

const SIZE = { width: 300, height: 100, size: 10 };

test('whatever a label or a title says stays text, and a part leads to its list', () => {
  const svg = drawChart(
    [{ label: '<b>&"', parts: [{ tone: 'good', count: 1, title: '"><script>', href: '/receipts?a=1&b=2' }] }],
    SIZE,
  );
  expect(svg).not.toMatch(/<b>|<script>|=""/);
  expect(svg).toContain('&lt;b&gt;&amp;&quot;</text>');
  expect(svg).toContain('<a href="/receipts?a=1&amp;b=2" aria-label="&quot;&gt;&lt;script&gt;">');
});

test('the highest column ends below its figures, and what is little is seen', () => {
  const parts = [
    { tone: 'good' as const, count: 1_000_000 },
    { tone: 'bad' as const, count: 1 },
  ];
  const svg = drawChart([{ label: 'a', parts }], SIZE);
  const [good, bad] = [...svg.matchAll(/ y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g)].map(
    ([, y, height]) => ({
      y: Number(y),
      height: Number(height),
    }),
  );
  expect(bad!.height).toBeGreaterThanOrEqual(3);
  expect(bad!.y + bad!.height).toBeCloseTo(good!.y, 0);
  expect(bad!.y).toBeGreaterThan(20);
});

test.each([
  [7, [2, 4, 6]],
  [43, [10, 20, 30, 40]],
  [120, [50, 100]],
  [999, [200, 400, 600, 800]],
])('where figures have no room, the scale up to %i is %j', (most, scale) => {
  const bars = Array.from({ length: 90 }, () => ({
    label: '1 Nov',
    parts: [{ tone: 'good' as const, count: most }],
  }));
  const texts = [...drawChart(bars, SIZE).matchAll(/text-anchor="start">(\d+)</g)];
  expect(texts.map(([, count]) => Number(count))).toEqual(scale);
});
