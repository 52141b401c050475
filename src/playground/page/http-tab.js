// The tab "HTTP": each endpoint as a curl line to copy, and a button that runs it here and shows the answer.
import { el, icon } from './dom.js';
import { curlOf, listCalls } from './http-calls.js';
import { copy } from './overlays.js';

const SHOWN_CHARACTERS = 20_000;

/** Draws the calls, anew when the key, the samples or the process change. */
export function startHttpTab(state, panel) {
  const orderKey = `order-${Date.now().toString(36)}`;
  const rows = el('div', { class: 'calls' });
  const intro = el('div', { class: 'block' });
  panel.append(intro, rows);
  let drawn;
  const draw = () => {
    const { service, samples, lastReceipt = '1' } = state.get();
    if (!service) return;
    const codes = samples[0]?.codes ?? [];
    const signature = [service.apiUrl, service.apiKey, service.docsUrl, lastReceipt, ...codes].join(' ');
    if (signature === drawn) return;
    const first = drawn === undefined;
    drawn = signature;
    intro.replaceChildren(...introduction(service));
    const calls = listCalls({ codes, receipt: lastReceipt, orderKey });
    if (first) rows.replaceChildren(...calls.map((call) => callCard(call, service)));
    else calls.forEach((call, at) => rows.children[at].refresh(call, service));
  };
  for (const topic of ['snapshot', 'service', 'samples', 'message']) state.on(topic, draw);
}

function introduction({ apiUrl, apiKey, docsUrl }) {
  return [
    el('h2', { text: 'The HTTP interface' }),
    el('p', {
      class: 'promise',
      text: 'The same shop, for programs. Chat and HTTP see the same codes and quota.',
    }),
    copyRow('Address', apiUrl),
    copyRow('Key', apiKey),
    el(
      'a',
      { class: 'soft-button docs-link', href: docsUrl, target: '_blank', rel: 'noopener' },
      'Open the documentation',
      icon('link'),
    ),
  ];
}

function copyRow(label, value) {
  const said = `${label} copied`;
  return el(
    'div',
    { class: 'copy-row' },
    el('span', { text: label }),
    el('code', { text: value }),
    el(
      'button',
      {
        class: 'icon-button small',
        type: 'button',
        'aria-label': `Copy the ${label.toLowerCase()}`,
        onclick: () => copy(value, said),
      },
      icon('copy'),
    ),
  );
}

function callCard(firstCall, firstService) {
  const parts = {
    path: el('code', { class: 'call-path' }),
    curl: el('pre', { class: 'curl', tabindex: 0 }),
    answer: el('div', { class: 'answer', 'aria-live': 'polite' }),
  };
  let call = firstCall;
  let service = firstService;
  const fill = () => {
    parts.path.textContent = call.path.split('?')[0];
    parts.curl.textContent = curlOf(call, service);
  };
  const run = el(
    'button',
    {
      class: 'main-button small',
      type: 'button',
      'aria-label': `Run ${call.method} ${call.path}`,
      onclick: () => runCall(call, parts.answer, run),
    },
    icon('run'),
    'Run',
  );
  const copyButton = el('button', {
    class: 'soft-button small',
    type: 'button',
    text: 'Copy',
    'aria-label': `Copy curl of ${call.method} ${call.path}`,
    onclick: () => copy(curlOf(call, service), 'curl line copied'),
  });
  const summary = el(
    'summary',
    {},
    el('span', { class: `method ${call.method.toLowerCase()}`, text: call.method }),
    parts.path,
    el('span', { class: 'cost', text: call.cost }),
  );
  const card = el(
    'details',
    { class: 'call', 'data-call': `${call.method} ${call.path.split('?')[0]}` },
    summary,
    el('p', { class: 'promise', text: call.about }),
    parts.curl,
    el('div', { class: 'call-buttons' }, copyButton, run),
    parts.answer,
  );
  card.refresh = (newCall, newService) => {
    call = newCall;
    service = newService;
    fill();
  };
  fill();
  return card;
}

async function runCall({ method, path, headers = {}, body }, answer, button) {
  button.disabled = true;
  const startedAt = performance.now();
  try {
    const response = await fetch(`/http${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const tookMs = Math.round(performance.now() - startedAt);
    show(answer, response.ok, `${response.status} ${response.statusText} · ${tookMs} ms`, pretty(text));
  } catch {
    show(answer, false, 'No answer', 'The service does not answer. Is it being restarted?');
  }
  button.disabled = false;
}

function show(answer, good, status, text) {
  answer.replaceChildren(
    el('span', { class: `status ${good ? 'good' : 'bad'}`, text: status }),
    el('pre', {
      tabindex: 0,
      text: text.slice(0, SHOWN_CHARACTERS) + (text.length > SHOWN_CHARACTERS ? '\n…' : ''),
    }),
  );
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
