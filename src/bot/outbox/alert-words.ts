// The words of host alerts: the same in a notice and where they are said past the database.
import type { HostAlert } from '../../core/index.ts';
import { formatMoment } from '../moments.ts';
import { type Language, type Texts, type Variables } from '../texts.ts';

/** `endedAt`: since when it is over; null: it has begun. In HTML; moments are in UTC. */
export function formatAlert(
  texts: Texts,
  language: Language,
  alert: HostAlert,
  endedAt: number | null = null,
): string {
  const { name } = alert;
  const moment = (at: number) => formatMoment(language, at);
  const words: Variables = { ...UNKNOWN, since: moment(alert.since) };
  for (const [key, value] of Object.entries(alert.facts))
    words[key] = key.endsWith('At') ? moment(Number(value)) : value;
  if (endedAt !== null)
    return texts.say(language, `alert-${name}-over`, { ...words, until: moment(endedAt) });
  return `${texts.say(language, `alert-${name}`, words)}\n${texts.say(language, 'alert-section', { name })}`;
}

/** What is not told of each. */
const UNKNOWN = { aliveAt: 'none', reason: 'none', trouble: 'none', sentence: '' };
