// A store with a past: one account, two batches of codes, and a redemption of every kind and state, made through the
// transactions of the core with no platform between them.
import { noteSent, prepareBegin, type Begun } from '../../src/core/redemption/begin.ts';
import type { AccountActor } from '../../src/core/context.ts';
import type { Game } from '../../src/core/games.ts';
import {
  fallInDoubt,
  settleFailed,
  settleRedeemed,
  settleReturned,
} from '../../src/core/redemption/settle.ts';
import type { JobKind, Store, Tables } from '../../src/store/index.ts';
import { DAY_MS, TEST_GAMES } from './core.ts';
import { openTestStore, type TestStore } from './store.ts';
import { alone } from '../../src/platforms.ts';
import { createScriptedPlatform } from './platform.ts';

export const GAME: Game = TEST_GAMES.all[0]!;

const UPSTREAMS = {
  choose: () => ({ upstream: alone(createScriptedPlatform(() => 0))[0], candidates: [] }),
};
const PLAYER = '5170925570';
const RECEIPT = {
  openid: 'openid-1',
  playerName: 'Player',
  region: null,
  productName: '60 UC',
  amount: 60,
  warning: false,
};

export interface Trader {
  actor: AccountActor;
  addCodes(codes: readonly string[]): Promise<number>;
  begin(order?: { code?: string; idempotencyKey?: string }): Promise<Begun>;
  redeem(begun: Begun): Promise<void>;
  fail(
    begun: Begun,
    errorCode: 'CODE_USED' | 'INVALID_CODE' | 'NETWORK_ERROR' | 'RISK_CONTROL',
  ): Promise<void>;
  doubt(begun: Begun): Promise<void>;
  /** Settles a doubt as not redeemed. */
  giveBack(begun: Begun): Promise<void>;
  extract(amount: number): Promise<string[]>;
  undo(batchId: number): Promise<void>;
}

/**
 * Opens an account with a subscription and 100 purchased activations. `open` tells the store that is open at each
 * action.
 */
export async function openTrader(open: () => Store, now: () => number): Promise<Trader> {
  const accountId = await open().write((tables) => {
    const id = tables.accounts.insert({
      name: 'Shop',
      now: now(),
      subscriptionExpiresAt: now() + 30 * DAY_MS,
    });
    tables.purchases.insert({ ...purchase(id, `first-${id}`), at: now() });
    tables.quota.credit(id, 400);
    return id;
  });
  const actor: AccountActor = { kind: 'apiKey', accountId, apiKeyId: 1 };
  // As many as a test likes.
  const badRequestLimit = { count: () => undefined };
  let references = 0;
  const openJob = (tables: Tables, kind: JobKind, subjectId: number, total: number) =>
    tables.jobs.open({ accountId, actor: 'apiKey:1', kind, subjectId, total, now: now() });
  const endJob = (tables: Tables, jobId: number, done: number) => {
    tables.jobs.advance(jobId, { done, cursor: null });
    tables.jobs.end(jobId, 'done', now());
  };

  return {
    actor,
    async addCodes(codes) {
      const sealed = codes.map((code) => open().seals.seal(GAME.id, code));
      return open().write((tables) => {
        const stockKey = { accountId, gameId: GAME.id, denomination: 60 };
        const batchId = tables.batches.open({ ...stockKey, actor: 'apiKey:1', now: now() });
        for (const code of sealed) tables.batches.insertCode({ ...stockKey, batchId, now: now() }, code);
        tables.batches.grow(batchId, stockKey, sealed.length);
        const jobId = openJob(tables, 'add', batchId, sealed.length);
        tables.jobSlices.save({ jobId, position: 0, denomination: 60, content: codes });
        tables.jobSlices.finish(jobId, 0, { added: sealed.length, content: { used: [], disowned: [] } });
        endJob(tables, jobId, sealed.length);
        return batchId;
      });
    },
    async begin({ code, idempotencyKey } = {}) {
      const what = code === undefined ? { denomination: 60 } : { code };
      const key = idempotencyKey
        ? { idempotencyKey: { scope: 'http' as const, key: idempotencyKey } }
        : undefined;
      const reference = `reference-${accountId}-${(references += 1)}`;
      const request = { gameId: GAME.id, playerId: PLAYER, ...what, ...key };
      const begin = prepareBegin(
        { store: open(), upstreams: UPSTREAMS, witnesses: { canProve: () => true }, badRequestLimit },
        { actor, game: GAME, request },
        reference,
      );
      const { answer, begun } = await open().write((tables) => {
        const beginning = begin(tables, { now: now(), monotonicNow: now(), safeNow: now() });
        // As when the platform has said that it is unspent.
        if (beginning.begun?.unverified) noteSent(tables, beginning.begun, now());
        return beginning;
      });
      if (!begun) throw new Error(`Not begun: ${answer.status}.`);
      return begun;
    },
    async redeem(begun) {
      const credentials = { email: `${begun.id}@example.org`, password: 'secret' };
      await open().write((tables) =>
        settleRedeemed(tables, begun, { ...RECEIPT, credentials }, 'answer', now()),
      );
    },
    async fail(begun, errorCode) {
      await open().write((tables) =>
        settleFailed(tables, begun, { errorCode, message: null, asked: true }, now()),
      );
    },
    async doubt(begun) {
      const answered = { errorCode: 'UNKNOWN' as const, message: null };
      await open().write((tables) =>
        fallInDoubt(tables, begun, answered, { nextLookAt: now(), quietUntil: now() }, now()),
      );
    },
    async giveBack(begun) {
      const answered = { errorCode: 'UNKNOWN' as const, message: null };
      await open().write((tables) => settleReturned(tables, begun, answered, now()));
    },
    extract: (amount) =>
      open().write((tables) => {
        const stockKey = { accountId, gameId: GAME.id, denomination: 60 };
        const extractionId = tables.extractions.open({
          ...stockKey,
          actor: 'apiKey:1',
          requested: amount,
          now: now(),
        });
        tables.extractions.extract({ ...stockKey, extractionId, amount, now: now() });
        tables.extractions.end(extractionId, now());
        endJob(tables, openJob(tables, 'extract', extractionId, amount), amount);
        return tables.extractions.list(extractionId, 0, amount).map(({ code }) => code ?? '');
      }),
    async undo(batchId) {
      await open().write((tables) => {
        tables.batches.markUndone(batchId, 'host', now());
        tables.batches.takeBack(batchId, Buffer.alloc(0), 1000, now());
        endJob(tables, openJob(tables, 'undo', batchId, 1000), 1000);
      });
    },
  };
}

