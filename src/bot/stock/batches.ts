// /batches: the last imports, whose and when, what became of their codes, with Undo where it is still possible, and the
// file of what was undone once more.
import { InlineKeyboard } from 'grammy';

import { BATCH_FATES, type BatchSummary } from '../../core/index.ts';
import { labelActor } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, checked, wholeNumber, type Feature } from '../feature.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import { BAD_FILE, type BadFile } from './bad-codes.ts';
import { UNDO, type UndoOrder } from './button-orders.ts';
import { UNDONE } from './result-views.ts';
import { name } from '../texts.ts';
import { addBack } from '../prompts/paging-keyboard.ts';

const PAGE_SIZE = 5;

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

export function createBatchList(deps: Deps): Feature {
  const needs = 'undoImport';
  return {
    commands: {
      batches: {
        needs,
        run: async (ctx) => reply(ctx, ...(await render(deps, ctx, undefined))),
      },
    },
    buttons: {
      'batches:top': button(needs, [], async (ctx) => editHtml(ctx, ...(await render(deps, ctx, undefined)))),
      // Of the batch before the page: nothing that is added meanwhile shifts it.
      batches: button(needs, [base36, base36], async (ctx, at, id) =>
        editHtml(ctx, ...(await render(deps, ctx, { at, id }))),
      ),
      'batch:bad': button(needs, [wholeNumber()], (ctx, batchId) =>
        enqueueAnswer(ctx, { view: BAD_FILE, of: { batchId } satisfies BadFile }),
      ),
      'batch:undo': button(needs, [wholeNumber()], (ctx, batchId) => askUndo(deps, ctx, batchId)),
      'undo-again': button(needs, [wholeNumber()], async (ctx, batchId) => {
        const found = await deps.core.batches.findTakenBack(actorOf(ctx), batchId);
        if (!found) return answerTap(ctx, ctx.label('extract-again-late'), true);
        return enqueueAnswer(ctx, { view: UNDONE, of: { batchId } });
      }),
    },
  };
}

const base36 = checked((text) => (/^[0-9a-z]{1,11}$/.test(text) ? Number.parseInt(text, 36) : undefined));

async function render(
  { core }: Deps,
  ctx: BotContext,
  olderThan: { at: number; id: number } | undefined,
): Promise<[html: string, keyboard?: InlineKeyboard]> {
  const beside = olderThan && { after: olderThan };
  const found = await core.batches.list(actorOf(ctx), { order: 'newest', limit: PAGE_SIZE, beside });
  const { rows: batches, next } = found;
  if (batches.length === 0) return [ctx.say('batches-empty')];
  const keyboard = new InlineKeyboard();
  for (const { id, canBeUndone, fate } of batches) {
    const batch = String(id);
    if (canBeUndone) keyboard.text(ctx.label('batches-undo', { batch }), `batch:undo:${id}`).row();
    if (fate.spent > 0) keyboard.text(ctx.label('batches-bad', { batch }), `batch:bad:${id}`).row();
  }
  if (olderThan) keyboard.text(ctx.label('batches-newest'), 'batches:top');
  if (next) keyboard.text(ctx.label('page-next'), `batches:${next.at.toString(36)}:${next.id.toString(36)}`);
  const timeZone = zoneOf({ core }, ctx.actor);
  const blocks = batches.map((batch) => formatBatch(ctx, batch, timeZone));
  return [[ctx.say('batches-title'), ...blocks].join('\n\n'), keyboard];
}

function formatBatch(
  ctx: BotContext,
  { id, gameId, added, at, actorLabel, fate, supplier }: BatchSummary,
  timeZone: string,
): string {
  const when = formatMoment(ctx.language, at, timeZone);
  const facts = {
    batch: String(id),
    game: gameId,
    when,
    who: labelActor(ctx.label, actorLabel),
    count: added,
  };
  const became = BATCH_FATES.filter((each) => fate[each] > 0).map((each) =>
    ctx.say('batches-fate', { fate: each, count: fate[each] }),
  );
  const line = ctx.say('batches-one', {
    ...facts,
    supplier: supplier === undefined ? 'none' : name(supplier),
  });
  return became.length > 0 ? `${line}\n${became.join(', ')}` : line;
}

/** Once more, with how many there are: it is another's batch, perhaps, and stands among others. */
async function askUndo(deps: Deps, ctx: BotContext, batchId: number): Promise<void> {
  const batch = deps.core.batches.find(actorOf(ctx), batchId);
  if (!batch) return answerTap(ctx, ctx.label('button-old'), true);
  if (batch.undoneAt !== undefined) return answerTap(ctx, ctx.label('undo-done-tap'), true);
  const payload: UndoOrder = { batchId, added: batch.added };
  const data = createConfirmation(deps, ctx, { action: UNDO, payload });
  const keyboard = new InlineKeyboard().text(ctx.label('button-undo'), data).danger();
  addBack(keyboard, ctx, 'batches:top');
  await editHtml(ctx, ctx.say('batches-undo-ask', { batch: String(batchId), count: batch.added }), keyboard);
}
