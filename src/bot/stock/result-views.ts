// What became of orders about codes, as results that are brought to their messages: looked up when their turn has come.
// Codes themselves are in no row of the outbox: files are made when they are sent.
import { InlineKeyboard } from 'grammy';

import { grantOf } from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { createMemberView, type Reader } from '../member-view.ts';
import { toOutgoing, type Outgoing, type Sending, type View, type ViewAnswer } from '../outgoing.ts';
import {
  BAD_FILE,
  type BadFile,
  IN_QUESTION_FILE,
  type NamedStockKey,
  sendBad,
  sendInQuestion,
} from './bad-codes.ts';
import { toFile } from './code-file.ts';
import { labelStockKey } from './code-order.ts';
import { DELETE, UNDO } from './button-orders.ts';
import { isGone } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';

export const ADDED = 'added';
export const DELETED = 'pasted-deleted';
export const UNDONE = 'undone';
export const EXTRACTED = 'extracted';

/**
 * `undoId`: the confirmation that takes it back; `deleteId`: that deletes what it was pasted in, where that is still to
 * be done.
 */
export interface AddedResult {
  batchId: number;
  undoId: string;
  deleteId?: string;
  /** Of the job that adds, and how many it is to add. */
  jobId?: number | undefined;
  count?: number;
}

/** `messageId`: the message that showed what was added. */
export interface DeletedResult {
  batchId: number;
  undoId: string;
  messageId: number;
}

export interface UndoneResult {
  batchId: number;
  jobId?: number | undefined;
}

export interface ExtractedResult {
  extractionId: number;
  asked: number;
  jobId?: number | undefined;
}

type Deps = Pick<BotDeps, 'core' | 'texts'>;

/**
 * What is brought was never brought before, however long Telegram was away; who asks for it again is asked when that
 * is.
 */
const AT_ANY_AGE = { atAnyAge: true } as const;

/** Less is done in a moment: showing that it runs would only delay the answer. */
const SHOWN_FROM_CODES = 3_000;
/** How often it is looked at how far a job is. */
const LOOK_MS = 1_100;

type Shown = ViewAnswer;

/** Every view of this module. */
export function createStockViews(
  deps: Deps,
  showDeleted: (reader: Reader, of: DeletedResult) => Shown,
): Record<string, View> {
  const forMembers = <Of>(show: (reader: Reader, of: Of) => Shown | Promise<Shown>): View =>
    createMemberView(deps, show);
  return {
    [ADDED]: forMembers<AddedResult>(
      (reader, of) => showAdding(deps, reader, of) ?? formatAdded(deps, reader, of),
    ),
    [DELETED]: forMembers<DeletedResult>(showDeleted),
    [UNDONE]: forMembers<UndoneResult>((reader, of) => sendUndone(deps, reader, of)),
    [EXTRACTED]: noted(
      deps,
      forMembers<ExtractedResult>((reader, of) => sendExtracted(deps, reader, of)),
    ),
    [BAD_FILE]: forMembers<BadFile>((reader, of) => sendBad(deps, reader, of)),
    [IN_QUESTION_FILE]: forMembers<NamedStockKey>((reader, of) => sendInQuestion(deps, reader, of)),
  };
}

/** How far it is; undefined where it goes on no more. */
function showAdding({ core }: Deps, reader: Reader, of: AddedResult): ViewAnswer {
  const { batchId, undoId, jobId, count = 0 } = of;
  const { done } = core.batches.find(reader.actor, batchId) ?? {};
  if (done === undefined) return undefined;
  const rest = { of, waitsFor: `job:${jobId}` };
  if (count < SHOWN_FROM_CODES) return { rest };
  const keyboard = new InlineKeyboard().text(reader.label('button-undo'), `${UNDO}:${undoId}`).danger();
  const html = reader.say('add-adding', { done: Math.min(done, count), count });
  return { ...toOutgoing(html, keyboard), goesOn: { ...rest, lookMs: LOOK_MS } };
}

/**
 * What was added, with what may be done next. Taken back meanwhile, it has a result of its own, and nothing is said
 * here.
 */
export function formatAdded(
  { core }: Pick<Deps, 'core'>,
  reader: Reader,
  { batchId, undoId, deleteId }: AddedResult,
): Outgoing | undefined {
  const batch = core.batches.find(reader.actor, batchId);
  if (!batch || batch.undoneAt !== undefined || batch.isBeingUndone) return undefined;
  const { added, gameId } = batch;
  const stock = formatStock(core, reader, gameId);
  const html = reader.say('add-added', { batch: String(batchId), added, stock });
  const keyboard = new InlineKeyboard();
  if (added > 0) keyboard.text(reader.label('button-undo'), `${UNDO}:${undoId}`).danger();
  if (added > 0 && deleteId !== undefined)
    keyboard.text(reader.label('button-delete-pasted'), `${DELETE}:${deleteId}`);
  return toOutgoing(html, addNext(reader, keyboard.row()));
}

