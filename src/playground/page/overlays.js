// What lies over the page for a moment: toasts, boxes with OK, a picture at full size; and copying, which says so.
import { byId, el } from './dom.js';
import { withSigns } from './emoji.js';

const TOAST_MS = 3500;

/** A line that goes away by itself. */
export function toast(text) {
  const shown = el('div', { class: 'toast' }, withSigns(text));
  byId('toasts').append(shown);
  setTimeout(() => shown.classList.add('leaving'), TOAST_MS - 250);
  setTimeout(() => shown.remove(), TOAST_MS);
}

/** A box that has to be closed. Resolves true for `yes`, false for anything else (Escape too). */
export function ask({ title, text, yes = 'OK', no }) {
  return new Promise((resolve) => {
    const box = el(
      'dialog',
      { class: 'box', 'aria-label': title ?? text },
      title === undefined ? undefined : el('h2', {}, withSigns(title)),
      text === undefined ? undefined : el('p', {}, withSigns(text)),
    );
    const buttons = el('div', { class: 'box-buttons' });
    if (no !== undefined) {
      buttons.append(
        el('button', { class: 'soft-button', type: 'button', text: no, onclick: () => box.close() }),
      );
    }
    const accept = el('button', {
      class: 'main-button',
      type: 'button',
      text: yes,
      onclick: () => box.close('yes'),
    });
    buttons.append(accept);
    box.append(buttons);
    openBox(box, () => resolve(box.returnValue === 'yes'));
    accept.focus();
  });
}

/** A picture at full size; a click or Escape closes it. */
export function showPicture(address) {
  const close = () => box.close();
  const picture = el('img', { src: address, alt: 'The picture at full size' });
  const box = el('dialog', { class: 'picture-box', 'aria-label': 'Picture', onclick: close }, picture);
  openBox(box, () => undefined);
}

function openBox(box, closed) {
  box.addEventListener('close', () => {
    box.remove();
    closed();
  });
  document.body.append(box);
  box.showModal();
}

/** Puts `text` on the clipboard and says what was copied. */
export async function copy(text, said = 'Copied') {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  toast(said);
}

// Where the page is not a secure context there is no clipboard to write to.
function copyBySelection(text) {
  const area = el('textarea', { class: 'off-screen' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
