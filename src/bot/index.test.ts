// The whole bot beside a Telegram that fails: what arrived is answered once, however it was stopped.
import { afterEach, expect, test } from 'vitest';

import { startTestBot, type TestBot } from '../../test/harness/bot-app.ts';
import { createLogger } from '../log.ts';
import type { ChatRef, User } from '../../test/telegram/types.ts';

let t: TestBot | undefined;
afterEach(async () => {
  await t?.stop();
  t = undefined;
});

const lastIn = (chat: ChatRef) => t?.api.messages(chat).findLast((message) => message.byBot);

async function answerTo(user: User, text: string, chat: ChatRef = user): Promise<string> {
  const before = t!.api.messages(chat).length;
  t!.api.send(user, chat, text);
  return t!.api.waitFor(
    () =>
      t!.api
        .messages(chat)
        .slice(before)
        .find((message) => message.byBot)?.visible,
  );
}

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
