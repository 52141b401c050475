// The tour: what is done in each step, move by move. Its words are `tour` in words-en.js and words-ru.js.

/** A player whose name the platform knows, and another, so that nobody is asked whether the same is meant twice. */
const PLAYER = '5170925571';
const OTHER_PLAYER = '5170925573';

const ADD = /^add-codes:/;
const GAME = /^prompts:[\w-]+:game-game_id_1$/;
const REDEEM = /^redeem(-now)?:[\w-]+$/;

/**
 * Each move is done by the button beside it, or by hand as its words say. `press` looks for the button whose data matches in
 * the newest message that has one; `watch` is over when the step is.
 */
export const STEPS = [
  {
    id: 'add',
    moves: [
      { do: 'become', who: 'admin' },
      { do: 'copy', key: 'fresh-60' },
      { do: 'paste', chat: 'admin', key: 'fresh-60' },
      { do: 'press', chat: 'admin', data: ADD },
    ],
  },
  {
    id: 'redeem',
    moves: [
      { do: 'become', who: 'operator' },
      { do: 'say', chat: 'operator', text: `${PLAYER} 60` },
      { do: 'press', chat: 'operator', data: REDEEM },
      { do: 'watch' },
    ],
  },
  {
    id: 'support',
    moves: [
      { do: 'become', who: 'support' },
      { do: 'say', chat: 'support', text: PLAYER },
      { do: 'receipt', chat: 'support' },
    ],
  },
  {
    id: 'story',
    moves: [
      { do: 'console', chat: 'support' },
      { do: 'story', chat: 'support' },
    ],
  },
  {
    id: 'settle',
    moves: [
      { do: 'become', who: 'operator' },
      { do: 'copy', key: 'TIMEOUT' },
      { do: 'paste', chat: 'operator', key: 'TIMEOUT', after: `/redeem ${OTHER_PLAYER} ` },
      { do: 'press', chat: 'operator', data: GAME },
      { do: 'press', chat: 'operator', data: REDEEM },
      { do: 'watch' },
    ],
  },
  {
    id: 'buy',
    moves: [
      { do: 'become', who: 'owner' },
      { do: 'say', chat: 'owner', text: '/buy_activations 1' },
      { do: 'pay', chat: 'owner' },
    ],
  },
  {
    id: 'console',
    moves: [
      { do: 'become', who: 'admin' },
      { do: 'console', chat: 'admin' },
    ],
  },
  {
    id: 'kill',
    moves: [
      { do: 'become', who: 'operator' },
      { do: 'say', chat: 'operator', text: `${OTHER_PLAYER} 325` },
      { do: 'press', chat: 'operator', data: REDEEM },
      { do: 'kill' },
      { do: 'watch' },
    ],
  },
];
