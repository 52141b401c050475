// The buttons of /settings: what each keeps, what the message shows then, and which are of another day.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
  type SaidWords,
} from '../../../test/harness/bot-words.ts';
import { holdConversation } from '../../../test/harness/bot-prompts.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { MEMBER_NOTICES } from '../../core/index.ts';
import { createSettingsFeature } from './settings.ts';
import { createTimeZoneConversation, describeZone } from './time-zones.ts';

const ALL = MEMBER_NOTICES.length;
const NOW = Date.UTC(2026, 10, 22, 12);
const actorOf = (role: string) => ({ kind: 'member', accountId: 1, telegramId: 5, role });

interface World {
  actor?: object | undefined;
  kept?: object;
  thresholds?: number[];
}

async function handle(event: string, world: World = {}) {
  const saved: unknown[] = [];
  const set: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    log: { warn: () => undefined },
    store: {
      preferences: {
        find: () => world.kept,
        save: (row: { menu?: string }) => soon(() => void (row.menu === undefined && saved.push(row))),
      },
      inTransaction: (rows: unknown) => rows,
    },
    ids: { secret: () => 'n' },
    core: {
      stockAlerts: { list: () => (world.thresholds ?? []).map((threshold) => ({ threshold })) },
      accounts: {
        timeZoneOf: () => 'Europe/Moscow',
        find: () => ({ name: 'Shop' }),
        setTimeZone: (_actor: object, zone: string, rows: () => ActionRows) =>
          soon(() => void set.push(zone, ...(rows().messages ?? []))),
      },
    },
  };
  const create = event.startsWith('/') ? createCommandContext : createPressedContext;
  const actor = 'actor' in world ? world.actor : actorOf('owner');
  const entered: string[] = [];
  const conversation = {
    active: () => ({}),
    enter: (name: string) => Promise.resolve(void entered.push(name)),
    exit: () => Promise.resolve(),
  };
  const { ctx, said } = create(event, { actor, conversation });
  const api = { setMyCommands: () => Promise.resolve(true) };
  const { handlers } = createSettingsFeature(fake(deps), fake(api), []);
  await handlers.middleware()(ctx, () => Promise.resolve(void said.push(['passed on', event])));
  return { said, saved, set, ...(entered.length > 0 && { entered }) };
}

const TAP: SaidWords = ['tap', undefined];
const LANGUAGES = ['language-en -> settings:language:en', 'language-ru -> settings:language:ru'];
const AS_TELEGRAM = ['settings-button-as-telegram -> settings:language:as'];
const chosen = (label: string) => `✓ ${label}`;
const NOTICES = 'settings-button-notices -> settings:notices';
const ZONES = 'settings-button-zone -> settings:zones';
const STOCK = ['settings-button-stock -> settings:stock'];
const NAME = 'settings-button-name -> settings:name';
const NAMED = 'settings-name {"account":"Shop"}';
const MAIN = 'button-back -> settings:main';
const zone = 'settings-zone {"zone":"zone-moscow, UTC+3"}';
const moreOf = (on: number, all = on) => [zone, `settings-more {"on":"${on}","all":"${all}"}`];
const title = (key: string) => ['settings-title', '', `${key} {"language":"language-en"}`];

test.each<[what: string, world: World, lines: string[], rows: string[][]]>([
  [
    'an owner',
    { kept: { language: 'en', mutedNotices: '' } },
    [...title('settings-language'), NAMED, ...moreOf(4), 'settings-stock-hint'],
    [[chosen(LANGUAGES[0]!), LANGUAGES[1]!], AS_TELEGRAM, [NOTICES, ZONES], [...STOCK, NAME]],
  ],
  [
    'an admin',
    { actor: actorOf('admin'), kept: { language: 'en', mutedNotices: '' } },
    [...title('settings-language'), ...moreOf(4), 'settings-stock-hint'],
    [[chosen(LANGUAGES[0]!), LANGUAGES[1]!], AS_TELEGRAM, [NOTICES, ZONES], STOCK],
  ],
  [
    'an operator',
    { actor: actorOf('operator'), kept: { language: null } },
    [...title('settings-language-telegram'), ...moreOf(1)],
    [LANGUAGES, AS_TELEGRAM.map(chosen), [NOTICES]],
  ],
  [
    'a stranger',
    { actor: undefined },
    title('settings-language-telegram'),
    [LANGUAGES, AS_TELEGRAM.map(chosen)],
  ],
])('%s is shown what may be set', async (_what, world, lines, rows) => {
  expect((await handle('/settings', world)).said).toEqual([['reply', lines.join('\n'), ...rows]]);
  expect((await handle('settings:main', world)).said).toEqual([TAP, ['edit', lines.join('\n'), ...rows]]);
});

