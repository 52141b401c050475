// Bugs in how redemptions end, are recovered, and how doubts are decided; part of planted-list.ts.
import type { PlantedBug } from './planted-bug.ts';

const REDEEM = 'src/core/redemption/redeem.test.ts';
const RECONCILE = 'src/core/redemption/reconcile.test.ts';
const DECIDE = 'src/core/redemption/decide-doubt.test.ts';
const RECOVER = 'src/core/redemption/recover.test.ts';
const CARRY_OUT = 'src/core/redemption/execute.test.ts';
const SETTLE = 'src/core/redemption/settle.test.ts';
const MODEL = 'test/world/core/core.test.ts';

export const SETTLING: PlantedBug[] = [
  {
    name: 'settling does not compare before it sets',
    file: 'src/store/tables/redemptions-queries.ts',
    edits: [["id = ${ph('id')}+0 and ${OPEN}", "id = ${ph('id')}+0"]],
    tests: [SETTLE],
  },
  {
    name: 'a code in doubt is returned before the settling period is over',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['context.untilFinalMs <= 0', 'context.untilFinalMs <= Infinity']],
    tests: [DECIDE, RECONCILE, MODEL],
  },
  {
    name: 'the settling period is measured by the calendar',
    file: 'src/core/redemption/reconcile.ts',
    edits: [['clock.elapsed()', 'clock.now()']],
    tests: [RECONCILE],
  },
  {
    name: 'what was redeemed for somebody else is taken as ours',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['player.openid === told.openid ?', "player.openid !== '' ?"]],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: 'what was redeemed before is taken as ours',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['toldAgeMs <= ageMs + SLACK_MS', 'toldAgeMs <= Infinity']],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: '"under way" is taken for "not redeemed"',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [
      ["case 'underWay':\n    case 'unreachable':", "case 'unreachable':"],
      ["case 'notRedeemed':\n", "case 'notRedeemed':\n    case 'underWay':\n"],
    ],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: 'CODE_USED after a doubt of our own is believed',
    file: 'src/core/redemption/execute.ts',
    edits: [["errorCode === 'CODE_USED' &&", "errorCode === 'CODE_USED' && begun.id < 0 &&"]],
    tests: [RECONCILE],
  },
  {
    name: 'what a dead process left pending is forgotten',
    file: 'src/core/redemption/recover.ts',
    edits: [['if (orphans.length > 0) recovered +=', 'if (orphans.length < 0) recovered +=']],
    tests: [RECOVER],
  },
  {
    name: 'a redemption that is still carried out is looked at',
    file: 'src/core/redemption/reconcile.ts',
    edits: [['!looking.has(id) && !inFlight.redemptions.has(id) &&', '!looking.has(id) &&']],
    tests: [RECOVER],
  },
  {
    name: 'a redemption that is still carried out is put in doubt',
    file: 'src/core/redemption/recover.ts',
    edits: [['=> !inFlight.redemptions.has(id);', '=> !inFlight.redemptions.has(-id);']],
    tests: [RECOVER, CARRY_OUT],
  },
  {
    name: 'a recovery that the disk stopped is not tried again',
    file: 'src/core/redemption/recover.ts',
    edits: [['isDone = broken.size === 0;', 'isDone = true;']],
    tests: [RECOVER],
  },
  {
    name: 'a settlement that fails once is given up',
    file: 'src/core/redemption/in-flight.ts',
    edits: [['await retry(growingPauseMs, ', 'await retry(() => undefined, ']],
    tests: [CARRY_OUT],
  },
  {
    name: 'a redemption is sent when its time is over',
    file: 'src/core/redemption/attempt.ts',
    edits: [['if (leftMs < LEAST_MS || limits.signal.aborted) {', 'if (limits.signal.aborted) {']],
    tests: [CARRY_OUT],
  },
  {
    name: 'the doubt of another account is taken for our own',
    file: 'src/store/tables/redemptions-queries.ts',
    edits: [
      ["max(account_id = ${ph('accountId')} and player_id", "max(${ph('accountId')} > 0 and player_id"],
    ],
    tests: [RECONCILE],
  },
  {
    name: 'an old doubt of our own is taken for the one just before',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['const since = createdAt - TOGETHER_MS;', 'const since = 0 * TOGETHER_MS;']],
    tests: [RECONCILE],
  },
  {
    name: 'a receipt that may be another account’s is handed over',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['if (isOfStock && !othersHadIt) return true;', 'if (isOfStock) return true;']],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: 'the player that the platform names is not believed',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [['if (told.playerId === doubt.playerId) {', "if (told.playerId === '') {"]],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: 'a player who is not found is taken for somebody else',
    file: 'src/core/redemption/decide-doubt.ts',
    edits: [["return { status: 'postponed', why: 'playerNotFound' };", "return { status: 'conceded' };"]],
    tests: [DECIDE, RECONCILE],
  },
  {
    name: 'a code that is refused again and again stays at the head of its queue',
    file: 'src/core/redemption/settle.ts',
    edits: [['return stepsBack ? tables.codes.stepBack(', 'return stepsBack ? tables.codes.giveBack(']],
    tests: [REDEEM],
  },
  {
    name: 'a code in doubt is told as not redeemed',
    file: 'src/core/redemption/look-ups.ts',
    edits: [["live || told.status === 'underWay'", "(live && live.id < 0) || told.status === 'underWay'"]],
    tests: ['src/core/redemption/look-ups.test.ts'],
  },
  {
    name: 'a code that another machine has used is charged unasked',
    file: 'src/core/redemption/execute.ts',
    edits: [['contest.isContested() ||', 'false ||']],
    tests: ['src/core/redemption/reconcile.test.ts'],
  },
  {
    name: 'two machines hand out the same codes',
    file: 'src/core/stock/extract-codes.ts',
    edits: [['  refuseContested(contest);\n', '  void [refuseContested, contest];\n']],
    tests: ['src/core/stock/extract-codes.test.ts'],
  },
];
