// Files of codes that are larger than Telegram gives to bots: by what the message tells of them, or as Telegram says
// when asked.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { personOf, type Person } from '../../../test/harness/bot.ts';
import { makeCode } from '../../../test/harness/core.ts';

let t: Stage;
let admin: Person;
beforeEach(async () => {
  t = await openStage();
  admin = personOf(t.api, t.people.admin);
  admin.says('/add_codes 60');
  await admin.sees(/Paste the codes now/);
  admin.looksAway();
});
afterEach(() => t.stop());

const TOO_LARGE = /is larger than 20 MB, so it was not taken/;
const sends = (text: string) =>
  t.api.send(t.people.admin, t.people.admin, { document: { name: 'codes.txt', bytes: Buffer.from(text) } });

test('one that its message calls too large is not even asked for', async () => {
  const asked = t.api.faults.next('getFile', { kind: 'error', code: 400, description: 'Bad Request' });
  sends(' '.repeat(20 * 1024 * 1024 + 1));
  await admin.sees(TOO_LARGE);
  expect(asked.met()).toBe(0);
});

test('one that Telegram calls too large is not taken, and the next is', async () => {
  const description = 'Bad Request: file is too big';
  t.api.faults.next('getFile', { kind: 'error', code: 400, description });
  sends(`60 UC ${makeCode()}`);
  await admin.sees(TOO_LARGE);
  sends(`60 UC ${makeCode()}`);
  await admin.sees(/Add 1 code|Read: 1 file/);
});