/** What people do after they added codes. */
function addNext(reader: Reader, keyboard: InlineKeyboard): InlineKeyboard {
  const next = [
    ['seeStock', 'button-stock', 'stock'],
    ['addCodes', 'button-add-more', 'add_codes'],
    ['redeem', 'button-redeem', 'redeem'],
  ] as const;
  for (const [permission, label, command] of next) {
    if (grantOf(reader.actor, permission) === 'no') continue;
    // Three labels beside each other would be cut.
    if (command === 'redeem') keyboard.row();
    keyboard.text(reader.label(label), commandData(command));
  }
  return keyboard;
}

async function sendUndone({ core }: Deps, reader: Reader, of: UndoneResult): Promise<Shown> {
  const { batchId, jobId } = of;
  const found = core.batches.find(reader.actor, batchId);
  if (found?.isBeingUndone) {
    const rest = { of, waitsFor: `job:${jobId}` };
    return found.added < SHOWN_FROM_CODES ? { rest } : { html: reader.say('undo-running'), goesOn: rest };
  }
  const stockKeys = await core.batches.findTakenBack(reader.actor, batchId, AT_ANY_AGE);
  const taken = count(stockKeys ?? []);
  const fate = await core.batches.findFate(reader.actor, batchId);
  const held = (fate?.held ?? 0) + (fate?.inDoubt ?? 0);
  const batch = String(batchId);
  const facts = { batch, taken, held, gone: (found?.added ?? taken) - taken - held };
  if (!stockKeys) return { html: reader.say('undo-done-before', facts) };
  if (!found || taken === 0) return { html: reader.say('undo-done', facts) };
  const game = core.games.find(found.gameId);
  const text = stockKeys
    .map(({ denomination, codes }) => {
      const name = game ? labelStockKey(reader, game, denomination) : String(denomination);
      return [`${name}:`, ...codes].join('\n');
    })
    .join('\n\n');
  const caption = reader.say('undo-caption', { ...facts, game: found.gameId });
  return toFile(reader, {
    ...{ name: `batch-${batch}-undone.txt`, text, caption },
    again: `undo-again:${batch}`,
  });
}

async function sendExtracted({ core }: Deps, reader: Reader, of: ExtractedResult): Promise<Shown> {
  const { extractionId, asked, jobId } = of;
  if (jobId !== undefined && core.extractionHistory.isUnderWay(extractionId))
    return { html: reader.say('extract-running'), goesOn: { of, waitsFor: `job:${jobId}` } };
  const found = await core.extractionHistory.findExtraction(reader.actor, extractionId);
  if (!found) return { html: reader.say('button-old') };
  const { gameId, denomination, codes } = found;
  const game = core.games.find(gameId);
  const batch = String(extractionId);
  const stockKey = game ? labelStockKey(reader, game, denomination) : String(denomination);
  const facts = { batch, game: gameId, stockKey, count: codes.length, asked };
  if (codes.length === 0) return { html: reader.say('extract-none', facts) };
  return toFile(reader, {
    name: `codes-${batch}-${denomination}.txt`,
    text: [`${stockKey}:`, ...codes].join('\n'),
    caption: reader.say(codes.length < asked ? 'extract-caption-fewer' : 'extract-caption', facts),
    again: `extract:again:${batch}`,
  });
}

/** Notes whether Telegram took the file; where whoever it is for is gone, or may have it no more, it is told of. */
function noted({ core }: Deps, show: View): View {
  return async (order) => {
    const { extractionId } = order.of as ExtractedResult;
    const { noteSent, noteUnsent } = core.extractionHistory;
    const actor = core.members.findActor(order.telegramId);
    const mayHaveIt = actor !== undefined && grantOf(actor, 'extractCodes') !== 'no';
    const shown = await show(order);
    const isFile = shown !== undefined && 'send' in shown;
    // Where there is no file to show, they are of another account by now.
    if (!mayHaveIt || !isFile) await noteUnsent(extractionId);
    if (!isFile) return shown;
    const noting =
      (send: Sending['send']): Sending['send'] =>
      async (api, chatId, signal) => {
        try {
          await send(api, chatId, signal);
        } catch (error) {
          if (isGone(error)) await noteUnsent(extractionId);
          throw error;
        }
        await noteSent(extractionId);
      };
    const { send, sendBare } = shown;
    return { ...shown, send: noting(send), ...(sendBare && { sendBare: noting(sendBare) }) };
  };
}

const count = (stockKeys: readonly { codes: readonly string[] }[]) =>
  stockKeys.reduce((sum, { codes }) => sum + codes.length, 0);

function formatStock(core: BotDeps['core'], reader: Reader, gameId: string): string {
  const game = core.games.find(gameId);
  if (!game) return '';
  return [...core.codes.countAvailable(reader.actor, gameId)]
    .filter(([, available]) => available > 0)
    .map(([amount, available]) =>
      reader.label('add-stock-line', { stockKey: labelStockKey(reader, game, amount), available }),
    )
    .join('\n');
}
