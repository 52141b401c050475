// Keeps the page as the server draws it, and tells the server what the visitor does. What is open is in the address:
// `data-set` of a button changes that, `data-do` is posted, `data-fill` is written and sent, `data-copy` is copied.

const READ_MS = 450;
const TOAST_MS = 3500;
/** What is said of an element here alone; `data-own` elements keep their attributes, or their children, too. */
const OWN = new Set(['aria-activedescendant', 'aria-busy', 'aria-expanded', 'open']);
const byId = (id) => document.getElementById(id);
const log = () => byId('log');
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

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
      byId('lost').hidden = false;
    }
  }
  drawing = undefined;
}

function show(next) {
  const before = { chat: log().dataset.chat, last: lastMine(), atEnd: isAtEnd() };
  const focused = document.activeElement;
  const message = focused?.closest('[data-message]')?.dataset.key;
  const wasTour = focused?.matches('.tour *, .strip *');
  const due = document.querySelector('.move.next .move-words')?.textContent;
  document.documentElement.lang = next.documentElement.lang;
  morph(document.body, next.body);
  if (before.atEnd || before.chat !== log().dataset.chat || before.last !== lastMine()) toEnd();
  noteEnd();
  const panel = document.querySelector('.move.next, .step-done');
  if (due !== document.querySelector('.move.next .move-words')?.textContent)
    panel?.scrollIntoView({ block: 'nearest' });
  // A button that is gone hands the focus on, so that nobody has to begin at the top of the page.
  const isLost =
    document.activeElement === document.body || document.activeElement?.matches(':disabled, section.step');
  if (isLost && message) document.querySelector(`[data-key="${message}"]`)?.focus({ preventScroll: true });
  else if (isLost && wasTour) {
    const shown = [...document.querySelectorAll('.move-button:enabled')].find((one) => one.offsetParent);
    (shown ?? document.querySelector('section.step'))?.focus({ preventScroll: true });
  }
}

const keyOf = (node) => node.dataset?.key || node.id || undefined;
const isLike = (one, other) => one?.nodeName === other.nodeName && keyOf(one) === keyOf(other);

function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  // A spoiler that was opened stays so until its text is another.
  if (from.dataset.shown !== undefined && from.textContent === to.textContent) return;
  for (const { name, value } of [...to.attributes])
    if (from.getAttribute(name) !== value && !isOwn(from, name)) from.setAttribute(name, value);
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !isOwn(from, name)) from.removeAttribute(name);
  if (from.dataset.own === 'children' && from.id !== 'commands') return;
  if (from.id === 'commands' && !from.hidden) return;
  morphChildren(from, to);
}

const isOwn = (element, name) => OWN.has(name) || (name === 'hidden' && element.dataset.own !== undefined);

function morphChildren(from, to) {
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
function open(query) {
  const address = new URL(location.href);
  const before = address.searchParams.get('as');
  for (const [name, value] of new URLSearchParams(query)) address.searchParams.set(name, value);
  history.replaceState(null, '', address);
  const as = address.searchParams.get('as');
  if (as !== before) return post(`/become?as=${as}`);
  return draw();
}

async function post(path, body) {
  try {
    const answer = await (await fetch(path, { method: 'POST', body })).json();
    if (answer.copy !== undefined) await navigator.clipboard.writeText(answer.copy);
    if (answer.url !== undefined) window.open(answer.url, '_blank', 'noopener,noreferrer');
    if (answer.toast && answer.alert) {
      byId('alert').querySelector('p').textContent = answer.toast;
      byId('alert').showModal();
    } else if (answer.toast) toast(answer.toast);
  } catch {
    toast(byId('lost').textContent);
  }
  await draw();
}

function toast(text) {
  const shown = document.createElement('div');
  shown.className = 'toast';
  shown.textContent = text;
  byId('toasts').append(shown);
  setTimeout(() => shown.remove(), TOAST_MS);
}

/** What is pressed and on its way. */
const pressed = new Set();

/** A second press while the first is on its way does nothing, unless the button has become another meanwhile. */
async function press(button) {
  const { set, do: path, fill, copy, open: box } = button.dataset;
  const act = JSON.stringify([set, path, fill, copy, box]);
  if (pressed.has(act)) return;
  pressed.add(act);
  button.ariaBusy = 'true';
  if (set !== undefined) await open(set);
  if (box !== undefined) byId(box).showModal();
  if (copy !== undefined) {
    await navigator.clipboard.writeText(copy);
    toast(document.body.dataset.copied);
  }
  if (fill !== undefined) {
    write(fill);
    await wait(READ_MS);
    await send();
  }
  if (path !== undefined) await post(path);
  pressed.delete(act);
  button.ariaBusy = null;
}

document.addEventListener('click', ({ target }) => {
  const spoiler = target.closest('.spoiler');
  if (spoiler) return reveal(spoiler);
  const option = target.closest('#commands li');
  if (option) return choose(option);
  const button = target.closest('button');
  if (!button) return;
  if (button.dataset.close !== undefined) button.closest('dialog').close();
  if (button.id === 'menu') return toggleCommands();
  if (button.id === 'to-newest') return log().scrollTo({ top: log().scrollHeight, behavior: 'smooth' });
  if (button.type !== 'submit') void press(button);
});

document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step && target.parentElement?.dataset.arrows !== undefined) {
    event.preventDefault();
    const next = step > 0 ? target.nextElementSibling : target.previousElementSibling;
    next?.focus();
    if (next?.role === 'tab') next.click();
  } else if (target.matches('.spoiler') && (key === 'Enter' || key === ' ')) {
    event.preventDefault();
    reveal(target);
  } else if (target.id === 'message') typed(event);
});

