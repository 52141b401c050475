// What needs a person first, and under it the figures of today.
import { html } from 'hono/html';

import type { Html, Screen, ScreenContext } from '../context.ts';
import { page } from '../parts/page.ts';

export const todayScreen: Screen = {
  name: 'today',
  inMenu: true,
  routes: [{ method: 'GET', path: '/', needs: 'anybody', run: show }],
};

function show(context: ScreenContext): Html {
  const { word } = context;
  return page(context, {
    title: word('today-title'),
    current: 'today',
    body: html`<p class="empty">${word('today-nothing')}</p>`,
  });
}
