// What a measurement tells, how often it is repeated, and the table it ends in.

/** One line of the table. `ratio` is `ours` divided by `against`; a figure without a comparison has none. */
export interface Figure {
  row: number;
  figure: string;
  ours: string;
  against?: string;
  ratio?: number;
  goal: string;
  /** undefined when it was not measured. */
  met?: boolean;
}

export interface BenchOptions {
  /** Fewer repetitions of less work: to see that everything runs, not to judge by. */
  quick: boolean;
  /** Progress, for whoever watches. */
  tell: (line: string) => void;
}

/** Measures `rows` of the table; `asked` are those that somebody wants to see. */
export interface BenchGroup {
  rows: readonly number[];
  measure(asked: ReadonlySet<number>, options: BenchOptions): Promise<Figure[]>;
}

export const ROUNDS = 5;

export function roundsOf({ quick }: BenchOptions): number {
  return quick ? 1 : ROUNDS;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? NaN;
  return (upper + lower) / 2;
}

/**
 * Runs every contestant once a round, in turn, so that a bad minute of the machine hits all of them.
 * The results of each, in the order of the rounds.
 */
export async function takeTurns<Name extends string, Result>(
  rounds: number,
  contestants: Readonly<Record<Name, () => Promise<Result> | Result>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contestants) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await contestants[name]());
  }
  return results;
}

/** How many a second. */
export function rate(count: number, startedAt: number): number {
  return (count * 1000) / (performance.now() - startedAt);
}

export function whole(value: number, unit: string): string {
  return `${Math.round(value).toLocaleString('en')} ${unit}`;
}

/** A figure whose goal is a least ratio of two rates. */
export function atLeast(
  row: number,
  figure: string,
  { ours, against, goal, unit }: { ours: number; against: number; goal: number; unit: string },
): Figure {
  const ratio = ours / against;
  return {
    row,
    figure,
    ours: whole(ours, unit),
    against: whole(against, unit),
    ratio,
    goal: `>= ${goal}`,
    met: ratio >= goal,
  };
}

/** A figure whose goal is a greatest value. */
export function atMost(
  row: number,
  figure: string,
  { ours, goal, unit }: { ours: number; goal: number; unit: string },
): Figure {
  const digits = ours < 10 ? 2 : ours < 100 ? 1 : 0;
  return {
    row,
    figure,
    ours: `${ours.toFixed(digits)} ${unit}`,
    goal: `<= ${goal} ${unit}`,
    met: ours <= goal,
  };
}

const HEAD = ['#', 'figure', 'ours', 'against', 'ratio', 'goal', 'met'];

/** The table as text, its columns aligned. */
export function renderTable(figures: readonly Figure[]): string {
  const lines = figures.map(({ row, figure, ours, against, ratio, goal, met }) => [
    String(row),
    figure,
    ours,
    against ?? '',
    ratio === undefined ? '' : ratio.toFixed(2),
    goal,
    met === undefined ? '' : met ? 'yes' : 'NO',
  ]);
  const table = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const rendered = table.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  rendered.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return rendered.map((line) => line.trimEnd()).join('\n');
}
