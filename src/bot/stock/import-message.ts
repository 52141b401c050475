// The message of an import: its preview, below the last piece, a moment after the last of them came. Where something came
// after it, it is posted anew and the old one removed. Which message it is, the import knows, also after a restart.
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import { isRefusal } from '../replies.ts';
import { toOutgoing, toOutgoingRow, type View } from '../outgoing.ts';
import { renderPaste, showImport, type PreviewNote } from './preview-message.ts';

/** The name of the view. */
export const IMPORT = 'import';

/** A client sends the pieces of one paste within moments: who shows each says the same thing many times. */
const AFTER_A_PIECE = { quietMs: 400, mostMs: 3_000 };
const AT_ONCE = { quietMs: 0, mostMs: 0 };
/** Less is read in a moment: showing that it is would only delay the answer. */
const SHOWN_FROM_PIECES = 10;

export interface ShownImport {
  /** Said above it. */
  note?: PreviewNote | undefined;
  /** The denominations are offered, whatever the codes say that they are worth. */
  another?: boolean | undefined;
  /** The message that becomes that of the import, in place of a new one. */
  messageId?: number | undefined;
}

/**
 * `isBelow`: where something came since, it is shown below that; `asksForMore`: more is to be pasted, below the preview;
 * `isRead`: that it is being read was shown.
 */
interface ImportOrder extends ShownImport {
  importId: number;
  isBelow?: boolean;
  asksForMore?: boolean;
  isRead?: boolean;
}

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

type Enqueuing = Pick<BotDeps, 'core'>;

/** A piece came for it: shown below what came last, or in the message that is named. */
export const showPiece = (
  deps: Enqueuing,
  ctx: BotContext,
  importId: number,
  { note, messageId }: Pick<ShownImport, 'note' | 'messageId'> = {},
) => {
  const isBelow = messageId === undefined;
  return enqueueImport(deps, ctx, { importId, note, messageId, isBelow }, AFTER_A_PIECE);
};

/** Shows how it stands now. */
export const showNow = (deps: Enqueuing, ctx: BotContext, importId: number, how: ShownImport = {}) =>
  enqueueImport(deps, ctx, { importId, ...how }, AT_ONCE);

/** Asks for more of it. */
export const askForMore = (deps: Enqueuing, ctx: BotContext, importId: number) =>
  enqueueImport(deps, ctx, { importId, asksForMore: true }, AT_ONCE);

function enqueueImport({ core }: Enqueuing, ctx: BotContext, of: ImportOrder, renewed: typeof AT_ONCE): void {
  const actor = actorOf(ctx);
  const { shownIn } = core.imports.describe(actor, of.importId);
  const order = { view: IMPORT, of, telegramId: actor.telegramId, language: ctx.language };
  const content = { ...order, messageId: of.messageId ?? shownIn };
  const row = toOutgoingRow(`${IMPORT}:${of.importId}`, actor.telegramId, content);
  ctx.turn.add({ ...row, kind: 'answer', renewed });
}

/** Takes a message away; where Telegram does not, it stays, and its buttons say what they say. */
export async function takeMessage(ctx: BotContext, messageId: number | undefined): Promise<void> {
  if (!ctx.chat || messageId === undefined) return;
  await ctx.api.deleteMessage(ctx.chat.id, messageId).catch((error: unknown) => {
    if (!isRefusal(error, /message to delete not found/)) ctx.turn.forgive(error);
  });
}

/** undefined where it is decided. */
export function createImportView(deps: Deps): View {
  const { imports } = deps.core;
  return createMemberView<ImportOrder>(deps, async (reader, of) => {
    const { importId, messageId, isBelow = false, asksForMore = false, isRead = false } = of;
    const { state, shownIn, ...held } = imports.describe(reader.actor, importId);
    if (state !== 'collecting') return undefined;
    const isLarge = held.files > 0 || held.messages >= SHOWN_FROM_PIECES;
    if (isLarge && (messageId ?? shownIn) !== undefined && !isBelow && !asksForMore && !isRead) {
      const goesOn = { of: { ...of, isRead: true }, waitsFor: `${IMPORT}:${importId}`, lookMs: 0 };
      return { html: reader.say('add-reading'), goesOn };
    }
    const shown = asksForMore
      ? renderPaste(deps, reader, importId)
      : await showImport(deps, reader, importId, of);
    if (!shown) return undefined;
    const move = async (now: number): Promise<boolean> => {
      if (imports.describe(reader.actor, importId).state !== 'collecting') return false;
      if (now !== shownIn) await imports.showIn(reader.actor, importId, now);
      return true;
    };
    const standing = { messageId: isBelow ? shownIn : messageId, before: shownIn, move };
    return { ...toOutgoing(shown.html, shown.keyboard), rings: isBelow, standing };
  });
}
