// Forms: each carries the token of its session, and a field has its name and what it may hold.
import { html } from 'hono/html';

import { BASE, type Html, type ScreenContext } from '../context.ts';

interface Form {
  /** Below /console. */
  action: string;
  body: Html;
  /** With files in it. */
  multipart?: true;
  className?: string;
}

/** A form that does something: a POST of this session. */
export function form(
  { csrf }: Pick<ScreenContext, 'csrf'>,
  { action, body, multipart, className = '' }: Form,
): Html {
  return html`<form
    method="post"
    action="${BASE}${action}"
    class="${className}"
    ${multipart ? html`enctype="multipart/form-data"` : ''}
  >
    <input type="hidden" name="csrf" value="${csrf}" />
    ${body}
  </form>`;
}

/** One button that does something; what it is about goes along hidden. */
export function actionButton(
  context: Pick<ScreenContext, 'csrf'>,
  {
    action,
    label,
    fields = {},
    tone = '',
    about,
  }: {
    action: string;
    label: string;
    fields?: Record<string, string | number>;
    tone?: '' | 'main' | 'danger';
    /** What it is about, for who cannot see where it stands. */
    about?: string;
  },
): Html {
  const named = about === undefined ? '' : html`aria-label="${label}: ${about}"`;
  const body = html`${hiddenFields(fields)}<button class="${tone}" ${named}>${label}</button>`;
  return form(context, { action, body, className: 'inline' });
}

export const hiddenField = (name: string, value: string | number): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

export const hiddenFields = (fields: Record<string, string | number>): Html[] =>
  Object.entries(fields).map(([name, value]) => hiddenField(name, value));

interface Field {
  name: string;
  label: string;
  hint?: string;
}

export function textField({
  name,
  label,
  hint,
  value = '',
  maxlength = 200,
  required = false,
}: Field & { value?: string; maxlength?: number; required?: boolean }): Html {
  return html`<label class="field">
    <span>${label}</span>
    <input
      name="${name}"
      value="${value}"
      maxlength="${maxlength}"
      autocomplete="off"
      ${required ? 'required' : ''}
    />
    ${hint ? html`<small>${hint}</small>` : ''}
  </label>`;
}

export function choiceField({
  name,
  label,
  hint,
  choices,
  value = '',
}: Field & {
  choices: readonly (readonly [value: string | number, label: string])[];
  value?: string | number;
}): Html {
  return html`<label class="field">
    <span>${label}</span>
    <select name="${name}">
      ${choices.map(
        ([each, shown]) =>
          html`<option value="${each}" ${String(each) === String(value) ? 'selected' : ''}>${shown}</option>`,
      )}
    </select>
    ${hint ? html`<small>${hint}</small>` : ''}
  </label>`;
}
