// The version of conversations: replaying one that began under other sources, another catalogue or another plugin could
// do anything, so a deployment that changed one of them ends those under way.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));
/** What a replay runs of ours: the bot, and the core that it asks outside of what was recorded. */
const FOLDERS = ['bot', 'core'] as const;
/** What a replay runs of others. */
const PACKAGES = ['@grammyjs/conversations', 'grammy'] as const;

/** A digest of the sources in `root`, of the catalogue, and of the packages in the versions that are loaded. */
export function digestReplayed(catalogue: unknown, root = SOURCES): string {
  const hash = createHash('sha256');
  hash.update(root === SOURCES ? (loaded ??= digestSources(root)) : digestSources(root));
  // A pattern has nothing of its own to show as JSON.
  const entries = JSON.stringify(catalogue, (_key, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  hash.update(entries);
  for (const name of PACKAGES) hash.update(readVersion(name));
  return hash.digest('hex').slice(0, 16);
}

/** Of what this process runs, as it was when it was first asked for. */
let loaded: Buffer | undefined;

function digestSources(root: string): Buffer {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.sort()) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      hash.update(`${folder}/${file}\0`).update(readFileSync(join(root, folder, file)));
    }
  }
  return hash.digest();
}

/** `name@version`, from the nearest package.json above the module itself. */
function readVersion(name: string): string {
  for (let url = new URL(import.meta.resolve(name)); url.pathname !== '/'; url = new URL('..', url)) {
    try {
      const found = JSON.parse(readFileSync(new URL('package.json', url), 'utf8')) as Record<string, unknown>;
      if (found.name === name) return `${name}@${String(found.version)}`;
    } catch {
      // Further up.
    }
  }
  throw new Error(`The version of ${name} is not known.`);
}