/** A purchase of 100 activations, to be booked beside `quota.credit(accountId, 400)`. */
export function purchase(accountId: number, chargeId: string) {
  return {
    accountId,
    chargeId,
    kind: 'activations' as const,
    currency: 'XTR',
    amount: 77,
    activationsQuarters: 400,
    subscriptionDays: 0,
    paidBy: 'member:1',
  };
}

/** Codes of this many characters, told apart by their number. */
export function numberedCodes(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `60S${prefix}${String(index).padStart(12, '0')}`);
}

/** A store with all of that, for a test that closes it. */
export async function openTradedStore(): Promise<{ fixture: TestStore; trader: Trader }> {
  const fixture = openTestStore();
  const trader = await openTrader(
    () => fixture.store,
    () => fixture.clock.now(),
  );
  await tradeEverything(fixture.store, trader);
  return { fixture, trader };
}

/**
 * Leaves redemptions of every state, failures of every fate, an extraction, an undone batch, a notice, an import, a
 * job.
 */
export async function tradeEverything(store: Store, trader: Trader): Promise<void> {
  await trader.addCodes(numberedCodes('A', 12));
  await trader.extract(2);
  await trader.redeem(await trader.begin({ idempotencyKey: 'key-1' }));
  await trader.redeem(await trader.begin({ code: '60SDIRECT00000001' }));
  await trader.redeem(await trader.begin({ code: numberedCodes('A', 12).at(-3)! }));
  for (const errorCode of ['CODE_USED', 'INVALID_CODE', 'NETWORK_ERROR', 'RISK_CONTROL'] as const) {
    await trader.fail(await trader.begin(), errorCode);
  }
  const returned = await trader.begin();
  await trader.doubt(returned);
  await trader.giveBack(returned);
  await trader.doubt(await trader.begin());
  await trader.begin();
  await trader.undo(await trader.addCodes(numberedCodes('B', 3)));
  await store.write((tables) => {
    const { accountId } = trader.actor;
    const batchId = tables.batches.open({ accountId, gameId: GAME.id, actor: 'apiKey:1', now: 1 });
    const add = { accountId, actor: 'apiKey:1', kind: 'add' as const, subjectId: batchId };
    const jobId = tables.jobs.open({ ...add, total: 1, now: 1 });
    tables.jobSlices.save({ jobId, position: 0, denomination: 60, content: numberedCodes('J', 1) });
    tables.tasks.add({ task: 'announce', queue: 'notices', payload: '{}', now: 1 });
    const importId = tables.imports.open({
      accountId,
      gameId: GAME.id,
      actor: 'member:1',
      denomination: null,
      now: 1,
    });
    tables.imports.addPiece({ importId, pieceKey: 'one', position: 1, kind: 'message', text: 'pasted' });
  });
}
