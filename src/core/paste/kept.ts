// Lines of a text as they are kept beside it, so that it is read once: each different frame once, and for every line what fills it.
import type { Frame } from './frame.ts';
import type { TextLine } from './reading.ts';

/** Another where the same line is read otherwise: what an earlier program kept is read again from the text. */
const VERSION = 2;

interface Kept {
  version: number;
  name?: string | undefined;
  frames: Frame[];
  /** Frame, start, end, 1 where it continues the line before, what fills it. */
  lines: [frame: number, start: number, end: number, continues: 0 | 1, ...slots: string[]][];
}

/** `name`: of the file. */
export function keepLines(lines: readonly TextLine[], name: string | undefined): string {
  const kept: Kept = { version: VERSION, ...(name !== undefined && { name }), frames: [], lines: [] };
  const places = new Map<Frame, number>();
  for (const { line, start, end, continues } of lines) {
    let place = places.get(line.frame);
    if (place === undefined) {
      place = kept.frames.push(line.frame) - 1;
      places.set(line.frame, place);
    }
    kept.lines.push([place, start, end, continues ? 1 : 0, ...line.slots]);
  }
  return JSON.stringify(kept);
}

/** The lines as they were kept; undefined where an earlier program read them. */
export function restoreLines(json: string): { name: string | undefined; lines: TextLine[] | undefined } {
  const { version, name, frames, lines } = JSON.parse(json) as Kept;
  if (version !== VERSION) return { name, lines: undefined };
  const restored = lines.map(([place, start, end, continues, ...slots]): TextLine => {
    return { line: { frame: frames[place] ?? { text: '' }, slots }, start, end, continues: continues === 1 };
  });
  return { name, lines: restored };
}
