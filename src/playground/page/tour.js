// The tour: one step at a time, each with its moves and the button that makes the next one; and where it leads at its end.
import { html, nothing } from 'lit/html.js';
import { classMap } from 'lit/directives/class-map.js';

import { fill, send } from './composer.js';
import { leverOf } from './faults.js';
import { receiptsIn } from './state.js';
import { labelOf } from './message.js';
import { copy } from './overlays.js';
import { icon, withSigns } from './signs.js';
import { STEPS } from './tour-steps.js';

/** Long enough to be read in the field before it is sent. */
const READ_MS = 450;
const START_LINE = 'TELEGRAM_BOT_TOKEN=… HOST_IDS=… npm start';

/** The tab. */
export function tourView(app) {
  const { tour, t } = app;
  return html`<div class="tour">
    <header class="tour-head">
      <h2>${t.tour.title}</h2>
      ${rail(app)}
    </header>
    ${tour.at >= STEPS.length ? endView(app) : stepView(app)}
  </div>`;
}

/** On a phone, over the chat: the next move alone. */
export function tourStrip(app) {
  const { tour, t } = app;
  if (tour.at >= STEPS.length) return nothing;
  const { step, words, made, isDone } = standing(app);
  return html`<section class="strip" aria-label=${t.tour.title}>
    <button class="strip-count" type="button" title=${t.tour.showWhole} @click=${() => app.show('tour')}>
      ${tour.at + 1}/${STEPS.length}<span class="unseen"> ${t.tour.showWhole}</span>
    </button>
    ${
      isDone
        ? html`<p><b>${icon('check')}</b> ${words.title}</p>
            ${nextButton(app)}`
        : html`<p>${wordsOf(app, words, step, made)}</p>
            ${moveButton(app, step.moves[made], t.tour.short)}`
    }
  </section>`;
}

function standing(app) {
  const { tour } = app;
  const step = STEPS[tour.at];
  const words = app.t.tour.steps[step.id];
  return { step, words, made: tour.made(), isDone: tour.done.has(step.id) };
}

/** The steps as numbers, ticked as they come true; each shows its step and does nothing else. */
function rail(app) {
  const { tour, t } = app;
  return html`<ol class="rail" aria-label=${t.tour.progress(tour.done.size, STEPS.length)}>
    ${STEPS.map(({ id }, at) => {
      const isDone = tour.done.has(id);
      const label = `${at + 1}. ${t.tour.steps[id].title}${isDone ? `, ${t.tour.ticked}` : ''}`;
      return html`<li>
        <button
          class=${classMap({ 'rail-step': true, done: isDone })}
          type="button"
          data-step=${id}
          title=${t.tour.steps[id].title}
          aria-label=${label}
          aria-current=${at === tour.at ? 'step' : 'false'}
          @click=${() => tour.go(at)}
        >
          ${isDone ? icon('check') : at + 1}
        </button>
      </li>`;
    })}
  </ol>`;
}

function stepView(app) {
  const { tour, t } = app;
  const { step, words, made, isDone } = standing(app);
  const moves = step.moves.map((move, at) => moveView(app, { step, words, move, at, made, isDone }));
  return html`<section
    class="step"
    aria-labelledby="step-title"
    data-step=${step.id}
    data-done=${String(isDone)}
  >
    <p class="step-count">${t.tour.stepOf(tour.at + 1, STEPS.length)}</p>
    <h3 id="step-title">${words.title}</h3>
    <p class="step-why">${words.why}</p>
    <ol class="moves">
      ${moves}
    </ol>
    ${!isDone && made === step.moves.length ? waitingLine() : nothing}
    <div aria-live="polite">${isDone ? doneView(app, words) : nothing}</div>
  </section>`;
}

function moveView(app, { step, words, move, at, made, isDone }) {
  const isMade = isDone || at < made;
  const isNext = !isDone && at === made;
  return html`<li class=${classMap({ move: true, made: isMade, next: isNext })} data-move=${move.do}>
    <span class="tick" role="img" aria-label=${isMade ? app.t.tour.ticked : app.t.tour.toDo}
      >${isMade ? icon('check') : nothing}</span
    >
    <div>
      <p class="move-words">${wordsOf(app, words, step, at)}</p>
      ${isNext ? moveButton(app, move, app.t.tour.buttons) : nothing}
    </div>
  </li>`;
}

function wordsOf(app, words, step, at) {
  const said = words.moves[Math.min(at, step.moves.length - 1)];
  if (typeof said !== 'function') return said;
  const label = targetOf(app, step.moves[at] ?? step.moves.at(-1))?.label;
  return said(label && withSigns(label));
}

/** The button that makes the move as a person would; what it needs may still be on its way. */
function moveButton(app, move, labels) {
  if (move === undefined || move.do === 'watch') return waitingLine();
  const target = targetOf(app, move);
  const isMissing = ['press', 'receipt', 'pay', 'look'].includes(move.do) && target === undefined;
  return html`<button
    class="main-button move-button"
    type="button"
    ?disabled=${isMissing || app.tour.isMoving}
    @click=${() => makeOnce(app, move, target)}
  >
    ${isMissing ? app.t.tour.waiting : withSigns(labels[move.do](move, target?.label, app.t))}
  </button>`;
}

