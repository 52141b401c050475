// Each act of the closed list over the real core: one row, of whoever did it, by their door; repeated, no other.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { AUDITED_ACTS, record } from './audit-log.ts';
import type { HostActor } from './context.ts';
import type { Core } from './index.ts';

const HOST: HostActor = { kind: 'host', by: 77 };
const CLI: HostActor = { kind: 'host', by: 'cli' };
const LOT = { gameId: 'game_id_1', denomination: 60 };
const STRANGER = { telegramId: 5001, name: 'New' };
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

let t: TestCore;
let core: Core;
let a: TestAccount;

beforeAll(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  a = await openTestAccount(t.store);
});
afterAll(() => t.close());

const rowsAfter = (id: number) => query(`select * from audit_log where id > ${id} order by id`);
const newest = () => query<{ id: number }>('select coalesce(max(id), 0) as id from audit_log')[0]?.id ?? 0;
function query<T = Record<string, unknown>>(sql: string): T[] {
  const file = new Database(t.store.path, { readonly: true });
  try {
    return file.prepare(sql).all() as T[];
  } finally {
    file.close();
  }
}
function change(sql: string): void {
  const file = new Database(t.store.path);
  file.exec(sql);
  file.close();
}

/** What earlier acts have made: tokens and numbers. */
const made = { token: '', ownersToken: '', link: '', account: 0, batch: 0, shown: 0 };
const lastKey = () => query<{ id: number }>('select max(id) as id from api_keys')[0]?.id ?? 0;
const hook = () => query<{ id: number }>('select max(id) as id from webhooks')[0]?.id ?? 0;
const invite = async (inviting: Promise<{ token: string }>) => void (made.token = (await inviting).token);
const owner = () => ({
  actor: `member:${a.members.owner.telegramId}`,
  door: 'chat',
  account_id: a.accountId,
});
const ofKey = () => ({ actor: 'apiKey:1', door: 'http', account_id: a.accountId });
const ofHost = () => ({ actor: 'host:77', door: 'chat', account_id: a.accountId });
const byService = () => ({ actor: 'service', door: 'service', account_id: a.accountId });
const operator = () => a.members.operator.telegramId;

interface Case {
  acts: (typeof AUDITED_ACTS)[number][];
  does: () => unknown;
  row: () => object;
  /** Not safe to repeat. */
  isOnce?: true;
}

/** The link that this key makes. */
async function issueClaim(key: string): Promise<string> {
  change('update accounts set subscription_expires_at = 9e15');
  const idempotencyKey = { scope: 'http', key } as const;
  const made = await core.claims.issue(a.actors.apiKey, { ...LOT, count: 1, idempotencyKey });
  if (made.status !== 'issued') throw new Error(`No link was made: ${made.status}.`);
  return made.claims[0]?.id ?? '';
}

