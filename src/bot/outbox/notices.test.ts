// Notices reach whom they are for, once, in their language, and nobody who does not want them.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { openTestCore } from '../../../test/harness/core.ts';
import { countMessages } from '../../../test/harness/waiting-messages.ts';
import { fake } from '../../../test/harness/fake.ts';
import { writeNotice, type Notice } from '../../core/notices/notices.ts';
import type { HostAlert } from '../../core/index.ts';
import { ROLES, type Role } from '../../core/context.ts';
import { createBotStore } from '../../store/bot-store.ts';
import type { Store, Task } from '../../store/index.ts';
import { createNoticeDelivery } from './notices.ts';

let t: Stage;
let beside: Store;
let person: (role: Role) => Person;
beforeEach(async () => {
  t = await openStage();
  beside = t.beside();
  person = (role) => personOf(t.api, t.people[role]);
});
afterEach(async () => {
  await beside.close();
  await t.stop();
});

type WithoutAccount = Notice extends infer N ? (N extends unknown ? Omit<N, 'accountId'> : never) : never;
const FOR_HOSTS: Notice['kind'][] = ['hostAlert'];
/** Written as the core writes it, in a transaction beside the running program. */
const write = (notice: WithoutAccount, at = Date.now()) =>
  beside.write((tables) =>
    writeNotice(
      tables,
      { ...notice, accountId: FOR_HOSTS.includes(notice.kind) ? null : t.accountId } as Notice,
      at,
    ),
  );
const stockLow = { kind: 'stockLow', gameId: 'game_id_1', denomination: 60, threshold: 10 } as const;
const seenBy = (text: string) =>
  ROLES.filter((role) =>
    person(role)
      .all()
      .some((message) => message.text.includes(text)),
  );

test('owners and admins are told, each once, also when the bot was away or comes back', async () => {
  await write(stockLow);
  await person('owner').sees('Fewer than 10 codes of 60 UC');
  await t.restart();
  await write({ kind: 'quotaUsed', percent: 80 });
  await write({ kind: 'quotaUsed', percent: 100 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 3 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 1 });
  await write({ kind: 'subscriptionEnds', endsAt: Date.now(), daysLeft: 0 });
  await write({ kind: 'webhookOff', host: 'shop.example' });
  for (const text of [
    'webhook at shop.example',
    '80 %',
    'whole daily quota',
    'in 3 days',
    'in 1 day:',
    'subscription ended',
  ]) {
    await person('admin').sees(text);
    await person('owner').sees(text);
    expect(seenBy(text)).toEqual(['owner', 'admin']);
  }
  expect(
    person('owner')
      .all()
      .filter((message) => message.text.includes('Fewer than 10')),
  ).toHaveLength(1);
});

test('of an address that a program registered whoever may remove it is told', async () => {
  await write({ kind: 'webhookAdded', host: 'shop.example', key: 'crs_abc' });
  await write({ kind: 'quotaUsed', percent: 80 });
  await person('owner').sees('registered a webhook at shop.example, with the key crs_abc…');
  await person('admin').sees('80 %');
  expect(seenBy('registered a webhook')).toEqual(['owner']);
});

test('of codes that reached nobody the owner is told, each extraction with its own button', async () => {
  const stockKey = { gameId: 'game_id_1', denomination: 60 };
  for (const [extractionId, count] of [
    [5, 1],
    [6, 2],
  ] as const)
    await write({ kind: 'extractionUnsent', extractionId, ...stockKey, count });
  await write({ kind: 'quotaUsed', percent: 80 });
  for (const [words, data] of [
    ['Extraction 5 (1 code of 60 UC', 'extract:again:5'],
    ['Extraction 6 (2 codes of 60 UC', 'extract:again:6'],
  ] as const) {
    const { buttons } = await person('owner').sees(words);
    expect(buttons.map((button) => [button.text, button.callback_data])).toEqual([['Send again', data]]);
  }
  await person('admin').sees('80 %');
  expect(seenBy('reached nobody')).toEqual(['owner']);
});

