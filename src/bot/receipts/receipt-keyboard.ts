// The buttons under a receipt: copying what it holds, and what comes next. In a group: the way to the private chat.
import { InlineKeyboard } from 'grammy';

import { commandData } from '../prompts/command-buttons.ts';
import { isTooLong, nextStep, type ReceiptPlace, type ReceiptView } from './receipt-text.ts';
import { name } from '../texts.ts';

/** Telegram copies this much. */
const LONGEST_COPIED = 256;

/** For a receipt where it is shown. */
export function receiptKeyboard(view: ReceiptView, place: ReceiptPlace): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const { id, code = '', state } = view.redemption;
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
    keyboard.text(label('button-again', { name: name(redemption.playerName ?? redemption.playerId) }), again);
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
