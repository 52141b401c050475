// The tour on the page: one step at a time, each with its moves and the button that makes the next one; and where it leads at
// its end.
import { html, raw } from 'hono/html';

import { signed } from './message.ts';
import { icon } from './signs.ts';
import { STEPS, type Move, type Step } from './tour.ts';
import { button, copyRow, does, fill, put, sets, type Html, type View } from './view.ts';

const START_LINE = 'TELEGRAM_BOT_TOKEN=… HOST_IDS=… npm start';

/** The panel. */
export function tourView(view: View): Html {
  const { play, t } = view;
  const at = play.tour.at();
  const step = STEPS[at];
  return html`<header class="tour-head">
      <h2>${t.tourTitle}</h2>
      <ol class="rail" aria-label="${t.ticked}: ${play.tour.count()} / ${STEPS.length}">
        ${STEPS.map((one, index) => railStep(view, one, index))}
      </ol>
    </header>
    ${step ? stepView(view, step, at) : endView(view)}`;
}

/** The step as a number, ticked when it has come true; it shows the step and does nothing else. */
function railStep({ play, t, language }: View, { id, title }: Step, at: number): Html {
  const isDone = play.tour.done(id);
  const label = `${at + 1}. ${title[language]}${isDone ? `, ${t.ticked}` : ''}`;
  const current = at === play.tour.at() ? 'step' : 'false';
  return html`<li>
    ${button(
      `rail-step${isDone ? ' done' : ''}`,
      isDone ? icon('check') : `${at + 1}`,
      put({ 'data-step': id, 'aria-label': label, title: title[language], 'aria-current': current }),
      does('tour', { step: at }),
    )}
  </li>`;
}

function stepView(view: View, step: Step, at: number): Html {
  const { play, t, language } = view;
  const isDone = play.tour.done(step.id);
  const made = play.tour.made(view.chat);
  const next = STEPS[at + 1];
  const onward = button(
    'main move-button',
    next ? fill(t.next, next.title[language]) : t.toEnd,
    put({ 'data-key': `next-${at}` }),
    sets({ place: 'tour' }),
    does('tour', { step: at + 1 }),
  );
  return html`<section
    class="step"
    tabindex="-1"
    aria-labelledby="step-title"
    data-step="${step.id}"
    data-key="${step.id}"
  >
    <small>${t.step} ${at + 1} ${t.of} ${STEPS.length}</small>
    <h3 id="step-title">${step.title[language]}</h3>
    <p class="step-why">${step.why[language]}</p>
    <ol class="moves">
      ${step.moves.map((move, place) => moveView(view, move, place < made, !isDone && place === made))}
    </ol>
    <div aria-live="polite">
      ${
        isDone &&
        html`<div class="step-done">
          <p><b>${icon('check')} ${t.cameTrue}</b> ${step.seen[language]}</p>
          ${onward}
        </div>`
      }
    </div>
  </section>`;
}

function moveView(view: View, move: Move, isMade: boolean, isNext: boolean): Html {
  const { t, language } = view;
  const target = move.button?.(view);
  const called = signed(target?.called ?? move.named?.[language] ?? '').toString();
  const words = move.words[language].replace(/\*([^*]+)\*/g, '<b>$1</b>').replace('%', called);
  const make = target
    ? button('main move-button', signed(target.label), put({ 'data-key': move.made.source }), target.act)
    : html`<span class="dots"></span>`;
  return html`<li class="move${isMade ? ' made' : ''}${isNext ? ' next' : ''}">
    <span class="tick" role="img" aria-label="${isMade ? t.ticked : t.toDo}">${isMade && icon('check')}</span>
    <div>
      <p class="move-words">${raw(words)}</p>
      ${isNext && make}
    </div>
  </li>`;
}

const endView = ({ play, t }: View): Html =>
  html`<section class="step" aria-labelledby="step-title" tabindex="-1" data-key="end">
    <h3 id="step-title">${t.endTitle}</h3>
    <p>${t.endWhy}</p>
    <p>${t.tokenAbout}</p>
    ${copyRow(t.copy, START_LINE)}
    <p>${t.httpAbout} <a href="${play.url}/docs" target="_blank" rel="noopener">${t.docs}</a></p>
    <p>${t.codeAbout}</p>
    <p>${t.faultsAbout}</p>
    ${button('button', t.again, does('tour', { step: -1 }), sets({ place: 'tour' }))}
  </section>`;
