// What a visitor does to a message: a tap on a button, on a command, on a link, a payment. Each says what came of it.
import { act } from './connection.js';
import { isTelegram, safeAddress } from './rich-text.js';
import { ask, copy, toast } from './overlays.js';

/** The acts of the person who writes now. */
export function createActions(state) {
  const here = () => ({ person: state.person(), chat: state.get().chat });

  async function say(text) {
    await perform({ act: 'say', ...here(), text });
  }

  async function openLink(href) {
    const person = state.person();
    const answer = await perform({ act: 'open', person, link: href });
    if (answer.ok && state.get().chat === 'group') state.openChat(person);
  }

  async function pay(message) {
    const { currency, totalAmount } = message.invoice;
    const price = priceOf(currency, totalAmount);
    const sure = await ask({
      title: `Pay ${price}?`,
      text: message.invoice.title,
      yes: 'Pay',
      no: 'Not now',
    });
    if (sure) await perform({ act: 'pay', ...here(), messageId: message.id });
  }

  async function press(message, row, column) {
    const answer = await perform({ act: 'press', ...here(), messageId: message.id, row, column });
    if (answer.ok && answer.url !== undefined) await follow(answer.url);
  }

  async function follow(address) {
    const href = safeAddress(address);
    if (href === undefined) toast('This button has no address that can be opened.');
    else if (isTelegram(href)) await openLink(href);
    else window.open(href, '_blank', 'noopener,noreferrer');
  }

  /** Presses a button of the keyboard, whatever kind it is. */
  async function tap(message, row, column) {
    const button = message.keyboard[row][column];
    if (button.copy_text !== undefined) await copy(button.copy_text.text, 'Copied to the clipboard');
    else if (button.url !== undefined) await follow(button.url);
    else if (button.pay) await pay(message);
    else await press(message, row, column);
  }

  return { say, openLink, pay, tap, command: say, link: openLink };
}

/** Sends an act and shows its answer: a toast, a box with OK, or what went wrong. */
export async function perform(body) {
  const answer = await act(body);
  if (!answer.ok) toast(answer.error);
  else if (answer.toast && answer.alert) await ask({ text: answer.toast });
  else if (answer.toast) toast(answer.toast);
  return answer;
}

/** A price as Telegram writes it: Stars are whole, money is in its smallest unit. */
export function priceOf(currency, amount) {
  if (currency === 'XTR') return `${amount} ⭐`;
  return (amount / 100).toLocaleString('en', { style: 'currency', currency });
}
