// Keeps the page as the server draws it, and tells the server what the visitor does. What is open is in the address:
// `data-set` of a button changes that, `data-do` is posted, `data-fill` is written and sent, `data-copy` is copied.

const READ_MS = 450;
const TOAST_MS = 3500;
const byId = (id) => document.getElementById(id);
const log = () => byId('log');

// Drawing.

let drawing;
let stale = false;

/** One at a time; what changes meanwhile is drawn once more. Resolves when what is so now is drawn. */
function draw() {
  stale = true;
  return (drawing ??= redraw());
}

async function redraw() {
  while (stale) {
    stale = false;
    try {
      const answer = await fetch(location.href);
      show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
    } catch {
      document.body.dataset.lost = '';
    }
  }
  drawing = undefined;
}

function show(next) {
  const before = { chat: log().dataset.chat, last: lastMine(), atEnd: isAtEnd() };
  const focused = document.activeElement;
  const message = focused?.closest('[data-message]')?.dataset.key;
  const wasTour = focused?.matches('.tour *');
  const due = document.querySelector('.move.next')?.textContent;
  document.documentElement.lang = next.documentElement.lang;
  morph(document.body, next.body);
  if (before.atEnd || before.chat !== log().dataset.chat || before.last !== lastMine()) toEnd();
  if (due !== document.querySelector('.move.next')?.textContent)
    document.querySelector('.move.next, .step-done')?.scrollIntoView({ block: 'nearest' });
  // A button that is gone hands the focus on, so that nobody has to begin at the top of the page.
  if (document.activeElement !== document.body && !document.activeElement.matches('section.step')) return;
  const heir = wasTour ? '.move-button' : message && `[data-key="${message}"]`;
  if (heir)
    (document.querySelector(heir) ?? document.querySelector('section.step'))?.focus({ preventScroll: true });
}

const keyOf = (node) => node.dataset?.key || node.id || undefined;
const isLike = (one, other) => one?.nodeName === other.nodeName && keyOf(one) === keyOf(other);

/** What `data-own` marks is the page's own: whether it is hidden, and what is in it. */
function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  // A spoiler that was opened stays so until its text is another.
  if (
    from.dataset.own !== undefined ||
    (from.dataset.shown !== undefined && from.textContent === to.textContent)
  )
    return;
  for (const { name, value } of [...to.attributes])
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && name !== 'aria-busy') from.removeAttribute(name);
  const wanted = new Set([...to.children].map(keyOf).filter(Boolean));
  let at = from.firstChild;
  const drop = () => {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  };
  for (const next of [...to.childNodes]) {
    const key = keyOf(next);
    const known = key && [...from.children].find((one) => isLike(one, next));
    while (at && at !== known && keyOf(at) && !wanted.has(keyOf(at))) drop();
    const match = known || (isLike(at, next) ? at : undefined);
    if (!match) {
      from.insertBefore(document.importNode(next, true), at);
      continue;
    }
    if (match !== at) from.insertBefore(match, at);
    else at = at.nextSibling;
    morph(match, next);
  }
  while (at) drop();
}

// Doing.

/** Changes what is open, and draws it. */
async function open(query) {
  const address = new URL(location.href);
  const before = address.searchParams.get('as');
  for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
  history.replaceState(null, '', address);
  const as = address.searchParams.get('as');
  if (as !== before) await post(`/become?as=${as}`);
  return draw();
}

async function post(path, body) {
  try {
    const answer = await (await fetch(path, { method: 'POST', body })).json();
    if (answer.copy !== undefined) await navigator.clipboard.writeText(answer.copy);
    if (answer.url !== undefined) window.open(answer.url, '_blank', 'noopener,noreferrer');
    if (answer.toast) toast(answer.toast);
  } catch {
    toast(byId('lost').textContent);
  }
  void draw();
}

function toast(text) {
  const shown = document.createElement('div');
  shown.textContent = text;
  byId('toasts').append(shown);
  setTimeout(() => shown.remove(), TOAST_MS);
}

/** What is pressed and on its way. */
const pressed = new Set();

/** A second press while the first is on its way does nothing, unless the button has become another meanwhile. */
async function press(button) {
  const { set, do: path, fill, copy } = button.dataset;
  const act = JSON.stringify([set, path, fill, copy]);
  if (pressed.has(act)) return;
  pressed.add(act);
  button.ariaBusy = 'true';
  button.closest('[popover]')?.hidePopover();
  if (set !== undefined) await open(set);
  if (copy !== undefined) {
    await navigator.clipboard.writeText(copy);
    toast(document.body.dataset.copied);
  }
  if (fill !== undefined) {
    byId('message').value = fill;
    byId('message').focus();
    await new Promise((resolve) => setTimeout(resolve, READ_MS));
    await send();
  }
  if (path !== undefined) await post(path);
  pressed.delete(act);
  button.ariaBusy = null;
}

async function send() {
  const form = byId('composer');
  const body = new FormData(form);
  form.reset();
  if (body.get('text').trim() !== '' || body.get('file').size > 0) await post(form.dataset.do, body);
}

function reveal(spoiler) {
  spoiler.dataset.shown = '';
  spoiler.removeAttribute('role');
  spoiler.removeAttribute('aria-label');
  spoiler.tabIndex = -1;
  spoiler.firstElementChild.inert = false;
}

document.addEventListener('click', ({ target }) => {
  const spoiler = target.closest('.spoiler');
  const button = target.closest('button[type="button"]');
  if (spoiler) reveal(spoiler);
  else if (button) void press(button);
});
document.addEventListener('keydown', (event) => {
  const { target, key, shiftKey, isComposing } = event;
  const sends = target.id === 'message' && key === 'Enter' && !shiftKey && !isComposing;
  if (!sends && !(target.matches('.spoiler') && /^( |Enter)$/.test(key))) return;
  event.preventDefault();
  if (sends) void send();
  else reveal(target);
});
document.addEventListener('change', ({ target }) => target.name === 'file' && send());
document.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

// The log's end, which a picture that came, or another size, does not take away.

const isAtEnd = () => log().scrollHeight - log().scrollTop - log().clientHeight < 48;
const lastMine = () => [...log().querySelectorAll('.mine')].at(-1)?.dataset.key;
const toEnd = () => (log().scrollTop = log().scrollHeight);
let wasAtEnd = true;
log().addEventListener('scroll', () => (wasAtEnd = isAtEnd()));
log().addEventListener('load', () => wasAtEnd && toEnd(), true);
window.addEventListener('resize', () => wasAtEnd && toEnd());
toEnd();

const events = new EventSource('/events');
events.onmessage = draw;
events.onopen = draw;
events.onerror = () => (document.body.dataset.lost = '');
