// The version of conversations: replaying one that began under other sources, another catalogue or another plugin could
// do anything, so a deployment that changed one of them ends those under way.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { asset, isBuilt } from '../../files.ts';

const SOURCES = asset('src');
/** What a replay runs of ours: the bot, and the core that it asks outside of what was recorded. */
const FOLDERS = ['bot', 'core'] as const;
/** What a replay runs of others. */
const PACKAGES = ['@grammyjs/conversations', 'grammy'] as const;

/** A digest of the catalogue, and of the sources in `root`: of those that are loaded with their packages' versions. */
export function digestReplayed(catalogue: unknown, root = SOURCES): string {
  const hash = createHash('sha256');
  hash.update(root === SOURCES ? (loaded ??= digestLoaded()) : digestSources(root));
  // A pattern has nothing of its own to show as JSON.
  const entries = JSON.stringify(catalogue, (_key, value: unknown) =>
    value instanceof RegExp ? String(value) : value,
  );
  hash.update(entries);
  return hash.digest('hex').slice(0, 16);
}

/** Of what this process runs, as it was when it was first asked for. */
let loaded: Buffer | undefined;

/** A release was digested when it was built (deploy/build.ts). */
const digestLoaded = (): Buffer =>
  isBuilt
    ? readFileSync(asset('dist/digest'))
    : Buffer.concat([digestSources(SOURCES), Buffer.from(PACKAGES.map(readVersion).join())]);

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
