// Who may do what, from the outside: everybody sends every command that there is, which rights.txt names with who may.
// Whatever is not granted is refused in words and leaves no trace in the database. Buttons: src/bot/old-buttons.test.ts,
// and those that somebody was shown test/world/play/pressed-by-others.ts.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Api } from 'grammy';

import type { Allowed } from '../../src/bot/actor.ts';
import type { BotDeps } from '../../src/bot/context.ts';
import { listCommands, type NamedCommand } from '../../src/bot/feature.ts';
import { createFeatures, type FeatureParts } from '../../src/bot/features.ts';
import { systemClock } from '../../src/clock.ts';
import { grantOf, type MemberActor } from '../../src/core/index.ts';
import type { User } from '../telegram/types.ts';
import { openStage, type Stage } from '../world/play/stage.ts';
import { makeCode } from '../harness/core.ts';

interface Somebody {
  name: string;
  user: User;
  actor: MemberActor | undefined;
  isHost: boolean;
}

const PLAYER = '5170925570';
const GAME = 'game_id_1';
const REFUSALS =
  /^(Your role may not (do this|see or change the members)|You are not a member of an account|Only the service administrator)/;

/** What may follow a command, beside nothing. */
const GIVEN: Record<string, (receiptId: number) => string> = {
  start: () => 'subscribe',
  redeem: () => `${PLAYER} 60`,
  receipt: String,
  add_codes: () => '60',
  extract_codes: () => '60 1',
  links: () => '60 1',
  stock: () => GAME,
  history: () => '2',
  find: () => PLAYER,
  stats: () => '30',
  export: () => '7 full',
  buy_activations: () => '1',
  members: () => `@support_person operator`,
  invite: () => 'operator',
  api_key: () => 'new',
  settings: () => '60 50',
  accounts: () => '1',
  payments: () => '1',
  grant: () => '1 30',
  refund: () => 'charge-1',
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
  'claims',
  'batches',
  'stock_alerts',
  'stock_pauses',
  'invitations',
  'webhooks',
  'webhook_deliveries',
];

let t: Stage;
let everybody: Somebody[];
let receiptId: number;
let commands: NamedCommand[];

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
  const settings = { hostIds: [], publicUrl: 'https://codes.example' };
  const deps = { core, clock: systemClock, settings };
  const features = createFeatures(deps as unknown as BotDeps, {} as Api, {} as FeatureParts);
  commands = listCommands(features).filter(({ menu }) => menu !== 'nobody');
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
  expect([...new Set(menus)].sort()).toEqual(commands.map(({ name }) => name).sort());
  const rights = commands.map(({ name, needs, menu = needs }) =>
    menu === needs ? `${name}: ${needs}` : `${name}: ${needs}, in the menu of ${menu}`,
  );
  await expect(`${rights.join('\n')}\n`).toMatchFileSnapshot('rights.txt');

  const before = readTables();
  const sayAll = (one: Somebody, granted: boolean) =>
    commands
      // Who may not look at the members may leave.
      .filter(({ needs, menu = needs }) => isGranted(one, menu) === granted)
      .flatMap(({ name, isNumbered }) => [
        `/${name}`,
        `/${name} ${GIVEN[name]?.(receiptId) ?? 'now'}`,
        ...(isNumbered ? [`/${name}_${receiptId}`] : []),
      ]);
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

function isGranted({ actor, isHost }: Somebody, needs: Allowed | 'nobody'): boolean {
  if (needs === 'everyone') return true;
  if (needs === 'hosts') return isHost;
  if (needs === 'insiders') return isHost || actor !== undefined;
  if (needs === 'nobody' || !actor) return false;
  return needs === 'members' || grantOf(actor, needs) !== 'no';
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
