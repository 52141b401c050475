// Every verb of the core and everybody: whoever is not named here is refused by the verb itself, whatever a surface
// looked at.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { ROLES, type Actor } from './context.ts';
import { CoreError } from './errors.ts';

const GAME = 'game_id_1';
const PLAYER = '5124780131';
const EVERYBODY = 'owner admin operator support apiKey';
const NOT_SUPPORT = 'owner admin operator apiKey';
const LEADERS = 'owner admin';

const VERBS: [verb: string, who: string, ...given: unknown[]][] = [
  ['redeem', NOT_SUPPORT, { gameId: GAME, playerId: PLAYER, denomination: 60 }],
  ['findRecentDuplicate', NOT_SUPPORT, { gameId: GAME, playerId: PLAYER, denomination: 60 }],
  ['findCharacter', NOT_SUPPORT, { gameId: GAME, playerId: PLAYER }],
  ['findRedemptionTime', NOT_SUPPORT, { gameId: GAME, code: makeCode() }],
  ['codes.countConflicts', NOT_SUPPORT, GAME, [makeCode()]],
  ['codes.add', NOT_SUPPORT, GAME, [{ denomination: 60, codes: [makeCode()] }]],
  ['imports.begin', NOT_SUPPORT, { gameId: GAME }],
  ['codes.countAvailable', EVERYBODY, GAME],
  ['codes.countStock', EVERYBODY, GAME],
  ['extractionHistory.countSpentToday', EVERYBODY, GAME],
  ['extractionHistory.paceOf', EVERYBODY, GAME],
  ['quota', EVERYBODY],
  ['receipts.find', EVERYBODY, 1],
  ['receipts.list', 'owner admin support apiKey', {}],
  ['receiptDetails', EVERYBODY, { id: 1, actor: 'apiKey:1', gameId: GAME, code: 'x', codeReset: false }],
  ['lastPlayers', EVERYBODY, GAME],
  ['lastGame', EVERYBODY],
  ['lastOrder', EVERYBODY],
  ['search.find', EVERYBODY, PLAYER],
  ['search.read', EVERYBODY, [1]],
  ['search.readDay', EVERYBODY, 'today'],
  ['search.page', EVERYBODY, { page: 1, size: 5 }],
  ['batches.list', 'owner admin operator', { order: 'newest', limit: 5 }],
  ['batches.walk', 'owner admin operator', 'newest', {}],
  ['batches.read', 'owner admin operator', 1],
  ['batches.find', 'owner admin operator', 1],
  ['badCodes.list', LEADERS],
  ['badCodes.isPaused', EVERYBODY, { gameId: GAME, denomination: 60 }],
  ['badCodes.goOn', LEADERS, { gameId: GAME, denomination: 60 }],
  ['badCodes.tryAgain', LEADERS, { gameId: GAME, denomination: 60 }],
  ['badCodes.read', LEADERS, { gameId: GAME, denomination: 60 }],
  ['badCodes.readOfBatch', 'owner admin operator', 1],
  ['batches.findFate', 'owner admin operator', 1],
  ['batches.findTakenBack', 'owner admin operator', 1],
  ['imports.undo', 'owner admin operator', 1],
  ['codes.extract', 'owner admin apiKey', { gameId: GAME, denomination: 60, amount: 1 }],
  ['extractionHistory.listExtractions', 'owner admin apiKey', GAME],
  ['extractionHistory.listRecent', 'owner admin apiKey', 10],
  ['extractionHistory.findExtraction', 'owner admin apiKey', 1],
  ['dayStatistics', 'owner admin apiKey', { gameId: GAME }],
  ['rangeStatistics', 'owner admin apiKey', 7],
  ['exportRedemptions', LEADERS, { days: 1, full: false }],
  ['exportRedemptions', 'owner', { days: 1, full: true }],
  ['orderFullExport', 'owner', 1],
  ['readAuditLog', 'owner', { limit: 1 }],
  ['stockAlerts.list', EVERYBODY],
  ['stockAlerts.set', LEADERS, { gameId: GAME, denomination: 60, threshold: 1 }],
  ['accounts.setTimeZone', LEADERS, 'UTC'],
  ['purchases.quote', LEADERS, { thousands: 1 }],
  ['purchases.list', LEADERS],
  ['members.list', LEADERS],
  ['members.invite', LEADERS, 'support'],
  ['members.invite', 'owner', 'admin'],
  ['members.remove', LEADERS, 999],
  ['members.handOver', 'owner', 999],
  ['apiKeys.issue', 'owner'],
  ['apiKeys.issueOrdered', 'owner', 'order-1'],
  ['apiKeys.list', 'owner'],
  ['apiKeys.revoke', 'owner', 999],
  ['webhooks.add', 'owner apiKey', { url: 'https://shop.example', events: ['stock.low'] }],
  ['webhooks.list', 'owner apiKey'],
  ['webhooks.remove', 'owner apiKey', 999],
  ['webhooks.test', 'owner apiKey', 999],
  ['webhooks.enable', 'owner apiKey', 999],
  ['webhooks.listDeliveries', 'owner apiKey', 999],
  ['webhooks.retry', 'owner apiKey', 999, 1],
  ['quotaOf', 'host', 1],
  ['accounts.create', 'host', { name: 'Another' }],
  ['accounts.grant', 'host', { accountId: 1, days: 1 }],
  ['accounts.suspend', 'host', 1, 'pause'],
  ['accounts.rename', 'host', 999, 'Another'],
  ['accounts.rename', 'owner host', 2, 'Another'],
  ['accounts.list', 'host'],
  ['accounts.listByIds', 'host', [1]],
  ['accounts.search', 'host', 'shop'],
  ['members.listOf', 'host', 1],
  ['members.listByUsername', 'host', 'somebody'],
  ['members.inviteOwner', 'host', 1, 'order-1'],
  ['members.openForOwner', 'host', { name: 'Another', orderId: 'order-1' }],
  ['apiKeys.forHost.issue', 'host', { accountId: 1 }],
  ['apiKeys.forHost.list', 'host', 1],
  ['apiKeys.forHost.findByPrefix', 'host', 'crs_00000000'],
  ['apiKeys.forHost.revoke', 'host', 999],
  ['purchases.listPayments', 'host', { limit: 1 }],
  ['purchases.findPayment', 'host', { id: 1 }],
  ['purchases.find', 'host', 'charge'],
  ['purchases.refund', 'host', 'charge'],
  ['doubts.summary', 'host'],
  ['doubts.listOf', 'host', 1],
  ['doubts.askNow', 'host'],
  ['doubts.listAll', 'host'],
  ['doubts.find', 'host', 999],
  ['doubts.decide', 'host', { redemptionId: 999, isRedeemed: true, reason: 'Known.' }],
  ['upstreams.list', 'host'],
  ['upstreams.pause', 'host', 'none', 'No balance.'],
  ['upstreams.resume', 'host', 'none'],
  ['sweeps.list', 'host'],
  ['sweeps.sellByVerification', 'host'],
];

