// What people and programs want of the code database, each for as long as it takes: whoever is not answered, because
// the process died or refused, asks again as such a person or program would.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { type AccountActor, type IdempotencyKey, type MemberActor } from '../../../src/core/index.ts';
import { createSeeded, type Seeded } from '../../harness/seeded.ts';
import { audit, count, employ, STOCK_KEYS, MAIN_GAME, type Life, type Shop } from './life.ts';

export interface Wish {
  name: string;
  shop: Shop;
  /** Its own chances: those of the life are drawn in the same order in every run. */
  seeded: Seeded;
  /** Asks for it, or for what is missing of it. Throws where there was no answer. */
  pursue(life: Life): Promise<void>;
  /** `over`: answered; `in vain`: it can never be answered, since a backup was restored. */
  state: 'open' | 'over' | 'in vain';
}

const branch = ({ seeded }: Life) => createSeeded(seeded.below(2 ** 31));

type StockKey = (typeof STOCK_KEYS)[number];

const MOST_ADDED = 320;
const MOST_IMPORTED = 450;
/** Of some imports, so that there is time for what happens in the middle. */
const LARGE_IMPORT = { least: 900, most: 1_800 };
const LARGE = 0.2;
const TAKEN_BACK = 0.3;
const MOST_EXTRACTED = 420;
const MOST_PIECES = 4;
/** Codes that somebody else has given, too. */
const SHARED = 0.06;
/** Repeats what was answered, as a client does whose connection broke. */
const REPEATED = 0.3;
const STACK_LINES = 6;

const WEIGHTS = { add: 5, import: 4, extract: 4, undo: 2, redeem: 2 };

/** Something that somebody wants now; and perhaps somebody else at once wants it undone. */
export async function makeWishes(life: Life): Promise<Wish[]> {
  const shop = life.seeded.pick(life.shops);
  const kind = life.seeded.weigh(WEIGHTS);
  count(life, `${kind}s`);
  switch (kind) {
    case 'add':
      return [wishToAdd(life, shop)];
    case 'import':
      return wishToImportPerhapsBack(life, shop);
    case 'extract':
      return [wishToExtract(life, shop, life.seeded.pick(STOCK_KEYS), 1 + life.seeded.below(MOST_EXTRACTED))];
    case 'undo':
      return [wishToUndo(life, shop, await employ(life, shop))];
    case 'redeem':
      return [wishToRedeem(life, shop)];
  }
}

/** What is taken back at once is large, so that it is taken back while it is added. */
async function wishToImportPerhapsBack(life: Life, shop: Shop): Promise<Wish[]> {
  const isTakenBack = life.seeded.chance(TAKEN_BACK);
  const isLarge = isTakenBack || life.seeded.chance(LARGE);
  const [person, other] = [await employ(life, shop), await employ(life, shop)];
  const wish = wishToImport(life, shop, person, isLarge ? LARGE_IMPORT : { least: 1, most: MOST_IMPORTED });
  return isTakenBack ? [wish, wishToUndo(life, shop, other)] : [wish];
}

/** Asks until there is an answer, or the process is gone. Whoever repeats asks once more afterwards. */
export async function pursue(life: Life, wish: Wish, patience = 1): Promise<void> {
  const { gate } = life;
  for (let turns = wish.seeded.below(30); turns > 0; turns -= 1) await nextTurn();
  for (let left = patience; left > 0 && wish.state === 'open' && !gate.isOver(); left -= 1) {
    try {
      await wish.pursue(life);
    } catch (error) {
      if (gate.isOver()) return;
      noteRefusal(life, wish, error);
    }
  }
  if (wish.state === 'over' && wish.seeded.chance(REPEATED) && !gate.isOver())
    await wish.pursue(life).catch(() => undefined);
}

/** Only what a deployment, a full queue or a failing disk causes may stand in the way of a wish. */
function noteRefusal(life: Life, wish: Wish, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isWhole = life.catalogue === 'whole';
  if (['STOPPING', 'OVERLOADED', 'SQLITE_IOERR_WRITE'].includes(code)) return;
  if (code === 'INVALID_INPUT' && !isWhole) return;
  if (error instanceof NotHeard) return;
  const what =
    error instanceof Error ? error.stack?.split('\n').slice(0, STACK_LINES).join(' ') : String(error);
  const violation = `${wish.name} was refused: ${what}`;
  if (!life.violations.includes(violation)) life.violations.push(violation);
}

/** The process died before its answer was heard. */
class NotHeard extends Error {}

/** What a process says is heard while it lives. */
async function hear<T>({ gate }: Life, answer: Promise<T>): Promise<T> {
  const heard = await answer;
  if (gate.isOver()) throw new NotHeard();
  return heard;
}

type Size = { least: number; most: number };

