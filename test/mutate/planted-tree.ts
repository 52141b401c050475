// A copy of the sources into which bugs are planted, one at a time.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Planting {
  file: string;
  /** Each text must occur; every occurrence is replaced. */
  edits: readonly (readonly [find: string, replace: string])[];
}

export interface PlantedTree {
  folder: string;
  /** Runs `work` with the bug in place; a text that is not there is told in place of running it. */
  with<T>(bug: Planting, work: () => Promise<T>): Promise<T | { missing: string }>;
  remove(): void;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** All else is copied: tests read the documents and what is deployed, too. */
const LEFT_OUT = ['node_modules', '.git'];

export function copyTree(): PlantedTree {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  for (const name of readdirSync(ROOT))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async with(bug, work) {
      const file = join(folder, bug.file);
      const sound = readFileSync(file, 'utf8');
      const missing = bug.edits.find(([find]) => !sound.includes(find));
      if (missing) return { missing: `${bug.file} does not hold: ${missing[0]}` };
      writeFileSync(
        file,
        bug.edits.reduce((text, [find, replace]) => text.replaceAll(find, () => replace), sound),
      );
      try {
        return await work();
      } finally {
        writeFileSync(file, sound);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
