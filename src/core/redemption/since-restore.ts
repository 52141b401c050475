// What an order is answered while it is not known what a lost time has spent.
import { CoreError } from '../errors.ts';

export const sinceRestore = (): CoreError =>
  new CoreError(
    'OVERLOADED',
    'Since the restore the platform is asked what was spent. Nothing was begun: repeat it under its key, do not take another.',
    { retryAfterSeconds: 10 },
  );
