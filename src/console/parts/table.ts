// Tables of rows, facts one under the other, and charts. A column is a line: its head, what stands in it, and how.
import { html, raw } from 'hono/html';

import { drawChart, type Bar } from '../../chart.ts';
import type { Html } from '../context.ts';

/** What is undefined or false is an empty cell, and no fact. */
export type Cell = Html | string | number | undefined | false;
/** `number`: to the right, in tabular figures; `narrow`: not shown below 720 px. */
export type Shape = 'number' | 'narrow' | 'number narrow';
export type Column<Row> = readonly [head: Html | string, cell: (row: Row) => Cell, shape?: Shape];

/** `caption`: what it is a table of, for who cannot see it. The first column heads its row. `empty` stands for no rows. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: Html | string = '',
): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  // A page has thousands of cells: one that has no class says nothing of it.
  const classes = columns.map(([, , shape]) => shape && html`class="${shape}"`);
  const cell = ([, show]: Column<Row>, row: Row, index: number) =>
    index === 0
      ? html`<th scope="row" ${classes[index]}>${show(row)}</th>`
      : html`<td ${classes[index]}>${show(row)}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(([head], index) =>
            head === '' ? html`<td></td>` : html`<th scope="col" ${classes[index]}>${head}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) => cell(column, row, index))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export type Fact = readonly [name: string, value: Cell];

/** Names and what stands for them, one under the other. */
export const facts = (entries: readonly Fact[]): Html =>
  html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        value !== undefined &&
        value !== false &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** Drawn for a desk and for a phone, of which the one is shown that has room. */
export const chart = (caption: string, bars: readonly Bar[]): Html[] =>
  Object.entries({ desk: 900, phone: 330 }).map(
    ([place, width]) =>
      html`<svg class="chart ${place}" viewBox="0 0 ${width} 200" role="group" aria-label="${caption}">
        ${raw(drawChart(bars, { width, height: 200, size: 13 }))}
      </svg>`,
  );
