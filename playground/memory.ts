// What a folder remembers between two starts of the playground; a new folder is seeded.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeWhole } from '../src/store/engine/whole-file.ts';
import type { PageLanguage } from './personas.ts';
import { seed, type Seeds } from './seeding.ts';
import { loadConfig } from '../src/config.ts';
import { createEnvironment } from './settings.ts';

export interface Memory extends Seeds {
  /** How often the folder was started before. */
  run: number;
}

const FILE = 'playground.json';
/** The seeds reach no Telegram. */
const NOWHERE = 'http://127.0.0.1:1';

/** Seeds a new folder; counts the start of a known one. */
export async function openMemory(folder: string, language: PageLanguage): Promise<Memory> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILE);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Memory) : undefined;
  const memory = known
    ? { ...known, run: known.run + 1 }
    : { ...(await seed(loadConfig(createEnvironment(folder, NOWHERE)), language)), run: 0 };
  writeWhole(file, JSON.stringify(memory));
  return memory;
}
