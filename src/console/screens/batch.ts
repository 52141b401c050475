// A batch: whose it is, what became of its codes, those that were refused as a file, and its Undo, which is asked first.
import { html } from 'hono/html';

import { BATCH_FATES, type BatchSummary } from '../../core/index.ts';
import { CSV_MARK, toCsvLine } from '../../csv.ts';
import { BASE, ConsoleProblem, idIn, memberOf, type Html, type ScreenContext } from '../context.ts';
import { actionButton } from '../parts/form.ts';
import { labelGame, labelPerson } from '../parts/labels.ts';
import { page } from '../parts/page.ts';
import { facts } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';
import { confirmation } from './asking.ts';
import { undo } from './undo-codes.ts';

/** Of one's own, or of the account. Throws ConsoleProblem 404. */
async function find(context: ScreenContext): Promise<BatchSummary> {
  const batch = await context.core.batches.read(memberOf(context), idIn(context));
  if (!batch) throw new ConsoleProblem(404, 'not-found');
  return batch;
}

export async function showBatch(context: ScreenContext): Promise<Html> {
  const { t, session } = context;
  const { id, gameId, actorLabel, at, supplier, added, fate, undoneAt, canBeUndone } = await find(context);
  const became = BATCH_FATES.filter((each) => fate[each] > 0);
  const hasBad = fate.spent > 0;
  const body = html`${facts([
      [t('batches-game'), labelGame(context, gameId)],
      [t('batches-at'), absoluteTime(context, at)],
      [t('batches-by'), labelPerson(context, actorLabel)],
      ...(supplier === undefined ? [] : [[t('batches-supplier'), supplier] as const]),
      [t('batches-added'), added],
      ...(undoneAt === undefined ? [] : [[t('batch-undone-at'), absoluteTime(context, undoneAt)] as const]),
    ])}
    <h2>${t('batch-became')}</h2>
    ${facts(became.map((each) => [t(`batches-fate-${each}`), fate[each]] as const))}
    ${hasBad && !session.isFresh ? html`<p class="hint">${t('batch-bad-later')}</p>` : ''}
    ${
      context.can('searchHistory')
        ? html`<p><a href="${BASE}/receipts?batch=${id}">${t('batch-receipts')}</a></p>`
        : ''
    }
    ${undoneAt === undefined ? '' : html`<p><a href="${BASE}/stock/added/${id}">${t('added-codes')}</a></p>`}`;
  const bad = html`<a class="button" href="${BASE}/batches/${id}/bad.csv" download>${t('batch-bad')}</a>`;
  const undoing = actionButton(context, {
    ...{ action: `/batches/${id}/undo`, label: t('added-undo'), tone: 'danger' },
  });
  const actions = html`${hasBad && session.isFresh ? bad : ''} ${canBeUndone ? undoing : ''}`;
  return page(context, { title: t('batch-title', { id: String(id) }), current: 'batches', body, actions });
}

/** As the bot's file: each code with what the platform said of it, and when, UTC. */
export async function sendBadCodes(context: ScreenContext): Promise<Response> {
  const id = idIn(context);
  const codes = await context.core.badCodes.readOfBatch(memberOf(context), id);
  if (!codes) throw new ConsoleProblem(404, 'not-found');
  const lines = codes.map(({ denomination, code, answer, at }) =>
    toCsvLine([denomination, code, answer, new Date(at).toISOString()]),
  );
  const text = CSV_MARK + toCsvLine(['denomination', 'code', 'answer', 'time']) + lines.join('');
  return context.c.body(text, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="refused-batch-${id}.csv"`,
  });
}

export async function undoFromBatch(context: ScreenContext): Promise<Html | Response> {
  const { t, field } = context;
  if (field('sure') === 'yes') return undo(context);
  const { id, added } = await find(context);
  return confirmation(context, {
    ...{ action: `/batches/${id}/undo`, fields: {}, current: `batches/${id}`, label: t('added-undo') },
    question: t('batch-undo-ask', { id: String(id), count: added }),
  });
}
