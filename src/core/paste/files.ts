// Files as text for the reader of pastes: the encoding of their bytes, and of a spreadsheet (.xlsx) the sheets
// that hold codes, their cells apart by tabs. Each spreadsheet is read in a thread of its own, one after another, within
// bounds of size, rows, memory and time; no formula is computed.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { program } from '../../files.ts';

export type SpreadsheetText = { text: string } | 'unreadable' | 'tooLarge';

/** What the thread is given: `codePatterns` tell a sheet with codes, `mostBytes` are those inflated. */
export interface SpreadsheetOrder {
  bytes: Uint8Array;
  codePatterns: readonly RegExp[];
  mostBytes?: number;
  mostRows?: number;
}

const PROGRAM = program('src/core/paste/spreadsheet-worker.ts');
const WITHIN_MS = 30_000;
const MOST_MEMORY_MB = 512;

export type ReadSpreadsheet = (order: SpreadsheetOrder) => Promise<SpreadsheetText>;

/** A list of codes as it was sent: of a spreadsheet the sheet with codes, of anything else its text. */
export async function readListFile(
  readSpreadsheet: ReadSpreadsheet,
  { isSpreadsheet, ...order }: SpreadsheetOrder & { isSpreadsheet: boolean },
): Promise<SpreadsheetText> {
  const read = isSpreadsheet ? await readSpreadsheet(order) : { text: decodePaste(order.bytes) };
  return typeof read === 'object' && read.text.includes('\0') ? 'unreadable' : read;
}

/** By the name of a file. */
export const isSpreadsheetName = (name: string): boolean => /\.xls[xm]$/i.test(name);

export function createSpreadsheetReader({
  withinMs = WITHIN_MS,
  mostMemoryMb = MOST_MEMORY_MB,
} = {}): ReadSpreadsheet {
  let last: Promise<unknown> = Promise.resolve();
  return (order) => {
    const text = last.then(() => readInThread(order, withinMs, mostMemoryMb));
    last = text;
    return text;
  };
}

async function readInThread(
  order: SpreadsheetOrder,
  withinMs: number,
  mostMemoryMb: number,
): Promise<SpreadsheetText> {
  const resourceLimits = { maxOldGenerationSizeMb: mostMemoryMb };
  const worker = new Worker(PROGRAM, { workerData: order, resourceLimits });
  try {
    const [text] = (await once(worker, 'message', { signal: AbortSignal.timeout(withinMs) })) as [
      SpreadsheetText,
    ];
    return text;
  } catch (error) {
    const { code } = error as { code?: unknown };
    return code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ABORT_ERR' ? 'tooLarge' : 'unreadable';
  } finally {
    void worker.terminate();
  }
}

/** The text of an uploaded file; of a letter that e-mail has cut and escaped, as it was before. */
export function decodePaste(bytes: Uint8Array): string {
  const text = decodeText(bytes);
  const isLetter =
    /^Content-Transfer-Encoding: *quoted-printable/im.test(text) || (text.match(/=3D/g) ?? []).length > 1;
  if (!isLetter) return text;
  return text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (escaped) =>
      decodeText(Uint8Array.from(escaped.slice(1).split('='), (byte) => Number.parseInt(byte, 16))),
    );
}

/**
 * Bytes as text: UTF-16 by its byte order mark, or without one by its zero bytes; UTF-8; where that is
 * invalid, windows-1252, which never fails.
 */
function decodeText(bytes: Uint8Array): string {
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
  const looked = bytes.subarray(0, 4_096);
  const [even, odd] = [0, 1].map((rest) => looked.filter((byte, at) => byte === 0 && at % 2 === rest).length);
  if (looked.length < 4 || even === undefined || odd === undefined) return undefined;
  if (Math.max(even, odd) < looked.length * 0.4 || Math.min(even, odd) > 0) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
