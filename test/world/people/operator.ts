// An operator in a hurry: redeems for players all day, presses twice, goes away in the middle.
import type { SeenMessage } from '../../telegram/types.ts';
import { findButton, hasButton, REDEEM, says } from './phone.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import type { Kind, Self } from './index.ts';
import { orderAgain, orderMeanwhile } from './again.ts';
import { askAgain, askWhom } from './asking-whom.ts';
import { orderByName } from './by-name.ts';
import { writeHostile } from './stranger.ts';
import { lookAround } from './looking.ts';
import { overstep } from './overstepping.ts';
import { DENOMINATIONS } from './shop.ts';
import { leaveUnpressed, pressTooLate } from './too-late.ts';
import { randomPlayer } from './client.ts';

const MOST_SINCE = 20;

export const operator: Kind = {
  kind: 'operator',
  role: 'operator',
  ofAShop: 2,
  actsADay: 0.8,
  async act(world, self) {
    const { phone, random } = self;
    if (random.chance(0.06)) return forge(world, self);
    if (await pressTooLate(world, self)) return;
    if (random.chance(0.15)) return readOne(world, self);
    if (random.chance(0.08)) return lookAround(world, self);
    if (random.chance(0.06)) return redeemOneOf(world, self);
    if (random.chance(0.04)) return sendCodeAtOnce(world, self);
    if (random.chance(0.03)) return overstep(world, self);
    if (random.chance(0.03)) return writeHostile(world, self);
    if (random.chance(0.04)) return askWhom(world, self);
    if (random.chance(0.04)) return askAgain(world, self);
    if (random.chance(0.04)) return orderMeanwhile(world, self);
    if (random.chance(0.05)) return orderOddAmount(world, self);
    if (random.chance(0.04)) return orderByName(world, self);
    const player = playerOf(self);
    const denomination = random.pick(DENOMINATIONS);
    const text = random.chance(0.5) ? `/redeem ${player} ${denomination}` : `${player} ${denomination}`;
    const card = await phone.ask(
      text,
      (message) => hasButton(REDEEM)(message) || says(/no |not |unknown|nothing/i)(message),
    );
    if (!card || !hasButton(REDEEM)(card)) return;
    if (random.chance(0.05)) return leaveUnpressed(world, self, card);
    if (random.chance(0.1)) await beForged(world, self, card);
    const pressed = phone.press(card, REDEEM, { kind: 'redeem' });
    if (random.chance(0.3)) void phone.press(card, REDEEM, { kind: 'redeem' });
    await pressed;
    const isTold = random.chance(0.8) && (await phone.sees(says(/receipt_\d+/)));
    if (isTold && random.chance(0.2)) await orderAgain(world, self, { player, denomination });
  },
};

/** A colleague's receipt, or anybody's: whatever may be read is shown. */
async function readOne({ disk }: World, { phone, random }: Self): Promise<void> {
  const sql = 'select max(id) from redemptions';
  const newest = look(disk.databasePath(), (file) => (file.prepare(sql).pluck().get() as number | null) ?? 1);
  await phone.ask(`/receipt ${Math.max(1, newest - random.below(30))}`, says(/./));
}

/**
 * Somebody else sends what the button of this card would, from a chat of their own, before its owner presses it: they
 * get nothing by it, and its owner can press it still.
 */
async function beForged(world: World, { phone, random }: Self, card: SeenMessage): Promise<void> {
  const { diary } = world;
  const data = findButton(card, REDEEM)?.callback_data;
  const others = world.people.filter((one) => one.phone !== undefined && one.phone !== phone);
  const other = random.pick(others)?.phone;
  const [message] = other?.newest(1) ?? [];
  if (!other || !message || data === undefined) return;
  const [starts, asked] = [world.service.starts(), diary.questions.length];
  await sendForged(world, other, message, data);
  await world.time.sleep(500);
  // Others may have come since: what they ask in the same moment, what they are told of.
  const shown = phone.newest(MOST_SINCE).find(({ id }) => id === card.id);
  const isOpen = shown?.text === card.text && findButton(shown, REDEEM) !== undefined;
  // A thumb that is quick asks for two at once, and presses this one already.
  const isPressed = diary.taps.some((tap) => tap.user === phone.user && tap.data === data);
  // Or asks for something else, where a fault has them act twice.
  const isDisturbed = diary.questions.slice(asked).some(({ user }) => user === phone.user);
  if (!isOpen && !isPressed && !isDisturbed && world.service.starts() === starts)
    diary.notice(
      `${other.user.first_name} sent ${data} of ${phone.user.first_name}, and something came of it`,
    );
}

/** Sends what the button of somebody else would, pressed by them already or not. */
export async function forge(
  { telegram, diary, members }: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  const [message] = phone.newest(1);
  const whose = random.pick([...members.keys()]) ?? 0;
  const seen = telegram.api.messages({ id: whose }, 3).flatMap(({ buttons }) => buttons);
  const data = random.chance(0.6) ? random.pick(seen)?.callback_data : diary.buttons.at(-1 - random.below(6));
  if (!message || data === undefined || whose === phone.user.id) return;
  await sendForged({ telegram, diary }, phone, message, data);
}

/** What a button of the host's would send. */
export async function forgeOfHost(
  world: World,
  { phone, random }: Pick<Self, 'phone' | 'random'>,
): Promise<void> {
  const [message] = phone.newest(1);
  const account = random.pick(world.shops)?.accountId ?? 1;
  const data = `host:${random.pick(OF_HOST)}:${account}`;
  const told = message && (await sendForged(world, phone, message, data));
  if (told !== undefined && !REFUSED_TO_ALL_BUT_HOSTS.test(told))
    world.diary.notice(`${phone.user.first_name} is no host, sent ${data}, and is told: ${told}`);
}

