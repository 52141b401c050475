// A list as CSV: streamed, a slice between turns, as fast as it is read; it ends with its reader, and a session has one
// at a time.
import { CSV_MARK, toCsvLine } from '../../csv.ts';
import type { ListColumn } from './view.ts';

/** The text of a CSV, slice by slice. Its first holds the names of the columns; `more` is its last line where there are more. */
export async function* writeCsv<Row>(
  columns: readonly ListColumn<Row>[],
  slices: AsyncIterable<readonly Row[]>,
  { timeZone, most, more }: { timeZone: string; most: number; more: string },
): AsyncGenerator<string, void, void> {
  yield CSV_MARK + toCsvLine(columns.map(([key]) => key));
  let left = most;
  for await (const rows of slices) {
    const fitting = rows.slice(0, left);
    left -= fitting.length;
    yield fitting.map((row) => toCsvLine(columns.map(([, csv]) => csv(row, timeZone)))).join('');
    if (fitting.length < rows.length) return yield toCsvLine([more]);
  }
}

/** Pulled by its reader; `ended` is called once, when the last was read, it failed or its reader has gone. */
export function streamText(
  texts: AsyncGenerator<string, void, void>,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOver = false;
  function end(): void {
    if (!isOver) ended();
    isOver = true;
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          let next = await texts.next();
          while (next.done !== true && next.value === '' && !isOver) next = await texts.next();
          if (isOver) return;
          if (next.done !== true) return controller.enqueue(encoder.encode(next.value));
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      async cancel() {
        end();
        await texts.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
