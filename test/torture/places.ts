// Row 27, places: a service whose database is not where or what it was. Each is refused at the start with a sentence, or told by the
// running service, within five seconds; and nothing begins meanwhile.
import { copyFileSync, cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCli, ServiceDied, serviceEnv, spawnService, type Service } from '../harness/service.ts';
import type { Findings, TortureOptions } from './findings.ts';

const WITHIN_MS = 5_000;
const COUNTED_MS = 2_500;

interface Place {
  folder: string;
  path: string;
  key: string;
  /** Starts it, and ends it whatever comes of it. */
  serving<T>(work: (service: Service) => Promise<T>): Promise<T>;
  found: string[];
}

const SCENES: Record<string, (place: Place) => Promise<void>> = {
  async deleted(place) {
    await place.serving(async (service) => {
      for (const suffix of ['', '-wal', '-shm', '.lock', '.commits'])
        rmSync(place.path + suffix, { force: true });
      await isTold(place, service, 'deleted');
      await isRefused(place, /Another process is using|There was a database here/, 'a second service');
    });
    await isRefused(place, /There was a database here/, 'a key without its database');
    const { exitCode } = await runCli(place.folder, 'new');
    if (exitCode !== 0) place.found.push(`new ended with ${exitCode}`);
    await place.serving(() => Promise.resolve());
  },
  async 'moved away, and back'(place) {
    await place.serving(async (service) => {
      renameSync(place.path, `${place.path}.away`);
      await isTold(place, service, 'moved away');
      renameSync(`${place.path}.away`, place.path);
      if (!(await becomes(service, 'open')))
        place.found.push('the file is back, and the service does not go on');
      if ((await addCode(place, service)) >= 300)
        place.found.push('nothing can be added once the file is back');
    });
  },
  async 'an older file'(place) {
    copyFileSync(place.path, `${place.path}.older`);
    await place.serving(async (service) => {
      await addCode(place, service);
      await pause(COUNTED_MS);
      await service.kill();
    });
    for (const suffix of ['-wal', '-shm']) rmSync(place.path + suffix, { force: true });
    copyFileSync(`${place.path}.older`, place.path);
    await isRefused(place, /is older than it was/, 'an older file');
  },
  async 'a backup in place'(place) {
    const file = join(place.folder, 'backup.db');
    await runCli(place.folder, 'backup', file);
    await place.serving(async (service) => {
      await addCode(place, service);
      await service.kill();
    });
    copyFileSync(file, place.path);
    await isRefused(place, /is a backup that was put there by hand/, 'a backup beside the log of another');
    renameSync(place.path, `${place.path}.backup`);
    const { exitCode, stderr } = await runCli(place.folder, 'restore', `${place.path}.backup`);
    if (exitCode !== 0) place.found.push(`restore ended with ${exitCode}: ${stderr}`);
    await place.serving(() => Promise.resolve());
  },
  async 'another platform'(place) {
    await place.serving((service) => addCode(place, service));
    const other = { PLATFORM: 'upstream', UPSTREAM_URL: 'http://127.0.0.1:9', UPSTREAM_TOKEN: 't' };
    await isRefused(place, /was used with the platform sandbox/, 'another platform', other);
    await place.serving(() => Promise.resolve());
  },
  async 'a copy without its count'(place) {
    await place.serving((service) => addCode(place, service));
    rmSync(`${place.path}.commits`);
    await place.serving((service) => {
      if (!service.log().includes('the count of commits beside the database was missing'))
        place.found.push('a missing count is not told');
      return Promise.resolve();
    });
  },
};

/** `count` rounds of all scenes, each in a folder of its own. */
export async function misplaceDatabases({ count, tell }: Omit<TortureOptions, 'seed'>): Promise<Findings> {
  const violations: string[] = [];
  const tried: Record<string, number> = {};
  const shop = makeFolder();
  const { lines } = await runCli(shop, 'account', 'create', '--name', 'Shop', '--days', '30');
  const key = String(lines[0]?.apiKey);
  for (let round = 0; round < count; round += 1) {
    for (const [name, play] of Object.entries(SCENES)) {
      const place = open(shop, key);
      try {
        await play(place);
      } finally {
        rmSync(place.folder, { recursive: true, force: true });
      }
      violations.push(...place.found.map((what) => `${name}: ${what}`));
      tried[name] = (tried[name] ?? 0) + 1;
      tell?.(`round ${round}: ${name}, violations: ${violations.length}`);
    }
  }
  rmSync(shop, { recursive: true });
  return { tried, violations };
}

const makeFolder = () => mkdtempSync(join(tmpdir(), 'places-'));

/** In a folder of its own, on a database that has had one account. */
function open(shop: string, key: string): Place {
  const folder = makeFolder();
  cpSync(shop, folder, { recursive: true });
  return {
    folder,
    path: serviceEnv(folder).DATABASE_PATH ?? '',
    key,
    async serving(work) {
      const service = await spawnService({ folder });
      try {
        return await work(service);
      } finally {
        await service.kill('SIGTERM');
      }
    },
    found: [],
  };
}

let codes = 0;

async function addCode({ key }: Place, { url }: Service): Promise<number> {
  codes += 1;
  const { status } = await fetch(`${url}/db`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ denomination: 60, codes: [`60S${String(codes).padStart(13, '0')}`] }]),
  });
  return status;
}

async function isTold(place: Place, service: Service, what: string): Promise<void> {
  const status = await addCode(place, service);
  if (status < 400) place.found.push(`${what}, and codes are added: ${status}`);
  if (!(await becomes(service, 'moved'))) place.found.push(`${what}, and /readyz does not say so`);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  if (!/^store_writable 0$/m.test(metrics)) place.found.push(`${what}, and the metric does not say so`);
  const told = service.errors().filter((line) => line.includes('was moved away or deleted under'));
  if (told.length === 0) place.found.push(`${what}, and the log does not say so`);
}

async function becomes({ url }: Service, database: string): Promise<boolean> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    const answer = (await (await fetch(`${url}/readyz`)).json()) as { database: string };
    if (answer.database === database) return true;
    await pause(100);
  }
  return false;
}

async function isRefused(
  { folder, found }: Place,
  sentence: RegExp,
  what: string,
  env: Record<string, string> = {},
): Promise<void> {
  try {
    const service = await spawnService({ folder, env });
    await service.kill();
    found.push(`${what} is served`);
  } catch (error) {
    if (!(error instanceof ServiceDied)) throw error;
    if (!sentence.test(error.stderr)) found.push(`${what}: ${error.stderr}`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