function waitingLine() {
  return html`<p class="waiting-line" aria-hidden="true">
    <span class="dots"><i></i><i></i><i></i></span>
  </p>`;
}

/** A second press while the first is written, or is on its way, makes nothing twice. */
async function makeOnce(app, move, target) {
  app.tour.isMoving = true;
  app.changed();
  // A press is answered when the bot has handled it; the next move may be due before.
  if (move.do === 'press') void makeMove(app, move, target);
  else await makeMove(app, move, target);
  app.tour.isMoving = false;
  app.changed();
}

function makeMove(app, move, target) {
  switch (move.do) {
    case 'become':
      return app.become(move.who);
    case 'copy':
      return app.copySample(app.samples.find(({ key }) => key === move.key));
    case 'paste':
      return write(app, move.chat, app.copied ?? app.samples.find(({ key }) => key === move.key).text);
    case 'say':
      return write(app, move.chat, move.text);
    case 'lever':
      return app.pull(leverOf(move.id));
    default:
      if (app.chat !== move.chat || app.layout === 'narrow') app.become(move.chat);
      return target.act();
  }
}

async function write(app, chat, text) {
  app.become(chat);
  // The chat is drawn first: on a phone it was not there.
  await pause(0);
  fill(text);
  await pause(READ_MS);
  await send(app);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What the move presses in the chat, and how it is called there now; undefined while the bot has not answered. */
function targetOf(app, move) {
  const messages = app.messagesOf(move.chat).reverse();
  switch (move.do) {
    case 'press':
      return findKey(app, messages, ({ callback_data: data }) => move.data.test(data ?? ''));
    case 'pay':
      return findKey(app, messages, (button, { invoice }) => button.pay && invoice && !invoice.isPaid);
    case 'receipt': {
      const [receipt] = messages.flatMap(receiptsIn);
      return receipt && { label: `/receipt_${receipt}`, act: () => app.say(`/receipt_${receipt}`) };
    }
    case 'look':
      return findLook(app, messages, move);
    default:
      return undefined;
  }
}

function findKey(app, messages, matches) {
  for (const message of messages) {
    for (const [row, buttons] of message.keyboard.entries()) {
      const column = buttons.findIndex((button) => matches(button, message));
      if (column >= 0)
        return {
          label: labelOf(app, buttons[column], message.invoice),
          act: () => app.tap(message, row, column),
        };
    }
  }
  return undefined;
}

function findLook(app, messages, move) {
  const message = messages.find((one) => receiptsIn(one).length === 1);
  if (!message) return undefined;
  const [id] = receiptsIn(message);
  if (move.kind === 'redemption') {
    return { label: app.t.behindRedemption(id), act: () => app.lookBehind({ kind: 'redemption', id }) };
  }
  return {
    label: app.t.behindMessage,
    act: () => app.lookBehind({ kind: 'message', chat: move.chat, id: message.id }),
  };
}

function doneView(app, words) {
  return html`<div class="step-done">
    <p><b>${icon('check')} ${app.t.tour.cameTrue}</b> ${words.seen}</p>
    ${nextButton(app)}
  </div>`;
}

function nextButton(app) {
  const { tour, t } = app;
  const next = STEPS[tour.at + 1];
  const go = () => {
    tour.go(tour.at + 1);
    if (!next) app.show('tour');
  };
  return html`<button class="main-button move-button" type="button" @click=${go}>
    ${next ? t.tour.next(t.tour.steps[next.id].title) : t.tour.toEnd}
  </button>`;
}

function endView(app) {
  const { t } = app;
  const { end } = t.tour;
  return html`<section class="step end" aria-labelledby="step-title">
    <h3 id="step-title">${end.title}</h3>
    <p class="step-why">${end.why}</p>
    <ul class="leads">
      <li>
        <h4>${end.token}</h4>
        <p>${end.tokenAbout}</p>
        <div class="copy-line">
          <code>${START_LINE}</code>
          <button
            class="icon-button small"
            type="button"
            aria-label=${t.copyOf(START_LINE)}
            @click=${() => copy(START_LINE, t.copied)}
          >
            ${icon('copy')}
          </button>
        </div>
      </li>
      <li>
        <h4>${end.http}</h4>
        <p>${end.httpAbout}</p>
        <button class="soft-button small" type="button" @click=${() => app.show('http')}>
          ${end.httpButton}
        </button>
        <a class="soft-button small" href=${app.service.docsUrl} target="_blank" rel="noopener"
          >${t.docs}${icon('link')}</a
        >
      </li>
      <li>
        <h4>${end.code}</h4>
        <p>${end.codeAbout}</p>
      </li>
      <li>
        <h4>${end.faults}</h4>
        <p>${end.faultsAbout}</p>
        <button class="soft-button small" type="button" @click=${() => app.show('faults')}>
          ${end.faultsButton}
        </button>
      </li>
    </ul>
    <button class="text-link" type="button" @click=${() => app.tour.restart()}>${end.again}</button>
  </section>`;
}
