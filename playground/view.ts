// What a drawing of the page is made from: the playground, whom one is, and what is open; and its smallest parts.
import { html, raw } from 'hono/html';

import { escapeXml } from '../src/chart.ts';
import { CHATS, type ChatKey, type PageLanguage, type PersonKey } from './personas.ts';
import type { Playground } from './playground.ts';
import { icon } from './signs.ts';
import { wordsIn, type Words } from './words.ts';

/** Part of a page; what is put into a template is escaped. */
export type Html = ReturnType<typeof html>;
/** Attributes, or text, that are escaped already. */
export type Raw = ReturnType<typeof raw>;

/** What a phone shows. */
export const PLACES = ['tour', 'chat', 'account'] as const;

export interface View {
  play: Playground;
  language: PageLanguage;
  t: Words;
  chat: ChatKey;
  /** Who writes: the chat's person, and in the group its owner. */
  writer: PersonKey;
  place: (typeof PLACES)[number];
}

/** By the query of the page's address. */
export function readView(play: Playground, query: Record<string, string>): View {
  const language = play.language();
  const chat = CHATS.find((key) => key === query['as']) ?? 'owner';
  const place = PLACES.find((one) => one === query['place']) ?? 'tour';
  return { play, language, chat, place, t: wordsIn(language), writer: chat === 'group' ? 'owner' : chat };
}

/** Attributes; none for what does not hold. */
export const put = (given: Record<string, string | number | boolean>): Raw =>
  raw(
    Object.entries(given)
      .filter(([, value]) => value !== false)
      .map(([name, value]) => ` ${name}="${value === true ? '' : escapeXml(String(value))}"`)
      .join(''),
  );

/** Of a button that changes what is open, as the query of the page's address. */
export const sets = (what: Record<string, string>): Raw =>
  put({ 'data-set': new URLSearchParams(what).toString() });

/** Of a button that does something, at a path of the server. */
export function does(path: string, what: Record<string, string | number> = {}): Raw {
  const query = Object.entries(what).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return put({ 'data-do': `/${path}?${query.join('&')}` });
}

/** Of a button that puts `value` on the clipboard and says so. */
export const copies = (value: string): Raw => put({ 'data-copy': value });

/** Whose words and looks are these; what it does are its attributes. */
export const button = (look: string, words: Html | string, ...attributes: Raw[]): Html =>
  html`<button class="${look}" type="button" ${attributes}>${words}</button>`;

/** A value to be read and copied. */
export const copyRow = (copy: string, value: string): Html =>
  html`<p class="copy-row">
    <code>${value}</code
    >${button('icon-button', icon('copy'), copies(value), put({ 'aria-label': `${copy}: ${value}` }))}
  </p>`;

export const fill = (words: string, value: string | number): string => words.replace('%', String(value));
