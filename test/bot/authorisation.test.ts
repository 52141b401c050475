// Who may do what, from the outside: everybody sends every command and presses forged buttons (those that somebody was
// shown: test/world/play/pressed-by-others.ts). Whatever is not granted is refused in words and leaves no trace in the
// database.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { grantOf, type MemberActor, type Permission } from '../../src/core/index.ts';
import type { User } from '../telegram/types.ts';
import { openStage, type Stage } from '../world/play/stage.ts';
import { makeCode } from '../harness/core.ts';
import { createSeeded } from '../harness/seeded.ts';

interface Somebody {
  name: string;
  user: User;
  actor: MemberActor | undefined;
  isHost: boolean;
}

interface Command {
  for: Permission | 'everyone' | 'members' | 'hosts';
  /** What may follow the command, beside nothing. */
  given: (receiptId: number) => string;
}

const PLAYER = '5170925570';
const GAME = 'game_id_1';
const REFUSALS =
  /^(Your role may not (do this|see or change the members)|You are not a member of an account|Only the service administrator)/;

const COMMANDS: Record<string, Command> = {
  start: { for: 'everyone', given: () => 'subscribe' },
  help: { for: 'everyone', given: () => 'me' },
  cancel: { for: 'everyone', given: () => 'all' },
  paysupport: { for: 'everyone', given: () => 'charge-1' },
  terms: { for: 'everyone', given: () => 'now' },
  redeem: { for: 'redeem', given: () => `${PLAYER} 60` },
  orders: { for: 'redeem', given: () => 'now' },
  receipt: { for: 'readReceipts', given: String },
  add_codes: { for: 'addCodes', given: () => '60' },
  batches: { for: 'undoImport', given: () => '1' },
  extract_codes: { for: 'extractCodes', given: () => '60 1' },
  stock: { for: 'seeStock', given: () => GAME },
  history: { for: 'searchHistory', given: () => '2' },
  find: { for: 'searchHistory', given: () => PLAYER },
  quota: { for: 'seeQuota', given: () => 'now' },
  stats: { for: 'seeStatistics', given: () => '30' },
  export: { for: 'exportReceipts', given: () => '7 full' },
  buy_activations: { for: 'purchase', given: () => '1' },
  subscribe: { for: 'purchase', given: () => 'now' },
  members: { for: 'manageStaff', given: () => `@support_person operator` },
  invite: { for: 'manageStaff', given: () => 'operator' },
  api_key: { for: 'manageApiKeys', given: () => 'new' },
  log: { for: 'readLog', given: () => 'now' },
  settings: { for: 'members', given: () => '60 50' },
  accounts: { for: 'hosts', given: () => '1' },
  payments: { for: 'hosts', given: () => '1' },
  grant: { for: 'hosts', given: () => '1 30' },
  refund: { for: 'hosts', given: () => 'charge-1' },
  health: { for: 'hosts', given: () => 'now' },
};

const TABLES = [
  'accounts',
  'codes',
  'redemptions',
  'usages',
  'purchases',
  'members',
  'api_keys',
  'extractions',
  'batches',
  'stock_alerts',
  'stock_pauses',
  'invitations',
  'webhooks',
  'webhook_deliveries',
];

/** What begins the data of the bot's buttons, with the shape of what follows: `#` a number, `*` an opaque id. */
const SHAPES = [
  ...[
    'redeem-now:*',
    'add-codes:*',
    'undo-batch:*',
    'extract:*:1',
    'key-issue:*',
    'key-revoke:*',
    'invoice:*',
  ],
  ...[
    'members-do:*',
    'export-full:*',
    'host-grant:*',
    'host-open:*',
    'host-found:1:*',
    'host-refund:*',
    'no:redeem-now:*',
    'no:members-do:*',
  ],
  ...[
    'redeem:again:#',
    'redeem:change:#',
    'redeem:player:#',
    'receipt:file:#',
    'extract:again:#',
    'batch:bad:#',
    'log:top',
    'log:#',
    'bad:list',
    'bad:file:60:game_id_1',
    'bad:again:60:game_id_1',
    'bad:go:60:game_id_1',
    'try-again:*',
    'key:revoke:#',
  ],
  ...['members:one:#', 'members:role:#:admin', 'members:remove:#', 'members:own:#', 'members:sure:#'],
  ...[
    'host:account:#',
    'host:owner:#',
    'host:days:#:30',
    'host:activations:#:50',
    'host:grant:days:#',
    'host:payments:#:first',
    'host:refund:#',
    'host:ask:#',
    'buy:packs:#:said',
    'host:new',
    'add:done:#',
    'add:stop:#',
    'add:more:#',
    'add:for:#:60',
  ],
  ...[
    'receipt:customer:#',
    'history:day:20260#0#',
    'settings:notice:on:*',
    'find:1:*',
    'prompts:*:yes',
    'go:*',
    '*',
    'buy:packs:#',
  ],
];

let t: Stage;
let everybody: Somebody[];
let receiptId: number;

