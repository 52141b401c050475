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
  const entered: unknown[] = [];
  const conversation = {
    active: () => ({}),
    enter: (...how: unknown[]) => Promise.resolve(void entered.push(...how)),
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

test('a notice that there is not, or is for others, is of another day', async () => {
  expect(await handle('settings:notice:off:nothing')).toEqual(OLD);
  expect(await handle('settings:notice:off:lowStock', { actor: actorOf('operator') })).toEqual(OLD);
});

test('whoever may not is told so', async () => {
  const refused = async (event: string, world: World) => (await handle(event, world)).said;
  const operator = { actor: actorOf('operator') };
  expect(await refused('settings:notices', { actor: undefined })).toEqual([['alert', 'refusal-stranger']]);
  expect(await refused('settings:zones', operator)).toEqual([['alert', 'refusal-for-admin']]);
  expect(await refused('settings:stock', operator)).toEqual([['alert', 'refusal-for-admin']]);
  expect(await refused('/settings 60 5', operator)).toEqual([['reply', 'refusal-for-admin']]);
  expect(await refused('/settings 60 5', { actor: undefined })).toEqual([['reply', 'refusal-stranger']]);
  expect(await refused('/settings UTC+3', operator)).toEqual([['reply', 'refusal-for-admin']]);
  expect(await refused('/settings UTC+3', { actor: undefined })).toEqual([['reply', 'refusal-stranger']]);
});

test.each<[event: string, entered: [name: string, given: object]]>([
  ['settings:zones', ['time-zone', {}]],
  ['settings:stock', ['thresholds', {}]],
  ['/settings Europe/Lisbon', ['time-zone', { text: 'Europe/Lisbon' }]],
  ['/settings Nowhere/Else', ['time-zone', { text: 'Nowhere/Else' }]],
  ['/settings UTC+99', ['time-zone', { text: 'UTC+99' }]],
  ['/settings MSK', ['time-zone', { text: 'MSK' }]],
  ['/settings 60 50', ['thresholds', { text: '60 50' }]],
  ['/settings 60 5\n325 off', ['thresholds', { text: '60 5\n325 off' }]],
])('%j asks', async (event, entered) => {
  const said = event.startsWith('/') ? [] : [TAP];
  expect(await handle(event)).toEqual({ said, saved: [], set: [], entered });
});

test.each<[words: string, role: string]>([
  ['5170925571', 'owner'],
  ['MSK', 'operator'],
])('/settings %s of an %s is no setting: what may be set is shown', async (words, role) => {
  const { said, entered } = await handle(`/settings ${words}`, { actor: actorOf(role) });
  expect([said[0]?.[1]?.split('\n')[0], entered]).toEqual(['settings-title', undefined]);
});

test.each([
  ['Europe/Moscow', 'zone-moscow, UTC+3'],
  ['Europe/Lisbon', 'Europe/Lisbon, UTC'],
  ['UTC', 'UTC'],
])('%s is described as %s', (name, words) => {
  expect(describeZone({ label: (key) => key }, name, NOW)).toBe(words);
});

const CITIES =
  'london berlin kyiv istanbul moscow dubai yerevan tashkent almaty dhaka jakarta shanghai vladivostok'
    .split(' ')
    .map((city) => `zone-${city}`)
    .join(', ');
const ZONE_ASKED = `settings-zone-ask {"zone":"zone-moscow, UTC+3","time":"15:00","cities":"${CITIES}"}`;
const ZONE_WRONG = `settings-zone-wrong {"cities":"${CITIES}"}`;

async function holdZone(given: object, hears: { text: string }[]) {
  const set: unknown[] = [];
  const deps = {
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(NOW),
    store: { inTransaction: (rows: unknown) => rows },
    core: {
      accounts: {
        timeZoneOf: () => 'Europe/Moscow',
        setTimeZone: (_actor: object, zone: string, rows: () => ActionRows) =>
          soon(() => void set.push(zone, ...(rows().messages ?? []))),
      },
    },
  };
  const entry = createTimeZoneConversation(fake(deps));
  const held = await holdConversation(entry, { given, hears, fields: { actor: actorOf('owner') } });
  return { set, said: held.said.map(([, said]) => said), end: held.end };
}

test.each<[said: string, zone: string, shown: string, time: string]>([
  ['Istanbul', 'Europe/Istanbul', 'zone-istanbul, UTC+3', '15:00'],
  [' zone-dubai ', 'Asia/Dubai', 'zone-dubai, UTC+4', '16:00'],
  ['RU:zone-dubai', 'Asia/Dubai', 'zone-dubai, UTC+4', '16:00'],
  ['Europe/Lisbon', 'Europe/Lisbon', 'Europe/Lisbon, UTC', '12:00'],
  ['UTC+3', '+03:00', 'UTC+3', '15:00'],
])('%j is set with what says so, asked for or given', async (text, zoneName, shown, time) => {
  const keyboard = { inline_keyboard: [[{ text: 'button-back', callback_data: 'settings:main' }]] };
  const html = `settings-zone-set {"zone":"${shown}","time":"${time}"}`;
  const set = [zoneName, { key: 'zone:77', chatId: 5, content: JSON.stringify({ html, keyboard }) }];
  expect(await holdZone({}, [{ text }])).toEqual({ set, said: [ZONE_ASKED], end: 'over' });
  expect(await holdZone({ text }, [])).toEqual({ set, said: [], end: 'over' });
});

test.each(['MSK', 'Nowhere/Else', 'UTC+99'])('%s is no zone, and is asked about', async (text) => {
  expect(await holdZone({}, [{ text }])).toEqual({
    set: [],
    said: [ZONE_ASKED, ZONE_WRONG],
    end: 'waiting',
  });
  expect(await holdZone({ text }, [])).toEqual({ set: [], said: [ZONE_WRONG], end: 'waiting' });
});

test('what is no zone at all is for others', async () => {
  const text = '5170925571 60';
  expect(await holdZone({}, [{ text }])).toEqual({ set: [], said: [ZONE_ASKED], end: 'left' });
});
