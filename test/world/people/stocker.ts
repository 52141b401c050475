// A program that keeps the stock: adds codes and takes some out, with a key or without, repeats where nothing came back
// or a day has not passed, and knows that what it was given is its own.
import type { Extraction } from '../run/diary.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { handOut } from '../promises/handed-out.ts';
import { call, isRepeated } from './client.ts';
import { addForeign } from './foreign-codes.ts';
import type { Kind, Self } from './index.ts';
import { addAgain, addTwofold, noteAdded } from './bulk-again.ts';
import { RELIED_ON_MS, REPEATED_WITHIN_MS } from './client.ts';
import { countGone, countUndone, wasSent, wasUndoneSince } from './meanwhile.ts';
import { changeNothing } from './looping.ts';
import { listAgain } from './resent.ts';
import { ANY, DENOMINATIONS } from './shop.ts';

/** An answer within it is not one from a key. */
const AT_ONCE_MS = 60_000;

export const stocker: Kind = {
  kind: 'stocker',
  ofAShop: 1,
  actsADay: 1,
  async act(world, self): Promise<void> {
    const { random, name } = self;
    const { diary, time } = world;
    switch (
      random.weigh({
        add: 2,
        addAgain: 3,
        twofold: 0.5,
        resend: 2,
        extract: 3,
        again: 2,
        list: 1,
        foreign: 1,
        fill: 1,
        empty: 0.4,
        many: 0.4,
        nothing: 2,
      })
    ) {
      case 'add':
        return addSome(world, self);
      case 'addAgain':
        return addAgain(world, self);
      case 'twofold':
        return addTwofold(world, self);
      case 'resend':
        return resend(world, self);
      case 'extract': {
        const body = { denomination: random.pick(DENOMINATIONS), amount: 1 + random.below(4) };
        const key = `extract-${random.text(12)}`;
        const extraction: Extraction = { by: name, key, body, at: time.clock.now(), codes: undefined };
        diary.extractions.push(extraction);
        return void (await extract(world, self, extraction));
      }
      case 'again': {
        const own = diary.extractions.filter(
          ({ by, at }) => by === name && time.clock.now() - at < REPEATED_WITHIN_MS,
        );
        const earlier = random.pick(own);
        if (earlier && random.chance(0.25)) return extractOther(world, self, earlier);
        return void (earlier && (await extract(world, self, earlier)));
      }
      case 'foreign':
        return addForeign(world, self);
      case 'empty':
        return takeAll(world, self);
      case 'many':
        return takeMany(world, self);
      case 'nothing':
        return changeNothing(world, self);
      case 'fill':
        return fillOther(world, self);
      case 'list':
        return void (await call(world, self, '/db/extractions?gameId=game_id_1'));
    }
  },
};

const LEFT = `
  select count(*) from codes where account_id = ? and game_id = 'game_id_1' and denomination = 325 and state in ('available', 'unverified')`;
const MORE = 3;
const REFILLED = 20;

/** All there is of one denomination, and more is asked for; then it is filled again. */
async function takeAll(world: World, self: Self): Promise<void> {
  const { diary, time, disk } = world;
  const { shop, random, name } = self;
  const left = look(disk.databasePath(), (file) => file.prepare(LEFT).pluck().get(shop.accountId) as number);
  const body = { denomination: 325, amount: left + MORE };
  const key = `extract-${random.text(12)}`;
  const extraction: Extraction = { by: name, key, body, at: time.clock.now(), codes: undefined };
  diary.extractions.push(extraction);
  await extract(world, self, extraction);
  await call(world, self, '/db?gameId=game_id_1', {
    body: [{ denomination: 325, codes: shop.mint(325, REFILLED) }],
  });
}

const MANY = 130;

/** More than the service takes in one step: of what was brought just now some stay. */
async function takeMany(world: World, self: Self): Promise<void> {
  const { random, shop, name } = self;
  const added = await call(world, self, '/db?gameId=game_id_1', {
    body: [{ denomination: 660, codes: shop.mint(660, MANY) }],
  });
  if (added?.status !== 200) return;
  const body = { denomination: 660, amount: 101 + random.below(20) };
  const key = `extract-${random.text(12)}`;
  const at = world.time.clock.now();
  const extraction: Extraction = { by: name, key, body, at, codes: undefined };
  world.diary.extractions.push(extraction);
  await extract(world, self, extraction);
}

/** The stock of a game that an upgrade brought, where it is one with a stock. */
async function fillOther(world: World, self: Self): Promise<void> {
  const [first] = world.service.games;
  if (!first?.database || first.id === 'game_id_1') return;
  const body = [{ denomination: 60, codes: self.shop.mint(60, 1 + self.random.below(3)) }];
  await call(world, self, `/db?gameId=${first.id}`, { body });
}

/** Nobody has these codes: all of them are accepted, and an answer that comes again is the same. */
async function addSome(world: World, self: Self): Promise<void> {
  const { random, shop, name } = self;
  const denomination = random.pick(DENOMINATIONS);
  const codes = shop.mint(denomination, 1 + random.below(6));
  const key = `add-${random.text(12)}`;
  const body = [{ denomination, codes }];
  const began = world.time.clock.now();
  const undone = countUndone(world);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const answer = await call(world, self, '/db?gameId=game_id_1', { body, key });
    const accepted = (answer?.json as { accepted?: Record<string, number> } | undefined)?.accepted;
    // A program of the same shop may have redeemed one of them before; and a list that a kill cut off, and an admin
    // takes back before it goes on, ends with what it had.
    const isTheirs = !wasUndoneSince(world, undone) && !codes.some((code) => wasSent(world, code));
    if (answer?.status === 200 && isTheirs && accepted?.[denomination] !== codes.length)
      world.diary.notice(`${name} added ${codes.length} codes, and is told of ${accepted?.[denomination]}`);
    if (answer?.status === 200) noteAdded(world, self, { key, body, told: answer.json });
    if (answer && (!isRepeated(answer.status) || random.chance(0.7))) return;
    await world.time.sleep(1_000);
    if (world.time.clock.now() - began > RELIED_ON_MS) return;
  }
}

