// Another process fetches the updates of the same bot, as a copy of the database that was started somewhere does:
// whoever hosts the service is told within 75 s, and once more when it is over; the door says so. It takes none away
// from the service: it never says what it has got.
import { API_ROOT, TOKEN } from '../machine/telegram.ts';
import { HOST_ID } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';
import { befall } from './lasting.ts';
import { readTelegram } from './strange-token.ts';

const TOLD_WITHIN_MS = 75_000;
const POLLED_EVERY_MS = 4_000;

export const twoPollers: Fault = {
  name: 'two pollers',
  weight: 1,
  isAlone: true,
  async happen(world) {
    const { time, diary, service } = world;
    if (!service.isServing()) return;
    const from = time.clock.now();
    const starts = service.starts();
    diary.note('another process fetches the updates of the bot');
    const trouble = await befall(world, 'token-contested', async () => {
      while (time.clock.now() < from + TOLD_WITHIN_MS) {
        poll(world);
        await time.sleep(POLLED_EVERY_MS);
      }
    });
    const telegramIs = await readTelegram(world);
    const to = time.clock.now();
    // Whoever has blocked the bot, or was down meanwhile, hears of it later; of a night that passed nobody knows.
    const isDisturbed = service.starts() !== starts || to > from + 2 * TOLD_WITHIN_MS;
    trouble.isSure &&= !isDisturbed;
    if (isDisturbed || diary.isAway({ id: HOST_ID })) return;
    if (!isTold(world, from))
      diary.amissBeside.push('two processes fetched the updates for 75 s, and no host was told');
    if (telegramIs !== 'contested')
      diary.amissBeside.push(`two processes fetch the updates, and /readyz says: ${telegramIs}`);
  },
};

const isTold = ({ said }: World, since: number): boolean =>
  said.today.some(
    ({ chatId, at, text }) => chatId === HOST_ID && at >= since && /another process/i.test(text),
  );

/** Without an offset it confirms nothing. */
function poll({ telegram }: World): void {
  const body = Buffer.from(JSON.stringify({ timeout: 3 }));
  void telegram.api
    .answer({
      url: new URL(`${API_ROOT}/bot${TOKEN}/getUpdates`),
      contentType: 'application/json',
      readBody: () => Promise.resolve(body),
      signal: new AbortController().signal,
    })
    .catch(() => undefined);
}
