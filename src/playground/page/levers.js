// Buttons for what is hard to make happen by hand; each tells the promise that it puts to the test.
import { perform } from './actions.js';
import { el } from './dom.js';

const LEVERS = [
  {
    id: 'timeout',
    label: () => 'Next redemption times out',
    promise: 'Not knowing is a state of its own: the code is held, never used twice, and settled by itself.',
    body: () => ({ act: 'nextTimesOut' }),
    pressed: ({ nextTimesOut }) => nextTimesOut,
  },
  {
    id: 'platform',
    label: ({ platform }) => (platform === 'up' ? 'Take the platform down' : 'Bring the platform back'),
    promise: 'What did not happen costs nothing: the code goes back, the activation too.',
    body: ({ platform }) => ({ act: 'platform', up: platform === 'down' }),
    pressed: ({ platform }) => platform === 'down',
  },
  {
    id: 'kill',
    label: ({ state }) => (state === 'running' ? 'Kill the process, start it again' : 'Starting again…'),
    promise: 'Nothing that was pasted, asked or redeemed is lost, whenever it dies. Try it in the middle.',
    body: () => ({ act: 'kill' }),
    disabled: ({ state }) => state !== 'running',
  },
  {
    id: 'day',
    label: () => 'Let a day pass',
    promise: 'The daily quota comes back by itself, old buttons say that they are old.',
    body: () => ({ act: 'jumpDay' }),
  },
  {
    id: 'redeliver',
    label: () => 'Deliver the last update again',
    promise: 'Telegram may say everything twice; it redeems, adds and charges once.',
    body: () => ({ act: 'redeliver' }),
  },
];

/** The list of levers, showing which are in force. */
export function createLevers(state) {
  const list = el('ul', { class: 'levers' });
  const rows = LEVERS.map((lever) => createLever(lever, state));
  list.append(...rows.map(({ row }) => row));
  const draw = () => rows.forEach((one) => one.draw());
  state.on('snapshot', draw);
  state.on('service', draw);
  return list;
}

function createLever({ id, label, promise, body, pressed, disabled }, state) {
  const button = el('button', {
    class: 'lever',
    type: 'button',
    id: `lever-${id}`,
    'aria-describedby': `promise-${id}`,
    onclick: () => perform(body(state.get().service)),
  });
  const row = el('li', {}, button, el('p', { id: `promise-${id}`, class: 'promise', text: promise }));
  function draw() {
    const { service } = state.get();
    if (!service) return;
    button.textContent = label(service);
    button.disabled = disabled?.(service) ?? false;
    if (pressed) button.setAttribute('aria-pressed', String(pressed(service)));
  }
  return { row, draw };
}
