// Webhooks that Telegram does not take: said once, tried again ever more seldom, and never the end of the bot.
import { afterEach, expect, test } from 'vitest';

import { FAULTS } from '../../../test/telegram/faults.ts';
import { openStage, type Stage } from '../../../test/world/play/stage.ts';
import { createLogger } from '../../log.ts';

let t: Stage;
let lines: string[];
/** At which second since the start the webhook was set, as far as Telegram heard of it. */
let setAt: number[];
afterEach(() => t.stop());

const SECRET = 'of-the-webhook';
const webhook = { url: 'https://shop.example:444/a-path-that-is-secret', secret: SECRET };

/** The service starts with a webhook, at a port that Telegram does not take. */
async function start(given = webhook, meanwhile: () => void = () => undefined): Promise<void> {
  lines = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  t = await openStage({ log, api: { official: true } });
  await t.restart(
    () => {
      const startedAt = Date.now();
      setAt = [];
      t.api.faults.next(({ method }) => {
        if (method === 'setWebhook') setAt.push(Math.round((Date.now() - startedAt) / 1_000));
        return false;
      }, FAULTS.hang);
      meanwhile();
    },
    { webhook: given },
  );
}
const told = (address = 'shop.example:444') =>
  t.api.messages(t.host).flatMap(({ html }) => (html.includes(address) ? [html] : []));
const saying = (words: string) => lines.filter((line) => line.includes(words));

test('a refusal is one line in the log and one message a host, tried again ever more seldom until it is taken', async () => {
  await start();
  await t.pass(300_000);
  expect([setAt, saying('Telegram refuses the webhook').length]).toEqual([[0, 30, 90, 210], 1]);
  expect(saying('Telegram refuses the webhook')[0]).toMatch(/shop\.example:444.*only on ports/);
  expect(told()).toEqual([expect.stringMatching(/only on ports/)]);
  // The next start tells the hosts nothing that they were told.
  await t.restart();
  await t.pass(20_000);
  expect([told().length, saying('Telegram refuses the webhook').length]).toEqual([1, 2]);
  expect(lines.join('') + told().join('')).not.toMatch(/a-path|of-the-webhook/);
  // A stop ends the pause; the next start is taken.
  setAt = [];
  await t.restart(() => expect(setAt).toEqual([]), {
    webhook: { ...webhook, url: 'https://shop.example/a' },
  });
  await t.pass(60_000);
  expect(setAt).toHaveLength(1);
});

test('what is no refusal is waited out and told nobody; what Telegram takes in the end is said', async () => {
  await start({ ...webhook, url: 'https://shop.example/a' }, () => {
    t.api.faults.next('setWebhook', FAULTS.unauthorized);
    t.api.faults.next('setWebhook', { kind: 'error', code: 400, description: 'Bad Request: bad webhook' });
    t.api.faults.next('setWebhook', FAULTS.restart, 4);
  });
  await t.pass(500);
  expect([setAt, saying('Telegram refuses'), told('shop.example')]).toEqual([[0], [], []]);
  await t.pass(150_000);
  expect([setAt[1], told('shop.example').length]).toEqual([1, 1]);
  const end = lines.map((line) => /could not be set|has taken the webhook/.exec(line)?.[0]).filter(Boolean);
  expect(end).toEqual(['could not be set', 'has taken the webhook']);
});
