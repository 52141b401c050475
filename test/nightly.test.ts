// The unit of every night, as systemd has a shell run it: the proof and the doctor both have their turn, and either one
// fails it. The program is a stand-in.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'nightly-'));
afterAll(() => rmSync(folder, { recursive: true }));

const unit = readFileSync(
  join(import.meta.dirname, '../deploy/systemd/code-redemption-check.service'),
  'utf8',
);
const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.+)'$/m.exec(unit) ?? [];
const node = join(folder, 'node');
writeFileSync(node, '#!/bin/sh\necho "$2"\nfor bad in $UNWELL; do [ "$bad" != "$2" ] || exit 1; done\n');
chmodSync(node, 0o755);
const script = command.replaceAll('$$', '$').replace('/opt/code-redemption/node_modules/.bin/node', node);

test.each([
  ['', 0],
  ['check', 1],
  ['doctor', 1],
  ['check doctor', 1],
])('with "%s" unwell both run, the check first, and the unit ends with %i', (unwell, status) => {
  const ran = spawnSync('/bin/sh', ['-c', script], { env: { UNWELL: unwell }, encoding: 'utf8' });
  expect([ran.stdout, ran.stderr, ran.status]).toEqual(['check\ndoctor\n', '', status]);
});
