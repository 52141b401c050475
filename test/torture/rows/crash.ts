// Row 1: the real process is killed at every named boundary of a redemption, then at random moments under load. After
// each kill it is started again, and the platform's own file is compared with what the service believes.
import { within } from '../../../src/waiting.ts';
import { countRows, hurryDoubts } from '../books.ts';
import { makeCode, type Sent } from '../client.ts';
import { ATTEMPT_KILL_POINTS, KILL_POINTS, type KillPoint } from '../faults.ts';
import { count, inParts, merge, type Findings, type TortureOptions } from '../findings.ts';
import { ServiceDied } from '../process.ts';
import { inShop, type Shop } from '../shop.ts';

/** A place to strike at, and the codes whose redemption leads there. */
interface Boundary {
  at: KillPoint;
  prefixes: readonly string[];
  /** Struck in the process that starts after a first kill, while it recovers. */
  atStart?: true;
}

const ORDINARY = ['60S', 'NOORDER', 'TIMEOUT', 'GARBLED', 'LOST', 'USED', 'RISK'];
const REACHED_WITHIN_MS = 30_000;

export const BOUNDARIES: readonly Boundary[] = [
  ...KILL_POINTS.map((at) => ({
    at,
    prefixes: at.startsWith('reconcile') ? ['TIMEOUT', 'GARBLED'] : ORDINARY,
  })),
  { at: 'reconcile:before-commit', prefixes: ['LOST', 'LOST'] },
  { at: 'reconcile:after-commit', prefixes: ['LOST', 'LOST'] },
  { at: 'doubt:before-commit', prefixes: ORDINARY, atStart: true },
  { at: 'doubt:after-commit', prefixes: ORDINARY, atStart: true },
  { at: 'reconcile:before-commit', prefixes: ORDINARY, atStart: true },
  { at: 'reconcile:after-commit', prefixes: ORDINARY, atStart: true },
];

/** Kills once at every boundary, three services side by side: each more is one more start. */
export async function killAtEveryBoundary(seed: number, lanes = 3): Promise<Findings> {
  const waiting = [...BOUNDARIES.entries()];
  const lane = (_: unknown, index: number) =>
    inShop(seed + index, {}, async (shop) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [at, boundary] = next;
        const name = `${boundary.atStart ? 'start, ' : ''}${boundary.at} (${boundary.prefixes.join(' ')})`;
        const found = await strike(shop, boundary, at);
        shop.violations.push(...found.map((violation) => `${name}: ${violation}`));
        count(shop, 'boundaries');
      }
    });
  return merge(...(await Promise.all(Array.from({ length: lanes }, lane))));
}

async function strike(shop: Shop, { at, prefixes, atStart }: Boundary, index: number): Promise<string[]> {
  await shop.stock(60, prefixes);
  const first = atStart ? 'platform:after' : at;
  // The first or the second of its kind; doubts may all be in one commit.
  const nth = atStart ? 2 : /^(doubt|reconcile)/.test(first) ? 1 : 1 + (index % 2);
  await shop.command({ kill: { at: first, nth } });
  const wishes = sendAll(shop, prefixes, index);
  const violations = await expectKill(shop, first);
  await wishes;
  if (atStart) violations.push(...(await dieAtStart(shop, at)));
  await shop.start();
  await shop.repeatUnanswered();
  return [...violations, ...(await shop.audit())];
}

/** For each beginning one from the database and one given directly, with a key and without. */
async function sendAll(shop: Shop, prefixes: readonly string[], index: number): Promise<void> {
  const wishes = prefixes.flatMap((prefix, position) => {
    const key = `${index}-${position}`;
    return [
      shop.wish({ denomination: 60, ...(position % 2 === 0 && { key: `database-${key}` }) }),
      shop.wish({
        codeOverride: makeCode(shop.seeded, prefix),
        gameId: position % 3 === 0 ? 'game_id_3' : 'game_id_1',
        ...(position % 2 === 1 && { key: `direct-${key}` }),
      }),
    ];
  });
  await Promise.all(wishes);
}

async function expectKill(shop: Shop, at: KillPoint): Promise<string[]> {
  const { exited, stderr } = shop.service();
  const exit = await within(exited, REACHED_WITHIN_MS);
  if (exit === undefined) throw new Error(`${at} was never reached.`);
  return exit.signal === 'SIGKILL' && stderr().includes(`killed at ${at}`)
    ? []
    : [`ended by itself: ${exit.code ?? exit.signal} ${stderr()}`];
}

async function dieAtStart(shop: Shop, at: KillPoint): Promise<string[]> {
  try {
    await shop.start(at);
  } catch (error) {
    if (error instanceof ServiceDied && error.stderr.includes(`killed at ${at}`)) return [];
    // Ready is told by a request: the kill may come between the port and the answer.
    if (error instanceof TypeError) return [];
    throw error;
  }
  return expectKill(shop, at);
}

