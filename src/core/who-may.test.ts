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
  ['claims.find', 'owner admin apiKey', 'clm_none'],
  ['claims.list', 'owner admin apiKey', {}],
  ['claims.revoke', 'owner admin apiKey', 'clm_none'],
  ['claims.reopen', 'owner admin apiKey', 'clm_none'],
  ['claims.listIssues', 'owner admin apiKey', 5],
  ['claims.findIssue', 'owner admin apiKey', 'clm_none'],
  ['claims.findLinks', 'owner admin apiKey', 'clm_none'],
  ['claims.revokeUnused', 'owner admin apiKey', 'clm_none'],
  ['claims.setPlayer', 'owner admin apiKey', 'clm_none', { playerId: PLAYER }],
  ['claims.quote', 'owner admin apiKey', { gameId: GAME, denomination: 60, count: 1 }],
  ['claims.hasRestored', 'owner admin apiKey'],
  ['claims.reopenRestored', 'owner admin apiKey'],
  ['claimList.page', 'owner admin apiKey', {}, { order: 'newest', limit: 50 }],
  ['claimList.walk', 'owner admin apiKey', {}, 'newest'],
  ['claimList.hasAny', 'owner admin apiKey'],
  ['claimList.read', 'owner admin apiKey', 'clm_none'],
  [
    'claims.issue',
    'owner admin apiKey',
    { gameId: GAME, denomination: 60, count: 1, idempotencyKey: { scope: 'http', key: 'links' } },
  ],
  ['codes.countConflicts', NOT_SUPPORT, GAME, [makeCode()]],
  ['codes.add', NOT_SUPPORT, GAME, [{ denomination: 60, codes: [makeCode()] }]],
  ['imports.begin', NOT_SUPPORT, { gameId: GAME }],
  ['codes.countAvailable', EVERYBODY, GAME],
  ['codes.countStock', EVERYBODY, GAME],
  ['extractionHistory.countSpentToday', EVERYBODY, GAME],
  ['extractionHistory.paceOf', EVERYBODY, GAME],
  ['quota', EVERYBODY],
  ['receipts.find', EVERYBODY, 1],
  ['findProof', EVERYBODY, 1],
  ['receipts.list', 'owner admin support apiKey', {}],
  ['receiptDetails', EVERYBODY, { id: 1, actor: 'apiKey:1', gameId: GAME, code: 'x', codeReset: false }],
  ['lastPlayers', EVERYBODY, GAME],
  ['lastGame', EVERYBODY],
  ['lastOrder', EVERYBODY],
  ['search.find', EVERYBODY, PLAYER],
  ['search.read', EVERYBODY, [1]],
  ['search.readDay', EVERYBODY, 'today'],
  ['search.day', EVERYBODY, { size: 5 }],
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
  ['receiptList.walkDays', LEADERS, { days: 1, full: false }],
  ['receiptList.walkDays', 'owner', { days: 1, full: true }],
  ['receiptList.orderFull', 'owner', { days: 1 }],
  ['readAuditLog', 'owner', { limit: 1 }],
  ['stockAlerts.list', EVERYBODY],
  ['stockAlerts.set', LEADERS, { gameId: GAME, denomination: 60, threshold: 1 }],
  ['accounts.setTimeZone', LEADERS, 'UTC'],
  ['accounts.setContact', 'owner', '@shop'],
  ['purchases.quote', LEADERS, { thousands: 1 }],
  ['purchases.list', LEADERS],
  ['members.list', LEADERS],
  ['members.invite', LEADERS, 'support'],
  ['members.invite', 'owner', 'admin'],
  ['members.remove', LEADERS, 999],
  ['members.handOver', 'owner', 999],
  ['members.stayOwner', 'owner'],
  ['apiKeys.issue', 'owner'],
  ['apiKeys.issueOrdered', 'owner', 'order-1'],
  ['apiKeys.list', 'owner'],
  ['apiKeys.revoke', 'owner', 999],
  ['apiKeys.limit', 'owner', 999, { dayLimit: 1 }],
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
  ['members.replaceOwner', 'host', 999, 'order-1'],
  ['members.openForOwner', 'host', { name: 'Another', orderId: 'order-1' }],
  ['apiKeys.forHost.issue', 'host', { accountId: 1 }],
  ['apiKeys.forHost.list', 'host', 1],
  ['apiKeys.forHost.findByPrefix', 'host', 'crs_00000000'],
  ['apiKeys.forHost.revoke', 'host', 999],
  ['apiKeys.forHost.limit', 'host', 999, { dayLimit: 1 }],
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

/** What the verb of this name answers. */
async function call(verb: string, ...given: unknown[]): Promise<unknown> {
  let [at, found]: unknown[] = [undefined, t.core];
  for (const name of verb.split('.')) [at, found] = [found, (found as Record<string, unknown>)[name]];
  return await (found as (...all: unknown[]) => unknown).call(at, ...given);
}

