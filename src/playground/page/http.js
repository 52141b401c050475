// The tab "HTTP": each endpoint as a curl line to copy, and a button that runs it here and shows the answer.
import { html, nothing } from 'lit/html.js';

import { copy, copyButton } from './overlays.js';
import { icon } from './signs.js';

const GAME = 'game_id_1';
const PLAYER = '5170925571';
const SHOWN_CHARACTERS = 20_000;
const orderKey = `order-${Date.now().toString(36)}`;
const answers = new Map();

/** The tab. */
export function httpView(app) {
  const { t, service } = app;
  return html`<section class="block" aria-label=${t.httpTitle}>
      <h2>${t.httpTitle}</h2>
      <p class="about">${t.httpAbout}</p>
      ${copyRow(app, t.address, service.apiUrl)} ${copyRow(app, t.key, service.apiKey)}
      <a class="soft-button small docs-link" href=${service.docsUrl} target="_blank" rel="noopener"
        >${t.docs}${icon('link')}</a
      >
    </section>
    <div class="calls">${callsOf(app).map((call) => callView(app, call))}</div>`;
}

function copyRow(app, label, value) {
  return html`<div class="copy-row">
    <span>${label}</span><code>${value}</code>
    ${copyButton(app, label, value)}
  </div>`;
}

/** Every endpoint as a ready call, filled with what the playground has. */
function callsOf({ samples, lastReceipt = 1, t }) {
  const codes = samples.find(({ key }) => key === 'fresh-60')?.codes ?? [];
  const player = `gameId=${GAME}&playerId=${PLAYER}`;
  const keyed = (key) => ({ headers: { 'Idempotency-Key': key } });
  const order = { gameId: GAME, playerId: PLAYER, denomination: 60 };
  return [
    { method: 'GET', path: '/quota', cost: 0 },
    { method: 'GET', path: '/db', cost: 0 },
    { method: 'POST', path: '/db', cost: 0, body: [{ denomination: 60, codes: codes.slice(0, 2) }] },
    { method: 'GET', path: `/character?${player}`, cost: 0.25 },
    { method: 'POST', path: '/redeem', cost: 1, ...keyed(orderKey), body: order },
    { method: 'GET', path: `/history/${lastReceipt}`, cost: 0 },
    { method: 'GET', path: '/history', cost: 0 },
    { method: 'GET', path: '/stats', cost: 0 },
    { method: 'POST', path: '/redemption-time', cost: 1, body: { gameId: GAME, code: codes[0] ?? '' } },
    {
      method: 'POST',
      path: '/db/extract',
      cost: 0,
      ...keyed(`${orderKey}-extract`),
      body: { denomination: 60, amount: 1 },
    },
    { method: 'GET', path: '/readyz' },
    { method: 'GET', path: '/openapi.json' },
  ].map((call, at) => ({ ...call, name: `${call.method} ${call.path.split('?')[0]}`, about: t.calls[at] }));
}

function callView(app, call) {
  const { t, service } = app;
  const curl = curlOf(call, service);
  const plainName = call.name.replace(/\/\d+$/, '/…');
  const answer = answers.get(plainName);
  return html`<details class="call" data-call=${call.name}>
    <summary>
      <span class=${`method ${call.method.toLowerCase()}`}>${call.method}</span>
      <code class="call-path">${call.path.split('?')[0]}</code>
      <span class="cost">${call.cost === undefined ? t.open : t.cost(call.cost)}</span>
    </summary>
    <p class="about">${call.about}</p>
    <pre class="curl" tabindex="0">${curl}</pre>
    <div class="call-buttons">
      <button
        class="soft-button small"
        type="button"
        aria-label=${t.copyOf(call.name)}
        @click=${() => copy(curl, t.copied)}
      >
        ${t.copy}
      </button>
      <button
        class="main-button small"
        type="button"
        aria-label=${`${t.run} ${call.name}`}
        ?disabled=${answer?.isWaiting ?? false}
        @click=${() => run(app, call, plainName)}
      >
        ${icon('run')}${t.run}
      </button>
    </div>
    <div class="answer" aria-live="polite">${answer?.text === undefined ? nothing : answerView(answer)}</div>
  </details>`;
}

function answerView({ isGood, status, text }) {
  const more = text.length > SHOWN_CHARACTERS ? '\n…' : '';
  return html`<span class=${`status ${isGood ? 'good' : 'bad'}`}>${status}</span>
    <pre tabindex="0">${text.slice(0, SHOWN_CHARACTERS)}${more}</pre>`;
}

async function run(app, { method, path, headers = {}, body }, name) {
  answers.set(name, { ...answers.get(name), isWaiting: true });
  app.changed();
  const startedAt = performance.now();
  try {
    const response = await fetch(`/http${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = pretty(await response.text());
    const tookMs = Math.round(performance.now() - startedAt);
    const status = `${response.status} ${response.statusText} · ${tookMs} ms`;
    answers.set(name, { isGood: response.ok, status, text });
  } catch {
    answers.set(name, { isGood: false, status: app.t.noAnswerShort, text: app.t.noAnswer });
  }
  app.changed();
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The call as a line for a shell. */
function curlOf({ method, path, headers = {}, body, cost }, { apiUrl, apiKey }) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -s ${method === 'GET' ? '' : `-X ${method} `}${quoted(apiUrl + path)}`];
  if (cost !== undefined) lines.push(`-H ${quoted(`Authorization: Bearer ${apiKey}`)}`);
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}