beforeAll(async () => {
  t = await openStage({ api: { flood: 'none' } });
  const { core } = t.app();
  // So many that nobody is told of a low stock meanwhile.
  const codes = Array.from({ length: 50 }, () => makeCode());
  await core.codes.add(t.actors.owner, GAME, [{ denomination: 60, codes }]);
  const order = { gameId: GAME, playerId: PLAYER, denomination: 60 };
  const answer = await core.redeem(t.actors.owner, order);
  if (answer.status !== 'answered') throw new Error(answer.status);
  receiptId = answer.redemption.id;
  everybody = [
    ...Object.values(t.actors).map((actor) => ({
      name: actor.role,
      user: t.people[actor.role],
      actor,
      isHost: false,
    })),
    { name: 'stranger', user: t.stranger, actor: undefined, isHost: false },
    { name: 'host', user: t.host, actor: undefined, isHost: true },
  ];
});
afterAll(() => t.stop());

test('everybody is answered at every command; what is not granted is refused and changes nothing', async () => {
  await Promise.all(everybody.map(({ user }) => ask(user, '/start')));
  // A chat's own menu is set after the answer; the default ones have five commands.
  for (const user of [t.people.owner, t.host])
    await t.api.waitFor(() => t.api.menu(user).length > 5, 10_000, 'a menu');
  const menus = [t.people.owner, t.host].flatMap((user) => t.api.menu(user).map((entry) => entry.command));
  expect([...new Set(menus)].sort()).toEqual(Object.keys(COMMANDS).sort());

  const before = readTables();
  const lines = Object.entries({ ...COMMANDS, [`receipt_${receiptId}`]: COMMANDS['receipt'] as Command });
  const sayAll = (one: Somebody, granted: boolean) =>
    lines
      .filter(([, command]) => isGranted(one, command) === granted)
      .flatMap(([name, command]) => [`/${name}`, `/${name} ${command.given(receiptId)}`]);
  await Promise.all(
    everybody.map(async (one) => {
      for (const line of sayAll(one, false)) {
        const answer = await ask(one.user, line);
        // A stranger may choose a language: of /settings nothing else is theirs.
        if (!line.startsWith('/settings')) expect(answer, `${one.name}: ${line}`).toMatch(REFUSALS);
      }
    }),
  );
  expect(readTables()).toEqual(before);

  await Promise.all(
    everybody.map(async (one) => {
      for (const line of sayAll(one, true)) {
        const answer = await ask(one.user, line);
        if (!/\/(start|members) /.test(line))
          expect(answer, `${one.name}: ${line}`).not.toMatch(
            /^Only the service administrator|^You are not a member/,
          );
      }
    }),
  );
});

test('a hundred forged buttons are answered and change nothing, whoever presses them', async () => {
  const random = createSeeded(13);
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
  const opaque = () => Array.from({ length: 16 }, () => random.pick([...letters])).join('');
  const forged = Array.from({ length: 100 }, (_, index) =>
    (SHAPES[index % SHAPES.length] ?? '*')
      .replace('*', opaque)
      .replace('#', () => String(random.between(10_000, 999_999_999))),
  );
  const before = readTables();
  await Promise.all(everybody.map((one) => pressAll(one, forged)));
  expect(readTables()).toEqual(before);
});

function isGranted({ actor, isHost }: Somebody, command: Command): boolean {
  if (command.for === 'everyone') return true;
  if (command.for === 'hosts') return isHost;
  return actor !== undefined && (command.for === 'members' || grantOf(actor, command.for) !== 'no');
}

/** Every row of what may be touched by permission alone. */
function readTables(): Record<string, unknown[]> {
  const database = new Database(t.app().databasePath, { readonly: true });
  try {
    return Object.fromEntries(
      TABLES.map((table) => [table, database.prepare(`SELECT * FROM ${table} ORDER BY rowid`).all()]),
    );
  } finally {
    database.close();
  }
}

/** Says it in the person's private chat; the bot's first message after it. */
async function ask(user: User, text: string): Promise<string> {
  const sent = t.api.send(user, user, text).message.id;
  const first = () => t.api.messages(user).find((message) => message.byBot && message.id > sent);
  const answer = await t.api.waitFor(first, 10_000, `an answer to ${text}`);
  return answer.text;
}

/** A chat is handled in order: once this is answered, so is what came before it. */
async function settle(user: User): Promise<void> {
  const sent = t.api.send(user, user, '/help').message.id;
  const isHelp = (text: string) => text.includes('/help —');
  await t.api.waitFor(
    () => t.api.messages(user).some((message) => message.byBot && message.id > sent && isHelp(message.text)),
    10_000,
    'the help',
  );
}

/** A tap as a hostile client makes it: whatever data, under the newest message of the person's own chat. */
function press(user: User, data: string) {
  const newest = t.api.messages(user).findLast((message) => message.byBot && !message.deleted);
  if (!newest) throw new Error(`${user.first_name} has no message of the bot`);
  return t.api.press(user, newest, { data });
}

async function pressAll({ name, user }: Somebody, all: readonly string[]): Promise<void> {
  for (const data of all) expect(await press(user, data), `${name} pressed ${data}`).toBeDefined();
  await settle(user);
}
