// npm run build: the programs of the service in dist/, their modules and packages in few files, and what Node compiles of
// them. What is not JavaScript (words, styles, migrations, fonts) is read where it lies (src/files.ts).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { rolldown, type Plugin } from 'rolldown';

/** The service, and what is started beside it. */
const PROGRAMS = [
  'src/main.ts',
  'src/cli.ts',
  'src/store/engine/checkpoint-worker.ts',
  'src/core/paste/spreadsheet-worker.ts',
];
/** What has a library of its own for this machine: it comes as a package. */
const NATIVE = ['better-sqlite3', '@resvg/resvg-js'];

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const COMPILED = { NODE_COMPILE_CACHE: join(dist, 'compiled'), NODE_COMPILE_CACHE_PORTABLE: '1' };

/** What a checkout loads by `require`, because that is faster there, is a module like all others here. */
const requiredAsModules: Plugin = {
  name: 'required-as-modules',
  transform: (code, id) =>
    id.endsWith('/store/engine/drizzle.ts')
      ? code.replace(/^const (\w+) = require\('([^']+)'\).*;$/gm, "import * as $1 from '$2';")
      : undefined,
};

/** grammY comes with a fetch of its own for a Node that has none. */
const ownFetch: Plugin = {
  name: 'own-fetch',
  resolveId: (id) => (id === 'node-fetch' ? '\0own-fetch' : undefined),
  load: (id) => (id === '\0own-fetch' ? 'export default fetch;' : undefined),
};

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(PROGRAMS.map((source) => [basename(source, '.ts'), source])),
  platform: 'node',
  external: NATIVE,
  plugins: [requiredAsModules, ownFetch],
});
await bundle.write({
  dir: dist,
  format: 'esm',
  chunkFileNames: '[name].js',
  cleanDir: true,
});
await compile();

/** Started once, with all of its parts, by the command line of the unit: by another it would count for nothing. */
async function compile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'build-'));
  const service = spawn(process.execPath, ['--max-semi-space-size=8', join(dist, 'main.js')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...COMPILED,
      DATABASE_PATH: join(folder, 'data.db'),
      SANDBOX_PATH: join(folder, 'sandbox.db'),
      GAMES_FILE: join(root, 'data/games.json'),
      BACKUP_FOLDER: '',
      PORT: '0',
      HOST: '127.0.0.1',
      TELEGRAM_BOT_TOKEN: '1:none',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:1',
      CONSOLE_URL: 'http://127.0.0.1:3000/console',
    },
  });
  const ended = once(service, 'exit');
  for await (const line of createInterface(service.stdout)) {
    if (line.includes('"serving HTTP"')) service.kill('SIGINT');
  }
  const [code] = (await ended) as [number | null];
  rmSync(folder, { recursive: true });
  if (code !== 0) throw new Error(`What was built ended with ${code}.`);
  execFileSync(process.execPath, [join(dist, 'cli.js'), '--help'], { env: COMPILED, stdio: 'ignore' });
}
