// What people and programs want of the code database, each for as long as it takes: whoever is not answered, because
// the process died or refused, asks again as such a person or program would.
import type { Core, IdempotencyKey, MemberActor } from '../../../../src/core/index.ts';
import { createSeeded, type Seeded } from '../../../harness/seeded.ts';
import { Gone } from '../service.ts';
import {
  credentialsOf,
  isSpent,
  listKnown,
  MAIN_GAME,
  pickShop,
  referenceOf,
  STOCK_KEYS,
  tell,
  type Shops,
  type Someone,
  type StockKey,
} from './world.ts';

export interface Wish {
  name: string;
  /** Asks for it, or for what is missing of it. Throws where there was no answer. */
  pursue(): Promise<void>;
  /** `over`: answered; `in vain`: it can never be answered. */
  state: 'open' | 'over' | 'in vain';
  random: Seeded;
}

const MOST_ADDED = 320;
const MOST_EXTRACTED = 400;
/** Of some imports, so that there is time for what happens in the middle. */
const SIZES = { small: { least: 1, most: 200 }, large: { least: 300, most: 700 } };
const MOST_PIECES = 4;
/** Codes that somebody else has given, too. */
const SHARED = 0.06;
/** Repeats what was answered, as a client does whose connection broke. */
const REPEATED = 0.3;
const WITHIN_MS = 400;
const MOST_LOOKS = 40;
const PREFIXES = { '': 14, RISK: 1, USED: 1, INVALID: 1 };

const WEIGHTS = { add: 5, import: 3, importBack: 1, extract: 4, undo: 1, redeem: 6, redeemGiven: 2 };

/** Something that somebody wants now; and perhaps somebody else at once wants it undone. */
export async function makeWishes(world: Shops, random: Seeded): Promise<Wish[]> {
  const someone = pickShop(world, random);
  if (!someone) return [];
  const kind = random.weigh(WEIGHTS);
  world.count(kind);
  switch (kind) {
    case 'add':
      return [wishToAdd(world, someone, random)];
    case 'import':
      return [
        wishToImport(
          world,
          someone,
          await employ(world, someone),
          random.chance(0.2) ? 'large' : 'small',
          random,
        ),
      ];
    case 'importBack': {
      // What is taken back at once is large, so that it is taken back while it is added.
      const wish = wishToImport(world, someone, await employ(world, someone), 'large', random);
      return [wish, wishToUndo(world, someone, random)];
    }
    case 'extract':
      return [
        wishToExtract(world, someone, random.pick(STOCK_KEYS), 1 + random.below(MOST_EXTRACTED), random),
      ];
    case 'undo':
      return [wishToUndo(world, someone, random)];
    case 'redeem':
      return [wishToRedeem(world, someone, random)];
    case 'redeemGiven':
      return [wishToRedeemGiven(world, someone, random)];
  }
}

/** One more person who may add codes to a shop. */
async function employ(
  { service, time, next }: Shops,
  { program: { accountId } }: Someone,
): Promise<MemberActor> {
  const telegramId = 3_000_000 + next();
  const person = {
    telegramId,
    accountId,
    role: 'admin',
    name: 'Admin',
    username: null,
    now: time.machine.now(),
  };
  await service.within(service.store().write((tables) => tables.members.insert(person)));
  return { kind: 'member', accountId, telegramId, role: 'admin' };
}

const branch = (random: Seeded) => createSeeded(random.below(2 ** 31));

/** Asks until there is an answer, or the process is gone. Whoever repeats asks once more afterwards. */
export async function pursue(world: Shops, wish: Wish): Promise<void> {
  await world.time.sleep(wish.random.below(WITHIN_MS));
  try {
    await wish.pursue();
    if (wish.state === 'over' && wish.random.chance(REPEATED)) await wish.pursue();
  } catch (error) {
    noteRefusal(world, wish, error as Error & { code?: string });
  }
}

/** Only what a deployment, a full queue or a failing disk causes may stand in the way of a wish. */
function noteRefusal({ service, amiss }: Shops, { name }: Wish, error: Error & { code?: string }): void {
  if (error instanceof Gone) return;
  if (['STOPPING', 'OVERLOADED', 'SQLITE_FULL'].includes(error.code ?? '')) return;
  if (error.code === 'INVALID_INPUT' && service.games.all.length + denominationsOf(service.games) < WHOLE)
    return;
  amiss.push(`${name} was refused: ${error.stack?.split('\n').slice(0, 6).join(' ')}`);
}

