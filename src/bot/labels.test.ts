// Labels as a phone shows them: one line, cut with an ellipsis. Measured in the rows in which the bot has sent them
// (the chats of every room), in the language of the chat and, by the variables that stand there, in the other one.
import { readdirSync, readFileSync } from 'node:fs';
import { FluentResource } from '@fluent/bundle';
import { expect, test } from 'vitest';

import { LANGUAGES, readLocale } from './texts.ts';

/** Letters of a label that a phone shows, by how many stand in its row. */
const widthOf = (inRow: number) => [26, 17][inRow - 1] ?? 10;

const HERE = new URL('.', import.meta.url);
/** What stands before the words of a label, and what the chats tell behind them. */
const MARK = /^[✅⬜✓🔔🔕] /u;
const BESIDE = / (copies|opens|→) .*$| !(red|green|blue)$/;

/** Every row of buttons that stands in a chat. */
function readRows(): string[][] {
  const chats = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /chats\/.+\.txt$/.test(file),
  );
  return chats.flatMap((file) =>
    readFileSync(new URL(file, HERE), 'utf8')
      .split('\n')
      .filter((line) => /^ {2}\[.+\]$/.test(line))
      .map((line) =>
        line
          .slice(3, -1)
          .split('] [')
          .map((label) => label.replace(BESIDE, '')),
      ),
  );
}

type Part =
  | string
  | { type: string; name?: string; value?: string; args?: Part[]; variants?: { value: Part | Part[] }[] };
const partsOf = (value: unknown): Part[] => (Array.isArray(value) ? (value as Part[]) : [value as Part]);
const nameOf = (part: Part | undefined): string | undefined => {
  if (part === undefined || typeof part === 'string') return undefined;
  return part.type === 'var' ? part.name : part.type === 'func' ? nameOf(part.args?.[0]) : undefined;
};

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** What a message looks like; its variables are groups. */
function toPattern(value: unknown, known = new Set<string>()): string {
  return partsOf(value)
    .map((part) => {
      if (typeof part === 'string') return escape(part);
      if (part.type === 'str') return escape(part.value ?? '');
      if (part.type === 'select')
        return `(?:${part.variants?.map((each) => toPattern(each.value, known)).join('|')})`;
      const name = nameOf(part) ?? '';
      if (name === '' || known.has(name)) return '.+?';
      known.add(name);
      return `(?<${name}>.+?)`;
    })
    .join('');
}

/** How long it becomes at most with these variables. */
function lengthOf(value: unknown, variables: Record<string, string | undefined>): number {
  const lengths = partsOf(value).map((part) => {
    if (typeof part === 'string') return [...part].length;
    if (part.type === 'str') return [...(part.value ?? '')].length;
    if (part.type === 'select')
      return Math.max(...(part.variants ?? []).map((each) => lengthOf(each.value, variables)));
    return [...(variables[nameOf(part) ?? ''] ?? '')].length;
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

const LABELS = LANGUAGES.map(
  (language) => new Map(new FluentResource(readLocale(language)).body.map(({ id, value }) => [id, value])),
);
const isLabel = (key: string) => /button|^past-|^settings-notice-/.test(key);
/**
 * What people, shops, players and upstreams are called is data: alone in its row it is cut where a phone cuts it. So
 * are stock keys of several games.
 */
const isNamed = (label: string, inRow: number) =>
  (inRow === 1 && /^(Again for|Ещё для|LongestName)|^\d+ · | · sandbox-\d$|@/.test(label)) ||
  /^(Add|\+) .* · Game \d$/.test(label);
/**
 * Where a label is too long to stand beside Cancel it stands above it, in each language by itself
 * (prompts/confirmations.ts).
 */
const isAboveCancel = (row: readonly string[]) => row.length === 2 && /^(Cancel|Отмена)$/.test(row[1] ?? '');

/** Two letters too long in Russian, alone in its row: to be said in other words. */
const TO_SHORTEN = ['ru host-button-sell-unswept'];

interface Found {
  key: string;
  variables: Record<string, string | undefined>;
}

/**
 * The messages that a label may be, in any language, with what their variables are there: those with the most words of
 * their own.
 */
function findKeys(label: string): Found[] {
  const found = LABELS.flatMap((messages) =>
    [...messages].flatMap(([key, value]) => {
      const match = isLabel(key) ? patternOf(key, value).exec(label) : null;
      return match ? [{ key, variables: match.groups ?? {} }] : [];
    }),
  );
  const variable = ({ variables }: Found) => Object.values(variables).join('').length;
  const least = Math.min(...found.map(variable));
  return found.filter((each) => variable(each) === least);
}

const patterns = new Map<unknown, RegExp>();
function patternOf(key: string, value: unknown): RegExp {
  const known = patterns.get(value ?? key) ?? new RegExp(`^(?:${toPattern(value)})$`, 'u');
  patterns.set(value ?? key, known);
  return known;
}

test('every label fits a phone, in the row in which it stands, in both languages', () => {
  const cut = new Set<string>();
  for (const row of readRows())
    for (const written of row) {
      const width = widthOf(row.length);
      const label = written.replace(MARK, '');
      const mark = [...written].length - [...label].length;
      if (isNamed(label, row.length)) continue;
      if ([...written].length > width) cut.add(`${width}: ${written}`);
      for (const { key, variables } of findKeys(label))
        for (const [index, messages] of LABELS.entries()) {
          const length = lengthOf(messages.get(key), variables) + mark;
          const isKnown = TO_SHORTEN.includes(`${LANGUAGES[index]} ${key}`);
          if (length > (isAboveCancel(row) ? 26 : width) && !isKnown)
            cut.add(`${width}: ${LANGUAGES[index]} ${key} (${length}), where it is ${written}`);
        }
    }
  expect([...cut].sort()).toEqual([]);
});
