// What an import has added, its Undo, and the codes that came back by it: whole while the session is fresh.
import { html } from 'hono/html';

import { BASE, ConsoleProblem, goTo, idIn, memberOf, type Html, type ScreenContext } from '../context.ts';
import { actionButton } from '../parts/form.ts';
import { page } from '../parts/page.ts';
import { facts } from '../parts/table.ts';

/** Of a batch of one's own, or of the account. */
export async function showAdded(context: ScreenContext): Promise<Html> {
  const { core, t, session } = context;
  const actor = memberOf(context);
  const batchId = idIn(context);
  const batch = core.batches.find(actor, batchId);
  const fate = await core.batches.findFate(actor, batchId);
  if (!batch || !fate) throw new ConsoleProblem(404, 'not-found');
  const isUndone = batch.undoneAt !== undefined || batch.isBeingUndone;
  const codes = session.isFresh && isUndone ? await core.batches.findTakenBack(actor, batchId) : undefined;
  const shown = facts([
    [t('added-batch'), html`<a href="${BASE}/batches/${batchId}">${batchId}</a>`],
    [t('added-added'), batch.added],
    [t('added-available'), fate.available],
    ...(isUndone ? [[t('added-undone'), fate.undone] as const] : []),
  ]);
  const undoing = actionButton(context, {
    ...{ action: `/stock/added/${batchId}/undo`, label: t('added-undo'), tone: 'danger' },
  });
  const body = html`${shown} ${isUndone ? '' : html`${undoing} <small>${t('added-undo-until')}</small>`}
    ${isUndone && codes === undefined ? html`<p class="hint">${t('added-codes-later')}</p>` : ''}
    ${
      codes
        ? html`<label class="field wide">
            <span>${t('added-codes')}</span>
            <textarea rows="12" readonly spellcheck="false">
${codes.map(({ denomination, codes: each }) => `${denomination}:\n${each.join('\n')}`).join('\n\n')}</textarea>
          </label>`
        : ''
    }
    <p><a class="button" href="${BASE}/stock">${t('stock-title')}</a></p>`;
  return page(context, {
    title: t(isUndone ? 'added-title-undone' : 'added-title'),
    current: 'stock',
    body,
  });
}

export async function undo(context: ScreenContext): Promise<Response> {
  const batchId = idIn(context);
  const { status } = await context.core.imports.undo(memberOf(context), batchId);
  if (status === 'notFound') throw new ConsoleProblem(404, 'not-found');
  if (status === 'tooLate') throw new ConsoleProblem(409, 'undo-late');
  return goTo(context, `/stock/added/${batchId}`, 'codes-undone');
}
