// A host who gives and gives back, over a core of one account.
import { createHostRefund } from '../../src/bot/host/refund.ts';
import { createGrants } from '../../src/bot/host/grants.ts';
import type { KnownBot } from '../../src/store/tables/bots.ts';
import type { Confirmation, ActionRows } from '../../src/store/bot-store.ts';
import { createCommandContext, createPressedContext, soon } from './bot-words.ts';
import { createHostMenus, NOW } from './host-menus.ts';
import { fake } from './fake.ts';

const ACCOUNT = {
  id: 7,
  name: 'Shop',
  createdAt: NOW,
  subscriptionExpiresAt: undefined,
  state: 'open' as const,
};
/** Who was last heard of under which name. */
const NAMED: Record<string, object[]> = {
  '@owner': [{ telegramId: 70, name: 'Owner', username: 'owner', accountId: 7 }],
  '@sold': [
    { telegramId: 70, name: 'Owner', username: 'sold', accountId: 7 },
    { telegramId: 80, name: 'Buyer', username: 'sold', accountId: 8 },
  ],
};

export interface HostWorld {
  /** Accounts that words mean. */
  ids?: number[];
  owner?: object;
  payment?: object | undefined;
  notes?: string[];
  confirmation?: object;
  answer?: object;
  stars?: Error | undefined;
  /** Whose the tokens were, in turn. */
  bots?: KnownBot[];
}

/** A host over a core of one account; `did`: what it was asked to do, `kept`: what was kept with that. */
export function createHost({
  ids = [7],
  owner,
  payment,
  notes = [],
  confirmation,
  answer = {},
  stars,
  bots = [],
}: HostWorld) {
  const did: unknown[] = [];
  const kept: ActionRows[] = [];
  const confirmations: Confirmation[] = [];
  const { deps } = createHostMenus({
    accounts: {
      search: () => Promise.resolve({ ids, isComplete: true }),
      find: (id: number) => (id === 7 ? ACCOUNT : undefined),
      list: () => [],
      grant: (_host: object, { inTransaction, ...order }: { inTransaction(balance: object): ActionRows }) =>
        soon(() => (did.push(order), kept.push(inTransaction(answer)))),
    },
    members: { findOwner: () => owner, listByUsername: (_host: object, who: string) => NAMED[who] ?? [] },
    purchases: {
      findPayment: () => payment,
      refund: (_host: object, id: string, inTransaction: (answer: object) => ActionRows) =>
        soon(() => (did.push(['refund', id]), kept.push(inTransaction(answer)))),
    },
  });
  const store = {
    bots: { list: () => bots },
    confirmations: {
      save: (row: Confirmation) => soon(() => void confirmations.push(row)),
      find: (id: string) => (id === 'id' ? confirmation : notes.includes(id) ? {} : undefined),
    },
    findChargeNote: (chargeId: string, kind: string) =>
      notes.includes(kind) ? { chargeId, payerId: 70, currency: 'XTR', amount: 770 } : undefined,
    preferences: { find: () => ({ language: 'ru', menu: '' }) },
    inTransaction: (rows: unknown) => rows,
  };
  const log = { error: () => void did.push('error') };
  const refundStarPayment = (...given: unknown[]) =>
    soon(() => {
      did.push(['stars', ...given]);
      if (stars) throw stars;
    });
  const host: typeof deps = fake({ ...deps, store, log });
  async function handle(event: string) {
    const create = event.startsWith('/') ? createCommandContext : createPressedContext;
    const { ctx, said } = create(event, { isHost: true, actor: undefined });
    Object.assign(ctx.api, { refundStarPayment });
    for (const handlers of [createGrants(host), createHostRefund(host)])
      await handlers.middleware()(ctx, () => Promise.resolve());
    return said;
  }
  return { host, handle, did, kept, confirmations };
}

/** A confirmation that was kept, `id`. */
export const confirmationOf = (action: string, payload: object, takenBy: number | null = null) => ({
  ...{ chatId: 5, userId: 5, action, payload: JSON.stringify(payload), expiresAt: NOW + 1, takenBy },
});
/** What is told in the transaction. */
export const toldIn = ([rows]: readonly ActionRows[]) =>
  rows?.messages?.map(({ key, chatId, content }) => [
    key,
    chatId,
    (JSON.parse(content) as { html: string }).html,
  ]);
