// Spreadsheets (.xlsx) as text for the reader of pastes: the first sheet that holds codes, its cells apart by tabs. Each is read in a
// thread of its own, one after another, within bounds of size, rows, memory and time; no formula is computed.
import { Worker } from 'node:worker_threads';

export type SpreadsheetText = { text: string } | 'unreadable' | 'tooLarge';

/** What the thread is given: `codePatterns` tell a sheet with codes, `mostBytes` are those inflated. */
export interface SpreadsheetOrder {
  bytes: Uint8Array;
  codePatterns: readonly RegExp[];
  mostBytes?: number;
  mostRows?: number;
}

const PROGRAM = new URL('./spreadsheet-worker.ts', import.meta.url);
const WITHIN_MS = 30_000;
const MOST_MEMORY_MB = 512;

export type ReadSpreadsheet = (order: SpreadsheetOrder) => Promise<SpreadsheetText>;

export function createSpreadsheetReader({
  withinMs = WITHIN_MS,
  mostMemoryMb = MOST_MEMORY_MB,
} = {}): ReadSpreadsheet {
  let last: Promise<unknown> = Promise.resolve();
  return (order) => {
    const text = last.then(() => readInThread(order, { withinMs, mostMemoryMb }));
    last = text;
    return text;
  };
}

function readInThread(
  order: SpreadsheetOrder,
  { withinMs, mostMemoryMb }: { withinMs: number; mostMemoryMb: number },
): Promise<SpreadsheetText> {
  const worker = new Worker(PROGRAM, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  return new Promise((resolve) => {
    const end = (text: SpreadsheetText) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(text);
    };
    const timer = setTimeout(end, withinMs, 'tooLarge');
    worker.once('message', end);
    // Out of memory, above all.
    worker.once('error', (error: Error & { code?: string }) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'tooLarge' : 'unreadable'),
    );
  });
}
