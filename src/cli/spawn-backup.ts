// A backup in a process of its own, for the service: the command `backup`, which gives way to whoever is served.
import { spawn, spawnSync } from 'node:child_process';

import type { MakeBackup, MakeBackupNow, ProvenBackup } from '../backups.ts';
import { program } from '../files.ts';
import type { BackupAnswer } from './backup.ts';

const CLI = program('src/cli.ts');
/** What is kept of its words; a sentence is short. */
const MOST_WORDS = 2_000;

/** Resolves when `file` is made and proven. Rejects with the sentence of the command; an abort ends it. */
export const spawnBackup: MakeBackup = (file, { isWhole, signal }) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, describe(file, isWhole), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: process.env,
      signal,
    });
    let [answer, words] = ['', ''];
    // Rows that are damaged come before it, in any number.
    child.stdout.on('data', (chunk: Buffer) => (answer = (answer + chunk.toString()).slice(-MOST_WORDS)));
    child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(0, MOST_WORDS)));
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve(readAnswer(answer));
      else reject(new Error(words.trim() || `The backup ended with ${code ?? killedBy}.`));
    });
  });

/** The same, for a start that has nobody to serve yet. */
export const spawnBackupNow: MakeBackupNow = (file) => {
  const { status, signal, stderr, error } = spawnSync(process.execPath, describe(file, false), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: process.env,
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(stderr.trim() || `The backup ended with ${status ?? signal}.`);
};

const describe = (file: string, isWhole: boolean): string[] => [
  CLI,
  'backup',
  file,
  ...(isWhole ? [] : ['--everyday']),
];

function readAnswer(answer: string): ProvenBackup {
  const line = answer.trim().split('\n').at(-1) ?? '';
  const { proof, unreadable = 0, drift = 0 } = JSON.parse(line) as BackupAnswer;
  return { proof, damagedRows: unreadable + drift };
}