/** Whether the verb refuses this actor as one who may not. What else it finds wrong is nothing here. */
async function isRefused(verb: string, actor: Actor, given: unknown[]): Promise<boolean> {
  try {
    await call(verb, actor, ...given);
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

/** What reads, asked for what the other account has: its player, codes, numbers and names. */
const READS: [verb: string, ...given: unknown[]][] = [
  ...VERBS.flatMap(([verb, who, ...given]): [string, ...unknown[]][] =>
    /\.(find|list|read|walk|count|page|isPaused)|^(find(?!Char|Redem)|quota$|last|day|range|read)/.test(
      verb,
    ) && who.includes('owner')
      ? [[verb, ...given]]
      : [],
  ),
  ...[1, 2, 3, 4].flatMap((id): [string, ...unknown[]][] => [
    ['receipts.find', id],
    ['receiptStories.find', id],
    ['findProof', id],
    ['search.read', [id]],
    ['batches.find', id],
    ['batches.findTakenBack', id],
    ['extractionHistory.findExtraction', id],
    ['presses.findOfRedemption', id],
    ['webhooks.listDeliveries', id],
    ['webhooks.remove', id],
    ['apiKeys.revoke', id],
  ]),
  ['receipts.list', { after: 0 }],
  ['receiptList.page', {}, { order: 'newest', limit: 50 }],
  ['auditLogList.page', {}, { order: 'newest', limit: 50 }],
  ['findRecentDuplicate', { gameId: GAME, playerId: PLAYER, denomination: 325 }],
  ['orders.list', {}],
  ['orders.list', { reference: 'INV-1' }],
  ['orders.list', { state: 'waiting' }],
  ['orders.find', 'ORDER'],
  ['orders.cancel', 'ORDER'],
  ['claims.list', { reference: 'INV-1' }],
  ['claims.find', 'CLAIM'],
  ['claims.revoke', 'CLAIM'],
  ['claims.reopen', 'CLAIM'],
  ['claims.findIssue', 'CLAIM'],
  ['claims.findLinks', 'CLAIM'],
  ['claims.revokeUnused', 'CLAIM'],
  ['claims.setPlayer', 'CLAIM', { playerId: PLAYER }],
  ['claimList.read', 'CLAIM'],
  ['presses.listOfPress', 'ORDER'],
  ['findNamed', `Player ${PLAYER} 60`],
  ['search.find', 'CODE'],
  ['codes.countConflicts', 'game_id_4', ['CODE']],
  ['receiptList.walkDays', { days: 1, full: false }],
];

test('of another account nobody reads anything, not even where both know the player', async () => {
  const { core, store, clock } = t;
  const [mine, other] = [await openTestAccount(store), await openTestAccount(store)];
  for (const { accountId } of [mine, other])
    await store.write(({ accounts }) => accounts.extendSubscription(accountId, 9 * 86_400_000, clock.now()));
  const live = async ({ actors, members }: TestAccount, code = makeCode()) => {
    const made = [code, ...Array.from({ length: 5 }, () => makeCode())];
    await core.codes.add(members.owner, GAME, [{ denomination: 60, codes: made }]);
    await core.redeem(members.owner, { gameId: GAME, playerId: PLAYER, denomination: 60 });
    await core.codes.extract(actors.apiKey, { gameId: GAME, denomination: 60, amount: 1 });
    const { order } = (await core.orders.place(actors.apiKey, {
      ...{ gameId: GAME, playerId: PLAYER, items: [{ denomination: 325, count: 1 }], reference: 'INV-1' },
      ...{ onShortage: 'wait', onBadCode: 'stop', idempotencyKey: { scope: 'http', key: 'INV-1' } },
    })) as { order: { id: string } };
    const links = await core.claims.issue(actors.apiKey, {
      ...{ gameId: GAME, denomination: 60, count: 1, reference: 'INV-1' },
      idempotencyKey: { scope: 'http', key: 'links' },
    });
    await core.apiKeys.issue(members.owner);
    const [claim] = links.status === 'issued' ? links.claims : [];
    return { CODE: code, ORDER: order.id, CLAIM: claim?.id };
  };
  await live(mine);
  const theirs = makeCode();
  let names: Record<string, unknown> = {
    CODE: theirs,
    ORDER: 'ord_notThereAtAll',
    CLAIM: 'clm_notThereAtAll',
  };
  const name = (each: unknown): unknown =>
    Array.isArray(each) ? each.map(name) : (names[String(each)] ?? each);
  const read = async (verb: string, given: unknown[]) => {
    const answer = await call(verb, mine.members.owner, ...given.map(name)).catch(String);
    return [verb, given, answer];
  };
  const readAll = async () => {
    const told: unknown[] = [];
    for (const [verb, ...given] of READS) told.push(await read(verb, given));
    return told;
  };
  // Some of these numbers may be mine: what that changes is done by then.
  await readAll();
  const before = await readAll();
  for (let n = 0; n < 2; n += 1) names = await live(other, theirs);
  expect(await readAll()).toEqual(before);
  expect(before.length).toBeGreaterThan(70);
});
