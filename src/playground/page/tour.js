// The five-minute tour: a checklist that ticks itself off by what really happened, whatever the language of the bot.
import { perform } from './actions.js';
import { byId, el, icon } from './dom.js';

const PLAYER = '5170925571';

const STEPS = [
  {
    id: 'add',
    title: 'Add codes',
    how: 'Copy fresh codes below, then paste them to the bot and press Done.',
    go: ({ open }) => open('owner', '/add_codes 60'),
  },
  {
    id: 'redeem',
    title: 'Redeem one',
    how: 'As the operator, for a player. It takes a few seconds.',
    go: ({ open }) => open('operator', `/redeem ${PLAYER} 60`),
  },
  {
    id: 'support',
    title: 'Pull the receipt as support',
    how: 'The login and password are behind spoilers.',
    go: ({ open, state }) => open('support', `/receipt_${state.get().lastReceipt ?? '1'}`),
  },
  {
    id: 'settle',
    title: 'Let one time out and see it settle',
    how: 'The next redemption gets no answer. Redeem, then only watch.',
    async go({ open, state }) {
      if (!state.get().service.nextTimesOut) await perform({ act: 'nextTimesOut' });
      open('owner', `/redeem ${PLAYER} 60`);
    },
  },
  {
    id: 'buy',
    title: 'Buy activations',
    how: 'A thousand, in play Stars.',
    go: ({ open }) => open('owner', '/buy_activations 1'),
  },
  {
    id: 'kill',
    title: 'Kill it and go on',
    how: 'The process dies and starts again. Then say anything.',
    async go({ open }) {
      await perform({ act: 'kill' });
      open('owner', '/history');
    },
  },
];

/** The checklist; what was done is kept for this playground (its key tells it from the next). */
export function createTour(state, composer) {
  const box = el('section', { class: 'block tour', 'aria-label': 'The tour' });
  const done = new Set();
  let hidden = false;
  const nameInStorage = () => `tour ${state.get().service?.apiKey ?? ''}`;
  const open = (chat, text) => {
    const app = byId('app');
    app.dataset.view = 'chat';
    delete app.dataset.panel;
    state.openChat(chat);
    composer.fill(text);
  };
  function save() {
    localStorage.setItem(nameInStorage(), JSON.stringify({ done: [...done], hidden }));
    draw();
  }
  function draw() {
    const dismiss = () => {
      hidden = !hidden;
      save();
    };
    box.replaceChildren(...(hidden ? [showAgain(dismiss)] : whole(done, dismiss, { open, state })));
    box.classList.toggle('folded', hidden);
  }
  state.on('snapshot', () => {
    const kept = JSON.parse(localStorage.getItem(nameInStorage()) ?? '{"done":[],"hidden":false}');
    hidden = kept.hidden;
    kept.done.forEach((id) => done.add(id));
    draw();
  });
  watch(state, (id) => {
    if (done.has(id)) return;
    done.add(id);
    save();
  });
  return box;
}

function showAgain(show) {
  return el('button', { class: 'text-link', type: 'button', text: 'Show the tour', onclick: show });
}

function whole(done, dismiss, tools) {
  const count = STEPS.filter(({ id }) => done.has(id)).length;
  const title = count === STEPS.length ? 'That was the tour. All promises kept.' : 'Five-minute tour';
  return [
    el(
      'div',
      { class: 'tour-head' },
      el('h2', { text: title }),
      el('span', { class: 'tour-count', text: `${count} of ${STEPS.length}` }),
      el(
        'button',
        { class: 'icon-button small', type: 'button', 'aria-label': 'Hide the tour', onclick: dismiss },
        icon('close'),
      ),
    ),
    el('ol', { class: 'steps' }, ...steps(done, tools)),
  ];
}

function steps(done, tools) {
  const next = STEPS.find(({ id }) => !done.has(id));
  return STEPS.map((step) => {
    const isDone = done.has(step.id);
    return el(
      'li',
      { class: `step${isDone ? ' done' : ''}${step === next ? ' next' : ''}`, 'data-step': step.id },
      el(
        'span',
        { class: 'tick', role: 'img', 'aria-label': isDone ? 'Done' : 'To do' },
        isDone ? icon('check') : '',
      ),
      el(
        'div',
        {},
        el('button', {
          class: 'step-title',
          type: 'button',
          text: step.title,
          onclick: () => step.go(tools),
        }),
        el('p', { text: step.how }),
      ),
    );
  });
}

function watch(state, tick) {
  const seen = {
    stock: undefined,
    purchased: undefined,
    inDoubt: 0,
    armed: false,
    doubted: false,
    died: false,
  };
  state.on('snapshot', () => remember(seen, state.get().service));
  state.on('service', (service) => {
    const before = { ...seen };
    remember(seen, service);
    if (service.state !== 'running') seen.died = true;
    if (before.stock !== undefined && seen.stock > before.stock) tick('add');
    if (before.purchased !== undefined && seen.purchased > before.purchased) tick('buy');
    if (service.nextTimesOut) seen.armed = true;
    if (seen.armed && seen.inDoubt > before.inDoubt) seen.doubted = true;
    if (seen.doubted && seen.inDoubt < before.inDoubt) tick('settle');
  });
  state.on('message', ({ message }) => {
    if (!message.byBot || message.deleted) return;
    const isReceipt = /\/receipt_\d+/.test(message.html) && message.html.includes('<tg-spoiler>');
    if (isReceipt && message.chat === 'support') tick('support');
    else if (isReceipt && message.html.startsWith('✅')) tick('redeem');
    if (seen.died && state.get().service.state === 'running') tick('kill');
  });
}

function remember(seen, service) {
  // While the process is away its figures say nothing.
  if (!service || service.state !== 'running') return;
  seen.stock = service.stock.reduce((sum, one) => sum + one.available + one.reserved + one.inDoubt, 0);
  seen.inDoubt = service.stock.reduce((sum, one) => sum + one.inDoubt, 0);
  seen.purchased = service.quota.purchased;
}