const denominationsOf = ({ all }: Shops['service']['games']): number =>
  all.reduce((sum, { denominations }) => sum + denominations.length, 0);
/** Games and denominations of the whole catalogue. */
const WHOLE = 8;

const keyOf = (key: string | undefined): { idempotencyKey?: IdempotencyKey } =>
  key === undefined ? {} : { idempotencyKey: { scope: 'http', key } };

type Size = { least: number; most: number };

function makeCodes(
  world: Shops,
  random: Seeded,
  { gameId, denomination }: StockKey,
  size: Size,
  isPasted = false,
): string[] {
  const count = size.least + random.below(size.most - size.least);
  const makeOne = () => `${isPasted ? '' : random.weigh(PREFIXES)}${denomination}S${random.text(14)}`;
  const codes = Array.from({ length: count }, makeOne);
  const again = world.givenCodes.filter(
    (code) => code.startsWith(`${denomination}S`) && !isSpent(world, gameId, code),
  );
  if (again.length > 0 && random.chance(4 * SHARED))
    for (let left = Math.ceil(count * SHARED); left > 0; left -= 1) codes.push(random.pick(again));
  world.givenCodes.push(...codes.slice(0, 20));
  return [...new Set(codes)];
}

function give(world: Shops, gameId: string, codes: readonly string[]): void {
  for (const code of codes) {
    const hash = world.hashOf(gameId, code);
    world.given.set(hash, (world.given.get(hash) ?? 0) + 1);
  }
}

/** A program adds codes, with a key or without one. Without, each time that it asks is another time. */
function wishToAdd(world: Shops, { shop, program }: Someone, random: Seeded): Wish {
  const stockKey = random.pick(STOCK_KEYS);
  const { gameId, denomination } = stockKey;
  const codes = makeCodes(world, random, stockKey, { least: 1, most: MOST_ADDED });
  const key = random.chance(0.6) ? `add-${world.next()}` : undefined;
  let isAsked = false;
  let first: string | undefined;
  return {
    name: `adding ${codes.length} codes ${key ?? 'without a key'}`,
    random: branch(random),
    state: 'open',
    async pursue() {
      if (key === undefined || !isAsked) give(world, gameId, codes);
      isAsked = true;
      const add = (core: Core) => core.codes.add(program, gameId, [{ denomination, codes }], keyOf(key));
      const { batchId, accepted, used, disowned, invalid } = await world.service.ask(add);
      this.state = 'over';
      const notAdded = new Set([...used, ...disowned, ...invalid]);
      const count = accepted.get(denomination) ?? 0;
      const added = codes.filter((code) => !notAdded.has(code));
      const told = JSON.stringify([batchId, count, used, disowned]);
      if (key !== undefined && first !== undefined && first !== told)
        world.amiss.push(`${this.name} was answered ${first}, and is ${told}`);
      if (added.length !== count) return noteHalf(world, this, batchId);
      if (first !== undefined && key !== undefined) return;
      // What changed nothing pins no key.
      if (batchId > 0) first = told;
      tell(world, { kind: 'added', gameId, codes: added });
      if (key !== undefined && batchId > 0)
        tell(world, { kind: 'added under', shop, key, stockKey, codes, at: world.time.machine.now() });
    },
  };
}

/** Not all was done: only a job that ended early may be told so. */
function noteHalf(world: Shops, wish: Wish, batchId: number): void {
  const state =
    world.service.store().read((tables) => tables.jobs.findOfSubject('add', batchId))?.state ?? 'gone';
  if (state === 'done' || state === 'running')
    world.amiss.push(`${wish.name} was answered by halves, and its job is ${state}`);
}