const CASES: Case[] = [
  {
    acts: ['consoleEntered'],
    does: async () => {
      made.link ||= await core.consoleAccess.link(a.members.owner, a.members.owner.telegramId);
      await core.consoleAccess.enter({ token: made.link, once: 'a', browser: 'Firefox on Linux' });
    },
    row: () => ({ ...owner(), door: 'page', object: 'session:1', after: '{"browser":"Firefox on Linux"}' }),
  },
  {
    acts: ['consoleLeft'],
    does: () => core.consoleAccess.end({ ...a.members.owner, door: 'page' }, 1),
    row: () => ({ ...owner(), door: 'page', object: 'session:1' }),
  },
  {
    acts: ['accountOpened', 'activationsGranted', 'keyIssued'],
    does: () => core.accounts.create(CLI, { name: 'One', days: 3, purchased: 5 }),
    row: () => ({ actor: 'host:cli', door: 'cli', account_id: 3, after: '{"name":"One","days":3}' }),
    isOnce: true,
  },
  {
    acts: ['accountOpened', 'daysGranted', 'ownerInvited'],
    does: async () => {
      const opened = await core.members.openForOwner(HOST, { name: 'Two', orderId: 'o', days: 7 });
      Object.assign(made, { ownersToken: opened.token, account: opened.accountId });
    },
    row: () => ({ actor: 'host:77', door: 'chat', account_id: made.account }),
    isOnce: true,
  },
  {
    acts: ['ownerInvited'],
    does: () => core.members.inviteOwner(HOST, made.account, 'link'),
    row: () => ({ actor: 'host:77', account_id: made.account }),
  },
  {
    acts: ['ownerToBeReplaced'],
    does: () => core.members.replaceOwner(HOST, a.accountId, 'replacement'),
    row: () => ({
      actor: 'host:77',
      account_id: a.accountId,
      object: `member:${a.members.owner.telegramId}`,
    }),
  },
  {
    acts: ['ownerStayed'],
    does: () => core.members.stayOwner(a.members.owner),
    row: () => owner(),
  },
  {
    acts: ['accountOpened'],
    does: () => core.accounts.openOwn(STRANGER),
    row: () => ({ actor: 'member:5001', door: 'chat', after: '{"name":"New"}' }),
  },
  {
    acts: ['memberInvited'],
    does: () => invite(core.members.invite(a.members.owner, 'support', 'order')),
    row: () => ({ ...owner(), after: '{"role":"support"}' }),
  },
  {
    acts: ['memberLeft', 'memberJoined'],
    does: () => core.members.join(STRANGER, made.token),
    row: () => ({ actor: 'member:5001', before: '{"role":"owner"}' }),
  },
  {
    acts: ['roleChanged'],
    does: () => core.members.changeRole(a.members.owner, operator(), 'admin'),
    row: () => ({
      ...owner(),
      ...{ object: `member:${operator()}`, before: '{"role":"operator"}', after: '{"role":"admin"}' },
    }),
  },
  {
    acts: ['memberRemoved'],
    does: () => core.members.remove(a.members.owner, operator()),
    row: () => ({ ...owner(), object: `member:${operator()}`, before: '{"role":"admin"}' }),
  },
  {
    acts: ['memberLeft'],
    does: () => core.members.remove({ ...a.members.support, telegramId: 5001 }, 5001),
    row: () => ({ actor: 'member:5001', object: 'member:5001', before: '{"role":"support"}' }),
    isOnce: true,
  },
  {
    acts: ['accountRenamed'],
    does: () => core.accounts.rename(a.members.owner, a.accountId, 'Other'),
    row: () => ({ ...owner(), before: '{"name":"Shop"}', after: '{"name":"Other"}' }),
  },
  {
    acts: ['contactSet'],
    does: () => core.accounts.setContact(a.members.owner, '@shop'),
    row: () => ({ ...owner(), before: null, after: '{"contact":"@shop"}' }),
  },
  {
    acts: ['timeZoneSet'],
    does: () => core.accounts.setTimeZone(a.members.owner, 'Europe/Moscow'),
    row: () => ({ ...owner(), before: '{"zone":"UTC"}', after: '{"zone":"Europe/Moscow"}' }),
  },
  {
    acts: ['thresholdSet'],
    does: () => core.stockAlerts.set(a.members.owner, { ...LOT, threshold: 0 }),
    row: () => ({ ...owner(), before: null, after: JSON.stringify({ ...LOT, threshold: 0 }) }),
  },
  {
    acts: ['keyIssued'],
    does: () => core.apiKeys.issueOrdered(a.members.owner, 'key', undefined, 'till'),
    row: () => ({
      ...owner(),
      object: `key:${lastKey()}`,
      after: expect.stringMatching(/"crs_.{8}","name":"till"/),
    }),
  },
  {
    acts: ['keyLimited'],
    does: () => core.apiKeys.forHost.limit(HOST, lastKey(), { dayLimit: 5 }),
    row: () => ({ ...ofHost(), object: `key:${lastKey()}`, after: expect.stringContaining('"dayLimit":5') }),
  },
  {
    acts: ['keyRevoked'],
    does: () => core.apiKeys.forHost.revoke(HOST, lastKey()),
    row: () => ({ ...ofHost(), object: `key:${lastKey()}` }),
  },
  {
    acts: ['webhookAdded'],
    does: () =>
      core.webhooks.add(a.actors.apiKey, { url: 'https://shop.example/secret', events: ['stock.low'] }),
    row: () => ({ ...ofKey(), object: `webhook:${hook()}`, after: '{"host":"shop.example"}' }),
  },
  {
    acts: ['webhookDisabled'],
    does: () => failForDays(),
    row: () => ({ ...byService(), object: `webhook:${hook()}` }),
    isOnce: true,
  },
  {
    acts: ['webhookEnabled'],
    does: () => core.webhooks.enable(a.members.owner, hook()),
    row: () => ({ ...owner(), object: `webhook:${hook()}` }),
  },
  {
    acts: ['webhookRemoved'],
    does: () => core.webhooks.remove(a.members.owner, hook()),
    row: () => ({ ...owner(), object: `webhook:${hook()}`, after: '{"host":"shop.example"}' }),
    isOnce: true,
  },
  {
    acts: ['codesExtracted'],
    does: async () => {
      const codes = Array.from({ length: 9 }, () => makeCode());
      await core.codes.add(a.members.owner, LOT.gameId, [{ denomination: 60, codes }]);
      await core.codes.extract(a.actors.apiKey, { ...LOT, amount: 2 });
    },
    row: () => ({ ...ofKey(), object: 'extraction:1', after: JSON.stringify({ ...LOT, count: 2 }) }),
    isOnce: true,
  },
  {
    acts: ['claimsIssued'],
    does: () => issueClaim('links'),
    row: () => ({
      ...ofKey(),
      object: expect.stringMatching(/^claim:clm_.{22}$/),
      after: JSON.stringify({ count: 1, gameId: LOT.gameId, amount: 60 }),
    }),
    isOnce: true,
  },
  {
    acts: ['claimReopened'],
    does: async () => {
      const id = await issueClaim('links');
      change("update claims set state = 'stuck', trouble = 'shortage' where state = 'open'");
      return core.claims.reopen(a.members.admin, id);
    },
    row: () => ({
      actor: `member:${a.members.admin.telegramId}`,
      object: expect.stringMatching(/^claim:clm_/),
    }),
    isOnce: true,
  },
  {
    acts: ['claimsReopened'],
    does: async () => {
      await issueClaim('links');
      change("update claims set state = 'stuck', trouble = 'afterRestore' where state = 'open'");
      return core.claims.reopenRestored(a.members.admin);
    },
    row: () => ({ actor: `member:${a.members.admin.telegramId}`, after: '{"count":1}' }),
    isOnce: true,
  },
  {
    acts: ['claimsRevoked'],
    does: async () => core.claims.revoke(a.actors.apiKey, await issueClaim('links')),
    row: () => ({ ...ofKey(), object: expect.stringMatching(/^claim:clm_/), after: '{"count":1}' }),
    isOnce: true,
  },
  {
    acts: ['claimsIssued', 'claimPlayerSet'],
    does: async () =>
      core.claims.setPlayer(a.members.admin, await issueClaim('set'), { playerId: '5170925570' }),
    row: () => ({ ...ofKey(), after: expect.stringContaining('"count":1') }),
    isOnce: true,
  },
  {
    acts: ['codesShown'],
    does: () => core.badCodes.readInQuestion(a.members.admin, LOT),
    row: () => ({ actor: `member:${a.members.admin.telegramId}`, after: JSON.stringify(LOT) }),
    isOnce: true,
  },
  {
    acts: ['codesPutBack'],
    does: () => {
      change("update codes set state = 'in_question' where id in (3, 4)");
      return core.badCodes.putBack(a.members.admin, LOT);
    },
    row: () => ({
      actor: `member:${a.members.admin.telegramId}`,
      after: JSON.stringify({ ...LOT, count: 2 }),
    }),
    isOnce: true,
  },
  {
    acts: ['stockPaused'],
    does: async () => {
      t.platform.script.redeem = () => ({
        status: 'refused',
        errorCode: 'INVALID_CODE',
        message: '',
        asked: true,
      });
      change('update accounts set subscription_expires_at = 9e15');
      for (let n = 0; n < 5; n += 1) await core.redeem(a.members.owner, { ...LOT, playerId: '5124780131' });
    },
    row: () => ({ ...byService(), after: JSON.stringify({ ...LOT, count: 5 }) }),
    isOnce: true,
  },
  {
    acts: ['stockResumed'],
    does: () => core.badCodes.goOn(a.members.owner, LOT),
    row: () => ({ ...owner(), after: JSON.stringify(LOT) }),
  },
  {
    acts: ['batchUndone'],
    does: () => core.imports.undo(a.members.owner, 1),
    row: () => ({ ...owner(), object: 'batch:1', before: '{"gameId":"game_id_1","count":9}' }),
  },
  {
    acts: ['credentialsExported'],
    does: () => core.receiptList.orderFull(a.members.owner, { days: 7 }),
    row: () => ({ ...owner(), after: '{"days":7}' }),
    isOnce: true,
  },
  {
    acts: ['credentialsShown'],
    async does() {
      const request = { gameId: 'game_id_1', playerId: '5170925570', code: makeCode() };
      const answer = await core.redeem(a.members.owner, request);
      const shown = answer.status === 'answered' ? answer.redemption.id : 0;
      Object.assign(made, { shown });
      await core.receiptStories.note(a.members.owner, 'credentialsShown', { receipt: shown });
    },
    row: () => ({ ...owner(), object: `redemption:${made.shown}` }),
    isOnce: true,
  },
  {
    acts: ['customerReceiptMade'],
    does: () => core.receiptStories.note(a.members.owner, 'customerReceiptMade', { receipt: made.shown }),
    row: () => ({ ...owner(), object: `redemption:${made.shown}` }),
    isOnce: true,
  },
  {
    acts: ['daysGranted', 'activationsGranted'],
    does: () => core.accounts.grant(HOST, { accountId: a.accountId, days: 2, purchased: 5, orderId: 'gift' }),
    row: () => ({ ...ofHost(), object: expect.stringMatching(/^payment:\d+$/), after: '{"days":2}' }),
  },
  {
    acts: ['refunded'],
    does: () => core.purchases.refund({ kind: 'paymentSystem' }, 'host:gift:a'),
    row: () => ({ actor: 'paymentSystem', door: 'chat', account_id: a.accountId }),
  },
  {
    acts: ['sweepsEnded'],
    does: () => {
      change(
        "insert into sweeps (account_id, game_id, denomination, needed) values (1, 'game_id_1', 60, 20)",
      );
      return core.sweeps.sellByVerification(HOST, { reason: 'No look-ups are left.' });
    },
    row: () => ({
      actor: 'host:77',
      account_id: null,
      after: '{"count":1}',
      reason: 'No look-ups are left.',
    }),
    isOnce: true,
  },
  {
    acts: ['handedOver'],
    does: () => core.members.handOver(a.members.owner, a.members.admin.telegramId),
    row: () => ({ ...owner(), object: `member:${a.members.admin.telegramId}`, before: '{"role":"admin"}' }),
    isOnce: true,
  },
  ...(
    [
      ['pause', 'accountPaused'],
      ['resume', 'accountResumed'],
      ['close', 'accountClosed'],
      ['reopen', 'accountReopened'],
    ] as const
  ).map(([change, act]): Case => ({
    acts: [act],
    does: () => core.accounts.suspend(HOST, made.account, change),
    row: () => ({ ...ofHost(), account_id: made.account }),
  })),
];