let t: TestCore;
let account: TestAccount;
beforeAll(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterAll(() => t.close());

const actorOf = (who: string): Actor => {
  const { accountId, members } = account;
  if (who === 'host') return { kind: 'host', by: 'cli' };
  if (who === 'apiKey') return { kind: 'apiKey', accountId, apiKeyId: 1 };
  return members[who as keyof typeof members];
};

/** Whether the verb refuses this actor as one who may not. What else it finds wrong is nothing here. */
async function isRefused(verb: string, actor: Actor, given: unknown[]): Promise<boolean> {
  const path = verb.split('.');
  let [at, call]: unknown[] = [undefined, t.core];
  for (const name of path) [at, call] = [call, (call as Record<string, unknown>)[name]];
  try {
    await (call as (...all: unknown[]) => unknown).call(at, actor, ...given);
    return false;
  } catch (error) {
    // A host has no account to look in: the type says so, and here it is looked over.
    if (actor.kind === 'host' && error instanceof TypeError) return true;
    if (!(error instanceof CoreError)) throw error;
    return error.code === 'FORBIDDEN';
  }
}

describe.each(VERBS)('%s is for %s', (verb, who, ...given) => {
  test('and for nobody else', async () => {
    const heard = [];
    for (const each of [...ROLES, 'apiKey', 'host'])
      if (!(await isRefused(verb, actorOf(each), given))) heard.push(each);
    expect(heard.join(' ')).toBe(who);
  });
});
