// The page of a claim link, for whoever has it: no account, and no script but one that looks again. Reading it changes nothing, since previews of chats
// open links, too; what is typed is looked up, and only what is confirmed by a press of its own begins anything.
import { getCookie, setCookie } from 'hono/cookie';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

import { createAddressList } from '../../addresses.ts';
import { CoreError, formatAmount, LOGIN_SHOWN_MS, type ClaimVisit } from '../../core/index.ts';
import { asset, styles } from '../../files.ts';
import {
  findLanguage,
  openLocales,
  toKeyPart,
  toLanguage,
  withoutTurning,
  type Language,
  type WordBy,
} from '../../locales.ts';
import { formatMoment } from '../../moments.ts';
import { drawProof } from '../../pictures/proof.ts';
import { createRateLimit } from '../../rate-limit.ts';
import { readFormFields } from '../body.ts';
import { findOrigin, type HttpContext, type HttpDeps } from '../context.ts';
import type { Endpoints } from '../endpoints.ts';
import { parseId } from '../requests.ts';

const REQUESTS_PER_MINUTE = 30;
/** Of the proxy on this machine, where no other is named. */
const LOOPBACK = ['127.0.0.0/8', '::1/128', '::ffff:127.0.0.0/104'];
const PATH = '/c/{token}';
/** As logs and metrics call it: the token is a secret. */
const NAME = '/c/:token';
/** How often the page looks again while it is being sent. */
const LOOK_AGAIN_SECONDS = 5;
const COOKIE_BYTES = 16;

