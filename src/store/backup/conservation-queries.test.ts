// Every rule of conservation, broken in each way that it forbids: what is told of it, to the column. And what looks
// like a breach and is none.
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestStore } from '../../../test/harness/store.ts';
import { openTradedStore } from '../../../test/harness/traded-store.ts';
import { RULES } from './conservation-queries.ts';
import { checkConservation } from './conservation.ts';

interface Breach {
  check: string;
  what: string;
  statements: string[];
  told: string[];
}

const text = readFileSync(new URL('./conservation-queries.txt', import.meta.url), 'utf8');
/** What stands in angle brackets, as the head of the table explains it. */
const WORDS = [...text.matchAll(/^# (<[a-z ]+>) +(.*)$/gm)].map(([, word, sql]) => [word!, sql!] as const);
const BREACHES: Breach[] = text.split(/^== /m).slice(1).flatMap(readRule);

function readRule(section: string): Breach[] {
  const [check, ...blocks] = section.trim().split('\n\n');
  return blocks.map((block) => {
    const [what, ...lines] = block.split('\n').map((line) => line.trim());
    const isTold = (line: string) => line.startsWith('→ ');
    return {
      check: check!,
      what: what!,
      statements: lines
        .filter((line) => !isTold(line))
        .map((line) => WORDS.reduce((spelled, [word, sql]) => spelled.replaceAll(word, sql), line)),
      told: lines.filter(isTold).map((line) => line.slice(2)),
    };
  });
}

let fixture: TestStore;
let connection: Database.Database;

beforeAll(async () => {
  ({ fixture } = await openTradedStore());
  connection = new Database(fixture.store.path);
  // As only a bug or a damaged file can break the rules of the schema.
  connection.pragma('foreign_keys = OFF');
  connection.pragma('ignore_check_constraints = ON');
});
beforeEach(() => void connection.exec('begin'));
afterEach(() => void connection.exec('rollback'));
afterAll(async () => {
  connection.close();
  await fixture.close();
});

test.each(BREACHES)('$check: $what', ({ check, statements, told }) => {
  for (const statement of statements) connection.exec(statement);
  const rows = checkConservation(connection).rows.filter((row) => row.check === check);
  const word = ({ check: _, ...columns }: (typeof rows)[0]) =>
    Object.entries(columns).map(([name, value]) => `${name}=${value ?? '-'}`);
  expect(rows.map((row) => word(row).join(' '))).toEqual(told);
});

test('every rule is broken', () => {
  const broken = BREACHES.filter(({ told }) => told.length > 0).map(({ check }) => check);
  expect(new Set(broken)).toEqual(new Set(RULES.map(({ check }) => check)));
});
