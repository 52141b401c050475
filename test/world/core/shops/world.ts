// Shops, and everything that the world outside was told by the service: what is known of each past, so that after a
// restore it can be said what must still be true.
import { createGames, type AccountActor, type MemberActor, type Role } from '../../../../src/core/index.ts';
import type { Seeded } from '../../../harness/seeded.ts';
import { TEST_GAMES } from '../../../harness/core.ts';
import { look } from '../../run/rest.ts';
import { createSeals } from '../books.ts';
import type { CoreWorld } from '../world.ts';
import type { Wish } from './wishes.ts';

export const MAIN_GAME = 'game_id_1';
const OTHER_GAME = 'game_id_4';
export const HOST = { kind: 'host', by: 'cli' } as const;

export const STOCK_KEYS = [
  { gameId: MAIN_GAME, denomination: 60 },
  { gameId: MAIN_GAME, denomination: 325 },
  { gameId: OTHER_GAME, denomination: 100 },
];
export type StockKey = (typeof STOCK_KEYS)[number];

const GAMES = TEST_GAMES.all.map((game) => ({ ...game, codePattern: game.codePattern.source }));

/** What a deployment may leave out of the catalogue. */
export const CATALOGUES = {
  whole: TEST_GAMES,
  'without the game': createGames(GAMES.filter(({ id }) => id !== OTHER_GAME)),
  'without the denomination': createGames(
    GAMES.map((game) => (game.id === MAIN_GAME ? { ...game, denominations: [60] } : game)),
  ),
};

/** An account, as it is known in every past: by its first key. */
export interface Shop {
  key: string;
  /** When its subscription ends, without what is paid and given later. */
  endsAt: number;
}

/** What the world outside was told once, and may rely on for as long as the service knows it. */
export type Fact =
  | { kind: 'added'; gameId: string; codes: readonly string[] }
  | { kind: 'added under'; shop: Shop; key: string; stockKey: StockKey; codes: readonly string[]; at: number }
  | {
      kind: 'handed out';
      shop: Shop;
      key: string;
      stockKey: StockKey;
      amount: number;
      by: number;
      codes: readonly string[];
      at: number;
    }
  | { kind: 'taken back'; batchId: number; count: number }
  | {
      kind: 'request';
      shop: Shop;
      key: string;
      stockKey: StockKey;
      playerId: string;
      reference: string;
      at: number;
    }
  | {
      kind: 'receipt';
      id: number;
      reference: string;
      gameId: string;
      code: string;
      credentials: string;
      isOfStock: boolean;
    }
  | { kind: 'charged'; shop: Shop; at: number }
  | { kind: 'paid'; chargeId: string }
  | { kind: 'refunded'; chargeId: string }
  | { kind: 'bill'; orderId: string; shop: Shop }
  | { kind: 'days'; shop: Shop; chargeId: string; days: number }
  | { kind: 'payment waits'; updateId: number }
  | { kind: 'key'; key: string }
  | { kind: 'revoked'; key: string }
  | { kind: 'link'; token: string; shop: Shop; role: Role; by: number }
  | { kind: 'used link'; token: string }
  | { kind: 'joined'; membership: number; telegramId: number; shop: Shop; role: Role }
  | { kind: 'role'; membership: number; role: Role }
  | { kind: 'left shop'; membership: number };

type Of<K extends Fact['kind']> = Extract<Fact, { kind: K }>;

export interface Shops extends CoreWorld {
  shops: Shop[];
  wishes: Wish[];
  facts: Fact[];
  /** Which facts the service that runs knows. */
  known: Set<number>;
  backups: { number: number; known: ReadonlySet<number> }[];
  /** How often anybody gave a code, by its hash; and those that were given in full view. */
  given: Map<string, number>;
  givenCodes: string[];
  /** Whose batches may be taken back, once they have begun. */
  batches: { shop: Shop; find(): number | undefined }[];
  /**
   * Codes that a lost past handed out, more than it ever had before, and that were used after the service had asked
   * about them: it hands them out once more, as docs/backups.md says.
   */
  usedUnseen: Set<string>;
  /** What each number stands for, in any past: `codes:5` → a mark that is never twice alike. */
  numbers: Map<string, string>;
  /** Slices of jobs that we made unreadable, as they are sealed. */
  rotten: Set<string>;
  hashOf(gameId: string, code: string): string;
}

export const openShops = (world: CoreWorld): Shops =>
  Object.assign(world, {
    ...{
      shops: [],
      wishes: [],
      facts: [],
      known: new Set<number>(),
      backups: [],
      givenCodes: [],
      batches: [],
    },
    ...{ given: new Map(), usedUnseen: new Set<string>(), numbers: new Map(), rotten: new Set<string>() },
    hashOf: createSeals(),
  });

/** Tells the world outside something, and the service knows it. */
export function tell(world: Shops, fact: Fact): void {
  world.known.add(world.facts.length);
  world.facts.push(fact);
}

/** The facts of one kind that the service knows. */
export const listKnown = <K extends Fact['kind']>(world: Shops, kind: K): Of<K>[] =>
  [...world.known].map((index) => world.facts[index]).filter((fact): fact is Of<K> => fact?.kind === kind);

export const query = <Row>({ service }: CoreWorld, sql: string, ...values: unknown[]): Row[] =>
  look(service.disk.databasePath(), (file) => file.prepare(sql).all(...values) as Row[]);

/** undefined where the service does not know it. */
export const accountOf = ({ service }: CoreWorld, shop: Shop): number | undefined =>
  service.core().apiKeys.authenticate(shop.key)?.actor.accountId;

/** Who owns a shop at this moment. */
export function ownerOf(world: CoreWorld, shop: Shop): MemberActor | undefined {
  const accountId = accountOf(world, shop);
  if (accountId === undefined) return undefined;
  const members = world.service.store().read((tables) => tables.members.list(accountId));
  const owner = members.find(({ role }) => role === 'owner');
  return owner && { kind: 'member', accountId, telegramId: owner.telegramId, role: 'owner' };
}

export type Someone = { shop: Shop; program: AccountActor; owner: MemberActor };

/** A shop that the service knows, with whoever may act for it. */
export function pickShop(world: Shops, random: Seeded): Someone | undefined {
  const open = listOpen(world);
  return open.length === 0 ? undefined : random.pick(open);
}

export const listOpen = (world: Shops): Someone[] =>
  world.shops.flatMap((shop) => {
    const program = world.service.core().apiKeys.authenticate(shop.key)?.actor;
    const owner = ownerOf(world, shop);
    return program && owner ? [{ shop, program, owner }] : [];
  });

/** By what a redemption is known in every past. */
export const referenceOf = (world: CoreWorld, id: number): string =>
  query<{ reference: string }>(
    world,
    'select reference from attempts where redemption_id = ? and n = 1',
    id,
  )[0]?.reference ?? '';

/** What the receipt holds beside its record. */
export const credentialsOf = ({ service }: CoreWorld, id: number): string =>
  JSON.stringify(service.store().read((tables) => tables.redemptions.find(id)?.credentials ?? null));

export const isSpent = ({ platform }: CoreWorld, gameId: string, code: string): boolean =>
  platform.find(gameId, code) !== undefined;

/** Whether it begins as those that the platform calls used from the first moment on. */
export const isBornUsed = (code: string): boolean => code.startsWith('USED');
