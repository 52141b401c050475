// A service in a folder of its own whose database is taken elsewhere, and what is asked of it: that it refuses in a
// sentence, or tells.
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/log.ts';
import { StoreRefusal } from '../../../src/store/index.ts';
import { runCliHere } from '../../harness/run-here.ts';
import { ask } from '../client.ts';
import { becomes, serviceEnv, spawnService, type Service } from '../process.ts';

/** What befell it is told within this. */
const WITHIN_MS = 5_000;

export interface Place {
  folder: string;
  /** Of the database. */
  path: string;
  apiKey: string;
  found: string[];
}

export type Scenes = Record<string, (place: Place) => Promise<void>>;

export const makeFolder = () => mkdtempSync(join(tmpdir(), 'places-'));

/** The files of another folder as they lie, in one of its own: of a shop, or those of another machine. */
export function copyPlace(from: Pick<Place, 'folder' | 'apiKey' | 'found'>): Place {
  const folder = makeFolder();
  cpSync(from.folder, folder, { recursive: true });
  return { ...from, folder, path: serviceEnv(folder).DATABASE_PATH ?? '' };
}

/** Starts it, and ends it whatever comes of it. */
export async function serving<T>({ folder }: Place, work: (service: Service) => T | Promise<T>): Promise<T> {
  const service = await spawnService({ folder });
  try {
    return await work(service);
  } finally {
    await service.kill('SIGINT');
  }
}

export const isServed = (place: Place) => serving(place, () => undefined);

/** It serves, and a code is added; ended in order, or killed. */
export const serveOnce = (place: Place, end: 'in order' | 'killed' = 'in order') =>
  serving(place, async (service) => {
    await addCode(place, service);
    if (end === 'killed') await service.kill();
  });

let codes = 0;

export async function addCode({ apiKey }: Place, { url }: Service): Promise<number> {
  codes += 1;
  const body = [{ denomination: 60, codes: [`60S${String(codes).padStart(13, '0')}`] }];
  return (await ask(url, { apiKey }, 'POST', '/db', { body })).status;
}

export async function isTold(place: Place, service: Service, what: string): Promise<void> {
  const status = await addCode(place, service);
  if (status < 400) place.found.push(`${what}, and codes are added: ${status}`);
  if (!(await says(service, 'moved'))) place.found.push(`${what}, and /readyz does not say so`);
  if (!(await measures(service, 'store_writable 0')))
    place.found.push(`${what}, and the metric does not say so`);
  if (!service.errors().some((line) => line.includes('was moved away or deleted under')))
    place.found.push(`${what}, and the log does not say so`);
}

/** Whether /readyz says so of the database, in time. */
export const says = (service: Service, database: string) =>
  becomes(async () => (await readState(service)).database === database, WITHIN_MS);

export const readState = async ({ url }: Service) =>
  (await (await fetch(`${url}/readyz`)).json()) as Record<string, unknown>;

export const measures = async ({ url }: Service, line: string): Promise<boolean> =>
  (await (await fetch(`${url}/metrics`)).text()).split('\n').includes(line);

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
