// Two pages that several screens have: the question before what cannot be taken back, and what is shown once.
import { html } from 'hono/html';

import { BASE, type Html, type ScreenContext } from '../context.ts';
import { form, hiddenFields } from '../parts/form.ts';
import { page } from '../parts/page.ts';

/** Its button names the deed, and sends the same form again with `sure=yes`. */
export function confirmation(
  context: ScreenContext,
  {
    action,
    fields,
    question,
    label,
    current,
    more = '',
  }: {
    action: string;
    fields: Record<string, string | number>;
    question: string;
    label: string;
    current: string;
    /** What is chosen along with it. */
    more?: Html | '';
  },
): Html {
  const body = form(context, {
    action,
    body: html`${hiddenFields({ ...fields, sure: 'yes' })}
      <p>${question}</p>
      ${more}
      <div class="acts">
        <button class="danger">${label}</button>
        <a class="button" href="${BASE}/${current}">${context.t('cancel')}</a>
      </div>`,
  });
  return page(context, { title: label, current, body });
}

/** A key, a secret, a link: shown here and never again. */
export function secretPage(
  context: ScreenContext,
  {
    title,
    current,
    text,
    secret,
    back,
  }: { title: string; current: string; text: string; secret: string; back: string },
): Html {
  const body = html`<p>${text}</p>
    <label class="field wide">
      <span>${context.t('shown-once')}</span>
      <input class="secret" readonly value="${secret}" />
    </label>
    <p><a class="button" href="${BASE}${back}">${context.t('done')}</a></p>`;
  return page(context, { title, current, body });
}
