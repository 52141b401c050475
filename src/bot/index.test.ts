import { afterEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../test/harness/bot-app.ts';
import { createLogger } from '../log.ts';
import type { ChatRef } from '../../test/telegram/types.ts';

let t: TestBot | undefined;
afterEach(async () => {
  await t?.stop();
  t = undefined;
});

const lastIn = (chat: ChatRef) => t?.api.messages(chat).findLast((message) => message.byBot);

async function answerTo(user: { id: number }, text: string, chat: ChatRef = user): Promise<string> {
  const before = t!.api.messages(chat).length;
  t!.api.send(user as never, chat, text);
  return t!.api.waitFor(
    () =>
      t!.api
        .messages(chat)
        .slice(before)
        .find((message) => message.byBot)?.visible,
  );
}

test('help lists the commands of the role, and nothing else', async () => {
  t = await startTestBot();
  expect(await answerTo(t.people.owner, '/help')).toContain('/help');
  expect(await answerTo(t.people.owner, 'hello')).toMatch(/^Send a player ID/);
  expect(await answerTo(t.people.owner, '/nothing')).toMatch(/do not know this command/);
});

test('what arrived while the bot was away, or in the middle of a stop, is answered once after the restart', async () => {
  t = await startTestBot({ api: { flood: 'none' } });
  const { owner } = t.people;
  const before = t.api.messages(owner).length;
  const sent = Array.from({ length: 20 }, () => t!.api.send(owner, owner, '/help'));
  await t.restart();
  await t.api.waitFor(() => t!.api.messages(owner).length >= before + 2 * sent.length, 10_000);
  for (const { updateId } of sent) t.api.redeliver(updateId!);
  await answerTo(owner, '/cancel');
  const answers = t.api
    .messages(owner)
    .slice(before)
    .filter((message) => message.byBot && message.text.includes('/help'));
  expect(answers.filter((message) => message.text.startsWith('No command is needed'))).toHaveLength(20);
});

test('in a group only a few commands answer, the rest says: in private', async () => {
  t = await startTestBot();
  const group = t.api.createGroup({ title: 'Shop', members: [t.people.owner], type: 'group' });
  expect(await answerTo(t.people.owner, '/cancel', group)).toMatch(/private chat only/);
  expect(await answerTo(t.people.owner, '/help', group)).toMatch(/What I can do/);
});

test('a command in capitals is the same command, in private and in a group, and what follows it is not touched', async () => {
  t = await startTestBot();
  const { owner, admin } = t.people;
  expect(await answerTo(owner, '/Stock')).toMatch(/None yet: 60 · 325/);
  expect(await answerTo(owner, '/RECEIPT_7')).toMatch(/is not there/);
  expect(await answerTo(owner, '/Add_Codes 60')).toMatch(/Paste the codes now/);
  expect(await answerTo(owner, '/Cancel')).toMatch(/^Cancelled/);
  expect(await answerTo(owner, '/Nothing')).toMatch(/do not know this command/);
  const { token } = await t.app().core.members.invite(t.actors.owner, 'operator');
  expect(await answerTo(t.stranger, `/Start join_${token}`)).toMatch(/operator/);
  const group = t.api.createGroup({ title: 'Shop', members: [owner, admin], type: 'group' });
  expect(await answerTo(owner, '/Stock@Redemption_Test_Bot', group)).toMatch(/None yet: 60 · 325/);
  expect(await answerTo(admin, '/HELP', group)).toMatch(/What I can do/);
  expect(await answerTo(owner, '/Find', group)).toMatch(/private chat only/);
});

test('a chat is answered after Telegram was out of reach for a while', async () => {
  t = await startTestBot();
  t.api.down = true;
  t.api.send(t.people.owner, t.people.owner, '/help');
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.api.down = false;
  await expect.poll(() => lastIn(t!.people.owner)?.text).toMatch(/Every day/);
});

test('a stop while Telegram hangs is over in time, and what it interrupted is answered after the restart', async () => {
  t = await startTestBot();
  const { owner } = t.people;
  const before = t.api.messages(owner).length;
  t.api.faults.next('sendMessage', { kind: 'hang' }, 1);
  t.api.send(owner, owner, '/help');
  await expect.poll(() => t!.api.unconfirmed()).toEqual([]);
  const startedAt = performance.now();
  await t.restart();
  expect(performance.now() - startedAt).toBeLessThan(9_000);
  await t.api.waitFor(
    () =>
      t!.api
        .messages(owner)
        .slice(before)
        .some((message) => message.byBot),
    10_000,
  );
}, 40_000);

test('Telegram failing right after it was reached does not leave the process without its bot', async () => {
  const faulty = startTestBot({
    prepare: (api) => api.faults.next('deleteWebhook', { kind: 'error', code: 500 }, 6),
  });
  t = await faulty;
  expect(await answerTo(t.people.owner, '/help')).toContain('/help');
}, 40_000);

test('a stop before Telegram was reached is no error, and the next start answers', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } });
  t = await startTestBot({ log });
  await t.restart(() => void (t!.api.down = true));
  await t.restart(() => void (t!.api.down = false));
  expect(await answerTo(t.people.owner, '/help')).toContain('/help');
  expect(lines).toEqual([]);
});

test('a token that is revoked while the bot runs is told once in the log and at /readyz; with it back, people are answered', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } });
  t = await startTestBot({ log });
  const { owner } = t.people;
  const connectionStatus = async () => (await t!.app().request('/readyz')).json.telegram as string;
  expect(await connectionStatus()).toBe('reachable');
  t.api.revoked = true;
  await expect.poll(connectionStatus).toBe('revoked');
  t.api.send(owner, owner, '/help');
  t.api.revoked = false;
  expect(await answerTo(owner, '/help')).toContain('/help');
  expect(await connectionStatus()).toBe('reachable');
  expect(lines.filter((line) => line.includes('it was revoked'))).toHaveLength(1);
});