/** An address that took nothing for three days. */
async function failForDays(): Promise<void> {
  const webhookId = hook();
  const answer = await core.webhooks.test(a.members.owner, webhookId);
  if (answer.status !== 'pending') throw new Error('The address may not be tried.');
  const { id } = answer.delivery;
  const report = () =>
    core.webhookDeliveries.report({ id, webhookId }, { startedAt: t.clock.now(), problem: 'No.' });
  await report();
  t.clock.advance(3 * 24 * 60 * 60 * 1000);
  await report();
}

/** Whoever acts, by each door that they have. */
test.each<[actor: Parameters<typeof record>[1], written: string, door: string]>([
  [{ kind: 'member', accountId: 1, telegramId: 5, role: 'owner' }, 'member:5', 'chat'],
  [{ kind: 'member', accountId: 1, telegramId: 5, role: 'owner', door: 'page' }, 'member:5', 'page'],
  [{ kind: 'apiKey', accountId: 1, apiKeyId: 7 }, 'apiKey:7', 'http'],
  [HOST, 'host:77', 'chat'],
  [{ ...HOST, door: 'page' }, 'host:77', 'page'],
  [CLI, 'host:cli', 'cli'],
  [{ kind: 'paymentSystem' }, 'paymentSystem', 'chat'],
  [{ kind: 'service' }, 'service', 'service'],
])('%j is written down as %s, by %s', async (actor, written, door) => {
  const before = newest();
  await t.store.write((tables) => record(tables, actor, 'sweepsEnded', {}, t.clock.now()));
  expect(rowsAfter(before)).toMatchObject([{ actor: written, door }]);
});

