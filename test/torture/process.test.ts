// The small sizes of the rows that kill the process, move its files or stop it; `npm run torture -- ROW` runs the full
// ones. Each ends with the audit of both books and the host's own check of conservation.
import { BOUNDARIES, killAtEveryBoundary, killAtRandom } from './rows/crash.ts';
import { SCENES } from './rows/misplaced.ts';
import { misplaceDatabases } from './rows/places.ts';
import { recoverMany } from './rows/recovery.ts';
import { killRekeys } from './rows/rekey.ts';
import { shutDownUnderLoad, stopTwice } from './rows/shutdown.ts';
import { takeOverByCopy } from './rows/takeover.ts';
import { holdSmall } from './small.ts';

const SEED = 20_251;

holdSmall({
  'a process killed at any boundary of a redemption loses nothing and spends nothing twice (1)': {
    run: () => killAtEveryBoundary(SEED),
    atLeast: { boundaries: BOUNDARIES.length },
  },
  'killed at random moments under load it loses nothing and spends nothing twice (1)': {
    run: () => killAtRandom({ count: 36, seed: SEED }),
    // Without an order sent on the three upstreams would have proved nothing.
    atLeast: { struck: 36, sentOn: 1 },
  },
  'fifty redemptions left open by a kill are settled or held within 30 s of the start (9)': {
    run: () => recoverMany({ count: 50, seed: SEED }),
    atLeast: { leftOpen: 50 },
  },
  'told to stop under load it is gone within 10 s, answers what runs and settles the rest later (18)': {
    run: () => shutDownUnderLoad({ count: 1, seed: SEED }),
    atLeast: { redemptions: 101 },
  },
  'told to stop twice it ends at once, and loses nothing either (18)': {
    run: () => stopTwice({ seed: SEED }),
    atLeast: { secondSignals: 1 },
  },
  'after a takeover each order has one code, each its own, and no code has two buyers (26)': {
    run: () => takeOverByCopy({ count: 1, seed: 1 }),
    atLeast: { takeovers: 1, 'answered orders of players that are lost': 1 },
  },
  'a database that is not where or what it was is refused, or told, and nothing begins (27)': {
    run: () => misplaceDatabases({ count: 1, hasSecondMachine: false }),
    atLeast: Object.fromEntries(Object.keys(SCENES).map((name) => [name, 1])),
  },
  'a rekey that is killed leaves the old file or the new one, and the older key opens nothing (rekey)': {
    run: () => killRekeys({ count: 1_500, kills: 4, seed: 1 }),
    atLeast: { rekeys: 2, repeats: 20 },
  },
});
