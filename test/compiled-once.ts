// Before the first test of a fresh copy: the service is started and ended in order once, which writes down how its
// sources compile. Most of those that tests start are killed, and write nothing: each of them would compile everything
// anew, half of what a start costs.
import { existsSync, writeFileSync } from 'node:fs';

import { COMPILE_CACHE } from './harness/compile-cache.ts';
import { makeServiceFolder, spawnService } from './torture/process.ts';

const DONE = `${COMPILE_CACHE.NODE_COMPILE_CACHE}-${process.version}`;
/** Nobody listens there: it starts, and goes on trying. */
const BOT = { TELEGRAM_BOT_TOKEN: '1:nobody', TELEGRAM_API_ROOT: 'http://127.0.0.1:9' };

export default async function compileOnce(): Promise<void> {
  if (existsSync(DONE)) return;
  const { folder, remove } = makeServiceFolder();
  try {
    const service = await spawnService({ folder, env: BOT });
    await service.kill('SIGINT');
    writeFileSync(DONE, '');
  } catch {
    // What keeps it from starting is for the tests to tell.
  } finally {
    remove();
  }
}
