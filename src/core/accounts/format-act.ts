// An act of the audit log in words: the sentence of its kind, with what was done to whom. Every surface has the same
// sentences (locales/); how a person, a role and a name are shown is its own.
import { toKeyPart, type Language, type Variables } from '../../locales.ts';
import { formatMoment } from '../../moments.ts';
import type { ActorLabel } from '../receipts/receipts.ts';
import type { AuditEntry } from './audit-log-list.ts';

/** How a surface words what it shows. */
interface ActWording {
  language: Language;
  timeZone: string;
  say(key: string, variables: Variables): string;
  person(label: ActorLabel): string;
  /** `owner`, `admin` … */
  role(role: string): string;
  /** What somebody typed, `most` characters of it. */
  name(text: string, most?: number): string;
}

const LONGEST_REASON = 200;

export function formatAct(
  { what, object, before, after, person, reason }: AuditEntry,
  { language, timeZone, say, ...words }: ActWording,
): string {
  const facts = { ...before, ...after };
  const text = (key: string) => String(facts[key] ?? '');
  const count = (key: string) => (typeof facts[key] === 'number' ? facts[key] : 0);
  const named = (value: string | number | undefined, absent: string) =>
    value === undefined ? absent : words.name(String(value));
  const moment = (ms: string | number | undefined) =>
    typeof ms === 'number' ? formatMoment(language, ms, timeZone) : '';
  const changed = (of: typeof before) =>
    named(of?.name ?? of?.contact ?? of?.zone ?? of?.threshold ?? of?.platform, '—');
  const [of = '', number = ''] = object?.split(':') ?? [];
  return say(`log-${toKeyPart(what)}`, {
    ...{ of, number, count: count('count'), days: count('days') },
    // What would be grouped is told as it is.
    amount: facts.amount === undefined ? 0 : text('amount'),
    ...{ denomination: text('denomination'), game: text('gameId'), currency: text('currency') },
    ...{ key: text('key'), host: text('host'), browser: text('browser'), outcome: text('outcome') },
    person: person ? words.person(person) : '',
    role: facts.role === undefined ? '' : words.role(String(facts.role)),
    called: named(facts.name, ''),
    ...{ was: changed(before), is: changed(after) },
    ...{ since: moment(facts.asOf ?? facts.stoppedAt), until: moment(facts.until) },
    reason: words.name(reason ?? '', LONGEST_REASON),
  });
}
