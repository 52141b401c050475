// Buttons of another time, of somebody else, or of nobody, of every kind that there is: what is said to each person of
// the stage who presses one, and that nothing is done. old-buttons.txt says who may press which.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Api } from 'grammy';

import { openStage, type Stage } from '../../test/world/play/stage.ts';
import { personOf } from '../../test/harness/bot.ts';
import { makeCode } from '../../test/harness/core.ts';
import { systemClock } from '../clock.ts';
import type { User } from '../../test/telegram/types.ts';
import type { BotDeps } from './context.ts';
import type { Button } from './feature.ts';
import { createFeatures, type FeatureParts } from './features.ts';

/** What may stand behind the name of a button: what none of ours has any more, or never had. */
const BEHIND = [
  undefined,
  ...[
    '999',
    '60:game_id_1',
    'abcdefghijkl',
    'redeem-now:abcdefghijkl',
    'ord_00000000',
    'en',
    '7',
    '30',
    '30:csv',
  ],
  ...['failed', '1:abcdefghijkl', '20260309', '20260309:2:o:1:1', '2:o:1:1', '2:o:1:zzzzzzzzzzz', '1:zz'],
  ...[
    'on:nonsense',
    'on:stockLow',
    'pause:nowhere',
    'after:0',
    'days:999',
    'yes:999',
    'yes:1',
    '999:5',
    '1:0',
  ],
  ...['60:game_id_1:0', 'abcdefghijkl:game_id_1'],
  ...['1:3651', '1:1000001', '999:admin', '999:abc:60', '999:back', '0', '101', '367', '999:first', '1:said'],
];

/** What no button ever carried, or none does any more. */
const NONE = [
  ...[
    'x',
    'no:x',
    'go:Stock',
    'settings:zone:UTC',
    'settings:under:00000000:60:5',
    'stats:8',
    'members:role:1',
  ],
  ...['export:0', 'export:367', 'buy:packs:0', 'buy:packs:101', 'history:0:', 'history:day:20261345'],
  ...['history:day:20260230', 'history:day:20260309:2:o:zzzzzzzzzzz:1', 'history:2:o:1:zzzzzzzzzzz'],
  ...['add:new:60:game_id_1', 'host:days:1:0', 'host:days:1:3651', 'host:activations:1:1000001'],
];

/** Everything that pressing one would change. */
const TABLES = [
  ...[
    'codes',
    'redemptions',
    'usages',
    'purchases',
    'api_keys',
    'webhooks',
    'invitations',
    'extractions',
    'claims',
    'orders',
  ],
  ...['imports', 'jobs', 'members', 'stock_pauses', 'batches', 'accounts'],
];

let t: Stage;
let file: Database.Database;
let buttons: [name: string, button: Button][];
let people: [name: string, user: User][];

beforeAll(async () => {
  t = await openStage({ api: { flood: 'none' } });
  file = new Database(t.app().databasePath, { readonly: true });
  const { core } = t.app();
  await core.codes.add(t.actors.owner, 'game_id_1', [{ denomination: 60, codes: [makeCode()] }]);
  await core.redeem(t.actors.owner, { gameId: 'game_id_1', playerId: '5170925570', denomination: 60 });
  const deps = { core, clock: systemClock, settings: { hostIds: [], consoleUrl: 'https://console.test' } };
  const features = createFeatures(deps as unknown as BotDeps, {} as Api, {} as FeatureParts);
  buttons = features.flatMap((feature) => Object.entries(feature.buttons ?? {}));
  people = [...Object.entries(t.people), ['host', t.host], ['stranger', t.stranger]];
  for (const [, user] of people) {
    const person = personOf(t.api, user);
    person.says('/help');
    await person.sees(/\S/);
  }
});
afterAll(async () => {
  file.close();
  await t.stop();
});

const readTables = () =>
  Object.fromEntries(
    TABLES.map((name) => [name, file.prepare(`select * from ${name} order by rowid`).all()]),
  );

const shownTo = (user: User) => t.api.messages(user).find(({ byBot, deleted }) => byBot && !deleted);

/** What each is told in an alert, those who are told the same together; nothing where something is shown. */
async function press(data: string): Promise<string> {
  const said = new Map<string, string[]>();
  for (const [name, user] of people) {
    // What was pressed last may have taken the only one away, and says more in a moment.
    if (!shownTo(user)) await t.quiet();
    const shown = shownTo(user);
    if (!shown) throw new Error(`${name} has no message to press.`);
    const answer = await t.api.press(user, shown, { data });
    const words = answer?.alert ? (answer.text ?? '') : '·';
    said.set(words, [...(said.get(words) ?? []), name]);
  }
  const lines = [...said].map(([words, names]) => `  ${names.join(' ')}: ${words}`);
  return [data, ...lines].join('\n');
}

// What the second presses stands in the chats of the first.
describe('old buttons', { shuffle: false }, () => {
  test('the last that there is of a bounded thing is no old button', async () => {
    for (const [who, data] of [
      ['owner', 'buy:packs:1'],
      ['admin', 'buy:packs:100'],
      ['owner', 'export:1'],
      ['owner', 'export:366'],
      ['host', 'host:days:1:1'],
      ['host', 'host:days:1:3650'],
      ['host', 'host:activations:1:1'],
      ['host', 'host:activations:1:1000000'],
    ] as const) {
      const user = who === 'host' ? t.host : t.people[who];
      const shown = shownTo(user);
      expect([data, shown && (await t.api.press(user, shown, { data }))?.alert]).toEqual([data, false]);
    }
  });

  test('every button of no row says so, or that it is not for who presses it, and changes nothing', async () => {
    const before = readTables();
    const told: string[] = [];
    for (const [name, { read }] of buttons) {
      // Behind a last confirmation stands an opaque id, whatever it looks like.
      const tried = read('?') ? ['abcdefghijkl'] : BEHIND;
      const fitting = tried.filter((behind) => read(behind) !== undefined);
      expect(fitting, `${name}: nothing of what is tried stands behind it`).not.toHaveLength(0);
      for (const behind of fitting.slice(0, 3))
        told.push(await press(behind === undefined ? name : `${name}:${behind}`));
    }
    for (const data of NONE) told.push(await press(data));
    await t.quiet();
    expect(readTables()).toEqual(before);
    await expect(`${told.join('\n')}\n`).toMatchFileSnapshot('old-buttons.txt');
  });
});
