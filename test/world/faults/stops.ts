// A deployment: the service is stopped as by SIGTERM and started again, perhaps with another catalogue.
import { selvesOf } from '../people/index.ts';
import { orderInvoice, payKeptInvoice } from '../people/payer.ts';
import { says } from '../people/phone.ts';
import type { Seeded } from '../../harness/seeded.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

export const deployment: Fault = {
  name: 'deployment',
  weight: 2,
  of: 'end',
  happen: deploy,
};

async function deploy({ service, time }: World): Promise<void> {
  await service.stop();
  await time.sleep(2_000);
  await service.start();
}

/**
 * The catalogue and the price change with it: a game more in front, or one less; what was asked stays asked, as far as it
 * can be answered.
 */
export const upgrade: Fault = {
  name: 'upgrade',
  weight: 1,
  of: 'end',
  async happen(world, random) {
    const { service, diary } = world;
    const [first] = service.games;
    const extra = {
      ...first,
      id: 'game_id_0',
      name: { en: 'Game 0', ru: 'Игра 0' },
      denominations: [60, 100],
      database: random.chance(0.5),
    };
    service.games = first?.id === 'game_id_0' ? service.games.slice(1) : [extra, ...service.games];
    // What was ordered at another price is not paid at it any more.
    service.starsPerUsd = random.pick([70, 77, 84]) ?? 77;
    diary.note(`upgrade: the first game is ${String((service.games[0] as { id: string }).id)}`);
    const payers = selvesOf(world, 'payer');
    const payer = payers.length > 0 ? random.pick(payers) : undefined;
    if (payer && random.chance(0.5)) await orderInvoice(world, payer);
    const goOn = await beginConversation(world, random);
    await deploy(world);
    await goOn?.();
    if (payer) await payKeptInvoice(world, payer);
  },
};

const ASKED_OR_TOLD = /\?|I was updated meanwhile|обновлен|обновил/i;

/**
 * Somebody is asked something, and answers when the service is another: they are asked by that, or told that they have
 * to begin again.
 */
async function beginConversation(world: World, random: Seeded): Promise<(() => Promise<void>) | undefined> {
  const { diary } = world;
  const operators = selvesOf(world, 'operator');
  const self = operators.length > 0 ? random.pick(operators) : undefined;
  if (!self || !random.chance(0.6)) return undefined;
  const { phone, name } = self;
  const { service } = world;
  // What is killed while it is asked comes once more, and later.
  const starts = service.starts();
  const isTheirs = ({ user }: { user: { id: number } }) => user.id === phone.user.id;
  const did = () => [diary.questions, diary.taps, diary.forged].flat().filter(isTheirs).length;
  const before = did();
  const asked = await phone.ask('/redeem', says(/\?/));
  if (!asked || did() !== before + 1) return undefined;
  return async () => {
    const told = await phone.ask('hello', says(/./));
    const isAlone = did() === before + 2 && service.starts() === starts + 1 && !diary.isAway(phone.user);
    if (told && isAlone && !ASKED_OR_TOLD.test(told.text))
      diary.amissBeside.push(`${name} answers what was asked before an upgrade, and is told: ${told.text}`);
  };
}
