// A backup in a process of its own, for the service: the command `backup`, which gives way to whoever is served.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
/** What is kept of its words; a sentence is short. */
const MOST_WORDS = 2_000;

/** Resolves when `file` is made and proven. Rejects with the sentence of the command; an abort ends it. */
export function spawnBackup(file: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'backup', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: process.env,
      signal,
    });
    let words = '';
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(0, MOST_WORDS)));
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve();
      else reject(new Error(words.trim() || `The backup ended with ${code ?? killedBy}.`));
    });
  });
}
