// Files that people send: asked for and fetched from the Bot API, or read from the disk where its server stands beside
// us and keeps them there. A file's link holds the token, so nothing of it, and no error of the fetch, leaves this
// file.
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Api } from 'grammy';

import { pause } from '../../waiting.ts';
import { isRefusal } from '../replies.ts';

export interface Files {
  /** The bytes of a file. `unreachable`: Telegram did not give it, though it was asked several times. */
  read(fileId: string): Promise<Uint8Array | 'tooBig' | 'unreachable'>;
}

export interface FilesDeps {
  api: Pick<Api, 'getFile'>;
  apiRoot: string;
  token: string;
  signal: AbortSignal;
  fetch?: typeof fetch;
}

/** Telegram's limit for bots. */
export const MOST_FILE_BYTES = 20 * 1024 * 1024;
const TRIES = 3;
const TIMEOUT_MS = 30_000;

export function createFiles({ api, apiRoot, token, signal, fetch = globalThis.fetch }: FilesDeps): Files {
  return {
    async read(fileId) {
      const path = await findPath(api, fileId);
      if (path === 'tooBig' || path === 'unreachable') return path;
      // A Bot API server of one's own, started with --local, serves no files: it says where on the disk they are.
      if (isAbsolute(path.inside)) return readLocal(path.inside);
      const url = `${apiRoot}/file/bot${token}/${path.inside.split('/').map(encodeURIComponent).join('/')}`;
      for (let attempt = 1; ; attempt += 1) {
        const bytes = await fetchOnce(fetch, url, signal);
        // What was cut on the way looks like a shorter file.
        const isCut = typeof bytes !== 'string' && path.size !== undefined && bytes.length !== path.size;
        const got = isCut ? 'unreachable' : bytes;
        if (got !== 'unreachable' || attempt === TRIES || signal.aborted) return got;
        await pause(500 * attempt, signal);
      }
    },
  };
}

async function findPath(
  api: FilesDeps['api'],
  fileId: string,
): Promise<{ inside: string; size: number | undefined } | 'tooBig' | 'unreachable'> {
  try {
    const { file_path: inside, file_size: size } = await api.getFile(fileId);
    if ((size ?? 0) > MOST_FILE_BYTES) return 'tooBig';
    return inside === undefined ? 'unreachable' : { inside, size };
  } catch (error) {
    return isRefusal(error, /file is too big/) ? 'tooBig' : 'unreachable';
  }
}

async function readLocal(path: string): Promise<Uint8Array | 'tooBig' | 'unreachable'> {
  try {
    if ((await stat(path)).size > MOST_FILE_BYTES) return 'tooBig';
    return await readFile(path);
  } catch {
    return 'unreachable';
  }
}

async function fetchOnce(
  fetch: typeof globalThis.fetch,
  url: string,
  stopping: AbortSignal,
): Promise<Uint8Array | 'tooBig' | 'unreachable'> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(url, { signal, redirect: 'error' });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return 'unreachable';
    }
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MOST_FILE_BYTES) return 'tooBig';
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch {
    return 'unreachable';
  }
}
