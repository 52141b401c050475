// Row 4: many at once for a stock of one, over HTTP and in the chat together. Exactly one gets the code, all others
// hear that there is none.
import { pause } from '../../../src/waiting.ts';
import { createAccount } from '../../harness/host.ts';
import { readBooks } from '../books.ts';
import { createTalker, findButton, inChat, makeMembers, type Chat, type Talker } from '../chat.ts';
import { addCodes, makeCode, nextPlayer, redeem, toSent, type Account } from '../client.ts';
import { count, inParts, type Findings, type TortureOptions } from '../findings.ts';
import type { Shop } from '../shop.ts';

/** One wish for the last code: its player is nobody else's. How it ended: `won`, `none left`, or in other words. */
interface Wish {
  playerId: string;
  end: string;
}

/** An account, and those of its people who race in the chat. */
interface Club {
  account: Account;
  cast: Talker[];
}

const AT_ONCE = 50;
/** The bot sends 25 messages a second and needs two for each of them: more would only make the rounds longer. */
const IN_CHAT = 5;
/** An account may be refused 120 times a minute: the losers of two rounds. */
const ROUNDS_A_CLUB = 2;
const ROUNDS_A_SHOP = 400;
/**
 * A tap is longer on its way than a request: in each round those wait up to so long, so that each door wins now and
 * then.
 */
const LATEST_MS = 25;
const SPREAD_MS = 10;
const IS_OVER = /^(✅|❌|❔)/u;

/** `count` rounds; every now and then in a new shop, so that nothing grows. */
export const raceForTheLastCode = (options: TortureOptions): Promise<Findings> =>
  inParts(options, { most: ROUNDS_A_SHOP, of: 'rounds' }, (rounds, seed) =>
    inChat(seed, { env: { SANDBOX_LATENCY_MS: '0' } }, (shop, chat) => raceInOneShop(shop, chat, rounds)),
  );

async function raceInOneShop(shop: Shop, chat: Chat, rounds: number): Promise<void> {
  const { folder, violations, added } = shop;
  const all: Wish[] = [];
  let club = await openClub(shop, chat);
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0 && round % ROUNDS_A_CLUB === 0) club = await openClub(shop, chat);
    const code = makeCode(shop.seeded, '60S');
    added.push(...(await addCodes(shop.service().url, club.account, 60, [code])));
    const wishes = Array.from({ length: AT_ONCE }, () => ({
      playerId: nextPlayer(),
      end: 'never came to it',
    }));
    const found = await race(shop, club, wishes);
    violations.push(...found.map((violation) => `round ${round}: ${violation}`));
    all.push(...wishes);
    const won = wishes.findIndex(({ end }) => end === 'won');
    if (won >= 0) count(shop, won < IN_CHAT ? 'wonInChat' : 'wonOverHttp');
    count(shop, 'rounds');
  }
  violations.push(...(await shop.audit()));
  const { orders } = readBooks(folder);
  const bought = Map.groupBy(orders, ({ playerId }) => playerId);
  // What everybody was told is what the platform did.
  for (const { playerId, end } of all)
    if ((bought.get(playerId)?.length ?? 0) !== Number(end === 'won'))
      violations.push(`${playerId}: ${end}, orders do not agree`);
  if (orders.length !== rounds) violations.push(`${orders.length} orders in ${rounds} rounds`);
  count(shop, 'orders', orders.length);
  count(shop, 'requests', all.length);
}

async function openClub({ folder }: Shop, { api }: Chat): Promise<Club> {
  const account = await createAccount(folder, { name: 'Club' });
  const cast = Array.from({ length: IN_CHAT }, (_, at) => createTalker(api, `Operator ${at}`));
  await makeMembers(folder, account.accountId, 'operator', cast);
  return { account, cast };
}

/** Everybody comes up to a door, and then all go through at once. */
async function race(shop: Shop, { account, cast }: Club, wishes: readonly Wish[]): Promise<string[]> {
  const { seeded } = shop;
  const startMs = seeded.below(LATEST_MS);
  const ready = await Promise.all(
    wishes.map(async ({ playerId }, index) => {
      const talker = cast[index];
      const waitMs = startMs + seeded.below(SPREAD_MS);
      return talker ? await byTap(talker, playerId) : () => overHttp(shop, account, { playerId, waitMs });
    }),
  );
  await Promise.all(
    wishes.map(async (wish, index) => {
      wish.end = (await ready[index]?.()) ?? 'there was no button to press';
    }),
  );
  const winners = wishes.filter(({ end }) => end === 'won').length;
  const others = wishes.map(({ end }) => end).filter((end) => end !== 'won' && end !== 'none left');
  return [...(winners === 1 ? [] : [`${winners} winners`]), ...others];
}

async function overHttp(
  shop: Shop,
  account: Account,
  { playerId, waitMs }: { playerId: string; waitMs: number },
): Promise<string> {
  await pause(waitMs);
  const wish = toSent({ playerId, gameId: 'game_id_1', denomination: 60 });
  const answer = await redeem(shop.service().url, account, wish);
  if (answer?.status === 200) return 'won';
  if (answer?.status === 503 && answer.body.errorCode === 'NO_CODES_AVAILABLE') return 'none left';
  return `over HTTP: ${JSON.stringify(answer?.body ?? 'no answer')}`;
}

/** Asked whether it shall be redeemed while the code is there, and presses with all the others. */
async function byTap(talker: Talker, playerId: string): Promise<(() => Promise<string>) | undefined> {
  talker.says(`/redeem ${playerId} 60`);
  const asked = await talker.sees(
    (message) => message.text.includes(playerId) && findButton(message, 'Redeem') !== undefined,
  );
  if (!asked) return undefined;
  return async () => {
    void talker.presses(asked, 'Redeem');
    const ended = await talker.sees(({ text }) => text.includes(playerId) && IS_OVER.test(text));
    if (!ended) return `no answer in the chat, but: ${talker.read().at(-1)?.text}`;
    if (/Redeemed · receipt \d+/.test(ended.text)) return 'won';
    const isNone = ended.text.includes('There was no code of this denomination left');
    return isNone ? 'none left' : `in the chat: ${ended.text}`;
  };
}
