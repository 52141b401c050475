// The tour on the page: one step at a time, each with its moves and the button that makes the next one; and where it leads at
// its end.
import { html, raw } from 'hono/html';

import { nameOf } from './chat.ts';
import { labelOf, isPaid, opensPay, signed, tap } from './message.ts';
import type { PersonKey } from './personas.ts';
import { icon, withSigns } from './signs.ts';
import { receiptsIn, STEPS, type Move, type Step } from './tour.ts';
import { copies, data, does, fill, sets, type Html, type Raw, type View } from './view.ts';

const START_LINE = 'TELEGRAM_BOT_TOKEN=… HOST_IDS=… npm start';

/** What a move presses, and how it is called there now. */
interface Target {
  label: string;
  act: Raw;
}

/** The panel. */
export function tourView(view: View): Html {
  const { play, t } = view;
  return html`<header class="tour-head">
      <h2>${t.tourTitle}</h2>
      <ol class="rail" aria-label="${t.ticked}: ${play.tour.count()} / ${STEPS.length}">
        ${STEPS.map((step, at) => railStep(view, step, at))}
      </ol>
    </header>
    ${stepView(view)}`;
}

/** Where the tour is not beside the chat: its next move alone. */
export function tourStrip(view: View): Html {
  const { play, t, language } = view;
  const at = play.tour.at();
  const step = STEPS[at];
  if (!step) return raw('');
  const made = play.tour.made(view.chat);
  const isDone = play.tour.done(step.id);
  return html`<section class="strip" aria-label="${t.tourTitle}">
    <button class="strip-count" type="button" ${sets({ place: 'tour', side: 'tour' })}>
      <span class="unseen">${t.tourTitle} </span>${at + 1}/${STEPS.length}
    </button>
    ${
      isDone
        ? html`<p><b>${icon('check')}</b> ${step.title[language]}</p>
            ${nextButton(view, at)}`
        : html`<p>${wordsOf(view, step.moves[made] ?? step.moves.at(-1)!)}</p>
            ${moveButton(view, step.moves[made])}`
    }
  </section>`;
}

/** The step as a number, ticked when it has come true; it shows the step and does nothing else. */
function railStep({ play, t, language }: View, { id, title }: Step, at: number): Html {
  const isDone = play.tour.done(id);
  return html`<li>
    <button
      class="rail-step${isDone ? ' done' : ''}"
      type="button"
      data-step="${id}"
      title="${title[language]}"
      aria-label="${at + 1}. ${title[language]}${isDone ? `, ${t.ticked}` : ''}"
      aria-current="${at === play.tour.at() ? 'step' : 'false'}"
      ${does('tour', { step: at })}
    >
      ${isDone ? icon('check') : at + 1}
    </button>
  </li>`;
}