function makeCodes(life: Life, { denomination }: StockKey, { least, most }: Size): string[] {
  const { seeded } = life;
  const count = least + seeded.below(most - least);
  const fresh = Array.from({ length: count }, () => `${denomination}S${seeded.text(14)}`);
  life.given.push(...fresh);
  const shared = seeded.chance(SHARED * 4) ? Math.ceil(count * SHARED) : 0;
  for (let index = 0; index < shared; index += 1) fresh.push(seeded.pick(life.given));
  return [...new Set(fresh)].filter((code) => code.startsWith(`${denomination}S`));
}

const keyOf = (key: string | undefined): { idempotencyKey?: IdempotencyKey } =>
  key === undefined ? {} : { idempotencyKey: { scope: 'http', key } };

/** A program adds codes, with a key or without one. Without, each time that it asks is another time. */
function wishToAdd(life: Life, shop: Shop): Wish {
  const stockKeys = life.seeded.chance(0.3)
    ? STOCK_KEYS.filter(({ gameId }) => gameId === MAIN_GAME)
    : [life.seeded.pick(STOCK_KEYS)];
  const bodies = stockKeys.map((stockKey) => ({
    denomination: stockKey.denomination,
    codes: makeCodes(life, stockKey, { least: 1, most: MOST_ADDED }),
  }));
  const gameId = stockKeys[0]?.gameId ?? MAIN_GAME;
  const codes = bodies.flatMap((body) => body.codes);
  const key = life.seeded.chance(0.5) ? `add-${life.next()}` : undefined;
  let asked = 0;
  let first: string | undefined;
  return {
    name: `adding ${codes.length} codes ${key ?? 'without a key'}`,
    shop,
    seeded: branch(life),
    state: 'open',
    async pursue(now) {
      if (key === undefined || asked === 0) now.ledger.give(codes);
      asked += 1;
      const answer = await hear(now, now.core.codes.add(shop.program, gameId, bodies, keyOf(key)));
      this.state = 'over';
      const { batchId, accepted, used, disowned, invalid } = answer;
      const count = [...accepted.values()].reduce((sum, each) => sum + each, 0);
      const notAdded = new Set([...used, ...disowned, ...invalid]);
      const isWhole = count + notAdded.size === codes.length;
      if (isWhole) now.ledger.acknowledge(codes.filter((code) => !notAdded.has(code)));
      else noteHalf(now, this, 'add', batchId);
      const told = JSON.stringify([batchId, [...accepted], used, disowned]);
      if (key !== undefined && first !== undefined && first !== told)
        now.violations.push(`${this.name} was answered ${first}, and is ${told}`);
      // What changed nothing pins no key.
      if (batchId > 0) first = told;
    },
  };
}

/** Not all was done: only a job that ended early may be told so. */
function noteHalf(life: Life, wish: Wish, kind: 'add', subjectId: number): void {
  const job = life.store.read((tables) => tables.jobs.findOfSubject(kind, subjectId));
  const state = job?.state ?? 'gone';
  count(life, `answered by halves: ${state}`);
  if (state === 'done' || state === 'running')
    life.violations.push(`${wish.name} was answered by halves, and its job is ${state}`);
}

/** A person pastes codes in the chat, piece by piece, looks at the preview and confirms. */
function wishToImport(life: Life, shop: Shop, person: MemberActor, size: Size): Wish {
  const stockKey = life.seeded.pick(STOCK_KEYS);
  const codes = makeCodes(life, stockKey, size);
  const pieces = cut(codes, 1 + life.seeded.below(MOST_PIECES));
  const looks = life.seeded.chance(0.5);
  const kind = life.seeded.pick(['message', 'file'] as const);
  life.ledger.give(codes);
  let importId: number | undefined;
  let kept = 0;
  let first: string | undefined;
  const wish: Wish & { batchOf(now: Life): number | undefined } = {
    name: `importing ${codes.length} codes`,
    shop,
    seeded: branch(life),
    state: 'open',
    async pursue(now) {
      const { imports } = now.core;
      // Whoever was not told that it began looks whether it did.
      importId ??= imports.findOpen(person)?.id ?? (await hear(now, imports.begin(person, stockKey)));
      while (kept < pieces.length) {
        const text = pieces[kept]?.join('\n') ?? '';
        const piece = { key: `piece-${kept}`, position: kept, kind, text };
        const answer = await hear(now, imports.addPiece(person, importId, piece));
        if (answer === 'full') now.violations.push(`${this.name}: a piece of ${text.length} is too much`);
        if (answer === 'closed') break;
        kept += 1;
      }
      const options = looks && kept === pieces.length ? await look(now, person, importId) : {};
      const answer = await hear(now, imports.commit(person, importId, options));
      if (answer === undefined) return void (this.state = this.state === 'over' ? 'over' : 'in vain');
      this.state = 'over';
      const told = JSON.stringify(answer);
      if (first !== undefined && first !== told)
        now.violations.push(`${this.name} was answered ${first}, and is ${told}`);
      first = told;
      if (isDone(now, answer.batchId)) now.ledger.acknowledge(codes);
      else count(now, 'imports by halves');
    },
    batchOf: (now) =>
      importId === undefined
        ? undefined
        : (now.store.read((tables) => tables.imports.find(importId ?? 0))?.batchId ?? undefined),
  };
  life.batches.push({ shop, find: (now) => wish.batchOf(now) });
  return wish;
}