/** A person pastes codes in the chat, piece by piece, looks at the preview and confirms. */
function wishToImport(
  world: Shops,
  { shop }: Someone,
  person: MemberActor,
  size: keyof typeof SIZES,
  random: Seeded,
): Wish {
  const { service, amiss } = world;
  const stockKey = random.pick(STOCK_KEYS);
  const codes = makeCodes(world, random, stockKey, SIZES[size], true);
  const length = Math.ceil(codes.length / (1 + random.below(MOST_PIECES)));
  const pieces = Array.from({ length: Math.ceil(codes.length / length) }, (_, part) =>
    codes.slice(part * length, (part + 1) * length),
  );
  const [looks, kind] = [random.chance(0.5), random.pick(['message', 'file'] as const)];
  give(world, stockKey.gameId, codes);
  let importId: number | undefined;
  let [kept, first] = [0, undefined as string | undefined];
  const findBatch = () =>
    importId === undefined
      ? undefined
      : (service.store().read((tables) => tables.imports.find(importId ?? 0))?.batchId ?? undefined);
  world.batches.push({ shop, find: findBatch });
  return {
    name: `importing ${codes.length} codes`,
    random: branch(random),
    state: 'open',
    async pursue() {
      // Whoever was not told that it began looks whether it did.
      importId ??= service.core().imports.findOpen(person)?.id;
      importId ??= await service.ask(({ imports }) => imports.begin(person, stockKey));
      const id = importId;
      while (kept < pieces.length) {
        const piece = { key: `piece-${kept}`, position: kept, kind, text: pieces[kept]?.join('\n') ?? '' };
        const answer = await service.ask(({ imports }) => imports.addPiece(person, id, piece));
        if (answer === 'full') amiss.push(`${this.name}: a piece of ${piece.text.length} is too much`);
        if (answer === 'closed') break;
        kept += 1;
      }
      const options = looks && kept === pieces.length ? await lookAt(world, person, id) : {};
      const answer = await service.ask(({ imports }) => imports.commit(person, id, options));
      if (answer === undefined) return void (this.state = this.state === 'over' ? 'over' : 'in vain');
      this.state = 'over';
      const told = JSON.stringify(answer);
      if (first !== undefined && first !== told)
        amiss.push(`${this.name} was answered ${first}, and is ${told}`);
      if (first === undefined && isDone(world, answer.batchId))
        tell(world, { kind: 'added', gameId: stockKey.gameId, codes });
      first = told;
    },
  };
}

async function lookAt({ service }: Shops, person: MemberActor, id: number): Promise<{ revision?: string }> {
  if (service.core().imports.describe(person, id).state !== 'collecting') return {};
  await service.ask(({ imports }) => imports.preview(person, id));
  const { revision } = service.core().imports.describe(person, id);
  return revision === undefined ? {} : { revision };
}

const isDone = ({ service }: Shops, batchId: number): boolean =>
  service.store().read((tables) => tables.jobs.findOfSubject('add', batchId))?.state === 'done';

/** Codes are taken out, with a key or without one. */
export function wishToExtract(
  world: Shops,
  { shop, program }: Someone,
  stockKey: StockKey,
  amount: number,
  random: Seeded,
): Wish {
  const key = random.chance(0.6) ? `extract-${world.next()}` : undefined;
  const request = { ...stockKey, amount, ...keyOf(key) };
  return {
    name: `extracting ${amount} of ${stockKey.denomination} ${key ?? 'without a key'}`,
    random: branch(random),
    state: 'open',
    async pursue() {
      const { extractionId, codes } = await world.service.ask((core) => core.codes.extract(program, request));
      this.state = 'over';
      if (codes.length > amount) world.amiss.push(`${this.name} gave ${codes.length}`);
      handOut(world, {
        kind: 'handed out',
        shop,
        key: key ?? '',
        stockKey,
        amount,
        by: extractionId,
        codes,
        at: world.time.machine.now(),
      });
    },
  };
}

type HandedOut = Extract<ReturnType<typeof listKnown<'handed out'>>[number], object>;

/** Looks at once whether anything was given that must not be given. */
function handOut(world: Shops, fact: HandedOut): void {
  const { by, codes, stockKey } = fact;
  const before = listKnown(world, 'handed out').find((each) => each.by === by);
  if (before) {
    if (before.codes.join() !== codes.join())
      world.amiss.push(`extraction ${by} was ${before.codes.length} codes, and is ${codes.length} others`);
    return;
  }
  tell(world, fact);
  world.count('codes handed out', codes.length);
  for (const code of codes)
    if (isSpent(world, stockKey.gameId, code) && !world.usedUnseen.has(code))
      world.amiss.push(`${code} was spent, and handed out`);
}

