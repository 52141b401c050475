// `sweep`: after a restore, the stocks of which codes are asked about before anything of them is sold; and selling them
// by verification alone, beside the running service.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { createSweepsForHost } from '../core/redemption/sweep.ts';
import { printLine, withDatabase } from './command.ts';
import { HOST } from './verbs.ts';

const sweepList = new Command('list')
  .description('lists the stocks that a restore has questioned and that are not asked about yet, one a line')
  .action(() =>
    withDatabase(async (store) => {
      for (const sweep of createSweepsForHost({ store, clock: systemClock }).list(HOST))
        await printLine(sweep);
    }),
  );

const sweepEnd = new Command('end')
  .description(
    'sells by verification alone: each code is asked about when it is taken, and none before. An order that is repeated may take a second code then; for where the look-ups of the day run out',
  )
  .option('--reason <reason>', 'kept in the log of what was done')
  .action(({ reason }: { reason?: string }) =>
    withDatabase(async (store) => {
      const sweeps = createSweepsForHost({ store, clock: systemClock });
      const answer = await sweeps.sellByVerification(HOST, { reason });
      await printLine({ ended: answer.status === 'ended' ? answer.count : 0 });
    }),
  );

export const sweepCommands = new Command('sweep')
  .description('what is asked about of each stock after a restore')
  .addCommand(sweepList)
  .addCommand(sweepEnd);
