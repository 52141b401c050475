// What a measurement tells, and when it tells nothing since somebody else was busy on the machine.
import type { Load } from './machine-load.ts';
import { median, spreadOf } from './rounds.ts';

/** One line of the table. `ratio` is `ours` divided by `against`; a figure without a comparison has none. */
export interface Figure {
  row: number;
  figure: string;
  ours: string;
  against?: string;
  ratio?: string;
  spread?: string;
  goal: string;
  /** 'yes', 'NO', 'noisy: …', or nothing when it was not measured. */
  met?: string;
  /** What one must know to judge it. */
  note?: string;
}

/** How much of everything: `tiny` is for the harness's own test and proves no figure at all. */
export type Scale = 'tiny' | 'quick' | 'normal' | 'full';

export interface BenchOptions {
  scale: Scale;
  /** Progress, for whoever watches. */
  tell: (line: string) => void;
}

/** Measures rows of the table, one at a time. */
export interface BenchGroup {
  rows: readonly number[];
  measure(row: number, options: BenchOptions): Promise<Figure[]>;
}

/** What is measured in this form of the bench; `full` is as `normal` where it has no value of its own. */
export function scaled<T>({ scale }: BenchOptions, values: { tiny: T; quick: T; normal: T; full?: T }): T {
  return scale === 'full' ? (values.full ?? values.normal) : values[scale];
}

/** Each row three times. */
export function roundsOf(options: BenchOptions): number {
  return scaled(options, { tiny: 1, quick: 3, normal: 3 });
}

/** Beyond these a row says `noisy`: shares of all cores, and of the median between the lowest and the highest round. */
const BOUNDS = { others: 0.1, stolen: 0.02, spread: 0.25 };

const LEGEND = `Medians of three rounds; spread: highest less lowest round, of the median (ratios: of each round's own ratio).
noisy: other processes took more than ${percent(BOUNDS.others)} of the cores while it was measured, or the hypervisor more than ${percent(BOUNDS.stolen)},
or the spread is above ${percent(BOUNDS.spread)} (maxima, written "longest", are those of all rounds and have no such bound).`;

interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** A figure whose goal is a ratio, each round's own: `ours` and `against` were measured one after the other. */
export function compare(
  row: number,
  figure: string,
  {
    ours,
    against,
    unit,
    load,
    note,
    ...goal
  }: Goal & { ours: number[]; against: number[]; unit: string; load: Load; note?: string },
): Figure {
  const ratios = ours.map((value, round) => value / (against[round] ?? NaN));
  const ratio = median(ratios);
  return {
    row,
    figure,
    ours: word(median(ours), unit),
    against: word(median(against), unit),
    ratio: ratio.toFixed(2),
    spread: percent(spreadOf(ratios)),
    goal: describeGoal(goal, ''),
    met: judge(ratio, goal, load, spreadOf(ratios)),
    ...(note !== undefined && { note }),
  };
}

/** A figure whose goal is a value. `longest`: a maximum of all rounds, told as such. */
export function value(
  row: number,
  figure: string,
  {
    values,
    unit,
    load,
    note,
    longest = false,
    ...goal
  }: Goal & { values: number[]; unit: string; load: Load; note?: string; longest?: boolean },
): Figure {
  const told = longest ? Math.max(...values) : median(values);
  return {
    row,
    figure,
    ours: word(told, unit),
    ...(!longest && { spread: percent(spreadOf(values)) }),
    goal: describeGoal(goal, unit),
    met: judge(told, goal, load, longest ? 0 : spreadOf(values)),
    ...(note !== undefined && { note }),
  };
}

/** A figure that could not be measured here. */
export function skipped(row: number, figure: string, why: string, goal = ''): Figure {
  return { row, figure, ours: `skipped: ${why}`, goal };
}

function judge(told: number, { atLeast, atMost }: Goal, load: Load, spread: number): string {
  if (load.stolen > BOUNDS.stolen) return `noisy: ${percent(load.stolen)} stolen`;
  if (load.others > BOUNDS.others) return `noisy: others ${percent(load.others)}`;
  if (spread > BOUNDS.spread) return `noisy: spread ${percent(spread)}`;
  const met = told >= (atLeast ?? -Infinity) && told <= (atMost ?? Infinity);
  return met ? 'yes' : 'NO';
}

function describeGoal({ atLeast, atMost }: Goal, unit: string): string {
  const goal = atLeast === undefined ? `<= ${atMost}` : `>= ${atLeast}`;
  return unit === '' ? goal : `${goal} ${unit}`;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Three digits, or all of a larger number. */
export function word(value: number, unit: string): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  return `${value >= 1000 ? Math.round(value).toLocaleString('en') : value.toFixed(digits)} ${unit}`;
}

export function count(value: number): string {
  return value.toLocaleString('en');
}

const HEAD = ['#', 'figure', 'ours', 'against', 'ratio', 'spread', 'goal', 'met'];

/** The table as text, its columns aligned, with the notes below. */
/** One figure in a line of its own, as soon as it is known. */
export function renderLine({ row, figure, ours, against, ratio, spread, goal, met }: Figure): string {
  const told = [
    ours,
    against && `against ${against}`,
    ratio && `ratio ${ratio}`,
    spread && `spread ${spread}`,
  ];
  return `${row}: ${figure}: ${[...told, `goal ${goal}`, met].filter(Boolean).join(', ')}`;
}

export function renderTable(figures: readonly Figure[]): string {
  const lines = figures.map(({ row, figure, ours, against, ratio, spread, goal, met }) => [
    String(row),
    figure,
    ours,
    against ?? '',
    ratio ?? '',
    spread ?? '',
    goal,
    met ?? '',
  ]);
  const table = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const rendered = table.map((line) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  rendered.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  const notes = figures.flatMap(({ row, note }) => (note === undefined ? [] : [`${row}: ${note}`]));
  return [...rendered.map((line) => line.trimEnd()), '', ...new Set(notes), LEGEND].join('\n');
}