test('what is known of a problem is worded in the language of the reader, and shown as it is where nothing is', async () => {
  const host = personOf(t.api, t.host);
  const language = { language: 'ru', mutedNotices: '', menu: '' } as const;
  await beside.write((tables) => {
    tables.preferences.save({ telegramId: host.user.id, ...language });
    tables.preferences.save({ telegramId: t.people.admin.id, ...language });
  });
  const job = {
    kind: 'jobSetAside',
    actor: 'apiKey:1',
    work: 'add',
    subjectId: 5,
    done: 3,
    total: 10,
  } as const;
  await write({ ...job, reason: 'interrupted', problem: 'It was interrupted.' });
  await person('admin').sees('остановлено: работу прервало обновление сервиса. Обработано 3 из 10');
  await person('owner').sees('cannot go on: An upgrade of the service interrupted it. 3 of 10');
  await write({ ...job, reason: 'notManaged', problem: 'There is none.' });
  await person('admin').sees('остановлено: для этой игры или этого номинала больше нет склада.');
  await write({ ...job, problem: 'Something <else>.' });
  await person('admin').sees('остановлено: Something <else>. Обработано');
  const alert = (name: HostAlert['name'], facts: HostAlert['facts']) =>
    write({ kind: 'hostAlert', alert: { name, since: 0, facts }, endedAt: null });
  const refusing = (sentence: string, trouble: string | number) =>
    alert('upstream-refusing', { upstream: 'main', sentence, trouble });
  await refusing('It says (401).', 401);
  await host.sees('(main) отклоняет наши запросы: наш ключ не принят (401). Проверьте UPSTREAM_TOKEN.');
  await refusing('It says (418).', 418);
  await host.sees('(main) отклоняет наши запросы: It says (418).');
  await refusing('It looked for it.', 'notDirect');
  await host.sees('(main) отклоняет наши запросы: она искала код у себя');
  await alert('backup-failing', { sentence: 'ENOSPC', reason: 'noRoom' });
  await host.sees('Резервная копия не получилась: на диске не осталось места. Пробую снова');
  await alert('backup-failing', { sentence: 'Odd.' });
  await host.sees('Резервная копия не получилась: Odd. Пробую снова');
});

test('old notices are no news, and one that Telegram refuses does not hold back the others', async () => {
  t.api.block(t.people.owner);
  await write({ kind: 'quotaUsed', percent: 80 }, Date.now() - 4 * 24 * 60 * 60 * 1000);
  await write({ kind: 'quotaUsed', percent: 100 });
  await write(stockLow);
  await person('admin').sees('Fewer than 10');
  expect(seenBy('whole daily quota')).toEqual(['admin']);
  expect(seenBy('80 %')).toEqual([]);
  const countUnsent = () => countMessages(beside);
  await t.quiet();
  expect(countUnsent()).toBe(0);
});

test('one that cannot be worded is tried alone, and dropped after a few mistakes; one that does not open at once', () =>
  t.within(announceAlone()));

async function announceAlone(): Promise<void> {
  const { store, core, clock, close } = await openTestCore();
  try {
    await store.write((tables) => {
      for (const payload of ['null', 'rotten'])
        tables.tasks.add({ task: 'announce', queue: 'notices', payload, now: clock.now() });
    });
    const botStore = createBotStore(store, clock.now);
    const feature = createNoticeDelivery(fake({ core, store: botStore, clock }));
    const list = (limit: number) =>
      store.read(({ tasks }) => tasks.listLike({ queue: 'notices', task: 'announce', priority: 0 }, limit));
    const lists: number[] = [];
    const tools = {
      signal: new AbortController().signal,
      listLike: (limit: number) => (lists.push(limit), list(limit)),
    };
    const run = async (task: Partial<Task>) =>
      feature.tasks?.announce?.run({ ...list(1)[0]!, ...task }, tools);
    await expect(run({})).rejects.toThrow(TypeError);
    for (const attempts of [1, 2, 3]) await expect(run({ attempts })).rejects.toThrow(TypeError);
    expect(await run({ attempts: 4 })).toMatchObject({ state: 'dead' });
    expect(await run({ attempts: 1, payload: undefined })).toMatchObject({ state: 'dead' });
    expect(lists).toEqual([50]);
  } finally {
    await close();
  }
}
