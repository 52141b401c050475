// How far the tour is: which moves the visitor made, by a button of the tour or by hand, and which steps really came true in
// the service. What was done is kept for this playground; its key tells it from the next.
import { receiptsIn } from './state.js';
import { STEPS } from './tour-steps.js';

/** The progress over one state. `note` hears what the visitor does, `look` what happens. */
export function createTour(app) {
  const tour = { done: new Set(), at: 0, actions: [], from: 0 };
  const seen = { doubted: new Set(), died: false };
  let before;

  const keep = () =>
    localStorage.setItem(storageName(app), JSON.stringify({ done: [...tour.done], at: tour.at }));
  const tick = (id) => {
    if (tour.done.has(id)) return;
    tour.done.add(id);
    keep();
  };

  return Object.assign(tour, {
    note(action) {
      tour.actions.push(action);
      if (action.do === 'story') tick('story');
      // With support's one looks into a receipt.
      if (action.do === 'console' && action.chat !== 'support') tick('console');
      app.changed();
    },
    go(at) {
      tour.at = at;
      tour.from = tour.actions.length;
      keep();
      app.changed();
    },
    restart() {
      tour.done.clear();
      tour.go(0);
    },
    /** How many moves of the step that is open are made. */
    made: () => countMade(app, tour),
    look(event) {
      if (event.kind === 'snapshot') {
        const kept = JSON.parse(localStorage.getItem(storageName(app)) ?? '{"done":[],"at":0}');
        tour.done = new Set(kept.done.filter((id) => STEPS.some((step) => step.id === id)));
        tour.at = Math.min(kept.at ?? 0, STEPS.length);
      }
      if (event.kind === 'message') lookAtMessage(seen, event.message, tick);
      if (event.kind === 'service') lookAtService(seen, before, event.service, tick);
      if (app.service?.state === 'running') before = countsOf(app.service);
    },
  });
}

function storageName(app) {
  return `tour ${app.service?.apiKey ?? ''}`;
}

// While the process is away its figures say nothing.
function countsOf({ stock, quota }) {
  const sum = (of) => stock.reduce((all, one) => all + of(one), 0);
  return {
    stock: sum(({ available, reserved, inDoubt }) => available + reserved + inDoubt),
    open: sum(({ reserved, inDoubt }) => reserved + inDoubt),
    purchased: quota.purchased,
  };
}

function lookAtService(seen, before, service, tick) {
  if (service.state !== 'running') {
    seen.died = true;
    return;
  }
  const now = countsOf(service);
  if (before) {
    if (now.stock > before.stock) tick('add');
    if (now.purchased > before.purchased) tick('buy');
  }
  if (seen.died && now.open === 0) tick('kill');
}

function lookAtMessage(seen, message, tick) {
  const [receipt] = receiptsIn(message);
  if (message.deleted || receipt === undefined || !message.html.includes('<tg-spoiler>')) return;
  if (message.chat === 'support') tick('support');
  else if (message.html.startsWith('❔')) seen.doubted.add(receipt);
  else if (message.html.startsWith('✅')) tick(seen.doubted.has(receipt) ? 'settle' : 'redeem');
}

/** Moves are made in their order; whoever is the right person already has become it. */
function countMade(app, { actions, from, done, at: step }) {
  const { id, moves } = STEPS[step];
  if (done.has(id)) return moves.length;
  let next = from;
  let made = 0;
  for (const move of moves) {
    const found = actions.findIndex((action, at) => at >= next && isActionOf(action, move));
    if (found >= 0) next = found + 1;
    else if (!(move.do === 'become' && app.chat === move.who)) break;
    made += 1;
  }
  return made;
}

function isActionOf(action, move) {
  switch (move.do) {
    case 'become':
      return action.do === 'become' && action.who === move.who;
    case 'copy':
      return action.do === 'copy' && action.key === move.key;
    case 'paste':
      return action.do === 'say' && action.chat === move.chat && /[A-Za-z0-9]{12}/.test(action.text);
    case 'say':
      return action.do === 'say' && action.chat === move.chat && action.text.trim() === move.text;
    case 'press':
      return action.do === 'press' && action.chat === move.chat && move.data.test(action.data);
    case 'receipt':
      return action.do === 'say' && action.chat === move.chat && action.text.startsWith('/receipt_');
    case 'story':
    case 'kill':
      return action.do === move.do;
    case 'console':
      return action.do === 'console' && action.chat === move.chat;
    case 'pay':
      return action.do === 'pay' && action.chat === move.chat;
    default:
      return false;
  }
}
