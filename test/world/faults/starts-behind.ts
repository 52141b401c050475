// The machine starts a day and more behind, as one does before it has asked anybody for the time: a customer uses a day
// up, the calendar is set right, and the service is started once more. What was used minutes ago is used.
import { call } from '../people/client.ts';
import type { World } from '../run/world.ts';
import { useUpTheRest } from './boundaries.ts';
import type { Fault } from './index.ts';

const HOST = { kind: 'host', by: 'cli' } as const;
const BEHIND_MS = 26 * 60 * 60_000;
const LOOK_UP = '/character?gameId=game_id_1&playerId=5170000001';
const NOTICED_MS = 3_000;

export const startsBehind: Fault = {
  name: 'starts behind',
  weight: 1,
  of: 'calendar',
  isAlone: true,
  async happen(world) {
    const { service, time, diary } = world;
    if (!service.isServing() || time.machine.now() !== time.clock.now()) return;
    await startAgain(world, () => time.setWrong(-BEHIND_MS));
    const customer = { name: 'customer of a morning', days: 30 };
    const { accountId, apiKey } = await service.command((core) => core.accounts.create(HOST, customer));
    const shop = { accountId, apiKey } as World['shops'][number];
    const ask = async () => (await call(world, { name: 'customer', shop }, LOOK_UP))?.status;
    const isUsedUp = (await ask()) === 200;
    if (isUsedUp) useUpTheRest(world, accountId, 0);
    time.setWrong(0);
    await time.sleep(NOTICED_MS);
    for (const when of ['set right', 'started again']) {
      if (when === 'started again') await startAgain(world);
      if (isUsedUp && (await ask()) === 200)
        diary.amissBeside.push(
          `a day that was used up minutes ago is there again when the calendar is ${when}`,
        );
    }
  },
};

async function startAgain({ service, time }: World, meanwhile: () => void = () => undefined): Promise<void> {
  await service.stop();
  meanwhile();
  await time.sleep(1_000);
  await service.start();
}
