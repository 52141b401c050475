// The bench itself, in a form too small to prove a figure: that every row still runs against the code as it is, that a
// file with history is one that the service could have written, and that a noisy minute is told instead of a verdict.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compare, renderTable, value } from './figures.ts';
import { SMALL } from './history/history.ts';
import { makeHistory } from './history/making.ts';
import { median, quantile, spreadOf } from './rounds.ts';
import { runCliHere } from '../harness/run-here.ts';

const ROOT = new URL('../../', import.meta.url);
const LONG_MS = 180_000;

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'bench-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs rows of the bench in a process of its own; what it printed. */
async function bench(...words: string[]): Promise<string> {
  const env = { ...process.env, TMPDIR: folder };
  const options = { cwd: ROOT, env, maxBuffer: 16_000_000 };
  const run = promisify(execFile)(process.execPath, ['test/bench/main.ts', '--tiny', ...words], options);
  const { stdout } = await run.catch((error: unknown) => error as { stdout: string; stderr: string });
  return stdout;
}

const rowsOf = (table: string) => table.split('\n').flatMap((line) => /^(\d+) {2,}\S/.exec(line)?.[1] ?? []);

describe('the rows', () => {
  test.each([['in this process', ['1', '12', '13', '14']]])(
    'measured %s all come to a figure',
    async (_how, rows) => {
      const table = await bench(...rows);
      expect(table).not.toContain('FAILED');
      expect([...new Set(rowsOf(table))]).toEqual(rows);
      expect(table).toMatch(/fsyncs\/s/);
    },
    LONG_MS,
  );
});

test(
  'a file with history holds every conservation rule, and everything sealed in it opens',
  async () => {
    const home = join(folder, 'history');
    mkdirSync(home);
    const about = await makeHistory(join(home, 'redemption.db'), { ...SMALL, accounts: 2 }, () => undefined);
    expect(about.redemptions).toBeGreaterThan(3_000);
    expect(about.accounts).toBe(4);
    const [checked] = (await runCliHere(home, 'check')).lines;
    expect(checked).toMatchObject({ drift: 0, accounts: 4 });
    expect(checked?.sealed).toBeGreaterThan(2 * about.redemptions);
  },
  LONG_MS,
);

describe('a figure', () => {
  const quiet = { others: 0, stolen: 0, ticks: 100 };
  const ratio = (ours: number[], load = quiet) =>
    compare(1, 'a / b', { ours, against: [100, 100, 100], atLeast: 1.2, unit: 'a/s', load });

  test('is met or not by the median of the ratios of its rounds', () => {
    expect(ratio([120, 121, 130])).toMatchObject({ met: 'yes', ratio: '1.21' });
    expect(ratio([119, 119, 130])).toMatchObject({ met: 'NO', ratio: '1.19' });
  });

  test('is called noisy where others were busy, the machine was taken away, or the rounds differ', () => {
    expect(ratio([130, 130, 130], { ...quiet, others: 0.2 }).met).toBe('noisy: others 20 %');
    expect(ratio([130, 130, 130], { ...quiet, stolen: 0.03 }).met).toBe('noisy: 3 % stolen');
    expect(ratio([130, 130, 200]).met).toBe('noisy: spread 54 %');
  });

  test('that is a maximum is the worst of all rounds, however they differ', () => {
    const turn = { values: [3, 5, 24], atMost: 25, unit: 'ms', load: quiet, longest: true };
    expect(value(11, 'longest turn', turn)).toMatchObject({ ours: '24.0 ms', met: 'yes' });
  });

  test('stands in the table with its note below', () => {
    const table = renderTable([{ ...ratio([120, 120, 120]), note: 'by candlelight' }]);
    expect(table).toMatch(/^1 +a \/ b +120 a\/s +100 a\/s +1\.20 +0 % +>= 1\.2 +yes$/m);
    expect(table).toContain('1: by candlelight');
  });

  test('is made of medians, spreads and quantiles', () => {
    expect([median([3, 1, 2]), median([1, 2])]).toEqual([2, 1.5]);
    expect([spreadOf([9, 10, 12]), spreadOf([7])]).toEqual([0.3, 0]);
    expect(quantile([1, 2, 3, 4], 0.99)).toBe(4);
  });
});