const OF_HOST = ['owner', 'account', 'doubts', 'ask'] as const;
const REFUSED_TO_ALL_BUT_HOSTS = /Only the service administrator|только администрация/;

async function sendForged(
  { telegram, diary }: Pick<World, 'telegram' | 'diary'>,
  phone: Self['phone'],
  message: SeenMessage,
  data: string,
): Promise<string | undefined> {
  diary.note(`${phone.user.first_name} sends ${data}`);
  diary.forged.push({ user: phone.user });
  return (await telegram.api.press(phone.user, message, { data }))?.text;
}

/** One of a few, or somebody new; some do not exist. */
export function playerOf({ random }: Pick<Self, 'random'>): string {
  if (random.chance(0.03)) return `404${10_000 + random.below(1_000)}`;
  return random.chance(0.2)
    ? String(5_170_000_000 + random.below(5))
    : String(5_171_000_000 + random.below(1e8));
}

// A customer's message with their ID and the codes that they bought elsewhere: one of them is chosen, and no other is
// redeemed.

const ON_THE_WAY = /^Game 1$|one$/;
const STEPS = 4;

async function redeemOneOf(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const codes = shop.mint(60, 2 + random.below(2));
  const wanted = random.pick(codes);
  const asked = await phone.ask(`${randomPlayer(random)}\n${codes.join('\n')}`, says(/./));
  const label = new RegExp(`…${wanted.slice(-4)}$`);
  if (!asked || !findButton(asked, label)) return;
  let seen = await phone.press(asked, label);
  for (let step = 0; step < STEPS && seen && !hasButton(REDEEM)(seen); step += 1)
    seen = findButton(seen, ON_THE_WAY)
      ? await phone.press(seen, ON_THE_WAY)
      : await phone.sees(hasButton(REDEEM), 5_000);
  if (!seen || !hasButton(REDEEM)(seen)) return;
  const other = codes.find((code) => code !== wanted && seen?.text.includes(code));
  if (other !== undefined)
    return void world.diary.notice(`${name} chose ${wanted}, and is asked whether to redeem ${other}`);
  await phone.press(seen, REDEEM, { kind: 'redeem' });
}

// An operator whose customer's code is at hand before they are asked for it: they send it where the name is asked
// about, and no other player than the one that they typed is ever shown to them.

const DIRECT_GAME = /^Game 2$/;
const SHOWN_PLAYER = /\bID (\d{5,20})\b/;

async function sendCodeAtOnce(world: World, { phone, random, shop, name }: Self): Promise<void> {
  const player = randomPlayer(random);
  const asked = await phone.ask('/redeem', says(/./));
  if (!asked || !findButton(asked, DIRECT_GAME)) return;
  await phone.press(asked, DIRECT_GAME);
  const named = await phone.ask(player, ({ text }) => text.includes(`ID ${player}`));
  if (!named) return;
  // As long as a code is, with digits in it that could be a player's.
  const code = `60S${10_000_000 + random.below(90_000_000)}${random.text(5).replaceAll(/\d/g, 'x')}`;
  world.secrets.add(shop.accountId, [code]);
  const next = await phone.ask(code, (message) => SHOWN_PLAYER.test(message.text));
  const [, shown] = SHOWN_PLAYER.exec(next?.text ?? '') ?? [];
  if (shown !== undefined && code.includes(shown))
    world.diary.notice(`${name} sent the code ${code} for ${player}, and is asked about ${shown}`);
  if (shown === player && next && hasButton(REDEEM)(next))
    await phone.press(next, REDEEM, { kind: 'redeem' });
  else await phone.ask('/cancel', says(/./));
}

// An operator whose customer paid for what no denomination has, or wrote it in another language's words: it is made of
// the denominations that there are, or stands in the answer as it was written. Never does it go without a word.

const AMOUNTS = [720, 985, 385, 120, 61] as const;
const WORDED = '3 adet';

async function orderOddAmount({ diary }: World, { phone, random, name }: Self): Promise<void> {
  const player = randomPlayer(random);
  const amount = random.chance(0.2) ? WORDED : String(random.pick(AMOUNTS));
  const text = amount === WORDED ? `${player} ${WORDED} 60 UC` : `${player} ${amount}`;
  const answer = await phone.ask(text, (message) => wordsOf(message).includes(player));
  if (!answer || !isAboutWhat(answer.text)) return;
  if (!wordsOf(answer).replaceAll(player, '').includes(amount))
    diary.notice(`${name} wrote “${text}”, and ${amount} is gone from the answer: ${answer.text}`);
  if (!hasButton(REDEEM)(answer) || amount === WORDED) return;
  const [, what = ''] = /: (.+) from stock/.exec(answer.text) ?? [];
  const sum = [...what.matchAll(/(\d+) [^\s,]+(?: × (\d+))?/g)].reduce(
    (total, [, each, count]) => total + Number(each) * Number(count ?? 1),
    0,
  );
  if (sum !== Number(amount)) diary.notice(`${name} wrote “${text}”, and is asked about ${what}`);
  else await phone.press(answer, REDEEM, { kind: 'several' });
}

const isAboutWhat = (text: string) => /Redeem this\?|What shall I redeem\?|Is this the player\?/.test(text);

const wordsOf = ({ text, buttons }: { text: string; buttons: readonly { text: string }[] }) =>
  [text, ...buttons.map((button) => button.text)].join('\n');
