// Forms, and their fields: each has its name and what it may hold.
import { html } from 'hono/html';

import { BASE, type Html } from '../context.ts';

interface FormOptions {
  className?: string;
  /** With files in it. */
  multipart?: true;
}

/** A form that does something: a POST, taken from a page of the console alone (entering/guarding.ts). */
export const form = (action: string, body: Html, { className = '', multipart }: FormOptions = {}): Html =>
  html`<form
    method="post"
    action="${BASE}${action}"
    class="${className}"
    ${multipart && html`enctype="multipart/form-data"`}
  >
    ${body}
  </form>`;

interface ButtonOptions {
  fields?: Record<string, string | number>;
  tone?: '' | 'main' | 'danger';
  /** What it is about, for who cannot see where it stands. */
  about?: string;
}

/** One button that does something; what it is about goes along hidden. */
export function actionButton(
  action: string,
  label: string,
  { fields = {}, tone = '', about }: ButtonOptions = {},
): Html {
  const named = about !== undefined && html`aria-label="${label}: ${about}"`;
  const body = html`${hidden(fields)}<button class="${tone}" ${named}>${label}</button>`;
  return form(action, body, { className: 'inline' });
}

export const hidden = (fields: Record<string, string | number>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );

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
      ${required && 'required'}
    />
    ${hint && html`<small>${hint}</small>`}
  </label>`;
}

export function choiceField({
  name,
  label,
  hint,
  choices,
  value = '',
  required = false,
}: Field & {
  required?: boolean;
  choices: readonly (readonly [value: string | number, label: string])[];
  value?: string | number;
}): Html {
  return html`<label class="field">
    <span>${label}</span>
    <select name="${name}" ${required && 'required'}>
      ${choices.map(
        ([each, shown]) =>
          html`<option value="${each}" ${String(each) === String(value) && 'selected'}>${shown}</option>`,
      )}
    </select>
    ${hint && html`<small>${hint}</small>`}
  </label>`;
}
