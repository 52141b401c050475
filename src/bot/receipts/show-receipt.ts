// A receipt as whoever may see it sees it, for /receipt, deep links and live messages: words, and the buttons under
// them, for copying what it holds and for what comes next. In a group: the way to the private chat.
import { InlineKeyboard } from 'grammy';

import { grantOf, isPlayerId, type Core, type MemberActor, type Redemption } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createMemberView } from '../member-view.ts';
import { zoneOf } from '../moments.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import { toOutgoing, type View } from '../outgoing.ts';
import { renderReceipt, type ReceiptView, isTooLong, nextStep, type ReceiptPlace } from './receipt-text.ts';
import { answerTap, fit, show } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name } from '../texts.ts';

/** The receipt with what is told beside it; undefined when there is none that this member may see. */
export function findReceiptView(core: Core, actor: MemberActor, id: number): ReceiptView | undefined {
  const redemption = core.receipts.find(actor, id);
  if (!redemption) return undefined;
  return {
    redemption,
    facts: core.receiptDetails(actor, redemption),
    game: core.games.find(redemption.gameId),
    timeZone: zoneOf({ core }, actor),
    isSandbox: core.health.isSandbox,
    hasNoOrderList: core.health.hasNoOrderList,
  };
}

/** What is in stock of a denomination of which one was redeemed, for whoever may see that. */
export function countLeft(
  { codes, games }: Core,
  actor: MemberActor,
  { gameId, denomination, state }: Pick<Redemption, 'gameId' | 'denomination' | 'state'>,
): number | undefined {
  if (state !== 'redeemed' || denomination === null || !games.find(gameId)?.database) return undefined;
  return grantOf(actor, 'seeStock') === 'no'
    ? undefined
    : codes.countAvailable(actor, gameId).get(denomination);
}

/** The name of the view. */
export const RECEIPT_SHOWN = 'receipt-shown';

/** `botUsername`: in a group, by it the private chat is reached. */
interface ReceiptShown {
  id: number;
  botUsername?: string | undefined;
}

/**
 * A receipt, or the one sentence for all that are not there or not this person's to see: as a reply, or in place of the
 * message under the pressed button. What it holds is looked up when it is sent, and kept nowhere until then.
 */
export async function showReceipt(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  id: number,
  how: 'reply' | 'edit' = 'reply',
): Promise<void> {
  if (!core.receipts.find(actorOf(ctx), id))
    return show(ctx, ctx.say('receipt-unknown', { id: String(id) }), undefined, how);
  const of: ReceiptShown = { id, botUsername: ctx.isPrivate ? undefined : ctx.me.username };
  const messageId = how === 'edit' ? ctx.callbackQuery?.message?.message_id : undefined;
  answerTap(ctx);
  enqueueAnswer(ctx, { view: RECEIPT_SHOWN, of, messageId });
}

export function createReceiptView(deps: Pick<BotDeps, 'core' | 'texts'>): View {
  const { core, texts } = deps;
  return createMemberView<ReceiptShown>(deps, ({ actor, language, say }, { id, botUsername }) => {
    const view = findReceiptView(core, actor, id);
    if (!view) return { html: say('receipt-unknown', { id: String(id) }) };
    const group = botUsername === undefined ? undefined : { botUsername };
    const place = { texts, language, mayRedeem: grantOf(actor, 'redeem') !== 'no', group };
    return toOutgoing(fit(renderReceipt(view, place)), receiptKeyboard(view, place));
  });
}

/** Telegram copies this much. */
const LONGEST_COPIED = 256;

/** For a receipt where it is shown. */
export function receiptKeyboard(view: ReceiptView, place: ReceiptPlace): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const { id, state, mode } = view.redemption;
  const code = view.redemption.code ?? '';
  const label = (key: string, variables?: Record<string, string>) =>
    place.texts.label(place.language, key, variables);
  if (place.group) {
    const url = `https://t.me/${place.group.botUsername}?start=receipt_${id}`;
    return keyboard.url(label('button-receipt-private'), url);
  }
  addCopies(keyboard, view, label);
  // What is held is for nobody to try elsewhere.
  if (fits(code) && (state === 'redeemed' || state === 'failed'))
    keyboard.copyText(label('button-copy-code'), code);
  keyboard.text(label('button-for-customer'), `receipt:customer:${id}`).row();
  if (place.mayRedeem) addNext(keyboard, view, label);
  if (state === 'redeemed') {
    // Beside another denomination, where that is offered.
    if (!place.mayRedeem || mode !== 'database') keyboard.row();
    keyboard.text(label('button-proof'), `receipt:proof:${id}`);
  }
  return new InlineKeyboard(keyboard.inline_keyboard.filter((row) => row.length > 0));
}

const fits = (text: string) => text.trim() !== '' && text.length <= LONGEST_COPIED;

type Label = (key: string, variables?: Record<string, string>) => string;

function addCopies(keyboard: InlineKeyboard, { redemption, game }: ReceiptView, label: Label): void {
  const { email = '', password = '' } = redemption.credentials ?? {};
  const isSession = game?.receipts === 'session';
  if (fits(email))
    keyboard.copyText(label(isSession ? 'button-copy-account-id' : 'button-copy-login'), email);
  if (fits(password))
    keyboard.copyText(label(isSession ? 'button-copy-session-token' : 'button-copy-password'), password);
  const both = `${email}\n${password}`;
  if (fits(email) && fits(password) && fits(both)) keyboard.copyText(label('button-copy-both'), both);
  if (isTooLong(password)) keyboard.text(label('button-receipt-file'), `receipt:file:${redemption.id}`);
  keyboard.row();
}

function addNext(keyboard: InlineKeyboard, { redemption, facts }: ReceiptView, label: Label): void {
  const { id, state, mode } = redemption;
  const again = `redeem:again:${id}`;
  const change = `redeem:change:${id}`;
  const other = label(mode === 'database' ? 'button-other-denomination' : 'button-other-code');
  if (state === 'redeemed') {
    const { playerId, playerName } = redemption;
    // Not for somebody who was forgotten.
    if (isPlayerId(playerId))
      keyboard.text(label('button-again', { name: name(playerName ?? playerId) }), again);
    if (mode === 'database') keyboard.row().text(other, change);
  }
  if (state !== 'failed') return;
  switch (nextStep(redemption, facts)) {
    case 'other-denomination':
      keyboard.text(other, change).row().text(label('button-stock'), commandData('stock'));
      return;
    case 'other-code':
      keyboard.text(other, change);
      return;
    case 'other-player':
      keyboard.text(label('button-other-player'), `redeem:player:${id}`);
      return;
    case 'again':
    case 'later':
      keyboard.text(label('button-try-again'), again).row().text(other, change);
  }
}