test.each<[event: string, language: string | null, first: SaidWords]>([
  ['/settings ru', 'ru', ['reply', 'ru:settings-language-set']],
  ['/settings EN', 'en', ['reply', 'settings-language-set']],
  ['settings:language:ru', 'ru', ['tap', 'ru:settings-language-set']],
  ['settings:language:as', null, ['tap', 'settings-language-set']],
])('%s is kept, and spoken from there on', async (event, language, first) => {
  const { said, saved } = await handle(event);
  expect([said[0], saved]).toEqual([first, [{ telegramId: 5, language }]]);
  expect(said[1]?.[1]?.split('\n')[0]).toBe(language === 'ru' ? 'ru:settings-title' : 'settings-title');
});

test('how many notices are on is told, and under how many codes a stock is low', async () => {
  const muted = await handle('settings:main', { kept: { mutedNotices: 'doubtSettled' } });
  expect(muted.said[1]?.[1]).toContain(moreOf(ALL - 1, ALL).join('\n'));
  const wordOf = async (thresholds: number[]) =>
    JSON.stringify((await handle('settings:notices', { thresholds })).said);
  expect(await wordOf([0, 0])).toContain(String.raw`settings-notice-stocklow {\"under\":\"none\"}`);
  expect(await wordOf([5, 0, 5])).toContain(String.raw`{\"under\":\"5\"}`);
  expect(await wordOf([60, 5])).toContain(String.raw`{\"under\":\"5–60\"}`);
});

const KINDS = ['lowStock', 'doubtSettled'];
const OLD = { said: [['alert', 'button-old']], saved: [], set: [] };

test('notices are listed with what pressing each wants', async () => {
  const { said } = await handle('settings:notices', { kept: { mutedNotices: 'doubtSettled' } });
  const [tap, [how, words, ...rows] = []] = said;
  expect([tap, how, words]).toEqual([TAP, 'edit', 'settings-notices']);
  const buttons = JSON.stringify(rows);
  for (const kind of KINDS.filter((each) => buttons.includes(each))) {
    const [mark, what] = kind === 'doubtSettled' ? ['🔕', 'on'] : ['🔔', 'off'];
    const button = `${mark} settings-notice-${kind.toLowerCase()} -> settings:notice:${what}:${kind}`;
    expect(rows).toContainEqual([button]);
  }
  expect(rows.at(-1)).toEqual([MAIN]);
  const own = await handle('settings:notices', { actor: actorOf('operator') });
  expect(own.said[1]?.slice(2)).toEqual([
    ['🔔 settings-notice-doubtsettled -> settings:notice:off:doubtSettled'],
    [MAIN],
  ]);
});

test.each<[event: string, muted: string, saved: string]>([
  ['settings:notice:off:doubtSettled', '', 'doubtSettled'],
  ['settings:notice:off:doubtSettled', 'doubtSettled', 'doubtSettled'],
  ['settings:notice:off:doubtSettled', 'other', 'other,doubtSettled'],
  ['settings:notice:on:doubtSettled', 'other,doubtSettled', 'other'],
  ['settings:notice:on:doubtSettled', '', ''],
])('%s with %j muted', async (event, mutedNotices, saved) => {
  const answer = await handle(event, { kept: { mutedNotices } });
  expect(answer.saved).toEqual([{ telegramId: 5, mutedNotices: saved }]);
  expect(answer.said.map(([how, words]) => [how, words])).toEqual([TAP, ['edit', 'settings-notices']]);
});

test('a notice that there is not, or is for others, and a zone that there is not, are of another day', async () => {
  expect(await handle('settings:notice:off:nothing')).toEqual(OLD);
  expect(await handle('settings:notice:off:lowStock', { actor: actorOf('operator') })).toEqual(OLD);
  expect(await handle('settings:zone:Nowhere/Else')).toEqual(OLD);
});

test('whoever may not is told so', async () => {
  const refused = async (event: string, world: World) => (await handle(event, world)).said;
  const operator = { actor: actorOf('operator') };
  expect(await refused('settings:notices', { actor: undefined })).toEqual([['alert', 'refusal-stranger']]);
  expect(await refused('settings:zones', operator)).toEqual([['alert', 'refusal-for-admin']]);
  expect(await refused('settings:zone:UTC', operator)).toEqual([['alert', 'refusal-for-admin']]);
  expect(await refused('/settings UTC+3', operator)).toEqual([['reply', 'refusal-for-admin']]);
  expect(await refused('/settings UTC+3', { actor: undefined })).toEqual([['reply', 'refusal-stranger']]);
});