/** A batch is taken back, perhaps while it is added. */
function wishToUndo(world: Shops, { shop, owner }: Someone, random: Seeded): Wish {
  const own = world.batches.filter((batch) => batch.shop === shop).slice(-3);
  const target = random.chance(0.8) ? own.at(-1) : own.length > 0 ? random.pick(own) : undefined;
  return {
    name: 'taking back',
    random: branch(random),
    state: 'open',
    async pursue() {
      // As soon as there is one, so that it is taken back while it is added; not for ever.
      let batchId = target?.find();
      for (let tries = 0; tries < MOST_LOOKS && target && batchId === undefined; tries += 1) {
        await world.service.nextCommit();
        batchId = world.service.isRunning() ? target.find() : undefined;
      }
      if (batchId === undefined) return void (this.state = 'in vain');
      for (let commits = this.random.below(6); commits > 0; commits -= 1) await world.service.nextCommit();
      const id = batchId;
      if (!isDone(world, id)) world.count('taken back while it was added');
      const answer = await world.service.ask(({ imports }) => imports.undo(owner, id));
      this.state = 'over';
      if (answer.status === 'undone')
        tell(world, { kind: 'taken back', batchId: id, count: answer.takenBack });
    },
  };
}

/** Failures that cost nothing, from the wire document. */
const FREEING = new Set(['NO_CODES_AVAILABLE', 'NO_ACCOUNTS_AVAILABLE', 'LOGIN_FAILED', 'NETWORK_ERROR']);

/** A code of the database is redeemed, under a key. */
export function wishToRedeem(world: Shops, { shop, program }: Someone, random: Seeded): Wish {
  const key = `order-${world.next()}`;
  const stockKey = random.pick(STOCK_KEYS);
  const playerId = String(5_000_000_000 + world.next());
  return {
    name: `redeeming ${key}`,
    random: branch(random),
    state: 'open',
    async pursue() {
      const answer = await world.service.ask((core) =>
        core.redeem(program, { ...stockKey, playerId, ...keyOf(key) }),
      );
      this.state = 'over';
      if (answer.status !== 'answered') return void world.amiss.push(`${this.name}: ${answer.status}`);
      const { id, errorCode, state } = answer.redemption;
      const reference = referenceOf(world, id);
      // What touched nothing has left its key free.
      if (!(state === 'failed' && FREEING.has(errorCode ?? '')))
        tell(world, {
          kind: 'request',
          shop,
          key,
          stockKey,
          playerId,
          reference,
          at: world.time.machine.now(),
        });
      noteReceipt(world, answer.redemption, stockKey.gameId, true);
    },
  };
}

/** A code from anywhere: fresh, handed out before, or lying in somebody's stock. */
function wishToRedeemGiven(world: Shops, { program }: Someone, random: Seeded): Wish {
  const kind = random.pick(['handed out', 'added', undefined] as const);
  const known = kind === undefined ? [] : listKnown(world, kind).filter(({ codes }) => codes.length > 0);
  const fact = known.length > 0 ? random.pick(known) : undefined;
  const gameId = !fact ? MAIN_GAME : fact.kind === 'added' ? fact.gameId : fact.stockKey.gameId;
  const code = fact ? random.pick(fact.codes) : `60S${random.text(14)}`;
  const playerId = String(5_000_000_000 + world.next());
  return {
    name: `redeeming ${code}`,
    random: branch(random),
    state: 'open',
    async pursue() {
      const answer = await world.service.ask((core) => core.redeem(program, { gameId, playerId, code }));
      this.state = 'over';
      if (answer.status === 'answered') noteReceipt(world, answer.redemption, gameId, false);
    },
  };
}

/** `isOfStock`: nobody had the code in hand. */
export function noteReceipt(
  world: Shops,
  { id, state, code }: { id: number; state: string; code: string | null },
  gameId: string,
  isOfStock: boolean,
): void {
  if (state !== 'redeemed' || code === null) return;
  if (listKnown(world, 'receipt').some((each) => each.id === id)) return;
  const reference = referenceOf(world, id);
  if (world.platform.find(gameId, code)?.reference !== reference)
    world.amiss.push(`receipt ${id} is of another redemption`);
  const isGone = (each: HandedOut) => each.stockKey.gameId === gameId && each.codes.includes(code);
  if (
    isOfStock &&
    world.given.get(world.hashOf(gameId, code)) === 1 &&
    listKnown(world, 'handed out').some(isGone)
  )
    world.amiss.push(`${code} had left, and was redeemed from the stock`);
  tell(world, {
    kind: 'receipt',
    id,
    reference,
    gameId,
    code,
    credentials: credentialsOf(world, id),
    isOfStock,
  });
}
