// What every command of the host is made of: how it is told, how it answers, how it refuses.
import { existsSync } from 'node:fs';
import { once } from 'node:events';

import type { Config } from '../config.ts';
import { loadKey } from '../store/engine/keys.ts';
import { createSecrets, type Secrets } from '../store/engine/secrets.ts';

/** A command that cannot be done as asked; the message is the whole sentence. */
export class Refusal extends Error {}

export type Values = Record<string, string | undefined>;

export interface Command {
  required: readonly string[];
  optional: readonly string[];
  /** Names of what follows without a name, all required. */
  operands: readonly string[];
  /** Returns the exit code. */
  run(values: Values, config: Config): Promise<number>;
}

/** One JSON object a line. */
export const printLine = (line: object) => print(`${JSON.stringify(line)}\n`);

export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** A sentence beside the answer: something is not as it should be. */
export function warn(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** For commands that only read: makes neither a database nor a key. */
export function loadSecrets(config: Config): Secrets {
  requireDatabase(config);
  return createSecrets(loadKey(config.databasePath, config.encryptionKey));
}

export function requireDatabase({ databasePath }: Config): void {
  if (!existsSync(databasePath))
    throw new Refusal(`There is no database at ${databasePath}. Is DATABASE_PATH right?`);
}
