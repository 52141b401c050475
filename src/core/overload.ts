// Whether anything new may begin. What has begun is carried through, however much waits.
import type { Store } from '../store/index.ts';
import { CoreError } from './errors.ts';

/**
 * The first thing of everything that begins something: nothing is recorded yet. `bulk`: the beginning of bulk work, which
 * waits behind everything else. Throws CoreError OVERLOADED; trying again in a moment is safe.
 */
export function refuseOverload(store: Pick<Store, 'isCrowded'>, options?: { bulk?: boolean }): void {
  if (!store.isCrowded(options)) return;
  throw new CoreError(
    'OVERLOADED',
    'Too much is asked of the service just now. Nothing was begun: try again in a few seconds.',
  );
}
