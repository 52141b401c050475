// The supplier of an import, from whom its codes were bought: asked only by the button of the preview, answered by one
// of the last suppliers, by None, or by a name as the next message.
import { InlineKeyboard } from 'grammy';

import { LONGEST_SUPPLIER } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps, type InnerContext } from '../context.ts';
import { button, perhaps, wholeNumber, word, type Button } from '../feature.ts';
import { targetOf } from '../telegram/progress.ts';
import { answerTap, editHtml } from '../replies.ts';
import { enter } from '../prompts/start-conversation.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { readName } from '../prompts/question.ts';
import type { ConversationEntry, Prompts } from '../conversation.ts';
import { holdsCodes } from './code-order.ts';
import { askSupplier } from './button-orders.ts';
import type { PreviewActions } from './import-preview.ts';

const SUPPLIER = 'supplier';
type Deps = Pick<BotDeps, 'core'>;

/** The import alone asks; a batch answers with its supplier, `0` with none, `back` with nothing. */
export const createSupplierButton = (deps: Deps, previewActions: PreviewActions): Button =>
  button('addCodes', [wholeNumber(), perhaps(word)], async (ctx, importId, said) => {
    if (said === undefined) return ask(deps, ctx, importId);
    await ctx.conversation.exit(SUPPLIER);
    if (said !== 'back' && !(await choose(deps, ctx, importId, Number(said))))
      return answerTap(ctx, ctx.label('add-decided'), true);
    answerTap(ctx);
    previewActions.review(ctx, importId, targetOf(ctx));
  });

/** Hears the name. What is no name is answered as if nothing had been asked. */
export function createSupplierConversation(deps: Deps, previewActions: PreviewActions): ConversationEntry {
  return {
    name: SUPPLIER,
    takesWords: true,
    async run(prompts: Prompts, ctx: InnerContext, { importId }: { importId: number }) {
      const answer = await prompts.hear();
      const name = answer.kind === 'message' ? readSupplier(deps, answer.message.text) : undefined;
      if (name === undefined) return prompts.leave();
      const isKept = await prompts.core((outer) =>
        deps.core.imports.setSupplier(actorOf(outer), importId, name),
      );
      if (!isKept) return void (await prompts.reply(ctx.say('add-decided')));
      await prompts.tryCore((outer) => previewActions.review(outer, importId));
    },
  };
}

async function ask({ core }: Deps, ctx: BotContext, importId: number): Promise<void> {
  const actor = actorOf(ctx);
  if (core.imports.describe(actor, importId).state !== 'collecting')
    return answerTap(ctx, ctx.label('add-decided'), true);
  const keyboard = new InlineKeyboard();
  for (const { name, batchId } of core.suppliers.listLast(actor))
    keyboard.text(name, `${askSupplier(importId)}:${batchId}`).row();
  keyboard.text(ctx.label('button-no-supplier'), `${askSupplier(importId)}:0`);
  addBack(keyboard, ctx, `${askSupplier(importId)}:back`);
  await editHtml(ctx, ctx.say('add-supplier-ask'), keyboard);
  await enter(ctx, SUPPLIER, { importId });
}

/** False where the import was decided meanwhile, or the batch has no supplier. */
async function choose({ core }: Deps, ctx: BotContext, importId: number, batchId: number): Promise<boolean> {
  const actor = actorOf(ctx);
  if (batchId === 0) return core.imports.setSupplier(actor, importId, undefined);
  const supplier = core.suppliers.findName(actor, batchId);
  return supplier !== undefined && core.imports.setSupplier(actor, importId, supplier);
}

/** One short line that is neither codes nor a command. */
function readSupplier({ core }: Deps, text: string | undefined): string | undefined {
  const name = readName(text, LONGEST_SUPPLIER);
  const isOne = name !== undefined && /\p{L}/u.test(name) && !name.includes('/');
  return isOne && !holdsCodes(name, core.games.managed) ? name : undefined;
}
