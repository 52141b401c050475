// The layout of every page: the menu, the search box, the title with what can be done, the body.
import { html, raw } from 'hono/html';

import { readAsset, type AssetName } from '../assets.ts';
import { BASE, type Html, type ScreenContext } from '../context.ts';
import { withoutTurning, type Language } from '../../locales.ts';
import { describeOffset } from '../../moments.ts';
import type { ConsoleWord } from '../words.ts';

export interface Page {
  title: string;
  /** The screen in the menu that it belongs to, where its path does not begin with it. */
  current?: string;
  body: Html;
  /** Links and buttons beside the title. */
  actions?: Html | undefined;
}

const href = (name: AssetName) => `${BASE}/assets/${name}?v=${readAsset(name).digest}`;

/** A whole page for somebody who is in. */
export function page(
  context: ScreenContext,
  { title, current = nameOf(context), body, actions }: Page,
): Html {
  const { t, accountName, personName, member, timeZone, clock } = context;
  const role = t(member ? `role-${member.role}` : 'role-host');
  const inner = html`<header class="side">
      <a class="shop" href="${BASE}">${accountName || t('console')}</a>
      <form class="search" action="${BASE}/receipts" method="get" role="search">
        <input
          type="search"
          name="q"
          aria-label="${t('search')}"
          placeholder="${t('search')}"
          accesskey="s"
          value="${context.path === '/receipts' && context.c.req.query('q')}"
          maxlength="200"
          autocomplete="off"
        />
        <kbd aria-hidden="true">/</kbd>
      </form>
      <details class="menu">
        <summary>${t('menu')}</summary>
        ${menu(context, current)}
      </details>
      <p class="me">
        <a href="${BASE}/me" ${current === 'me' && html`aria-current="page"`}>${personName}</a>
        <span>${role} · ${describeOffset(timeZone, clock.now())}</span>
      </p>
    </header>
    <main id="main" tabindex="-1">
      ${said(context)} ${context.refused && html`<p class="said bad" role="alert">${context.refused}</p>`}
      <div class="title">
        <h1>${title}</h1>
        ${actions && html`<div class="actions">${actions}</div>`}
      </div>
      ${body}
    </main>`;
  return shell(context, `${title} · ${accountName || t('console')}`, inner);
}

/** A screen's name is how its paths begin. */
const nameOf = ({ path }: ScreenContext): string => path.split(/[/.]/)[1] || 'today';

function menu({ menu: items, t }: ScreenContext, current: string | undefined): Html {
  return html`<nav aria-label="${t('menu')}">
    <ul>
      ${items.map(
        ({ name, href: to }) =>
          html`<li>
            <a href="${to}" ${name === current && html`aria-current="page"`}>${t(`menu-${name}`)}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** What the POST before has done. */
function said({ c, t }: ScreenContext): Html | '' {
  const key = c.req.query('said') ?? '';
  if (!/^[a-z-]{1,40}$/.test(key)) return '';
  const text = t(`said-${key}`);
  return text.startsWith('{') ? '' : html`<p class="said" role="status">${text}</p>`;
}

/** A page for whoever is not in: one card in the middle. */
export function card(
  context: { language: Language; t: ConsoleWord },
  { title, body }: Pick<Page, 'title' | 'body'>,
): Html {
  const inner = html`<main id="main" class="card" tabindex="-1">
    <h1>${title}</h1>
    ${body}
  </main>`;
  return shell(context, title, inner);
}

async function shell(
  { language, t }: { language: Language; t: ConsoleWord },
  title: string,
  inner: Html,
): Promise<Awaited<Html>> {
  const whole = await html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${href('icon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${href('console.css')}" />
        <script src="${href('console.js')}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">${t('skip')}</a>
        ${inner}
      </body>
    </html>`;
  return raw(withoutTurning(whole));
}
