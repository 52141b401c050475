// The tour: one step at a time, each with its moves and the button that makes the next one; and where it leads at its end.
import { html, nothing } from 'lit/html.js';
import { classMap } from 'lit/directives/class-map.js';

import { copyButton } from './overlays.js';
import { docsLink } from './programs.js';
import { icon, withSigns } from './signs.js';
import { makeOnce, targetOf } from './tour-moves.js';
import { STEPS } from './tour-steps.js';

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
  const { step, words, made, isDone } = progressOf(app);
  return html`<section class="strip" aria-label=${t.tour.title}>
    <button class="strip-count" type="button" title=${t.tour.showWhole} @click=${() => app.show('tour')}>
      ${tour.at + 1}/${STEPS.length}<span class="unseen"> ${t.tour.showWhole}</span>
    </button>
    ${
      isDone
        ? html`<p><b>${icon('check')}</b> ${words.title}</p>
            ${nextButton(app, true)}`
        : html`<p>${wordsOf(app, words, step, made)}</p>
            ${moveButton(app, step.moves[made], t.tour.short)}`
    }
  </section>`;
}

let shown = '';

/** Called before a drawing; the answer, called after it, keeps what is due in sight, and under the keyboard of whoever was there. */
export function rememberTour(app) {
  const focused = document.activeElement;
  const wasHere = focused?.closest?.('.tour, .strip') !== null && focused !== document.body;
  return () => {
    if (app.tour.at < STEPS.length) keepInSight(app);
    if (!wasHere) return;
    const now = document.activeElement;
    // The move is made and its button gone, or due and not ready yet: then the step itself holds the place.
    if (now !== document.body && !now.matches('section.step, button:disabled')) return;
    const due = document.querySelector('.move-button:enabled') ?? document.querySelector('section.step');
    due?.focus({ preventScroll: true });
  };
}

function keepInSight(app) {
  const { step, made, isDone } = progressOf(app);
  const now = `${step.id} ${made} ${isDone}`;
  if (now === shown) return;
  shown = now;
  const place = document.querySelector(isDone ? '.step-done' : '.move.next');
  if (made === 0 && !isDone) document.querySelector('.tour')?.parentElement.scrollTo({ top: 0 });
  else place?.scrollIntoView({ block: 'nearest' });
}

function progressOf(app) {
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
  const { step, words, made, isDone } = progressOf(app);
  const moves = step.moves.map((move, at) => moveView(app, { step, words, move, at, made, isDone }));
  return html`<section
    class="step"
    tabindex="-1"
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
  const isMissing = ['press', 'receipt', 'pay', 'story'].includes(move.do) && target === undefined;
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

function doneView(app, words) {
  return html`<div class="step-done">
    <p><b>${icon('check')} ${app.t.tour.cameTrue}</b> ${words.seen}</p>
    ${nextButton(app)}
  </div>`;
}

function nextButton(app, isShort = false) {
  const { tour, t } = app;
  const next = STEPS[tour.at + 1];
  const wholeLabel = next ? t.tour.next(t.tour.steps[next.id].title) : t.tour.toEnd;
  const label = next && isShort ? t.tour.nextShort : wholeLabel;
  const go = () => {
    tour.go(tour.at + 1);
    app.show('tour');
  };
  return html`<button class="main-button move-button" type="button" @click=${go}>${label}</button>`;
}

function endView(app) {
  const { t } = app;
  const { end } = t.tour;
  return html`<section class="step end" aria-labelledby="step-title" tabindex="-1">
    <h3 id="step-title">${end.title}</h3>
    <p class="step-why">${end.why}</p>
    <ul class="leads">
      <li>
        <h4>${end.token}</h4>
        <p>${end.tokenAbout}</p>
        <div class="copy-line">
          <code>${START_LINE}</code>
          ${copyButton(app, START_LINE, START_LINE)}
        </div>
      </li>
      <li>
        <h4>${end.http}</h4>
        <p>${end.httpAbout}</p>
        ${docsLink(app)}
      </li>
      <li>
        <h4>${end.code}</h4>
        <p>${end.codeAbout}</p>
      </li>
      <li>
        <h4>${end.faults}</h4>
        <p>${end.faultsAbout}</p>
        ${app.layout === 'wide' ? nothing : samplesButton(app)}
      </li>
    </ul>
    <button class="text-link" type="button" @click=${() => app.tour.restart()}>${end.again}</button>
  </section>`;
}

/** Where they are not beside it already. */
const samplesButton = (app) =>
  html`<button class="soft-button small" type="button" @click=${() => app.show('account')}>
    ${app.t.samplesTitle}
  </button>`;