async function look(life: Life, person: MemberActor, importId: number): Promise<{ revision?: string }> {
  if (life.core.imports.describe(person, importId).state !== 'collecting') return {};
  await hear(life, life.core.imports.preview(person, importId));
  return { revision: life.core.imports.describe(person, importId).revision };
}

function isDone({ store }: Life, batchId: number): boolean {
  return store.read((tables) => tables.jobs.findOfSubject('add', batchId))?.state === 'done';
}

function cut<T>(items: readonly T[], parts: number): T[][] {
  const length = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_, part) => items.slice(part * length, (part + 1) * length)).filter(
    (part) => part.length > 0,
  );
}

/** Codes are taken out, with a key or without one. */
function wishToExtract(life: Life, shop: Shop, stockKey: StockKey, amount: number): Wish {
  const key = life.seeded.chance(0.6) ? `extract-${life.next()}` : undefined;
  return {
    name: `extracting ${amount} of ${stockKey.denomination} ${key ?? 'without a key'}`,
    shop,
    seeded: branch(life),
    state: 'open',
    async pursue(now) {
      const answer = await hear(
        now,
        now.core.codes.extract(shop.program, { ...stockKey, amount, ...keyOf(key) }),
      );
      this.state = 'over';
      const { extractionId, codes } = answer;
      if (codes.length > amount) now.violations.push(`${this.name} gave ${codes.length}`);
      now.ledger.handOut(String(extractionId), codes);
      count(now, 'codes handed out', codes.length);
    },
  };
}

/** An import is taken back, perhaps while it goes on. */
function wishToUndo(life: Life, shop: Shop, person: AccountActor): Wish {
  const own = life.batches.filter((batch) => batch.shop === shop).slice(-3);
  const target = life.seeded.chance(0.8) ? own.at(-1) : own.length > 0 ? life.seeded.pick(own) : undefined;
  return {
    name: 'taking back',
    shop,
    seeded: branch(life),
    state: 'open',
    async pursue(now) {
      const batchId = target && (await findBegun(now, target));
      if (batchId === undefined) return void (this.state = 'in vain');
      for (let turns = this.seeded.below(6); turns > 0; turns -= 1) await nextTurn();
      if (now.gate.isOver()) throw new NotHeard();
      if (!isDone(now, batchId)) count(now, 'taken back while it was added');
      const answer = await hear(now, now.core.imports.undo(person, batchId));
      this.state = 'over';
      if (answer.status !== 'undone') return;
      now.ledger.takeBack(batchId, answer.takenBack);
      count(now, 'codes taken back', answer.takenBack);
    },
  };
}

/** The batch as soon as there is one, so that it is taken back while it is added; not for ever. */
async function findBegun(life: Life, { find }: Life['batches'][number]): Promise<number | undefined> {
  for (let turns = 0; turns < 300; turns += 1) {
    const batchId = find(life);
    if (batchId !== undefined) return batchId;
    await nextTurn();
  }
  return undefined;
}

/** A code of the database is redeemed, under a key. */
function wishToRedeem(life: Life, shop: Shop): Wish {
  const key = `order-${life.next()}`;
  const stockKey = life.seeded.pick(STOCK_KEYS);
  const playerId = String(7_000_000_000 + life.next());
  return {
    name: `redeeming ${key}`,
    shop,
    seeded: branch(life),
    state: 'open',
    async pursue(now) {
      const answer = await hear(now, now.core.redeem(shop.program, { ...stockKey, playerId, ...keyOf(key) }));
      this.state = 'over';
      if (answer.status !== 'answered') return void now.violations.push(`${this.name}: ${answer.status}`);
      const { state, code } = answer.redemption;
      if (state === 'redeemed' && code !== undefined) now.ledger.redeem(code);
    },
  };
}

/** Takes out everything that is left, and looks whether all of it came. */
export async function emptyStock(life: Life): Promise<void> {
  for (const shop of life.shops) {
    for (const stockKey of STOCK_KEYS) {
      const wish = wishToExtract(life, shop, stockKey, 10_000);
      await pursue(life, wish);
      if (wish.state !== 'over') life.violations.push(`${wish.name} at the end is ${wish.state}`);
    }
    for (const { gameId } of STOCK_KEYS) {
      const left = [...life.core.codes.countAvailable(shop.program, gameId).values()];
      if (left.some((count) => count > 0))
        life.violations.push(`when all is taken out there are ${left.join()}`);
    }
  }
  audit(life, true);
}
