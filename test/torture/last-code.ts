// Row 4: many at once for a stock of one, over HTTP and in the chat together. Exactly one gets the code, all others hear
// that there is none.
import { check, readBooks } from './books.ts';
import { createTalker, findButton, makeMembers, openChat, type Chat, type Talker } from './chat.ts';
import { nextPlayer } from './client.ts';
import { merge, type Findings, type TortureOptions } from './findings.ts';
import { openShop, type Shop } from './shop.ts';

/** How it ended for somebody who wanted the last code. */
type End = 'won' | 'none left' | { other: string };

/** Comes up to a door; what is returned goes through it. Undefined: could not come so far. */
type Rival = () => Promise<(() => Promise<End>) | undefined>;

const AT_ONCE = 50;
/** The bot sends 25 messages a second and needs two for each of them: more would only make the rounds longer. */
const IN_CHAT = 5;
const CAST = 20;
/** A tap is longer on its way than a request: in each round those wait up to so long, so that each door wins now and then. */
const LATEST_MS = 25;
const SPREAD_MS = 10;
const ROUNDS_A_SHOP = 400;

/** `count` rounds; every now and then in a new shop, so that nothing grows. */
export async function raceForTheLastCode({ count, seed, tell }: TortureOptions): Promise<Findings> {
  let findings: Findings = { tried: {}, violations: [] };
  for (let done = 0; done < count; done += ROUNDS_A_SHOP) {
    const rounds = Math.min(ROUNDS_A_SHOP, count - done);
    findings = merge(findings, await raceInOneShop(rounds, seed + done));
    tell?.(`${JSON.stringify(findings.tried)}, violations: ${findings.violations.length}`);
  }
  return findings;
}

async function raceInOneShop(rounds: number, seed: number): Promise<Findings> {
  const violations: string[] = [];
  const tried = { rounds: 0, requests: 0, orders: 0, wonOverHttp: 0, wonInChat: 0 };
  const chat = await openChat();
  const shop = await openShop(seed, { SANDBOX_LATENCY_MS: '0', ...chat.env });
  const wishes: ChatWish[] = [];
  try {
    const cast = await hire(shop, chat);
    for (let round = 0; round < rounds; round += 1) {
      const own = Array.from({ length: IN_CHAT }, (_, index) => {
        const talker = cast[(round * IN_CHAT + index) % cast.length]!;
        const wish: ChatWish = { talker, playerId: nextPlayer(), end: { other: 'never came to the door' } };
        wishes.push(wish);
        return wish;
      });
      const startMs = shop.seeded.below(LATEST_MS);
      const found = await race(shop, [
        ...own.map((wish) => inChat(wish)),
        ...Array.from({ length: AT_ONCE - IN_CHAT }, () => overHttp(shop, startMs)),
      ]);
      violations.push(...found.map((violation) => `seed ${seed}, round ${round}: ${violation}`));
      tried.rounds += 1;
    }
    violations.push(...(await shop.audit()), ...(await check(shop.folder)), ...compareWishes(shop, wishes));
    tried.orders = readBooks(shop.folder).orders.length;
    tried.requests = shop.sent.length + wishes.length;
    tried.wonInChat = wishes.filter(({ end }) => end === 'won').length;
    tried.wonOverHttp = tried.orders - tried.wonInChat;
    if (tried.orders !== rounds) violations.push(`seed ${seed}: ${tried.orders} orders in ${rounds} rounds`);
  } finally {
    await shop.close();
    await chat.close();
  }
  return { tried, violations };
}

async function hire({ folder, account }: Shop, { api }: Chat): Promise<Talker[]> {
  const cast = Array.from({ length: CAST }, (_, index) => createTalker(api, `Operator ${index}`));
  await makeMembers(folder, account.accountId, 'operator', cast);
  return cast;
}

async function race(shop: Shop, rivals: readonly Rival[]): Promise<string[]> {
  await shop.stock(60, ['60S']);
  const ready = await Promise.all(rivals.map((rival) => rival()));
  const ends = await Promise.all(
    ready.map(async (go) => (await go?.()) ?? { other: 'there was no button to press' }),
  );
  const winners = ends.filter((end) => end === 'won').length;
  const others = ends.filter((end) => typeof end === 'object');
  return [...(winners === 1 ? [] : [`${winners} winners`]), ...others.map(({ other }) => other)];
}

/** Wants it over HTTP. */
function overHttp(shop: Shop, startMs: number): Rival {
  const waitMs = startMs + shop.seeded.below(SPREAD_MS);
  return async () => async () => {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const [answer] = (await shop.wish({ denomination: 60 })).answers;
    if (answer?.status === 200) return 'won';
    if (answer?.status === 503 && answer.body.errorCode === 'NO_CODES_AVAILABLE') return 'none left';
    return { other: `over HTTP: ${JSON.stringify(answer?.body ?? 'no answer')}` };
  };
}

interface ChatWish {
  talker: Talker;
  playerId: string;
  end: End;
}

const IS_OVER = /^(✅|❌|❔)/u;

/** Wants it in the chat: asked whether it shall be redeemed while the code is there, and presses with all the others. */
function inChat(wish: ChatWish): Rival {
  const { talker, playerId } = wish;
  return async () => {
    talker.says(`/redeem ${playerId} 60`);
    const asked = await talker.sees(
      (message) => message.text.includes(playerId) && findButton(message, 'Redeem') !== undefined,
    );
    if (!asked) return undefined;
    return async () => {
      void talker.presses(asked, 'Redeem');
      const ended = await talker.sees(({ text }) => text.includes(playerId) && IS_OVER.test(text));
      wish.end = toEnd(ended?.text ?? 'no answer');
      return wish.end;
    };
  };
}

function toEnd(text: string): End {
  if (/Redeemed · receipt \d+/.test(text)) return 'won';
  if (text.includes('There was no code of this denomination left')) return 'none left';
  return { other: `in the chat: ${text}` };
}

/** What was read in the chat is what the platform did. */
function compareWishes({ folder }: Shop, wishes: readonly ChatWish[]): string[] {
  const bought = Map.groupBy(readBooks(folder).orders, ({ playerId }) => playerId);
  return wishes
    .filter(({ playerId, end }) => (bought.get(playerId)?.length ?? 0) !== (end === 'won' ? 1 : 0))
    .map(({ playerId, end }) => `${playerId}: read ${JSON.stringify(end)}, orders do not agree`);
}