function stepView(view: View): Html {
  const { play, t, language } = view;
  const at = play.tour.at();
  const step = STEPS[at];
  if (!step) return endView(view);
  const isDone = play.tour.done(step.id);
  const made = play.tour.made(view.chat);
  return html`<section
    class="step"
    tabindex="-1"
    aria-labelledby="step-title"
    data-step="${step.id}"
    data-key="${step.id}"
  >
    <p class="step-count">${t.step} ${at + 1} ${t.of} ${STEPS.length}</p>
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
          ${nextButton(view, at)}
        </div>`
      }
      ${!isDone && made === step.moves.length && waitingLine()}
    </div>
  </section>`;
}

function moveView(view: View, move: Move, isMade: boolean, isNext: boolean): Html {
  return html`<li class="move${isMade ? ' made' : ''}${isNext ? ' next' : ''}">
    <span class="tick" role="img" aria-label="${isMade ? view.t.ticked : view.t.toDo}"
      >${isMade && icon('check')}</span
    >
    <div>
      <p class="move-words">${wordsOf(view, move)}</p>
      ${isNext && moveButton(view, move)}
    </div>
  </li>`;
}

function wordsOf(view: View, move: Move): Html {
  const { language } = view;
  const words = move.words[language];
  const label = words.includes('%') ? (labelOfMove(view, move) ?? move.named?.[language] ?? '') : '';
  const [before = '', after] = words.split('%');
  const bold = (text: string) => text.replace(/\*([^*]+)\*/g, '<b>$1</b>');
  const whole = after === undefined ? before : `${before}${signed(label)}${after}`;
  return raw(bold(whole));
}

const labelOfMove = (view: View, move: Move): string | undefined =>
  move.do === 'become' ? nameOf(view, move.chat) : targetOf(view, move)?.label;

/** The button that makes the move as a person would; what it needs may still be on its way. */
function moveButton(view: View, move: Move | undefined): Html {
  if (move === undefined || move.do === 'watch') return waitingLine();
  const made = buttonOf(view, move);
  return html`<button
    class="main-button move-button"
    type="button"
    data-key="${move.made.source}"
    ${made ? made.act : raw('disabled')}
  >
    ${raw(withSigns(made?.label ?? view.t.waiting))}
  </button>`;
}

/** How the tour calls a move, and what it does for it; undefined while the bot has not answered. */
function buttonOf(view: View, move: Move): Target | undefined {
  const { play, t, language } = view;
  switch (move.do) {
    case 'become':
      return { label: fill(t.become, nameOf(view, move.chat)), act: inChat(move.chat) };
    case 'copy':
      return { label: move.button[language], act: does('copy', { key: move.key }) };
    case 'paste': {
      const text = move.before + play.copied(move.key);
      return { label: t.paste, act: raw(inChat(move.chat) + data('fill', text)) };
    }
    case 'say':
      return { label: t.writeForMe, act: raw(inChat(move.chat) + data('fill', move.text)) };
    case 'kill':
      return { label: t.kill, act: does('kill') };
    case 'watch':
      return undefined;
    default: {
      const target = targetOf(view, move);
      const label =
        target && { press: t.press, receipt: t.open, pay: '%', console: '%', story: '%' }[move.do];
      return target && { label: fill(label ?? '%', target.label), act: target.act };
    }
  }
}

const inChat = (chat: PersonKey): Raw => sets({ as: chat, place: 'chat' });

function targetOf(view: View, move: Move): Target | undefined {
  if (!('chat' in move)) return undefined;
  const { play, t } = view;
  const there = { ...view, chat: move.chat, writer: move.chat };
  const messages = play.messages(move.chat).reverse();
  const shown = (label: string, act: Raw) => ({ label, act: raw(inChat(move.chat) + act) });
  if (move.do === 'console') return shown(t.openConsole, does('console', { as: move.chat, chat: move.chat }));
  if (move.do === 'receipt' || move.do === 'story') {
    const [receipt] = messages.flatMap(receiptsIn);
    if (receipt === undefined) return undefined;
    if (move.do === 'story') return { label: fill(t.story, receipt), act: does('story', { receipt }) };
    const text = `/receipt_${receipt}`;
    return shown(text, does('say', { as: move.chat, chat: move.chat, text }));
  }
  for (const message of messages) {
    const { invoice, markup } = message;
    if (move.do === 'pay' && invoice && !isPaid(there, invoice)) {
      const label = labelOf(
        there,
        message.buttons.find(({ pay }) => pay) ?? { text: 'Pay ⭐1', pay: true },
        invoice,
      );
      return { label, act: opensPay(message) };
    }
    if (move.do !== 'press') continue;
    for (const [row, buttons] of (markup?.inline_keyboard ?? []).entries()) {
      const column = buttons.findIndex(({ callback_data: data }) => move.data.test(data ?? ''));
      const button = buttons[column];
      if (button) return shown(button.text, tap(there, message, button, { row, column }));
    }
  }
  return undefined;
}

const waitingLine = (): Html =>
  html`<p class="waiting-line" aria-hidden="true">
    <span class="dots"></span>
  </p>`;

function nextButton({ t, language }: View, at: number): Html {
  const next = STEPS[at + 1];
  return html`<button
    class="main-button move-button"
    type="button"
    data-key="next-${at}"
    ${sets({ place: 'tour', side: 'tour' })}${does('tour', { step: at + 1 })}
  >
    ${next ? fill(t.next, next.title[language]) : t.toEnd}
  </button>`;
}

function endView({ play, t }: View): Html {
  return html`<section class="step end" aria-labelledby="step-title" tabindex="-1" data-key="end">
    <h3 id="step-title">${t.endTitle}</h3>
    <p class="step-why">${t.endWhy}</p>
    <h4>${t.token}</h4>
    <p>${t.tokenAbout}</p>
    <div class="copy-row wide">
      <code>${START_LINE}</code
      ><button class="icon-button" type="button" aria-label="${t.copy}: ${START_LINE}" ${copies(START_LINE)}>
        ${icon('copy')}
      </button>
    </div>
    <h4>${t.http}</h4>
    <p>${t.httpAbout}</p>
    <a class="soft-button" href="${play.url}/docs" target="_blank" rel="noopener">${t.docs}${icon('link')}</a>
    <h4>${t.code}</h4>
    <p>${t.codeAbout}</p>
    <h4>${t.faults}</h4>
    <p>${t.faultsAbout}</p>
    <button class="soft-button to-samples" type="button" ${sets({ place: 'account', side: 'account' })}>
      ${t.samplesTitle}
    </button>
    <button class="text-link" type="button" ${does('tour', { step: -1 })}>${t.again}</button>
  </section>`;
}
