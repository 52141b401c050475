// What was looked for, as it was understood: `21 Nov 2026 · failed · ann`.
import type { FoundBy } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { formatDate } from '../moments.ts';
import { name } from '../texts.ts';

/** A customer's whole sentence is not said back to support. */
const MOST_WORDS = 6;

/** Plain; empty where nothing was understood. */
export function describeFoundBy(
  { language, label }: Pick<BotContext, 'language' | 'label'>,
  { days, state, apiKeyId, words }: FoundBy,
): string {
  const [first, last] = (days ?? []).map((day) => formatDate(language, day));
  const shown = words.slice(0, MOST_WORDS).map(name).join(' ');
  const parts = [
    first === last || last === undefined ? first : `${first} – ${last}`,
    state && label(`find-state-${state.replace('_', '-')}`),
    apiKeyId === undefined ? undefined : label('find-by-key', { id: String(apiKeyId) }),
    words.length > MOST_WORDS ? `${shown} …` : shown,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