/** By a command of its own, or by what another test has open. */
const ELSEWHERE = [
  ...['playerForgotten', 'keyChanged'],
  ...['restored', 'platformAdopted', 'databaseAdopted', 'doubtsAsked', 'doubtDecided'],
  ...['upstreamPaused', 'upstreamResumed', 'upstreamCase'],
];

test('no act of the list is without a test', () => {
  const tested = new Set([...CASES.flatMap(({ acts }) => acts), ...ELSEWHERE]);
  expect(AUDITED_ACTS.filter((what) => !tested.has(what))).toEqual([]);
});

// A past, in its order: what one makes, a later one acts on.
describe('each act', { shuffle: false }, () => {
  test.each(CASES)('$acts', async ({ acts, does, row, isOnce }) => {
    const before = newest();
    await does();
    const rows = rowsAfter(before);
    expect(rows.map(({ what }) => what)).toEqual(acts);
    expect(rows[0]).toMatchObject(row());
    if (!isOnce) await does();
    expect(rowsAfter(before)).toHaveLength(acts.length);
  });

  test('nothing of it can be changed, and nothing taken away that is not 400 days older than the newest', async () => {
    expect(() => change("update audit_log set actor = 'nobody'")).toThrow('only added to');
    expect(() => change('delete from audit_log')).toThrow('kept for 400 days');
    const kept = query('select id from audit_log').length;
    const forget = () => t.store.write((tables) => tables.auditLog.prune(t.clock.now(), 1000));
    expect(await forget()).toBe(0);
    t.clock.advance(2 * YEAR_MS);
    // A calendar alone takes nothing away.
    expect(await forget()).toBe(0);
    await core.accounts.rename(HOST, a.accountId, 'Newest');
    expect(await forget()).toBe(kept);
  });
});
