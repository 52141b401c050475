// The code database, assembled: its verbs, over the jobs that do their bulk work.
import type { Contest } from '../contest.ts';
import type { Logger } from '../../log.ts';
import { createAddingWork } from './add-codes.ts';
import { createBadCodes } from './bad-codes.ts';
import { createBatches } from './batches.ts';
import { createCodes } from './codes.ts';
import { createExtractingWork, type ExtractingDeps } from './extract-codes.ts';
import { createExtractionHistory } from './extraction-history.ts';
import { createImports } from './imports.ts';
import { createJobs, createListSetAsideJobs } from './jobs.ts';
import { createSuppliers } from './suppliers.ts';
import { createUndoingWork } from './undo-batch.ts';

/** `waitedFor`: what a stop gives its grace to. `signal` fires when that is over. */
export function createStock(
  deps: ExtractingDeps & { contest: Contest; log: Logger; waitedFor: Set<Promise<unknown>> },
) {
  const works = {
    add: createAddingWork(deps),
    undo: createUndoingWork(deps),
    extract: createExtractingWork(deps),
  };
  const jobs = createJobs({ ...deps, works });
  const codes = createCodes({ ...deps, jobs });
  const imports = createImports({ ...deps, codes, jobs });
  const batches = createBatches(deps);
  return {
    jobs,
    codes,
    imports,
    batches,
    suppliers: createSuppliers(deps),
    badCodes: createBadCodes({ ...deps, batches }),
    extractionHistory: createExtractionHistory({ ...deps, jobs }),
    listSetAsideJobs: createListSetAsideJobs(deps),
  };
}
