// The query of a list: read from a URL, and written into one. What there is not is never ignored: it is told, with what
// there is.
import { formatIsoDay, parseIsoDay, type ListCursor } from '../../core/index.ts';
import { ConsoleProblem, type ScreenContext } from '../context.ts';
import type { AnyView, ListFilter, ListQuery, ListValue } from './view.ts';

export const USUAL_PER = 50;
const [LEAST_PER, MOST_PER] = [10, 200];
/** Of all lists. `said`: what was done before. */
const COMMON = ['sort', 'per', 'after', 'before'];
const UNLISTED = ['said'];

/** Where a filter says no other. */
const LARGEST_NUMBER = 999_999_999_999;

/** An empty value is not asked for. Throws ConsoleProblem 400 that tells what there is. */
export function readListQuery<Filter>(
  view: AnyView,
  context: ScreenContext,
  params: URLSearchParams,
): ListQuery<Filter> {
  const known = [...view.filters.map(({ key }) => key), ...COMMON, ...(view.fullNeeds ? ['codes'] : [])];
  const given = new Map<string, string>();
  for (const [key, value] of params) {
    if (UNLISTED.includes(key)) continue;
    if (!known.includes(key)) throw problem('list-parameter', key, known);
    if (given.has(key)) throw problem('list-twice', key, known);
    if (value !== '') given.set(key, value);
  }
  const values = new Map<string, ListValue>();
  for (const filter of view.filters) {
    const text = given.get(filter.key);
    if (text !== undefined) values.set(filter.key, readValue(filter, context, text));
  }
  const sort = readOneOf('sort', given.get('sort') ?? view.sorts[0]!, view.sorts);
  const codes = readOneOf('codes', given.get('codes') ?? 'masked', ['masked', 'full']);
  return {
    values,
    filter: Object.fromEntries(view.filters.map((each) => toFilter(each, values))) as Filter,
    sort,
    order: sort.startsWith('-') ? 'newest' : 'oldest',
    limit: readPer(given.get('per')),
    beside: readBeside(given),
    full: codes === 'full',
  };
}

/** What the core is asked by it. */
function toFilter(
  filter: ListFilter,
  values: ReadonlyMap<string, ListValue>,
): [name: string, value: unknown] {
  const value = values.get(filter.key);
  const read = 'read' in filter ? filter.read : undefined;
  return [filter.as ?? filter.key, read && typeof value === 'string' ? read(value) : value];
}

const problem = (key: string, given: string, known: readonly string[]) =>
  new ConsoleProblem(400, key, { given: given.slice(0, 100), known: known.join(', ') });

const wrong = (name: string, given: string, known: string) =>
  new ConsoleProblem(400, 'list-value', { name, given: given.slice(0, 100), known });

function readOneOf(name: string, given: string, known: readonly string[]): string {
  if (!known.includes(given)) throw wrong(name, given, known.join(', '));
  return given;
}

function readValue(filter: ListFilter, context: ScreenContext, text: string): ListValue {
  const refuse = (known: string) => wrong(filter.key, text, known);
  switch (filter.kind) {
    case 'choice':
      return readOneOf(
        filter.key,
        text,
        filter.choices(context).map(([value]) => value),
      );
    case 'day': {
      const day = parseIsoDay(text);
      if (!day) throw refuse('YYYY-MM-DD');
      return day;
    }
    case 'number': {
      // An amount as its column shows it: `60 UC`.
      const value = Number(/^(\d{1,15})(?:\s?\p{L}{1,20})?$/u.exec(text)?.[1] ?? -1);
      const { most = LARGEST_NUMBER } = filter;
      if (value < 0 || value > most) throw refuse(`0–${most}`);
      return value;
    }
    case 'id':
      if (!/^[\p{L}\p{N}:_-]{1,64}$/u.test(text)) throw refuse('A–Z a–z 0–9 _ - :');
      return text;
    case 'text':
      if (text.length > filter.most) throw refuse(`1–${filter.most}`);
      return text;
  }
}

function readPer(text: string | undefined): number {
  if (text === undefined) return USUAL_PER;
  const per = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (per < LEAST_PER || per > MOST_PER) throw wrong('per', text, `${LEAST_PER}–${MOST_PER}`);
  return per;
}

function readBeside(given: ReadonlyMap<string, string>): ListQuery['beside'] {
  const [after, before] = [given.get('after'), given.get('before')];
  if (after !== undefined && before !== undefined) throw problem('list-twice', 'after', ['after', 'before']);
  if (after !== undefined) return { after: readCursor(after) };
  if (before !== undefined) return { before: readCursor(before) };
  return undefined;
}

/** A place of a list in a URL. */
const writeCursor = ({ at, id }: ListCursor): string => `${at.toString(36)}.${id.toString(36)}`;

function readCursor(text: string): ListCursor {
  const [, at = '', id = ''] = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(text) ?? [];
  const cursor = { at: parseInt(at, 36), id: parseInt(id, 36) };
  // Only what a page of ours has written.
  if (writeCursor(cursor) !== text)
    throw new ConsoleProblem(400, 'list-cursor', { given: text.slice(0, 60) });
  return cursor;
}

/** The same list otherwise, below /console: with other values, from its beginning where none is given. */
export function listPath(
  view: Pick<AnyView, 'path' | 'sorts'>,
  query: Pick<ListQuery, 'values' | 'sort' | 'limit' | 'words'> & { full?: boolean },
  place: { after?: ListCursor | undefined; before?: ListCursor | undefined; csv?: true } = {},
): string {
  const params = new URLSearchParams();
  for (const [key, value] of query.values)
    params.set(key, typeof value === 'object' ? formatIsoDay(value) : String(value));
  if (query.words) params.set('q', query.words);
  if (query.sort !== view.sorts[0]) params.set('sort', query.sort);
  if (query.limit !== USUAL_PER && !place.csv) params.set('per', String(query.limit));
  if (place.after) params.set('after', writeCursor(place.after));
  if (place.before) params.set('before', writeCursor(place.before));
  if (query.full === true) params.set('codes', 'full');
  const text = params.toString();
  return `${view.path}${place.csv ? '.csv' : ''}${text === '' ? '' : `?${text}`}`;
}
