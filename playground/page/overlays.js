// What lies over the page for a moment: toasts, boxes to be closed, a picture at full size; and copying, which says so.
import { html, nothing, render } from 'lit/html.js';

import { icon, withSigns } from './signs.js';

const TOAST_MS = 3500;
const LEAVING_MS = 250;

/** A line that goes away by itself. */
export function toast(text) {
  const shown = document.createElement('div');
  shown.className = 'toast';
  render(withSigns(text), shown);
  document.getElementById('toasts')?.append(shown);
  setTimeout(() => shown.classList.add('leaving'), TOAST_MS - LEAVING_MS);
  setTimeout(() => shown.remove(), TOAST_MS);
}

/** A box that has to be closed. Resolves true for `yes`, false for anything else (Escape too). */
export function ask({ title, text, yes, no }) {
  return new Promise((resolve) => {
    const box = openBox('box', title ?? text, () => resolve(box.returnValue === 'yes'));
    const heading = title === undefined ? nothing : html`<h2>${withSigns(title)}</h2>`;
    const refuse = html`<button class="soft-button" type="button" @click=${() => box.close()}>${no}</button>`;
    render(
      html`${heading}
        <p>${withSigns(text)}</p>
        <div class="box-buttons">
          ${no === undefined ? nothing : refuse}
          <button class="main-button" type="button" autofocus @click=${() => box.close('yes')}>${yes}</button>
        </div>`,
      box,
    );
    box.showModal();
  });
}

/** A picture at full size; a click or Escape closes it. */
export function showPicture(address, alt) {
  const box = openBox('picture-box', alt, () => undefined);
  render(html`<img src=${address} alt=${alt} />`, box);
  box.addEventListener('click', () => box.close());
  box.showModal();
}

function openBox(kind, label, closed) {
  const box = document.createElement('dialog');
  box.className = kind;
  box.setAttribute('aria-label', label);
  box.addEventListener('close', () => {
    box.remove();
    closed();
  });
  document.body.append(box);
  return box;
}

/** Puts `text` on the clipboard and says what was copied. */
export async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  toast(said);
}

/** The small button beside what can be copied: `label` names it, `value` is copied. */
export function copyButton({ t }, label, value) {
  return html`<button
    class="icon-button small"
    type="button"
    aria-label=${t.copyOf(label)}
    @click=${() => copy(value, t.copied)}
  >
    ${icon('copy')}
  </button>`;
}

// Where the page is not a secure context there is no clipboard to write to.
function copyBySelection(text) {
  const area = document.createElement('textarea');
  area.className = 'unseen';
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
