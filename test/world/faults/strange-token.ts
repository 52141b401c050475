// The service is started while Telegram does not know its token, as after @BotFather gave another one: programs are
// served all the same, the door says why nobody is answered, and people are answered as soon as the token is known.
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';
import { befall } from './lasting.ts';

const STRANGE_MS = 20_000;
/** Asked who it is, the service has heard by then that nobody knows. */
const HEARD_MS = 5_000;

export const strangeToken: Fault = {
  name: 'strange token',
  weight: 1,
  of: 'end',
  isAlone: true,
  async happen(world) {
    const { service, telegram, time, diary } = world;
    if (!service.isServing()) return;
    diary.note('the service is started while Telegram does not know its token');
    await service.stop();
    telegram.api.revoked = true;
    await service.start();
    await time.sleep(HEARD_MS);
    const telegramIs = await readTelegram(world);
    if (telegramIs !== 'revoked')
      diary.amissBeside.push(`Telegram does not know the token, and /readyz says: ${telegramIs}`);
    await befall(world, 'token-revoked', () => time.sleep(STRANGE_MS));
    telegram.api.revoked = false;
  },
};

/** How the bot stands with Telegram, as `/readyz` says; `lost` where nobody answers. */
export async function readTelegram({ service }: Pick<World, 'service'>): Promise<string> {
  const answer = await service.ask('/readyz');
  if (answer === 'lost') return answer;
  return ((await answer.json()) as { telegram?: string }).telegram ?? 'nothing';
}