/**
 * What a supplier lists once more: each code is told as what it is. Then the number of the order is used for another
 * list.
 */
async function resend(world: World, self: Self): Promise<void> {
  const { random, name } = self;
  const { diary } = world;
  const { denomination, codes, ...due } = listAgain(world, self, random.pick(DENOMINATIONS));
  const key = `list-${self.shop.nextNumber()}`;
  const known = [...due.used, ...due.disowned];
  const [gone, undone] = [countGone(world, known), countUndone(world)];
  const ask = (body: object) => call(world, self, '/db?gameId=game_id_1', { body, key });
  const answer = await ask([{ denomination, codes }]);
  if (answer?.status !== 200) return;
  noteAdded(world, self, { key, body: [{ denomination, codes }], told: answer.json });
  // A program of the same shop may have sent one of them to be redeemed, before it was listed.
  if (due.fresh.some((code) => wasSent(world, code))) return;
  // What somebody took back or out meanwhile is fresh again; and this list may have been taken back before it was
  // added.
  if (countGone(world, known) !== gone || wasUndoneSince(world, undone)) return;
  const { accepted, used, disowned, invalid } = answer.json as Record<string, string[]> & {
    accepted: Record<string, number>;
  };
  const wanted = [due.fresh.length, ...[due.used, due.disowned, due.invalid].map((each) => each.toSorted())];
  const told = [accepted[denomination], ...[used, disowned, invalid].map((each) => each?.toSorted())];
  if (JSON.stringify(told) !== JSON.stringify(wanted))
    diary.notice(`${name} listed ${JSON.stringify(due)}, and is told ${JSON.stringify(answer.json)}`);
  // A list that changed nothing pins no key.
  if (due.fresh.length === 0 || !random.chance(0.3)) return;
  const other = await ask([{ denomination, codes: self.shop.mint(denomination, 1) }]);
  if (other && other.status !== 422 && other.status < 500)
    diary.notice(`${name} sent another list under ${key}, and is answered ${other.status}`);
}

/** Until an answer comes; each says the same as the one before it. */
export async function extract(
  world: World,
  self: Self,
  extraction: Extraction,
): Promise<readonly string[] | undefined> {
  const { key, body } = extraction;
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const answer = await call(world, self, '/db/extract?gameId=game_id_1', { body, key });
    if (answer?.status === 200) compare(world, self, extraction, answer.json as string[]);
    if (answer && !isRepeated(answer.status)) return extraction.codes;
    await world.time.sleep(1_000 * attempt);
    if (world.time.clock.now() - extraction.at > RELIED_ON_MS) break;
  }
  return undefined;
}

function compare(world: World, { name, shop }: Self, extraction: Extraction, codes: string[]): void {
  const { key, body } = extraction;
  // What took nothing pins nothing.
  const earlier = extraction.codes;
  if (earlier && earlier.length > 0 && earlier.join() !== codes.join())
    world.diary.notice(`${name} was given ${earlier.join()} under ${key}, and now ${codes.join()}`);
  const foreign = codes.find((code) => !world.secrets.ownersOf(code).has(shop.accountId));
  const wrong = codes.find(
    (code) => !code.startsWith(`${body.denomination}S`) && !code.startsWith(`${ANY}S`),
  );
  if (foreign !== undefined || wrong !== undefined || codes.length > body.amount)
    world.diary.notice(`${name} asked for ${JSON.stringify(body)} and was given ${codes.join()}`);
  const isNew = !extraction.codes?.length && world.time.clock.now() - extraction.at < AT_ONCE_MS;
  // What was redeemed without us, nobody here can know; and what a program of the same shop sent since may have been
  // taken out by then.
  const isSpent = (code: string) => {
    const { reference, redeemedAt = 0 } = world.platform.find('game_id_1', code) ?? {};
    return reference !== undefined && (redeemedAt < extraction.at || !wasSent(world, code));
  };
  const spent = isNew && codes.find(isSpent);
  if (spent) world.diary.notice(`${name} was given ${spent}, which is spent`);
  extraction.codes = codes;
  handOut(world, `${name} ${key}`, codes);
}

// The number of an extraction that was carried out, sent with another wish: it is refused, and nothing is taken under
// it.

async function extractOther(world: World, self: Self, { key, body, codes }: Extraction): Promise<void> {
  const { random, name } = self;
  const { diary } = world;
  // What took nothing pins no key.
  if (!codes?.length) return;
  const others = DENOMINATIONS.filter((denomination) => denomination !== body.denomination);
  const other = random.chance(0.5)
    ? { ...body, amount: body.amount + 1 }
    : { ...body, denomination: random.pick(others) };
  const answer = await call(world, self, '/db/extract?gameId=game_id_1', { body: other, key });
  // Whatever else it is refused for (a key that is revoked, a subscription that is over), nothing is taken.
  if (answer?.status !== 200) return;
  diary.notice(
    `${name} asked for ${JSON.stringify(other)} under ${key}, the key of ${JSON.stringify(body)}, and is answered ${answer.status}`,
  );
}
