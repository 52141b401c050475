// The service as its host starts it, in a process of its own on a free port, with a folder for its files.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { serviceEnv, spawnService, type Service } from '../torture/process.ts';

/** Of a service, or a command of its host, whose files are in this folder: nothing waits for the platform. */
export const serviceEnvironment = (folder: string): Record<string, string> =>
  serviceEnv(folder, {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    SANDBOX_LATENCY_MS: '0',
    PLATFORM_TIMEOUT_MS: '45000',
  });

/** Starts `src/main.ts` on the database of a folder; resolves when it is ready. */
export const startService = (folder: string): Promise<Service> =>
  spawnService({ folder, env: serviceEnvironment(folder), asStarted: true, isMeasured: true });

/** Memory that is no file's, in MB; undefined where the system does not tell. */
export function readAnonymousMb({ pid }: Service): number | undefined {
  try {
    const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    return undefined;
  }
}
