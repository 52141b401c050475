// Row 4: many at once for a stock of one, over HTTP and in the chat together. Exactly one gets the code, all others
// hear that there is none.
import { join } from 'node:path';

import { systemClock, createCoreClock } from '../../../src/clock.ts';
import { createAccounts } from '../../../src/core/accounts/accounts.ts';
import { randomIds } from '../../../src/ids.ts';
import { createStore } from '../../../src/store/index.ts';
import { readBooks } from '../books.ts';
import { createTalker, findButton, makeMembers, openChat, type Chat, type Talker } from '../chat.ts';
import { addCodes, makeCode, nextPlayer, redeem, toSent, type Account } from '../client.ts';
import { merge, type Findings, type TortureOptions } from '../findings.ts';
import { openShop, type Shop } from '../shop.ts';

/** How it ended for somebody who wanted the last code. */
type End = 'won' | 'none left' | { other: string };

/** Comes up to a door; what is returned goes through it. Undefined: could not come so far. */
type Rival = () => Promise<(() => Promise<End>) | undefined>;

/** One wish for the last code: its player is nobody else's. */
interface Wish {
  playerId: string;
  end: End;
}

/** An account, and those of its people who race in the chat. */
interface Club {
  account: Account & { accountId: number };
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
  const wishes: Wish[] = [];
  try {
    const clubs = await openClubs(shop, chat, Math.ceil(rounds / ROUNDS_A_CLUB));
    for (let round = 0; round < rounds; round += 1) {
      const club = clubs[Math.floor(round / ROUNDS_A_CLUB)]!;
      const code = makeCode(shop.seeded, '60S');
      shop.added.push(...(await addCodes(shop.service().url, club.account, 60, [code])));
      const own: Wish[] = Array.from({ length: AT_ONCE }, () => ({ playerId: nextPlayer(), end: NOT_YET }));
      const found = await race(shop, club, own);
      violations.push(...found.map((violation) => `seed ${seed}, round ${round}: ${violation}`));
      wishes.push(...own);
      tried.wonInChat += own.slice(0, IN_CHAT).filter(({ end }) => end === 'won').length;
      tried.wonOverHttp += own.slice(IN_CHAT).filter(({ end }) => end === 'won').length;
      tried.rounds += 1;
    }
    violations.push(...(await shop.audit()), ...compareWishes(shop, wishes));
    tried.orders = readBooks(shop.folder).orders.length;
    tried.requests = wishes.length;
    if (tried.orders !== rounds) violations.push(`seed ${seed}: ${tried.orders} orders in ${rounds} rounds`);
  } finally {
    await shop.close();
    await chat.close();
  }
  return { tried, violations };
}

const NOT_YET: End = { other: 'never came to the door' };

async function openClubs({ folder }: Shop, { api }: Chat, count: number): Promise<Club[]> {
  const store = createStore({ path: join(folder, 'redemption.db'), exclusive: false });
  const accounts = createAccounts({ store, clock: createCoreClock(systemClock), ids: randomIds });
  const clubs: Club[] = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const { accountId, apiKey } = await accounts.create(
        { kind: 'host', by: 'cli' },
        { name: `Club ${index}`, days: 30 },
      );
      const cast = Array.from({ length: IN_CHAT }, (_, at) => createTalker(api, `Operator ${index}-${at}`));
      clubs.push({ account: { accountId, apiKey }, cast });
    }
  } finally {
    await store.close();
  }
  for (const { account, cast } of clubs) await makeMembers(folder, account.accountId, 'operator', cast);
  return clubs;
}

async function race(shop: Shop, { account, cast }: Club, wishes: readonly Wish[]): Promise<string[]> {
  const startMs = shop.seeded.below(LATEST_MS);
  const rivals = wishes.map((wish, index): Rival => {
    const talker = cast[index];
    if (talker) return inChat(talker, wish.playerId);
    const waitMs = startMs + shop.seeded.below(SPREAD_MS);
    return overHttp(shop, account, { playerId: wish.playerId, waitMs });
  });
  const ready = await Promise.all(rivals.map((rival) => rival()));
  await Promise.all(
    wishes.map(async (wish, index) => {
      wish.end = (await ready[index]?.()) ?? { other: 'there was no button to press' };
    }),
  );
  const winners = wishes.filter(({ end }) => end === 'won').length;
  const others = wishes.map(({ end }) => end).filter((end) => typeof end === 'object');
  return [...(winners === 1 ? [] : [`${winners} winners`]), ...others.map(({ other }) => other)];
}

/** Wants it over HTTP. */
function overHttp(shop: Shop, account: Account, wish: { playerId: string; waitMs: number }): Rival {
  const { playerId, waitMs } = wish;
  return async () => async () => {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const sent = toSent({ playerId, gameId: 'game_id_1', denomination: 60 });
    const answer = await redeem(shop.service().url, account, sent);
    if (answer?.status === 200) return 'won';
    if (answer?.status === 503 && answer.body.errorCode === 'NO_CODES_AVAILABLE') return 'none left';
    return { other: `over HTTP: ${JSON.stringify(answer?.body ?? 'no answer')}` };
  };
}

const IS_OVER = /^(✅|❌|❔)/u;

/**
 * Wants it in the chat: asked whether it shall be redeemed while the code is there, and presses with all the others.
 */
function inChat(talker: Talker, playerId: string): Rival {
  return async () => {
    talker.says(`/redeem ${playerId} 60`);
    const asked = await talker.sees(
      (message) => message.text.includes(playerId) && findButton(message, 'Redeem') !== undefined,
    );
    if (!asked) return undefined;
    return async () => {
      void talker.presses(asked, 'Redeem');
      const ended = await talker.sees(({ text }) => text.includes(playerId) && IS_OVER.test(text));
      return toEnd(ended?.text ?? `no answer, but: ${talker.read().at(-1)?.text}`);
    };
  };
}

function toEnd(text: string): End {
  if (/Redeemed · receipt \d+/.test(text)) return 'won';
  if (text.includes('There was no code of this denomination left')) return 'none left';
  return { other: `in the chat: ${text}` };
}

/** What everybody was told is what the platform did. */
function compareWishes({ folder }: Shop, wishes: readonly Wish[]): string[] {
  const bought = Map.groupBy(readBooks(folder).orders, ({ playerId }) => playerId);
  return wishes
    .filter(({ playerId, end }) => (bought.get(playerId)?.length ?? 0) !== (end === 'won' ? 1 : 0))
    .map(({ playerId, end }) => `${playerId}: read ${JSON.stringify(end)}, orders do not agree`);
}
