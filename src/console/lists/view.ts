// A list as data: its columns, what it can be filtered by, and the verbs of the core that read it. The page and the CSV
// are made of the same view and the same query, so that an export cannot differ from the screen.
import { readPlayerId } from '../../core/index.ts';
import type { Day, ListPage, ListRequest, ListTotal, Permission } from '../../core/index.ts';
import type { CsvCell } from '../../csv.ts';
import type { Html, ScreenContext } from '../context.ts';

export interface ListColumn<Row> {
  /** The name in the CSV; undefined: on the screen alone. */
  key?: string;
  csv?(row: Row, timeZone: string): CsvCell;
  /** On the screen: `<list>-<header>` heads it. */
  shown?: {
    header: string;
    cell(row: Row, context: ScreenContext): Html | string | number;
    kind?: 'number';
    hidden?: 'narrow';
    /** By which the list is sorted where one presses its head. */
    sort?: string;
  };
}

/** `<list>-<key>` is its label. `rare`: folded away where it is not asked for. `secret`: never written down whole. */
export type ListFilter = { rare?: true; secret?: true } & (
  | {
      key: string;
      kind: 'choice';
      choices(context: ScreenContext): readonly (readonly [value: string, label: string])[];
    }
  | { key: string; kind: 'day' | 'id' }
  | { key: string; kind: 'number' | 'text'; most: number }
);

export type ListValue = string | number | Day;

/** What a request asks of a list. */
export interface ListQuery extends ListRequest {
  values: ReadonlyMap<string, ListValue>;
  /** As it stands in the URL. */
  sort: string;
  full: boolean;
}

export interface ListView<Row> {
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
  page(context: ScreenContext, query: ListQuery): Promise<ListPage<Row> & { total?: ListTotal }>;
  walk(context: ScreenContext, query: ListQuery): AsyncIterable<Row[]> | Promise<AsyncIterable<Row[]>>;
  /** Written down before a full export. */
  orderFull?(context: ScreenContext, order: { filter: string; reason: string }): Promise<void>;
}

export const textOf = ({ values }: ListQuery, key: string): string | undefined => {
  const value = values.get(key);
  return typeof value === 'string' ? value : undefined;
};

/** A player ID, however it was typed. */
export function playerOf(query: ListQuery): string | undefined {
  const text = textOf(query, 'player');
  return text === undefined ? undefined : (readPlayerId(text) ?? text);
}

export const numberOf = ({ values }: ListQuery, key: string): number | undefined => {
  const value = values.get(key);
  return typeof value === 'number' ? value : undefined;
};

export const dayOf = ({ values }: ListQuery, key: string): Day | undefined => {
  const value = values.get(key);
  return typeof value === 'object' ? value : undefined;
};