function reveal(spoiler) {
  spoiler.dataset.shown = '';
  spoiler.removeAttribute('role');
  spoiler.removeAttribute('aria-label');
  spoiler.tabIndex = -1;
  spoiler.firstElementChild.inert = false;
}

// Writing.

function write(text) {
  byId('message').value = text;
  byId('message').focus();
}

async function send() {
  const form = byId('composer');
  const body = new FormData(form);
  form.reset();
  offer('');
  if (body.get('text').trim() !== '' || body.get('file').size > 0) await post(form.dataset.do, body);
}

const options = () => [...byId('commands').children];
const shownOptions = () => options().filter((one) => !one.hidden);
const chosen = () => options().find((one) => one.ariaSelected === 'true');

/** The commands that begin so; none for a text that is no command. */
function offer(text) {
  for (const one of options()) {
    one.hidden = !/^\/\w*$/.test(text) || !one.id.startsWith(`command-${text.slice(1).toLowerCase()}`);
    one.ariaSelected = 'false';
  }
  byId('commands').hidden = shownOptions().length === 0;
  byId('menu').ariaExpanded = String(!byId('commands').hidden);
  byId('message').removeAttribute('aria-activedescendant');
}

function toggleCommands() {
  offer(byId('commands').hidden ? '/' : '');
  byId('message').focus();
}

function choose(option) {
  write(option.id.replace('command-', '/'));
  void send();
}

function typed(event) {
  const { key, shiftKey, isComposing } = event;
  const shown = byId('commands').hidden ? [] : shownOptions();
  const step = { ArrowDown: 1, ArrowUp: -1 }[key];
  if (step && shown.length > 0) {
    const at = shown.indexOf(chosen());
    const next = shown.at((at < 0 && step < 0 ? -1 : at + step) % shown.length);
    for (const one of shown) one.ariaSelected = String(one === next);
    next.scrollIntoView({ block: 'nearest' });
    byId('message').setAttribute('aria-activedescendant', next.id);
  } else if (key === 'Escape') offer('');
  else if (key === 'Tab' && !shiftKey && shown.length > 0) {
    write(`${(chosen() ?? shown[0]).id.replace('command-', '/')} `);
    offer('');
  } else if (key === 'Enter' && !shiftKey && !isComposing) {
    if (chosen()) choose(chosen());
    else void send();
  } else return;
  event.preventDefault();
}

document.addEventListener('input', ({ target }) => target.id === 'message' && offer(target.value));
document.addEventListener('change', ({ target }) => {
  if (target.name === 'file') void send();
  if (target.name === 'writer') void open(`writer=${target.value}`);
});
document.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  if (target.closest('#composer') && !relatedTarget?.closest('#composer')) offer('');
});

// The log's end.

const isAtEnd = () => log().scrollHeight - log().scrollTop - log().clientHeight < 48;
const lastMine = () => [...log().querySelectorAll('.mine')].at(-1)?.dataset.key;
const toEnd = () => (log().scrollTop = log().scrollHeight);
const noteEnd = () => (byId('to-newest').hidden = isAtEnd());
log().addEventListener('scroll', noteEnd);
// A picture that came, or another size, does not take the log away from its end.
const keepEnd = () => byId('to-newest').hidden && toEnd();
log().addEventListener('load', keepEnd, true);
window.addEventListener('resize', keepEnd);
toEnd();

const events = new EventSource('/events');
events.onmessage = draw;
events.onopen = () => {
  byId('lost').hidden = true;
  void draw();
};
events.onerror = () => (byId('lost').hidden = false);
