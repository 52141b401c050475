// A table of rows: numbers to the right, and columns that a phone has no room for.
import { html } from 'hono/html';

import type { Html } from '../context.ts';

export interface Column<Row> {
  header: Html | string;
  cell(row: Row): Html | string | number;
  /** `number`: to the right, in tabular figures. */
  kind?: 'number';
  /** Not shown below 720 px. */
  hidden?: 'narrow';
}

export interface Table<Row> {
  /** What it is a table of, for who cannot see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** In its place where there is no row. */
  empty: Html | string;
}

/** The first column heads its row. */
export function table<Row>({ caption, columns, rows, empty }: Table<Row>): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  // A page has thousands of cells: one that has no class says nothing of it.
  const classes = columns.map(({ kind, hidden }) => {
    const names = [kind, hidden].filter(Boolean).join(' ');
    return names === '' ? '' : html`class="${names}"`;
  });
  const cell = (column: Column<Row>, row: Row, index: number) =>
    index === 0
      ? html`<th scope="row" ${classes[index]}>${column.cell(row)}</th>`
      : html`<td ${classes[index]}>${column.cell(row)}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ header }, index) => html`<th scope="col" ${classes[index]}>${header}</th>`)}
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

/** Names and what stands for them, one under the other. */
export function facts(entries: readonly (readonly [name: string, value: Html | string | number])[]): Html {
  return html`<dl class="facts">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
