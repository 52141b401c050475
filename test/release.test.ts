// deploy/release.sh as docs/hosting.md has it typed: from beside the checkout, into the folder where one is. What npm
// would fetch is a stand-in.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
afterEach(() => rmSync(folder, { recursive: true }));

const NPM = `#!/bin/sh
case "$*" in
ci*)
  for package in node/bin better-sqlite3/deps @resvg/resvg-js @resvg/resvg-js-linux-x64-gnu dejavu-fonts-ttf swagger-ui-dist zod; do
    mkdir -p "node_modules/$package"
  done
  printf '#!/bin/sh\n' >node_modules/node/bin/node && chmod +x node_modules/node/bin/node
  mkdir node_modules/.bin && ln -s ../node/bin/node node_modules/.bin/node
  ;;
'run build') mkdir dist ;;
esac
`;
const GIT_ENV = {
  ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_CONFIG_GLOBAL: '/dev/null' },
  ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' },
};

test('a release is made where it is said, whole, and named once', () => {
  const checkout = join(folder, 'code-redemption-source');
  const env = { ...process.env, ...GIT_ENV, PATH: `${folder}/bin:${process.env['PATH']}` };
  const run = (cwd: string, program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'npm'), NPM);
  chmodSync(join(folder, 'bin', 'npm'), 0o755);
  mkdirSync(join(checkout, 'deploy'), { recursive: true });
  for (const script of ['release.sh', 'pack.sh'])
    copyFileSync(join(import.meta.dirname, '../deploy', script), join(checkout, 'deploy', script));
  writeFileSync(join(checkout, 'package.json'), '{\n  "version": "1.2.3",\n  "private": true\n}\n');
  run(checkout, 'git', 'init', '--quiet');
  run(checkout, 'git', 'add', '.');
  run(checkout, 'git', 'commit', '--quiet', '--message', 'One');

  const make = () => run(folder, 'code-redemption-source/deploy/release.sh', '.').trim();
  const made = make();
  expect(basename(made)).toMatch(/^code-redemption-1\.2\.3-[0-9a-f]{8}$/);
  expect(readdirSync(folder)).toEqual(['bin', basename(made), 'code-redemption-source']);
  expect(readdirSync(made)).toEqual(['deploy', 'dist', 'node_modules', 'package.json']);
  expect(readdirSync(join(made, 'node_modules')).join(' ')).toBe(
    '.bin @resvg better-sqlite3 dejavu-fonts-ttf node swagger-ui-dist',
  );
  expect(make()).toBe(made);
});
