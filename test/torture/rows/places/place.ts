// A service in a folder of its own whose database is taken elsewhere, and what is asked of it: that it refuses in a
// sentence, or tells.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp } from '../../../../src/app.ts';
import { loadConfig } from '../../../../src/config.ts';
import { createLogger } from '../../../../src/log.ts';
import { StoreRefusal } from '../../../../src/store/index.ts';
import { pause } from '../../../../src/waiting.ts';
import { runCliHere } from '../../../harness/run-here.ts';
import { serviceEnv, spawnService, type Service } from '../../process.ts';

const WITHIN_MS = 5_000;

export interface Place {
  folder: string;
  path: string;
  key: string;
  /** Starts it, and ends it whatever comes of it. */
  serving<T>(work: (service: Service) => Promise<T>): Promise<T>;
  found: string[];
}

export type Scenes = Record<string, (place: Place) => Promise<void>>;

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'places-'));

/** In a folder of its own, on a database that has had one account. */
export function openPlace(shop: string, key: string): Place {
  const folder = makeFolder();
  cpSync(shop, folder, { recursive: true });
  return settle(folder, key);
}

/** The same files on another machine, as they lie. */
export const copyPlace = ({ folder, key, found }: Place): Place => ({ ...openPlace(folder, key), found });

function settle(folder: string, key: string): Place {
  return {
    folder,
    path: serviceEnv(folder).DATABASE_PATH ?? '',
    key,
    async serving(work) {
      const service = await spawnService({ folder });
      try {
        return await work(service);
      } finally {
        await service.kill('SIGINT');
      }
    },
    found: [],
  };
}

let codes = 0;

export async function addCode({ key }: Place, { url }: Service): Promise<number> {
  codes += 1;
  const { status } = await fetch(`${url}/db`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ denomination: 60, codes: [`60S${String(codes).padStart(13, '0')}`] }]),
  });
  return status;
}

export async function isTold(place: Place, service: Service, what: string): Promise<void> {
  const status = await addCode(place, service);
  if (status < 400) place.found.push(`${what}, and codes are added: ${status}`);
  if (!(await becomes(service, 'moved'))) place.found.push(`${what}, and /readyz does not say so`);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  if (!/^store_writable 0$/m.test(metrics)) place.found.push(`${what}, and the metric does not say so`);
  const told = service.errors().filter((line) => line.includes('was moved away or deleted under'));
  if (told.length === 0) place.found.push(`${what}, and the log does not say so`);
}

export async function becomes({ url }: Service, database: string): Promise<boolean> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    const answer = (await (await fetch(`${url}/readyz`)).json()) as { database: string };
    if (answer.database === database) return true;
    await pause(100);
  }
  return false;
}

/** What refuses is met before anything begins: in this process, without starting the program. */
export async function isRefused(
  { folder, found }: Place,
  sentence: RegExp,
  what: string,
  env: Record<string, string> = {},
): Promise<void> {
  try {
    const app = createApp(loadConfig(serviceEnv(folder, env)), { log: createLogger({ level: 'silent' }) });
    await app.stop();
    found.push(`${what} is served`);
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    if (!sentence.test(error.message)) found.push(`${what}: ${error.message}`);
  }
}

/** A command of the host that does its work. */
export async function orders({ folder, found }: Place, ...typed: string[]): Promise<void> {
  const { exitCode, stderr } = await runCliHere(folder, ...typed);
  if (exitCode !== 0) found.push(`${typed.join(' ')} ended with ${exitCode}: ${stderr}`);
}
