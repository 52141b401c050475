// The files that a browser loads beside a page: one stylesheet, one script, one icon. Each is asked for by what is in
// it, so that it may be kept for good.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { asset as pathOf, styles } from '../files.ts';

const TYPES = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;
export type AssetName = keyof typeof TYPES;

interface Asset {
  body: string;
  type: string;
  digest: string;
}

const read = new Map<AssetName, Asset>();

export const isAsset = (name: string): name is AssetName => Object.hasOwn(TYPES, name);

/** Read once in a process. */
export function readAsset(name: AssetName): Asset {
  const known = read.get(name);
  if (known) return known;
  const path = `src/console/assets/${name}`;
  const body = name.endsWith('.css') ? styles(path) : readFileSync(pathOf(path), 'utf8');
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  const asset = { body, type: TYPES[name], digest };
  read.set(name, asset);
  return asset;
}
