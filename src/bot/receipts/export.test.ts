// The document of an export where not all goes well: it has no room for all, Telegram does not take it, or keeps it.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { SHOP_DOINGS } from '../../../test/world/play/chat-doings.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import type { Sending } from '../outgoing.ts';
import { createTexts } from '../texts.ts';
import { createExportView } from './export-result.ts';

let t: Stage;
let owner: Person;
beforeEach(async () => {
  t = await openStage({ api: { flood: 'none' } });
  owner = personOf(t.api, t.people.owner);
  await SHOP_DOINGS.redeems(t, '3 60 5170925570');
});
afterEach(() => t.stop());

const refusal = (description: string) => ({ kind: 'error', code: 400, description }) as const;

test.each([
  [2, 'receipts. Times are UTC. A file holds no more than that: these are the oldest.'],
  [3, 'receipts. Times are UTC.'],
])('with room for %i it says so where that is not all', async (most, said) => {
  const view = createExportView({ core: t.app().core, texts: createTexts(TEST_GAMES) }, { most });
  const of = { days: 1, full: false, at: Date.now() };
  const made = Promise.resolve(view({ of, telegramId: owner.user.id, language: 'en' }));
  const sending = (await t.within(made)) as Sending;
  const captions: unknown[] = [];
  const api = {
    sendDocument: (_chatId: number, _file: unknown, { caption }: { caption: string }) =>
      Promise.resolve(captions.push(caption)),
  };
  await sending.send(api as unknown as Parameters<Sending['send']>[0], 1, new AbortController().signal);
  expect(captions).toEqual([expect.stringContaining(`${most} ${said}`)]);
  expect(String(captions[0]).includes('no more')).toBe(most === 2);
});

test('a file that Telegram does not take is made anew by the command that is named', async () => {
  t.api.faults.next('sendDocument', refusal('Bad Request: PHOTO_INVALID'), 2);
  owner.says('/export 7 csv');
  await owner.sees('Telegram did not take the file. /export 7 csv makes it anew.');
});

test('a file that Telegram does not delete any more is left to whoever has it', async () => {
  owner.says('/export 1 full');
  await owner.presses('Make the file');
  await owner.sees(({ document }) => document !== undefined);
  t.api.faults.next('deleteMessage', refusal("Bad Request: message can't be deleted"));
  const answer = await owner.presses('Delete the file');
  expect(answer).toMatchObject({
    alert: true,
    text: 'Telegram does not let me delete it any more. Please delete it yourself.',
  });
});