const POLICY = [
  "default-src 'none'",
  ...['style-src', 'img-src', 'form-action'].map((directive) => `${directive} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Beside that while it is being sent: without a script the page is loaded again and again, which is read aloud anew. */
const LOOKING_POLICY = `${POLICY}; script-src 'self'; connect-src 'self'`;
const LOOK_AGAIN = `setInterval(async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const read = (from) => from.querySelector('main').textContent;
  if (read(page) !== read(document)) location.reload();
}, ${LOOK_AGAIN_SECONDS * 1_000});
`;

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;
type Status = 200 | 403 | 404 | 429 | 503;

/** Read once in a process. */
let words: WordBy | undefined;

/** `publicUrl`: the origin of the links, from which alone forms are taken. */
export function mountClaimPage(deps: HttpDeps, endpoints: Endpoints, publicUrl: string): void {
  const { core, clock, trustedProxies = [] } = deps;
  const limit = createRateLimit({ clock, perMinute: REQUESTS_PER_MINUTE });
  const trusts = createAddressList(trustedProxies.length > 0 ? trustedProxies : LOOPBACK);
  const isSecure = publicUrl.startsWith('https:');
  const cookie = isSecure ? '__Host-claim' : 'claim';
  const css = styles('src/http/claim.css');

  /** Counts each request before anything looks at its token. */
  const open = (
    method: 'get' | 'post',
    path: string,
    answer: (c: HttpContext, token: string) => Response | Promise<Response>,
  ) =>
    endpoints.open(
      { method, path, hide: true, responses: {} },
      (c) => {
        guard(c);
        if (limit.count(findOrigin(c, trusts) ?? 'in process') > 0) return answerMany(c);
        return answer(c, c.req.param('token') ?? '');
      },
      path.replace(PATH, NAME).replace(/\{id\}/, ':id'),
    );

  const files = { 'claim.css': ['text/css', css], 'claim.js': ['text/javascript', LOOK_AGAIN] } as const;
  for (const [name, [type, text]] of Object.entries(files))
    endpoints.open({ method: 'get', path: `/c/${name}`, hide: true, responses: {} }, (c) =>
      c.body(text, 200, {
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'public, max-age=3600',
      }),
    );
  open('get', PATH, (c, token) => {
    const visit = core.visits.open(token, getCookie(c, cookie));
    return visit ? c.html(show(core, c, visit)) : answerNone(c);
  });
  open('post', PATH, async (c, token) => {
    if (!isOwnOrigin(c, publicUrl)) return answerNone(c, 403);
    const form = await readFormFields(c);
    const browser = getCookie(c, cookie) ?? deps.ids.secret(COOKIE_BYTES);
    const said = await act(core, token, form, browser);
    if (said === undefined) return answerNone(c);
    // Before it is confirmed: of two presses, whichever answer the browser keeps, its cookie is the same.
    const flags = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;
    setCookie(c, cookie, browser, { ...flags, maxAge: LOGIN_SHOWN_MS / 1_000 });
    return c.redirect(`/c/${token}${said === '' ? '' : `?said=${said}`}`, 303);
  });
  open('get', `${PATH}/{id}.png`, async (c, token) => {
    const visit = core.visits.open(token);
    const id = parseId((c.req.param('id') ?? '').replace(/\.png$/, ''));
    const isOfClaim = visit?.receipts.some((receipt) => receipt.id === id);
    const facts = visit && id !== undefined && isOfClaim ? core.findProof(visit.actor, id) : undefined;
    if (!facts) return answerNone(c);
    const png = await drawProof({ ...facts, isSandbox: core.health.isSandbox }, languageOf(c, visit));
    return png ? c.body(new Uint8Array(png), 200, { 'content-type': 'image/png' }) : answerMany(c);
  });
}

/** Nothing inline, nothing of another host, in no frame; and nobody else learns the address. */
function guard(c: HttpContext): void {
  c.header('content-security-policy', POLICY);
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  c.header('x-robots-tag', 'noindex');
}

/** A form of a page without referrer has the origin `null`; where it comes from the browser says beside that. */
function isOwnOrigin(c: HttpContext, publicUrl: string): boolean {
  const origin = c.req.header('origin') ?? 'null';
  const site = c.req.header('sec-fetch-site') ?? 'same-origin';
  return (origin === 'null' || origin === publicUrl) && site === 'same-origin';
}

/** What the page says then, or ''; undefined: there is nothing at this link. */
async function act(
  { visits }: HttpDeps['core'],
  token: string,
  form: URLSearchParams,
  browser: string,
): Promise<string | undefined> {
  try {
    const nonce = form.get('nonce');
    const answer = await (nonce === null
      ? visits.lookUp(token, form.get('playerId') ?? '')
      : visits.confirm(token, nonce, browser));
    if (!answer) return undefined;
    const isSilent = ['found', 'confirmed', 'notOpen'].includes(answer.status);
    return isSilent ? '' : toKeyPart(answer.status);
  } catch (error) {
    if (error instanceof CoreError) return 'busy';
    throw error;
  }
}

const languageOf = (c: HttpContext, visit?: ClaimVisit): Language =>
  findLanguage(visit?.claim.language) ?? toLanguage(c.req.header('accept-language'));

type Say = (key: string, variables?: Record<string, string>) => string;

const wordsIn =
  (language: Language): Say =>
  (key, variables = {}) =>
    (words ??= openLocales(asset('src/http/locales')))(language, `claim-${key}`, variables);

/** The same for every link that there is not, whatever is wrong with it. */
function answerNone(c: HttpContext, status: Status = 404): Response | Promise<Response> {
  const language = languageOf(c);
  const say = wordsIn(language);
  const body = html`<h1>${say('none')}</h1>
    <p>${say('none-next')}</p>`;
  return c.html(shell(language, say('none'), body), status);
}

function answerMany(c: HttpContext): Response | Promise<Response> {
  const language = languageOf(c);
  const title = wordsIn(language)('many');
  c.header('retry-after', '60');
  return c.html(shell(language, title, html`<p>${title}</p>`), 429);
}

function show(core: HttpDeps['core'], c: HttpContext, visit: ClaimVisit): Html {
  const { claim, shop, contact } = visit;
  const language = languageOf(c, visit);
  const say = wordsIn(language);
  const what = formatAmount(claim.amount, core.games.find(claim.gameId));
  const title = `${what} · ${core.games.nameOf(claim.gameId, language)}`;
  const looksAgain = claim.state === 'confirmed';
  if (looksAgain) c.header('content-security-policy', LOOKING_POLICY);
  const body = html`<div class="shop">${shop}${contact !== undefined && ` · ${contact}`}</div>
    <h1>${title}</h1>
    ${said(c, say, claim)}${showState(visit, { say, what, language, token: c.req.param('token') ?? '' })}`;
  return shell(language, title, body, looksAgain);
}

/** What the POST before has done, while there is something to be done about it. */
function said(c: HttpContext, say: Say, { state }: ClaimVisit['claim']): Html | '' {
  const key = c.req.query('said') ?? '';
  if (state !== 'open' && key !== 'changed') return '';
  const text = /^[a-z-]{1,20}$/.test(key) ? say(`said-${key}`) : '{';
  return text.startsWith('{') ? '' : html`<p class="said doubt" role="status">${text}</p>`;
}

interface Shown {
  say: Say;
  /** `60 UC` */
  what: string;
  language: Language;
  token: string;
}

function showState(visit: ClaimVisit, shown: Shown): Html {
  const { claim, order, candidate } = visit;
  const { say } = shown;
  const receipts = visit.receipts.map((receipt) => showReceipt(visit, receipt, shown));
  const tell = (key: string, tone: string) =>
    html`<section class="${tone}" role="status">
        <h2>${say(key)}</h2>
        ${key === 'done' ? '' : html`<p>${say(`${key}-next`)}</p>`}
      </section>
      ${receipts}`;
  switch (claim.state) {
    case 'open':
      return candidate ? showCandidate(candidate, shown) : showAsking(shown, html`autofocus`);
    case 'settled':
      return tell('done', 'good');
    case 'confirmed':
      // In doubt, or waiting for whatever: never failed before it is known.
      return order?.waitsFor === undefined && order?.items.every(({ state }) => state !== 'inDoubt')
        ? tell('sending', 'wait')
        : tell('longer', 'doubt');
    default:
      return tell('stuck', 'doubt');
  }
}

/** `autofocus`: of the field, where it is all that there is to do. */
const showAsking = ({ say, token }: Shown, autofocus: Html | '' = ''): Html =>
  html`<form method="post" action="/c/${token}">
    <label for="player">${say('ask')}</label>
    <input
      id="player"
      name="playerId"
      inputmode="numeric"
      autocomplete="off"
      maxlength="40"
      required
      aria-describedby="hint"
      ${autofocus}
    />
    <small id="hint">${say('ask-hint')}</small>
    <button class="main">${say('find')}</button>
  </form>`;

function showCandidate(
  { playerId, playerName, nonce }: NonNullable<ClaimVisit['candidate']>,
  shown: Shown,
): Html {
  const { say, what, token } = shown;
  return html`<h2>${say('who')}</h2>
    <dl>
      ${
        playerName !== undefined &&
        html`<dt>${say('name')}</dt>
          <dd><strong>${playerName}</strong></dd>`
      }
      <dt>${say('id')}</dt>
      <dd>${playerId}</dd>
    </dl>
    ${playerName === undefined && html`<p>${say('no-name')}</p>`}
    <form method="post" action="/c/${token}">
      <input type="hidden" name="nonce" value="${nonce}" />
      <button class="main">${say('confirm', { what })}</button>
      <small>${say('confirm-hint')}</small>
    </form>
    <details>
      <summary>${say('other')}</summary>
      ${showAsking(shown)}
    </details>`;
}

function showReceipt(
  { timeZone }: ClaimVisit,
  { id, playerId, playerName, productName, createdAt, credentials }: ClaimVisit['receipts'][number],
  { say, language, token }: Shown,
): Html {
  const login = credentials?.email ?? credentials?.uid;
  const rows: [key: string, value: string | null | undefined][] = [
    ['name', playerName],
    ['id', playerId],
    ['product', productName],
    ['when', formatMoment(language, createdAt, timeZone)],
    ['receipt', String(id)],
    ['login', login],
    ['password', credentials?.password],
  ];
  return html`<dl>
      ${rows.map(
        ([key, value]) =>
          typeof value === 'string' &&
          html`<dt>${say(key)}</dt>
            <dd>${value}</dd>`,
      )}
    </dl>
    ${login !== undefined && html`<p><small>${say('login-hint')}</small></p>`}
    <p><a class="button" href="/c/${token}/${id}.png">${say('proof')}</a></p>`;
}

const LOOKING = html`<script src="/c/claim.js" defer></script>
  <noscript><meta http-equiv="refresh" content="${LOOK_AGAIN_SECONDS}" /></noscript>`;

async function shell(
  language: Language,
  title: string,
  body: Html,
  looksAgain = false,
): Promise<HtmlEscapedString> {
  const whole = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        ${looksAgain && LOOKING}
        <title>${title}</title>
        <link rel="stylesheet" href="/c/claim.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`;
  return raw(withoutTurning(whole));
}
