// The table of the architecture: it refuses what it must refuse, and it is the one that CONTRIBUTING.md shows. An
// exported name is one thing.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Architecture {
  describeLayers(): string[];
  describeModules(): string[];
}

interface Cruise {
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

/** Each import that is planted, as `from → to`; `types` plants `import type`. */
const REFUSED: [from: string, to: string, kind?: 'types'][] = [
  ['src/clock.ts', 'src/core/index.ts', 'types'],
  ['src/store/index.ts', 'src/platform/port.ts', 'types'],
  ['src/platform/port.ts', 'src/store/index.ts', 'types'],
  ['src/core/quota/usage.ts', 'src/store/index.ts'],
  ['src/core/quota/usage.ts', 'src/store/tables/codes.ts', 'types'],
  ['src/core/quota/usage.ts', 'src/config.ts', 'types'],
  ['src/http/auth.ts', 'src/core/quota/usage.ts', 'types'],
  ['src/http/auth.ts', 'src/bot/index.ts', 'types'],
  ['src/bot/replies.ts', 'src/http/server.ts', 'types'],
  ['src/bot/replies.ts', 'src/store/index.ts', 'types'],
  ['src/console/context.ts', 'src/core/stock/codes.ts', 'types'],
  ['src/console/context.ts', 'src/store/index.ts', 'types'],
  ['src/console/parts/page.ts', 'src/console/screens/today.ts', 'types'],
  ['src/app.ts', 'playground/view.ts', 'types'],
  ['src/bot/replies.ts', 'test/telegram/world.ts', 'types'],
  ['src/core/quota/usage.ts', 'src/core/stock/add-codes.ts', 'types'],
  ['src/core/errors.ts', 'src/core/paste/reading.ts', 'types'],
  ['src/core/receipts/search.ts', 'src/core/notices/notices.ts', 'types'],
  ['src/bot/prompts/confirmations.ts', 'src/bot/inbox/inbox.ts', 'types'],
  ['src/bot/replies.ts', 'src/bot/prompts/confirmations.ts', 'types'],
  ['src/store/engine/secrets.ts', 'src/store/tables/codes.ts', 'types'],
];
const ALLOWED: [from: string, to: string, kind?: 'types'][] = [
  ['src/core/quota/purchases.ts', 'src/store/index.ts', 'types'],
  ['src/core/quota/purchases.ts', 'src/core/accounts/accounts.ts'],
  ['src/http/routes/redeem.ts', 'src/core/index.ts'],
  ['src/console/context.ts', 'src/core/index.ts'],
  ['src/app.ts', 'src/http/server.ts'],
];

/** What declares a name for other files; what is handed on (`export { … } from`) is declared elsewhere. */
const EXPORTED = /^export (?:async )?(?:function\*?|class|const|let|interface|type) (\w+)/gm;

let folder: string;
let violations: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  cpSync(join(ROOT, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  const planted = new Map<string, string[]>();
  for (const [from, to, kind] of [...REFUSED, ...ALLOWED]) {
    const up = '../'.repeat(from.split('/').length - 1);
    const line = `import ${kind === 'types' ? 'type ' : ''}{ x as x${planted.size} } from '${up}${to}';`;
    planted.set(from, [...(planted.get(from) ?? []), line]);
    if (!planted.has(to)) planted.set(to, []);
  }
  planted.set('src/core/zones.ts', ["import type { x } from './games.ts';"]);
  planted.set('src/core/games.ts', ["import type { x } from './zones.ts';"]);
  for (const [file, lines] of planted) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), `${lines.join('\n')}\nexport const x = 1;\n`);
  }
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const options = ['src', '--config', join(ROOT, '.dependency-cruiser.js'), '--output-type', 'json'];
  const told = await promisify(execFile)(process.execPath, [program, ...options], { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const cruise = JSON.parse(told.stdout) as Cruise;
  violations = cruise.summary.violations.map(({ from, to, rule }) => `${from} → ${to} (${rule.name})`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the table refuses', () => {
  test.each(REFUSED)('%s → %s', (from, to) => {
    expect(violations.filter((each) => each.startsWith(`${from} → ${to} (`))).not.toEqual([]);
  });

  test('a circle of files, types included', () => {
    expect(violations).toContain('src/core/games.ts → src/core/zones.ts (circle)');
  });
});

test.each(ALLOWED)('the table allows %s → %s', (from, to) => {
  const told = violations.filter(
    (each) => each.startsWith(`${from} → ${to} (`) && !each.endsWith('(circle)'),
  );
  expect(told).toEqual([]);
});

test('an exported name is one thing: no two files of src export the same', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const exporters = new Map<string, string[]>();
  for (const file of files.filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts'))) {
    const names = readFileSync(join(ROOT, 'src', file), 'utf8').matchAll(EXPORTED);
    for (const name of new Set([...names].map((found) => found[1]!)))
      exporters.set(name, [...(exporters.get(name) ?? []), file]);
  }
  expect(exporters.size).toBeGreaterThan(1000);
  expect([...exporters].filter(([, where]) => where.length > 1)).toEqual([]);
});

test('CONTRIBUTING.md shows this table and this order', async () => {
  const architecture = (await import(join(ROOT, '.dependency-cruiser.js'))) as Architecture;
  const shown = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  for (const row of [...architecture.describeLayers(), ...architecture.describeModules()])
    expect(shown).toContain(row);
});
