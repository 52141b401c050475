// The small sizes of the rows of whoever asks the running process; `npm run torture -- ROW` runs the full ones.
import { crashInLoop } from './rows/crash-loop.ts';
import { beHostile } from './rows/hostile.ts';
import { retryThroughFaults } from './rows/http-retries.ts';
import { raceForTheLastCode } from './rows/last-code.ts';
import { holdSmall } from './small.ts';

const SEED = 20_252;
const FAULTS = [
  ...['requestLost', 'answerLost', 'answerCut', 'answerLate'],
  ...['replacedAfter', 'replacedBefore', 'finalAfter', 'hungUp'],
];

holdSmall({
  'the last code goes to exactly one of fifty, in the chat and over HTTP (4)': {
    // The bot's pace makes a round with five in the chat last 0.4 s.
    run: () => raceForTheLastCode({ count: 5, seed: SEED }),
    atLeast: { rounds: 5, wonInChat: 1 },
  },
  'a client that repeats what is retryable never buys twice for it (5)': {
    run: () => retryThroughFaults({ count: 100, seed: SEED }),
    atLeast: { requests: 101, ...Object.fromEntries(FAULTS.map((fault) => [fault, 1])) },
  },
  'hostile requests do no harm, and a well-behaved client beside them is served (11)': {
    run: () => beHostile({ count: 3, seed: 20_256 }),
    atLeast: { attacks: 26, judged: 31, friendly: 6 },
  },
  'what brings the service down is put aside, and everybody else is answered (23)': {
    run: () => crashInLoop(3),
    atLeast: { answered: 3, deaths: 3 },
  },
});
