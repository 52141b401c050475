// The files of the page: those of page/, and of the library lit the ones that the page imports, as they lie in
// node_modules.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('page/', import.meta.url));
const OWN = /^\/([a-z0-9][a-z0-9-]*\.(html|css|js))$/;
const LIBRARY = '/lib/';
/** What the page imports of lit, and what that imports: no other file of node_modules is served. */
const LIBRARY_FILES = new Set(
  [
    'lit-html.js',
    'directive.js',
    'directive-helpers.js',
    ...['class-map', 'if-defined', 'repeat'].map((name) => `directives/${name}.js`),
  ].map((name) => `lit-html/${name}`),
);
const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** The file at this path of the page's server; undefined where there is none. */
export function readPageFile(path: string): { bytes: Buffer; type: string } | undefined {
  const place = placeOf(path);
  if (place === undefined) return undefined;
  try {
    return { bytes: readFileSync(place), type: TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? '' };
  } catch {
    return undefined;
  }
}

/** The one inline script of the page, for its policy: what the page's imports stand for. */
export function importMapHash(): string {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const map = /<script type="importmap">([^]*?)<\/script>/.exec(html)?.[1] ?? '';
  return `sha256-${createHash('sha256').update(map).digest('base64')}`;
}

function placeOf(path: string): string | undefined {
  const own = OWN.exec(path)?.[1];
  if (own !== undefined) return join(PAGE, own);
  const name = path.startsWith(LIBRARY) ? path.slice(LIBRARY.length) : '';
  return LIBRARY_FILES.has(name) ? join(libraries(), name) : undefined;
}

/**
 * Where lit-html lies: beside lit, or below it, as npm put it. What Node itself would take of it lies deeper in its
 * folder.
 */
function libraries(): string {
  const lit = createRequire(import.meta.url).resolve('lit');
  const forNode = createRequire(lit).resolve('lit-html');
  return forNode.slice(0, forNode.lastIndexOf(join(sep, 'lit-html', sep)));
}
