// Every action that a button of the chat orders: how somebody comes to the button, what they read in the end, and what
// the books say of it.
import type { Core, MemberActor } from '../../../src/core/index.ts';
import type { BotApi } from '../../telegram/telegram.ts';
import type { SeenMessage, User } from '../../telegram/types.ts';
import type { Person } from '../../harness/bot.ts';
import { makeCode } from '../../harness/core.ts';

/** An account of its own, whose owner is also a host. */
export interface Counter {
  api: BotApi;
  core: Core;
  owner: Person;
  actor: MemberActor;
  staff: User;
}

export interface Action {
  name: string;
  /** Goes as far as the last confirmation. */
  ask(counter: Counter): Promise<{ message: SeenMessage; label: string | RegExp }>;
  /** What tells that it was done. */
  isResult(message: SeenMessage): boolean;
  /** How often it was done, by the books; undefined where it leaves no trace but what is told. */
  count?(counter: Counter): number;
}

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const HOST = { kind: 'host', by: 'cli' } as const;
const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());

const available = ({ core, actor }: Counter) => core.codes.countAvailable(actor, GAME).get(60) ?? 0;
const says = (pattern: RegExp) => (message: SeenMessage) => pattern.test(message.text);
const isFile = (message: SeenMessage) => message.document !== undefined;

async function confirm({ owner }: Counter, text: string, pattern: RegExp, label: string | RegExp) {
  owner.says(text);
  const isAsked = (message: SeenMessage) =>
    pattern.test(message.text) && findButton(message, label) !== undefined;
  return { message: await owner.sees(isAsked, 60_000), label };
}

async function addThree(counter: Counter) {
  return confirm(counter, `/add_codes 60 ${makeCodes(3).join(' ')}`, /Preview/, /^Add 3/);
}

export const ACTIONS: readonly Action[] = [
  {
    name: 'redeem',
    async ask(counter) {
      // Other games have codes of this form, too: it is asked which one is meant.
      const { message } = await confirm(
        counter,
        `/redeem ${PLAYER} ${makeCode('60S')}`,
        /Which game/,
        'Game 1',
      );
      await counter.api.press(counter.owner.user, message, 'Game 1');
      const isAsked = (each: SeenMessage) => findButton(each, 'Redeem') !== undefined;
      return { message: await counter.owner.sees(isAsked, 60_000), label: 'Redeem' };
    },
    isResult: says(/Redeemed · receipt|\/receipt_\d+$/),
    count: ({ core, actor }) => core.receipts.list(actor, {}).length,
  },
  {
    name: 'add',
    ask: addThree,
    isResult: says(/3 codes added/),
    count: (counter) => available(counter) / 3,
  },
  {
    name: 'undo',
    async ask(counter) {
      const { message, label } = await addThree(counter);
      await counter.api.press(counter.owner.user, message, buttonOf(message, label));
      return { message: await counter.owner.sees(/3 codes added/, 60_000), label: 'Undo' };
    },
    isResult: isFile,
    count: (counter) => (3 - available(counter)) / 3,
  },
  {
    name: 'extract',
    async ask(counter) {
      await counter.core.codes.add(counter.actor, GAME, [{ denomination: 60, codes: makeCodes(4) }]);
      return confirm(counter, '/extract_codes 60 2', /Take out/, 'Take out 2');
    },
    isResult: isFile,
    count: (counter) => (4 - available(counter)) / 2,
  },
  {
    name: 'export',
    async ask(counter) {
      await counter.core.redeem(counter.actor, { gameId: GAME, playerId: PLAYER, code: makeCode('60S') });
      return confirm(counter, '/export 7 full', /./, 'Make the file');
    },
    isResult: isFile,
  },
  {
    name: 'role',
    ask: (counter) =>
      confirm(counter, `/members ${counter.staff.id} operator`, /operator\?/, 'Make operator'),
    isResult: says(/is operator now/),
    count: ({ core, staff }) => Number(core.members.findActor(staff.id)?.role === 'operator'),
  },
  {
    name: 'remove',
    ask: (counter) => confirm(counter, `/members ${counter.staff.id} remove`, /Remove/, 'Remove'),
    isResult: says(/not in the account any more/),
    count: ({ core, staff }) => Number(core.members.findActor(staff.id) === undefined),
  },
  {
    name: 'issue a key',
    ask: (counter) => confirm(counter, '/api_key new', /key/i, 'Make the key'),
    isResult: says(/crs_[\w-]{43}/),
    count: ({ core, actor }) => core.apiKeys.list(actor).length - 1,
  },
  {
    name: 'revoke a key',
    ask(counter) {
      const [key] = counter.core.apiKeys.list(counter.actor);
      return confirm(counter, `/api_key revoke ${key?.prefix ?? ''}`, /crs_/, 'Revoke');
    },
    isResult: says(/is revoked/),
    count: ({ core, actor }) => core.apiKeys.list(actor).filter(({ revoked }) => revoked).length,
  },
  {
    name: 'grant',
    ask: (counter) => confirm(counter, `/grant ${counter.actor.accountId} 7`, /7 days/, 'Give 7 days'),
    isResult: says(/^Done/),
    count({ core, actor }) {
      const end = core.accounts.find(actor.accountId)?.subscriptionExpiresAt ?? 0;
      return Math.round((end - Date.now()) / (24 * 60 * 60 * 1000) - DAYS) > 3 ? 1 : 0;
    },
  },
  {
    name: 'refund',
    async ask(counter) {
      const { accountId, telegramId } = counter.actor;
      const chargeId = `charge-${accountId}`;
      const payment = { accountId, chargeId, currency: 'USD', amount: 1000, paidBy: `member:${telegramId}` };
      await counter.core.purchases.credit({ ...payment, kind: 'activations', thousands: 1 });
      return confirm(counter, `/refund ${chargeId}`, /\$10/, 'Book as sent back');
    },
    isResult: says(/^Done/),
    count: ({ core, actor }) =>
      Number(core.purchases.find(HOST, `charge-${actor.accountId}`)?.refunded !== undefined),
  },
  {
    name: 'invoice',
    ask: (counter) => confirm(counter, '/buy_activations', /./, /^1000 · /),
    isResult: (message) => message.invoice !== undefined,
  },
];

/** Of subscription, with which every account begins. */
export const DAYS = 30;

export function buttonOf(message: SeenMessage, label: string | RegExp): string {
  const found = findButton(message, label);
  if (found === undefined) throw new Error(`there is no button ${String(label)} under: ${message.text}`);
  return found;
}

function findButton({ buttons }: SeenMessage, label: string | RegExp): string | undefined {
  return buttons.find(({ text }) => (typeof label === 'string' ? text === label : label.test(text)))?.text;
}
