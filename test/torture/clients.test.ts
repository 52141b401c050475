// The small sizes of the rows of whoever asks the running process; `npm run torture -- ROW` runs the full ones.
import { crashInLoop } from './rows/crash-loop.ts';
import { floodChats } from './rows/flood.ts';
import { beHostile } from './rows/hostile.ts';
import { retryThroughFaults } from './rows/http-retries.ts';
import { raceForTheLastCode } from './rows/last-code.ts';
import { fulfilOrders } from './rows/order-book.ts';
import { payRepeatedly } from './rows/payments.ts';
import { repeatUpdates } from './rows/updates.ts';
import { holdSmall } from './small.ts';

const SEED = 20_252;
/** Even by webhook, odd by polling. */
const [WEBHOOK, POLLING] = [20_254, 20_255];
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
    atLeast: { requests: 101, told: 101, ...Object.fromEntries(FAULTS.map((fault) => [fault, 1])) },
  },
  'what updates do is there once and none is lost, however often they come, through kills (6)': {
    run: () => repeatUpdates({ count: 30, seed: WEBHOOK }),
    atLeast: { deliveries: 61, kills: 1 },
  },
  'what was paid is what is credited, however often it is told, through kills (7)': {
    run: () => payRepeatedly({ count: 20, seed: POLLING }),
    atLeast: { refunds: 1, kills: 1 },
  },
  'hostile requests do no harm, and a well-behaved client beside them is served (11)': {
    run: () => beHostile({ count: 3, seed: 20_256 }),
    atLeast: { attacks: 26, judged: 31, friendly: 6 },
  },
  'who asks much is answered, in order, within what Telegram takes (22)': {
    run: () => floodChats({ count: 4, seed: 7, inHaste: true }),
    atLeast: { questions: 1 },
  },
  'what brings the service down is put aside, and everybody else is answered (23)': {
    run: () => crashInLoop(3),
    atLeast: { answered: 3, deaths: 3 },
  },
  'a shop that has read the documents alone fulfils what was paid, through a kill (shop)': {
    run: () => fulfilOrders({ count: 20, seed: 1 }),
    atLeast: { orders: 20, done: 1 },
  },
});
