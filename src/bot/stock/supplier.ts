// The supplier of an import, from whom its codes were bought: asked only by the button of the preview, answered by one
// of the last suppliers, by None, or by a name as the next message.
import { InlineKeyboard } from 'grammy';

import { LONGEST_SUPPLIER } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, perhaps, wholeNumber, word, type Feature } from '../feature.ts';
import { ask, leaveQuestion, readName } from '../prompts/ask.ts';
import { answerTap, editHtml, reply, targetOf } from '../replies.ts';
import { addBack } from '../prompts/paging-keyboard.ts';
import { holdsCodes } from './code-order.ts';
import { askSupplier } from './button-orders.ts';
import { showNow } from './import-message.ts';

const SUPPLIER = 'supplier';
type Deps = Pick<BotDeps, 'core' | 'store'>;

/** The import alone asks; a batch answers with its supplier, `0` with none, `back` with nothing. */
export function createSupplier(deps: Deps): Pick<Feature, 'buttons' | 'questions'> {
  const needs = 'addCodes';
  const press = async (ctx: BotContext, importId: number, said: string | undefined): Promise<void> => {
    if (said === undefined) return askWhich(deps, ctx, importId);
    await leaveQuestion(ctx);
    if (said !== 'back' && !(await choose(deps, ctx, importId, Number(said))))
      return answerTap(ctx, ctx.label('add-decided'), true);
    answerTap(ctx);
    showNow(deps, ctx, importId, targetOf(ctx));
  };
  // What is no name is answered as if nothing had been asked.
  const hear = async (ctx: BotContext, of: string, text: string): Promise<boolean> => {
    const [importId, name] = [Number(of), readSupplier(deps, text)];
    if (name === undefined) return false;
    if (await deps.core.imports.setSupplier(actorOf(ctx), importId, name)) showNow(deps, ctx, importId);
    else await reply(ctx, ctx.say('add-decided'));
    return true;
  };
  return {
    buttons: { 'add:from': button(needs, [wholeNumber(), perhaps(word)], press) },
    questions: { [SUPPLIER]: { needs, takesWords: true, hear } },
  };
}

async function askWhich({ core }: Deps, ctx: BotContext, importId: number): Promise<void> {
  const actor = actorOf(ctx);
  if (core.imports.describe(actor, importId).state !== 'collecting')
    return answerTap(ctx, ctx.label('add-decided'), true);
  const keyboard = new InlineKeyboard();
  for (const { name, batchId } of core.suppliers.listLast(actor))
    keyboard.text(name, `${askSupplier(importId)}:${batchId}`).row();
  keyboard.text(ctx.label('button-no-supplier'), `${askSupplier(importId)}:0`);
  addBack(keyboard, ctx, `${askSupplier(importId)}:back`);
  await editHtml(ctx, ctx.say('add-supplier-ask'), keyboard);
  await ask(ctx, SUPPLIER, String(importId));
}

/** False where the import was decided meanwhile, or the batch has no supplier. */
async function choose({ core }: Deps, ctx: BotContext, importId: number, batchId: number): Promise<boolean> {
  const actor = actorOf(ctx);
  if (batchId === 0) return core.imports.setSupplier(actor, importId, undefined);
  const supplier = core.suppliers.findName(actor, batchId);
  return supplier !== undefined && core.imports.setSupplier(actor, importId, supplier);
}

/** One short line that is neither codes nor a command. */
function readSupplier({ core }: Deps, text: string): string | undefined {
  const name = readName(text, LONGEST_SUPPLIER);
  const isOne = name !== undefined && /\p{L}/u.test(name) && !name.includes('/');
  return isOne && !holdsCodes(name, core.games.managed) ? name : undefined;
}
