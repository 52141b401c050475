// The panel beside the chat: its tabs, and what happens underneath with stock, quota, levers and samples.
import { perform } from './actions.js';
import { byId, el, icon, keepAtEnd, timeOf } from './dom.js';
import { startHttpTab } from './http-tab.js';
import { createLevers } from './levers.js';
import { copy } from './overlays.js';
import { createTour } from './tour.js';

/** Fills the panel and keeps it live. */
export function startPanel(state, composer) {
  startTabs();
  startDrawer();
  const levers = createLevers(state);
  byId('under').append(
    el(
      'div',
      { class: 'panel-scroll' },
      createTour(state, composer),
      section('Service', createVitals(state)),
      section('Codes to paste', createSamples(state)),
      section('Make it happen', levers),
    ),
    section('What just happened underneath', createHappenings(state)),
  );
  startHttpTab(state, byId('http'));
}

function section(title, ...content) {
  return el('section', { class: 'block', 'aria-label': title }, el('h2', { text: title }), ...content);
}

function startTabs() {
  const tabs = [byId('tab-under'), byId('tab-http')];
  const choose = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      const other = tabs.find((one) => one !== tab);
      choose(other);
      other.focus();
    });
  }
  choose(tabs[0]);
}

function startDrawer() {
  const app = byId('app');
  byId('hide-panel').append(icon('close'));
  const close = () => {
    if (app.dataset.panel !== 'open') return;
    delete app.dataset.panel;
    opener?.focus();
  };
  let opener;
  for (const button of document.querySelectorAll('[data-opens-panel]')) {
    button.addEventListener('click', () => {
      opener = button;
      app.dataset.panel = 'open';
      byId('hide-panel').focus();
    });
  }
  byId('hide-panel').addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
  });
}

function createVitals(state) {
  const box = el('div', { class: 'vitals' });
  const draw = () => {
    const { service } = state.get();
    if (!service) return;
    const most = Math.max(10, ...service.stock.map((one) => one.available + one.reserved + one.inDoubt));
    box.replaceChildren(
      lights(service),
      ...service.stock.map((one) => stockRow(one, most)),
      el('p', { class: 'legend' }, mark('available'), mark('reserved'), mark('in doubt')),
      quotaRow(service.quota),
    );
  };
  state.on('snapshot', draw);
  state.on('service', draw);
  return box;
}

function lights({ state, platform, clockAheadMs }) {
  const days = Math.round(clockAheadMs / 86_400_000);
  const words = { running: 'Process running', starting: 'Process starting…', down: 'Process down' };
  const tone = { running: 'good', starting: 'waiting', down: 'bad' };
  return el(
    'p',
    { class: 'lights' },
    el('span', { class: `light ${tone[state]}`, id: 'process-light', text: words[state] }),
    el('span', { class: `light ${platform === 'up' ? 'good' : 'bad'}`, text: `Platform ${platform}` }),
    days === 0 ? undefined : el('span', { class: 'light waiting', text: `Clock +${days} d` }),
  );
}

function stockRow({ denomination, available, reserved, inDoubt }, most) {
  const parts = [`${available} available`];
  if (reserved > 0) parts.push(`${reserved} reserved`);
  if (inDoubt > 0) parts.push(`${inDoubt} in doubt`);
  const bar = el(
    'span',
    { class: 'bar', role: 'img', 'aria-label': parts.join(', ') },
    part('available', available / most),
    part('reserved', reserved / most),
    part('in-doubt', inDoubt / most),
  );
  return el(
    'div',
    { class: 'vital', 'data-denomination': denomination },
    el('span', { class: 'vital-name', text: String(denomination) }),
    bar,
    el('span', { class: 'vital-figure', text: [available, reserved, inDoubt].join(' · ') }),
  );
}

function quotaRow({ used, limit, purchased }) {
  return el(
    'div',
    { class: 'vital quota' },
    el('span', { class: 'vital-name', text: 'Quota' }),
    el(
      'span',
      { class: 'bar', role: 'img', 'aria-label': `${used} of ${limit} used` },
      part('used', used / limit),
    ),
    el('span', { class: 'vital-figure', text: `${used} / ${limit}` }),
    el('span', { class: 'purchased', text: `and ${purchased} purchased activations` }),
  );
}

function part(kind, share) {
  const made = el('span', { class: `part ${kind}` });
  made.style.width = `${Math.min(100, share * 100)}%`;
  return made;
}

function mark(kind) {
  return el('span', { class: `mark ${kind.replace(' ', '-')}`, text: kind });
}

function createSamples(state) {
  const fresh = el('ul', { class: 'samples' });
  const peculiar = el('ul', { class: 'samples' });
  const mint = el('button', {
    class: 'text-link',
    type: 'button',
    text: 'Mint other codes',
    onclick: () => perform({ act: 'freshSamples' }),
  });
  const draw = () => {
    const { samples } = state.get();
    const items = (some) => some.map((sample) => el('li', {}, sampleButton(sample)));
    fresh.replaceChildren(...items(samples.filter(({ codes }) => codes.length > 1)));
    peculiar.replaceChildren(...items(samples.filter(({ codes }) => codes.length === 1)));
  };
  state.on('snapshot', draw);
  state.on('samples', draw);
  const more = el(
    'details',
    { class: 'more' },
    el('summary', { text: 'Codes that go wrong, each in its way' }),
    peculiar,
  );
  return el('div', {}, fresh, more, mint);
}

function sampleButton({ label, codes }) {
  const said = codes.length === 1 ? 'Code copied' : `${codes.length} codes copied`;
  return el(
    'button',
    {
      class: 'sample',
      type: 'button',
      title: codes.join('\n'),
      'aria-label': `Copy: ${label}`,
      onclick: () => copy(codes.join('\n'), said),
    },
    icon('copy'),
    el('span', { text: codes.length === 1 ? label : `Copy ${label}` }),
  );
}

function createHappenings(state) {
  const list = el('ol', {
    class: 'happenings',
    role: 'log',
    'aria-label': 'What just happened',
    tabindex: 0,
  });
  const add = (one) => list.append(happening(one));
  state.on('snapshot', () => {
    list.replaceChildren(...state.get().happenings.map(happening));
    list.scrollTop = list.scrollHeight;
  });
  state.on('happening', (one) => {
    keepAtEnd(list, () => add(one));
    while (list.children.length > 500) list.firstElementChild.remove();
  });
  return list;
}

function happening({ at, kind, text }) {
  return el(
    'li',
    { class: 'happening', 'data-kind': kind },
    el('span', { class: 'happening-icon' }, icon(kind)),
    el('span', { class: 'happening-text', text }),
    el('time', { text: timeOf(at) }),
  );
}