test('the likely zones stand two in a row, under the time that it is', async () => {
  const { said } = await handle('settings:zones');
  const [, [how, words, ...rows] = []] = said;
  expect([how, words]).toEqual(['edit', 'settings-zone-ask {"zone":"zone-moscow, UTC+3","time":"15:00"}']);
  expect(rows.slice(0, -1)).toEqual([
    ['UTC -> settings:zone:UTC', 'zone-london -> settings:zone:Europe/London'],
    ['zone-berlin +1 -> settings:zone:Europe/Berlin', 'zone-kyiv +2 -> settings:zone:Europe/Kyiv'],
    ['zone-istanbul +3 -> settings:zone:Europe/Istanbul', 'zone-moscow +3 -> settings:zone:Europe/Moscow'],
    ['zone-dubai +4 -> settings:zone:Asia/Dubai', 'zone-yerevan +4 -> settings:zone:Asia/Yerevan'],
    ['zone-tashkent +5 -> settings:zone:Asia/Tashkent', 'zone-almaty +5 -> settings:zone:Asia/Almaty'],
    ['zone-dhaka +6 -> settings:zone:Asia/Dhaka', 'zone-jakarta +7 -> settings:zone:Asia/Jakarta'],
    [
      'zone-shanghai +8 -> settings:zone:Asia/Shanghai',
      'zone-vladivostok +10 -> settings:zone:Asia/Vladivostok',
    ],
  ]);
  expect(rows.at(-1)).toEqual([MAIN]);
});

test.each<[event: string, zone: string, shown: string, time: string, said: SaidWords[], place: object]>([
  [
    'settings:zone:Asia/Dubai',
    'Asia/Dubai',
    'zone-dubai, UTC+4',
    '16:00',
    [['tap', 'settings-saved']],
    { messageId: 8 },
  ],
  ['/settings Europe/Lisbon', 'Europe/Lisbon', 'Europe/Lisbon, UTC', '12:00', [], {}],
])('%s is set, and says so in one transaction', async (event, zoneName, shown, time, said, place) => {
  const keyboard = { inline_keyboard: [[{ text: 'button-back', callback_data: 'settings:main' }]] };
  const html = `settings-zone-set {"zone":"${shown}","time":"${time}"}`;
  const row = { key: 'zone:77', chatId: 5, content: JSON.stringify({ html, keyboard, ...place }) };
  expect(await handle(event)).toEqual({ said, saved: [], set: [zoneName, row] });
});

test.each(['/settings Nowhere/Else', '/settings UTC+99', '/settings MSK'])('%s is no zone', async (event) => {
  expect((await handle(event)).said).toEqual([['reply', 'settings-zone-wrong']]);
});

test('other words are no setting: what may be set is shown', async () => {
  expect((await handle('/settings 5170925571')).said[0]?.[1]?.split('\n')[0]).toBe('settings-title');
});

test.each([
  ['Europe/Moscow', 'zone-moscow, UTC+3'],
  ['Europe/Lisbon', 'Europe/Lisbon, UTC'],
  ['UTC', 'UTC'],
])('%s is described as %s', (name, words) => {
  expect(describeZone({ label: (key) => key }, name, NOW)).toBe(words);
});

test.each<[said: string, set: string[], words: string[], end: string]>([
  ['Istanbul', ['Europe/Istanbul'], [], 'over'],
  ['zone-moscow', ['Europe/Moscow'], [], 'over'],
  ['UTC+3', ['+03:00'], [], 'over'],
  ['MSK', [], ['settings-zone-wrong'], 'waiting'],
  ['5170925571 60', [], [], 'left'],
])('the question for a zone hears %j', async (text, zones, words, end) => {
  const set: string[] = [];
  const deps = {
    ...{ clock: createManualClock(NOW), store: { inTransaction: () => () => undefined } },
    core: { accounts: { setTimeZone: (_actor: object, name: string) => soon(() => void set.push(name)) } },
  };
  const entry = createTimeZoneConversation(fake(deps));
  const heard = await holdConversation(entry, { hears: [{ text }] });
  expect([set, heard.said.map(([, said]) => said), heard.end]).toEqual([zones, words, end]);
});
