// The preview of an import: what would be added, how its headings were read, and what is asked before.
import { html } from 'hono/html';

import { LONGEST_SUPPLIER, type Game, type ImportPreview, type ImportProgress } from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { actionButton, choiceField, form, hiddenField, textField } from '../parts/form.ts';
import { table } from '../parts/table.ts';
import { labelDenomination } from './stock.ts';

interface Previewed {
  importId: number;
  state: ImportProgress;
  preview: ImportPreview;
}

export function importPreview(context: ScreenContext, previewed: Previewed): Html {
  const { core, t } = context;
  const { importId, state, preview } = previewed;
  const game = core.games.find(state.gameId);
  if (!game) return html`<p>${t('add-decided')}</p>`;
  const fresh = preview.stockKeys.reduce((sum, each) => sum + each.fresh, 0);
  const path = `/stock/add/${importId}`;
  const isReady = fresh > 0 && preview.asked.length === 0;
  const add = actionButton(context, {
    ...{ action: `${path}/commit`, tone: 'main', label: t('add-codes', { count: fresh }) },
    fields: { revision: state.revision },
  });
  return html`<p class="hint">${t('add-collected', { messages: state.messages, files: state.files })}</p>
    ${denominations(context, game, preview)}
    ${preview.asked.map((asked) => question(context, game, path, asked))} ${headings(context, game, preview)}
    ${notes(context, preview)}
    ${form(context, {
      action: `${path}/supplier`,
      className: 'row',
      body: html`${textField({
          ...{ name: 'supplier', label: t('add-supplier'), maxlength: LONGEST_SUPPLIER },
          value: state.supplier ?? '',
        })}<button>${t('add-keep')}</button>`,
    })}
    <div class="acts">
      ${isReady ? add : ''} <a class="button" href="${BASE}/stock/add">${t('add-more')}</a>
      ${actionButton(context, { action: `${path}/cancel`, label: t('add-drop') })}
      <small
        >${t(isReady ? 'add-nothing-yet' : preview.asked.length > 0 ? 'add-answer-first' : 'add-none-new')}</small
      >
    </div>`;
}

function denominations({ t }: ScreenContext, game: Game, { stockKeys }: ImportPreview): Html {
  return table({
    caption: t('add-preview-title'),
    rows: stockKeys,
    empty: t('add-no-codes'),
    columns: [
      {
        header: t('stock-denomination'),
        cell: ({ denomination }) => labelDenomination(game, denomination),
      },
      { header: t('add-new'), kind: 'number', cell: (row) => row.fresh },
      { header: t('add-ours'), kind: 'number', cell: (row) => row.ours },
      { header: t('add-others'), kind: 'number', cell: (row) => row.others },
    ],
  });
}

/** Codes of which the paste does not tell what they are. */
function question(
  context: ScreenContext,
  game: Game,
  path: string,
  { key, text, codes }: ImportPreview['asked'][number],
): Html {
  const { t } = context;
  const label =
    text === undefined ? t('add-ask-nothing', { count: codes }) : t('add-ask', { text, count: codes });
  const choices = game.denominations.map(
    (denomination) => [denomination, labelDenomination(game, denomination)] as const,
  );
  return form(context, {
    action: `${path}/answer`,
    className: 'row asked',
    body: html`${hiddenField('key', key)}${choiceField({
        ...{ name: 'denomination', label },
        choices: [...choices, ['out', t('add-leave-out')]],
      })}<button>${t('add-answer')}</button>`,
  });
}

function headings({ t }: ScreenContext, game: Game, { headings: read }: ImportPreview): Html | '' {
  if (read.length < 2) return '';
  return html`<details>
    <summary>${t('add-headings', { count: read.length })}</summary>
    <ul>
      ${read.map(({ text, denomination, codes }) => {
        const is = denomination === undefined ? '?' : labelDenomination(game, denomination);
        return html`<li>“${text}” → <b>${is}</b>, ${t('add-count', { count: codes })}</li>`;
      })}
    </ul>
  </details>`;
}

function notes({ t }: ScreenContext, preview: ImportPreview): Html {
  const { repeated, leftOut, notUnderstood, notUnderstoodExamples, isChanged, tooMany } = preview;
  const lines = [
    repeated > 0 && t('add-repeated', { count: repeated }),
    leftOut > 0 && t('add-left-out', { count: leftOut }),
    isChanged && t('add-changed'),
    tooMany && t('add-too-many'),
    notUnderstood > 0 && t('add-not-understood', { count: notUnderstood }),
  ].filter((line) => line !== false);
  return html`${lines.map((line) => html`<p>${line}</p>`)}
  ${
    notUnderstoodExamples.length > 0
      ? html`<ul class="examples">
          ${notUnderstoodExamples.map((text) => html`<li><code>${text}</code></li>`)}
        </ul>`
      : ''
  }`;
}