const LANES = 48;
const KILLS_PER_SHOP = 12;
const DATABASE_STOCK: Record<string, number> = {
  '60S': 70,
  NOORDER: 3,
  TIMEOUT: 12,
  GARBLED: 8,
  USED: 4,
  INVALID: 3,
};
// No DOWN: killed before it is refused, it stays in doubt as long as the platform cannot be reached with it, which is
// for ever.
const DIRECT: Record<string, number> = {
  '60S': 50,
  AB: 8,
  TIMEOUT: 12,
  LOST: 12,
  GARBLED: 8,
  USED: 3,
  RISK: 3,
  NOACCOUNT: 2,
};
/** Of three upstreams one is meant: its orders go elsewhere, are lost, or are never told of. */
const OF_ONE: Record<string, number> = {
  DOWN1: 8,
  DOWN2: 4,
  NOACCOUNT1: 8,
  NOACCOUNT2: 6,
  MUTE1: 6,
  MUTE3: 4,
};
const LOST_BY_ONE: Record<string, number> = { LOST1: 6, USED1: 3 };

/**
 * Kills at random moments under load until `count` redemptions were struck: asked for, and not answered when the
 * process died. Some of the moments are named boundaries, the others the clock's. Every other shop, the first too, has
 * three upstreams.
 */
export const killAtRandom = (options: TortureOptions): Promise<Findings> =>
  inParts(options, { most: options.count, of: 'struck' }, (wanted, seed) => {
    const ofThree = (seed - options.seed) % 2 === 0;
    const load: Load = {
      stock: { ...DATABASE_STOCK, ...(ofThree && OF_ONE) },
      given: { ...DIRECT, ...(ofThree && { ...OF_ONE, ...LOST_BY_ONE }) },
      points: [...KILL_POINTS, ...(ofThree ? ATTEMPT_KILL_POINTS : [])],
    };
    return inShop(seed, ofThree ? { SANDBOX_UPSTREAMS: '3' } : {}, (shop) =>
      killInOneShop(shop, load, wanted),
    );
  });

async function killInOneShop(shop: Shop, load: Load, wanted: number): Promise<void> {
  await stockUp(shop, load);
  while (count(shop, 'kills', 0) < KILLS_PER_SHOP && count(shop, 'struck', 0) < wanted) {
    count(shop, 'struck', await killUnderLoad(shop, load));
    count(shop, 'kills');
    // Not waiting for the doubts: the next kill meets them half settled.
    await shop.start();
    await shop.repeatUnanswered();
  }
  hurryDoubts(shop.folder);
  shop.violations.push(...(await shop.audit()));
  count(shop, 'redemptions', shop.sent.length);
  count(shop, 'sentOn', countRows(shop.folder, `attempts where kind = 'order' and n > 1`));
  count(shop, 'sentAgain', countRows(shop.folder, `attempts where kind = 'resend'`));
}

/** What is asked of a shop, by the beginnings of codes, and where it is struck. */
interface Load {
  stock: Record<string, number>;
  given: Record<string, number>;
  points: readonly KillPoint[];
}

async function stockUp(shop: Shop, { stock }: Load): Promise<void> {
  await shop.stock(60, shop.seeded.draw(3000, stock));
  // These come back again and again, so they have a denomination of their own.
  await shop.stock(325, ['LOST', 'RISK', 'LOST', 'NOACCOUNT', '325S', 'LOST', 'LOGIN', '325S']);
}

/** Load in many lanes until the kill; returns how many redemptions had no answer then. */
async function killUnderLoad(shop: Shop, load: Load): Promise<number> {
  const { seeded } = shop;
  const service = shop.service();
  let alive = true;
  void service.exited.then(() => (alive = false));
  const struck: Sent[] = [];
  const lane = async () => {
    while (alive) {
      const sent = await shop.wish(anyWish(shop, load));
      if (sent.interruptions > 0) struck.push(sent);
      if (sent.answers.length === 0) return;
    }
  };
  const lanes = Array.from({ length: LANES }, lane);
  if (seeded.chance(0.5)) {
    await shop
      .command({ kill: { at: seeded.pick(load.points), nth: 1 + seeded.below(40) } })
      .catch(() => undefined);
  }
  const longest = 100 + seeded.below(1500);
  const timer = setTimeout(() => service.signal('SIGKILL'), longest);
  await service.exited;
  clearTimeout(timer);
  await Promise.all(lanes);
  return struck.length;
}

let keys = 0;

function anyWish({ seeded }: Shop, { given }: Load): Parameters<Shop['wish']>[0] {
  const key = seeded.chance(0.4) ? { key: `key-${(keys += 1)}` } : {};
  if (seeded.chance(0.55)) return { denomination: seeded.chance(0.85) ? 60 : 325, ...key };
  const codeOverride = makeCode(seeded, seeded.weigh(given));
  return { codeOverride, gameId: seeded.pick(['game_id_1', 'game_id_2', 'game_id_3']), ...key };
}
