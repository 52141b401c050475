// The preview of an import: what would be added, how its headings were read, and what is asked before.
import { html } from 'hono/html';

import {
  LONGEST_SUPPLIER,
  NOT_UNDERSTOOD,
  type Game,
  type ImportPreview,
  type ImportProgress,
} from '../../core/index.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { actionButton, choiceField, form, hidden, textField } from '../parts/form.ts';
import { linkButton } from '../parts/labels.ts';
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
  const isAsked = preview.asked.length > 0;
  const isReady = fresh > 0 && !isAsked;
  const takeAll = actionButton(`${path}/answer`, t('add-are-codes', { count: preview.mayBeCodes }), {
    fields: { key: NOT_UNDERSTOOD, denomination: 'good' },
  });
  const supplier = textField({
    ...{ name: 'supplier', label: t('add-supplier'), maxlength: LONGEST_SUPPLIER },
    value: state.supplier ?? '',
  });
  // Enter keeps it; what adds the codes keeps it, too.
  const deciding = html`${hidden({ revision: state.revision })}${supplier}
    <button formaction="${BASE}${path}/supplier">${t('add-keep')}</button>
    ${isReady && html`<button class="main">${t('add-codes', { count: fresh })}</button>`}`;
  return html`<p class="hint">${t('add-collected', { messages: state.messages, files: state.files })}</p>
    ${denominations(context, game, preview)}
    ${preview.asked.map((asked) => question(context, game, path, asked))} ${headings(context, game, preview)}
    ${notes(context, preview)} ${preview.mayBeCodes > 0 && takeAll}
    ${form(`${path}/${isReady ? 'commit' : 'supplier'}`, deciding, { className: 'row' })}
    <div class="acts">
      ${linkButton('/stock/add', t('add-more'))} ${actionButton(`${path}/cancel`, t('add-drop'))}
      <small>${t(isReady ? 'add-nothing-yet' : isAsked ? 'add-answer-first' : 'add-none-new')}</small>
    </div>`;
}

const denominations = ({ t }: ScreenContext, game: Game, { stockKeys }: ImportPreview): Html =>
  table(
    t('add-preview-title'),
    stockKeys,
    [
      [t('stock-denomination'), ({ denomination }) => labelDenomination(game, denomination)],
      [t('add-new'), (row) => row.fresh, 'number'],
      [t('add-ours'), (row) => row.ours, 'number'],
      [t('add-others'), (row) => row.others, 'number'],
    ],
    t('add-no-codes'),
  );

/** Codes of which the paste does not tell what they are. */
function question(
  { t }: ScreenContext,
  game: Game,
  path: string,
  { key, text, codes, isGood }: ImportPreview['asked'][number],
): Html {
  const asking = isGood ? 'add-ask-good' : 'add-ask';
  const label =
    text === undefined ? t('add-ask-nothing', { count: codes }) : t(asking, { text, count: codes });
  const good = isGood ? [['good', t('add-good')] as const] : [];
  const choices = game.denominations.map((each) => [each, labelDenomination(game, each)] as const);
  const field = choiceField({
    ...{ name: 'denomination', label },
    // Nobody answers with what happened to stand first.
    ...{ required: true, choices: [['', t('add-choose')], ...good, ...choices, ['out', t('add-leave-out')]] },
  });
  const body = html`${hidden({ key })}${field}<button>${t('add-answer')}</button>`;
  return form(`${path}/answer`, body, { className: 'row asked' });
}

function headings({ t }: ScreenContext, game: Game, { headings: read }: ImportPreview): Html | undefined {
  if (read.length < 2) return undefined;
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
  const { repeated, leftOut, notUnderstood, notUnderstoodExamples, isChanged, tooMany, foreignLetter } =
    preview;
  const lines = [
    repeated > 0 && t('add-repeated', { count: repeated }),
    leftOut > 0 && t('add-left-out', { count: leftOut }),
    foreignLetter !== undefined && t('add-foreign-letter', { letter: foreignLetter }),
    isChanged && t('add-changed'),
    tooMany && t('add-too-many'),
    notUnderstood > 0 && t('add-not-understood', { count: notUnderstood }),
  ];
  return html`${lines.map((line) => line !== false && html`<p>${line}</p>`)}
  ${
    notUnderstoodExamples.length > 0 &&
    html`<ul class="examples">
      ${notUnderstoodExamples.map((text) => html`<li><code>${text}</code></li>`)}
    </ul>`
  }`;
}
