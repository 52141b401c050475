// The files of the page: all it imports is served, and nothing else of the libraries.
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';

import { importMapHash, readPageFile } from './page-files.ts';

const read = (path: string) => readPageFile(path)?.bytes.toString('utf8');
const html = read('/index.html') ?? '';
const map = /<script type="importmap">([^]*?)<\/script>/.exec(html)?.[1] ?? '';
const { imports } = JSON.parse(map) as { imports: Record<string, string> };

/** Where an import of this file leads. */
function resolve(name: string, from: string): string {
  if (name.startsWith('.')) return posix.join(posix.dirname(from), name);
  const stem = Object.keys(imports).find(
    (key) => name === key || (key.endsWith('/') && name.startsWith(key)),
  );
  return stem === undefined ? name : imports[stem] + name.slice(stem.length);
}

const importsOf = (path: string) =>
  [...(read(path) ?? '').matchAll(/(?:^|[;}\n])\s*(?:import|export)[^'"`;]*from\s*['"]([^'"]+)['"]/g)].map(
    ([, name = '']) => resolve(name, path),
  );

test('everything that the page imports, and what that imports, is served; and every file of the page is imported', () => {
  const found = new Set(['/main.js']);
  for (const path of found) for (const next of importsOf(path)) found.add(next);
  expect([...found].filter((path) => read(path) === undefined)).toEqual([]);
  expect([...found].some((path) => path.startsWith('/lib/lit-html/directives/'))).toBe(true);
  const own = readdirSync(new URL('page/', import.meta.url)).filter((name) => name.endsWith('.js'));
  expect(own.filter((name) => !found.has(`/${name}`))).toEqual([]);
});

test('every style of the page is linked, and nothing comes from another host', () => {
  const linked = [...html.matchAll(/href="([a-z-]+\.css)"/g)].map(([, name]) => name).sort();
  expect(linked).toEqual(
    readdirSync(new URL('page/', import.meta.url)).filter((name) => name.endsWith('.css')),
  );
  expect(linked.every((name) => read(`/${name}`) !== undefined)).toBe(true);
  expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('the policy names the one inline script there is', () => {
  expect(html.match(/<script(?![^>]*src=)/g)).toHaveLength(1);
  expect(importMapHash()).toBe(`sha256-${createHash('sha256').update(map).digest('base64')}`);
});

test.each([
  '/lib/lit-html/package.json',
  '/lib/lit-html/directives/unsafe-html.js',
  '/lib/lit-html/../lit/index.js',
  '/lib/zod/index.js',
  '/../page-server.ts',
  '/..%2fpage-server.ts',
])('%s is not served', (path) => {
  expect(readPageFile(path)).toBeUndefined();
});
