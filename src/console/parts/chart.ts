// Bars a day, drawn on the server: each part of a bar leads to its list, and says its figure.
import { html } from 'hono/html';

import type { Html } from '../context.ts';

export interface Bar {
  /** Below it, where there is room. */
  label: string;
  parts: readonly { tone: 'good' | 'bad' | 'doubt'; count: number; href: string; title: string }[];
}

const WIDTH = 900;
const HEIGHT = 180;
const LABELS = 20;
/** So many labels at most. */
const MOST_LABELS = 10;

/** As wide as its place. */
export function barChart(caption: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0)));
  const step = WIDTH / Math.max(1, bars.length);
  const every = Math.ceil(bars.length / MOST_LABELS);
  return html`<svg
    class="chart"
    viewBox="0 0 ${WIDTH} ${HEIGHT + LABELS}"
    role="group"
    aria-label="${caption}"
  >
    <line x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}" />
    ${bars.map((bar, index) => drawBar(bar, { index, step, most, isLabelled: index % every === 0 }))}
  </svg>`;
}

function drawBar(
  { label, parts }: Bar,
  { index, step, most, isLabelled }: { index: number; step: number; most: number; isLabelled: boolean },
): Html {
  const round = (value: number) => Math.round(value * 10) / 10;
  let y = HEIGHT;
  const drawn = parts.map(({ tone, count, href, title }) => {
    if (count === 0) return '';
    const height = Math.max(2, (count / most) * (HEIGHT - 4));
    y -= height;
    return html`<a href="${href}" aria-label="${title}"
      ><rect
        class="${tone}"
        x="${round(index * step + step * 0.15)}"
        y="${round(y)}"
        width="${round(step * 0.7)}"
        height="${round(height)}"
        ><title>${title}</title></rect
      ></a
    >`;
  });
  const text = html`<text x="${round((index + 0.5) * step)}" y="${HEIGHT + 15}">${label}</text>`;
  return html`${drawn}${isLabelled ? text : ''}`;
}
