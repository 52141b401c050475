// What whoever looks after the machine gets wrong: the service is started a second time beside the one that runs, or
// without its key. It refuses either, and nothing comes of it.
import { loadKeyRing } from '../../../src/store/engine/keys.ts';
import { takeProcessLock } from '../../../src/store/engine/process-lock.ts';
import type { Fault } from './index.ts';

export const beside: Fault = {
  name: 'started beside',
  weight: 1,
  happen({ disk, service, diary }) {
    if (!service.isServing()) return Promise.resolve();
    diary.note('a second process is started beside the one that runs');
    refuses(() => takeProcessLock(disk.databasePath()).release(), 'a second process on one database');
    // No key is configured, and none lies there.
    refuses(() => loadKeyRing(disk.databasePath(), undefined), 'a new key beside a database');
    return Promise.resolve();

    function refuses(work: () => void, what: string): void {
      try {
        work();
        diary.amissBeside.push(`${what} was not refused`);
      } catch {
        // As it should.
      }
    }
  },
};
