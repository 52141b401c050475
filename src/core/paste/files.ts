// Files as text for the reader of pastes: the encoding of their bytes, and of a spreadsheet (.xlsx) the first sheet that holds codes,
// its cells apart by tabs. Each spreadsheet is read in a thread of its own, one after another, within bounds of size, rows, memory
// and time; no formula is computed.
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

/**
 * The text of an uploaded file: UTF-16 by its byte order mark, or without one by its zero bytes; UTF-8; where that is
 * invalid, windows-1252, which never fails.
 */
export function decodePaste(bytes: Uint8Array): string {
  const encoding = findUtf16(bytes);
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function findUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  const looked = Math.min(bytes.length, 4_096);
  for (let index = 0; index < looked; index += 1) {
    if (bytes[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (looked < 4 || Math.max(even, odd) < looked * 0.4 || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
