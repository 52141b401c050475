// Draws the picture of /stats: an SVG by echarts, a PNG by resvg, with fonts of its own. A program of its
// own that pictures.ts starts and asks: picture in, PNG out. It ends when whoever started it is gone.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { BarChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use, type EChartsCoreOption } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

import type { StatisticsPicture } from './pictures.ts';

/** As wide as a phone shows without shrinking letters away, drawn twice as fine. */
const WIDTH = 800;
const HEIGHT = 1000;
const SCALE = 1.6;
const FONT = 'DejaVu Sans';
/** Contrast that carries on its own: the picture stands on white whatever the theme of the chat is. */
const INK = {
  background: '#ffffff',
  text: '#1b1f24',
  faint: '#d5d9de',
  redeemed: '#1a7f4b',
  failed: '#d1392b',
};
const MOST_LABELS = 10;

use([BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);
const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => join(fonts, 'ttf', file));

process.on('message', (picture: StatisticsPicture) => {
  process.send?.(draw(picture));
});

/** The PNG. */
function draw(picture: StatisticsPicture): Uint8Array {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption(describe(picture));
    const svg = new Resvg(chart.renderToSVGString(), {
      fitTo: { mode: 'width', value: WIDTH * SCALE },
      font: { fontFiles, loadSystemFonts: false, defaultFontFamily: FONT },
      background: INK.background,
    });
    return new Uint8Array(svg.render().asPng());
  } finally {
    chart.dispose();
  }
}

function describe(picture: StatisticsPicture): EChartsCoreOption {
  const { words } = picture;
  const heading = { fontFamily: FONT, fontSize: 28, fontWeight: 'bold', color: INK.text };
  const box = { left: 24, right: 32, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' };
  const upper = { ...box, top: 130, height: 310 };
  const lower = { ...box, top: 560, height: 390 };
  return {
    animation: false,
    backgroundColor: INK.background,
    textStyle: { fontFamily: FONT, color: INK.text },
    title: [
      { text: words.byDay, left: 24, top: 20, textStyle: heading },
      { text: words.byAmount, left: 24, top: 490, textStyle: heading },
    ],
    legend: {
      left: 24,
      top: 72,
      itemWidth: 24,
      itemHeight: 24,
      itemGap: 28,
      textStyle: { fontFamily: FONT, fontSize: 24, color: INK.text },
    },
    grid: [upper, lower],
    xAxis: [
      categories(
        picture.days.map((day) => day.label),
        0,
      ),
      values(1),
    ],
    yAxis: [
      values(0),
      {
        ...categories(
          picture.amounts.map((amount) => amount.label),
          1,
        ),
        inverse: true,
      },
    ],
    series: [...bars(picture.days, words, 0), ...bars(picture.amounts, words, 1)],
  };
}

function categories(labels: string[], gridIndex: number) {
  const every = Math.ceil(labels.length / MOST_LABELS);
  return {
    type: 'category',
    gridIndex,
    data: labels,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: INK.faint } },
    axisLabel: {
      fontFamily: FONT,
      fontSize: 22,
      color: INK.text,
      hideOverlap: true,
      // Counted from the newest, which is the one people look for.
      interval: (index: number) => (labels.length - 1 - index) % every === 0,
    },
  };
}

function values(gridIndex: number) {
  return {
    type: 'value',
    gridIndex,
    minInterval: 1,
    splitNumber: 4,
    splitLine: { lineStyle: { color: INK.faint } },
    axisLabel: { fontFamily: FONT, fontSize: 22, color: INK.text, hideOverlap: true, formatter: String },
  };
}

function bars(
  counts: readonly { redeemed: number; failed: number }[],
  words: StatisticsPicture['words'],
  index: number,
) {
  const one = (name: string, color: string, data: number[]) => ({
    type: 'bar',
    name,
    stack: `counts-${index}`,
    xAxisIndex: index,
    yAxisIndex: index,
    barMaxWidth: 44,
    itemStyle: { color },
    data,
  });
  return [
    one(
      words.redeemed,
      INK.redeemed,
      counts.map((count) => count.redeemed),
    ),
    one(
      words.failed,
      INK.failed,
      counts.map((count) => count.failed),
    ),
  ];
}
