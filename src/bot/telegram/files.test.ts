import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { createFiles, MOST_FILE_BYTES } from './files.ts';

const TOKEN = '123456:token-that-must-not-leak';

function open(fetch: typeof globalThis.fetch, size = 5, path = 'documents/a b.txt') {
  const asked: string[] = [];
  const files = createFiles({
    api: {
      getFile: () =>
        Promise.resolve({
          file_id: 'a',
          file_unique_id: 'b',
          file_path: path,
          file_size: size,
        }),
    },
    apiRoot: 'http://127.0.0.1:1',
    token: TOKEN,
    signal: new AbortController().signal,
    fetch: (input, init) => {
      asked.push(input as string);
      return fetch(input, init);
    },
  });
  return { files, asked };
}

test('a file comes from the link that Telegram names', async () => {
  const { files, asked } = open(() => Promise.resolve(new Response('codes')));
  expect(Buffer.from((await files.read('a')) as Uint8Array).toString()).toBe('codes');
  expect(asked).toEqual([`http://127.0.0.1:1/file/bot${TOKEN}/documents/a%20b.txt`]);
});

test('what cannot be fetched is a value that names neither link nor token', async () => {
  const failing = open((input) => Promise.reject(new Error(`no route to ${input as string}`)));
  expect(await failing.files.read('a')).toBe('unreachable');
  expect(failing.asked).toHaveLength(3);
});

test('a file that is larger than was said is given up on the way', async () => {
  const chunk = new Uint8Array(MOST_FILE_BYTES / 4);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(chunk);
    },
  });
  expect(await open(() => Promise.resolve(new Response(endless))).files.read('a')).toBe('tooBig');
  expect(sent).toBeLessThan(8);
  const told = open(() => Promise.reject(new Error('not asked')), MOST_FILE_BYTES + 1);
  expect(await told.files.read('a')).toBe('tooBig');
  expect(told.asked).toEqual([]);
});

test('a Bot API server that keeps files on the disk says where: there it is read, and nothing is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redemption-files-'));
  const path = join(folder, 'a.txt');
  const none = () => Promise.reject(new Error('there is no link'));
  try {
    writeFileSync(path, 'hello');
    const { files, asked } = open(none, 5, path);
    expect(Buffer.from((await files.read('a')) as Uint8Array).toString()).toBe('hello');
    truncateSync(path, MOST_FILE_BYTES + 1);
    expect(await files.read('a')).toBe('tooBig');
    rmSync(path);
    expect(await files.read('a')).toBe('unreachable');
    expect(asked).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a file that was cut on the way is asked for again, and is none where it stays so', async () => {
  let tries = 0;
  const cut = open(() => Promise.resolve(new Response((tries += 1) === 1 ? 'cod' : 'codes')));
  expect(Buffer.from((await cut.files.read('a')) as Uint8Array).toString()).toBe('codes');
  expect(cut.asked).toHaveLength(2);
  expect(await open(() => Promise.resolve(new Response('cod'))).files.read('a')).toBe('unreachable');
});
