// What a drawing of the page is made from: the playground, whom one is, and what is open.
import { type html, raw } from 'hono/html';

import type { ChatKey, PageLanguage, PersonKey } from './personas.ts';
import type { Playground } from './playground.ts';
import type { Words } from './words.ts';

/** Part of a page; what is put into a template is escaped. */
export type Html = ReturnType<typeof html>;
/** An attribute, or text, that is escaped already. */
export type Raw = ReturnType<typeof raw>;

export interface View {
  play: Playground;
  language: PageLanguage;
  t: Words;
  chat: ChatKey;
  /** Who writes: the chat's person, or who was chosen in the group. */
  writer: PersonKey;
  /** What a phone shows, and what stands beside the chat where there is room for one thing. */
  place: 'tour' | 'chat' | 'account';
  side: 'tour' | 'account';
}

/** The attribute of a button that changes what is open, as the query of the page's address. */
export const sets = (what: Record<string, string>): Raw => data('set', new URLSearchParams(what).toString());

/** The attribute of a button that does something, at a path of the server. */
export function does(path: string, what: Record<string, string | number> = {}): Raw {
  const query = Object.entries(what).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return data('do', `/${path}?${query.join('&')}`);
}

/** The attribute of a button that puts `value` on the clipboard and says so. */
export const copies = (value: string): Raw => data('copy', value);

/** Any attribute of a button that page.js reads. */
export const data = (name: string, value: string): Raw => raw(` data-${name}="${escapeHtml(value)}"`);

/** An attribute that is there or not. */
export const when = (holds: boolean, attribute: string): Raw => raw(holds ? ` ${attribute}` : '');

export const fill = (words: string, value: string | number): string => words.replace('%', String(value));

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] ?? one);
