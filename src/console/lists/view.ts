// A list as data: its columns, what it can be filtered by, and the verbs of the core that read it. The page and the CSV
// are made of the same view and the same query, so that an export cannot differ from the screen.
import { readPlayerId, toIsoTime } from '../../core/index.ts';
import type { Day, ListPage, ListRequest, ListTotal, Permission } from '../../core/index.ts';
import type { CsvCell } from '../../csv.ts';
import type { Html, ScreenContext } from '../context.ts';
import { labelGame } from '../parts/labels.ts';
import type { Cell, Shape } from '../parts/table.ts';
import { absoluteTime } from '../parts/time.ts';

/**
 * A column: its name in the CSV and what stands there; and on the screen, where it is shown, what heads it
 * (`<list>-<head>` of the locales) and its cell. Where the list can be sorted by its head, that is pressed.
 */
export type ListColumn<Row> = readonly [
  key: string,
  csv: (row: Row, timeZone: string) => CsvCell,
  head?: string,
  cell?: (row: Row, context: ScreenContext) => Cell,
  shape?: Shape,
];

/** A moment: ISO in the account's zone in the CSV, and short on the screen. */
export const momentColumn = <Row>(
  key: string,
  at: (row: Row) => number | undefined,
  head?: string,
): ListColumn<Row> => [
  key,
  (row, timeZone) => toIso(at(row), timeZone),
  head,
  (row, context) => absoluteTime(context, at(row)),
];

const toIso = (at: number | undefined, timeZone: string) =>
  at === undefined ? undefined : toIsoTime(at, timeZone);

/** The same in both. */
export const plainColumn = <Row>(
  key: string,
  value: (row: Row) => string | number | undefined,
  shape?: Shape,
): ListColumn<Row> => [...([key, value, key] as const), value, shape];

/**
 * `<list>-<key>` is its label; the core calls it `as`, and `read` is how it is taken. `rare`: folded away where it is not
 * asked for. `secret`: never written down whole.
 */
export type ListFilter = { key: string; as?: string; rare?: true; secret?: true } & (
  | { kind: 'choice'; choices: Choices; read?(text: string): unknown }
  | { kind: 'text'; most: number; read?(text: string): unknown }
  | { kind: 'number'; most?: number }
  | { kind: 'day' | 'id' }
);
type Choices = (context: ScreenContext) => readonly (readonly [value: string, label: string])[];

/** A player ID, however it was typed. */
export const PLAYER: ListFilter = {
  ...{ key: 'player', as: 'playerId', kind: 'text', most: 100 },
  read: (text) => readPlayerId(text) ?? text,
};

export const gameFilter = (of: 'all' | 'managed'): ListFilter => ({
  ...{ key: 'game', as: 'gameId', kind: 'choice' },
  choices: (context) => context.core.games[of].map(({ id }) => [id, labelGame(context, id)]),
});

export const DAYS: readonly ListFilter[] = [
  { key: 'from', kind: 'day' },
  { key: 'to', kind: 'day' },
];

export type ListValue = string | number | Day;

/** What a request asks of a list. */
export interface ListQuery<Filter = unknown> extends ListRequest {
  values: ReadonlyMap<string, ListValue>;
  /** The same as the core takes it. */
  filter: Filter;
  /** As it stands in the URL. */
  sort: string;
  /** What is searched for under the filters. */
  words?: string;
  full: boolean;
}

export interface ListView<Row, Filter = never> {
  /** Below /console; the CSV is `<path>.csv`. */
  path: string;
  /** Of its words, and in the menu. */
  name: string;
  needs: Permission | 'member';
  csvNeeds: Permission;
  /** Of an export with codes; without it there is none. */
  fullNeeds?: Permission;
  columns: readonly ListColumn<Row>[];
  /** Beside them in an export with codes. */
  fullColumns?: readonly ListColumn<Row>[];
  filters: readonly ListFilter[];
  /** `-at` is newest first; the first is taken where none is asked for. */
  sorts: readonly string[];
  page(context: ScreenContext, query: ListQuery<Filter>): Promise<ListPage<Row> & { total?: ListTotal }>;
  walk(
    context: ScreenContext,
    query: ListQuery<Filter>,
  ): AsyncIterable<Row[]> | Promise<AsyncIterable<Row[]>>;
  /** What can be done beside the CSV. */
  actions?(context: ScreenContext): Html | false;
  /** Written down before a full export. */
  orderFull?(context: ScreenContext, order: { filter: string; reason: string }): Promise<void>;
}

/** What is no matter of its rows. */
export type AnyView = Omit<ListView<never>, 'columns' | 'fullColumns' | 'page' | 'walk'>;
