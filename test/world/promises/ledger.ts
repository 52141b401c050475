// The platform's own ledger against our books: what it spent for us we have redeemed, what we have redeemed it spent
// for that player, and what stands in stock nobody has spent.
import { describePlayer } from '../../../src/platform/sandbox/people.ts';
import { createCodeSeals, createSecrets } from '../../../src/store/engine/secrets.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { Books } from '../run/world.ts';

const seals = createCodeSeals(createSecrets(KEY));

interface Row {
  id: number;
  reference: string | null;
  playerId: string;
  state: string;
  isAPersons: number;
  hash: Buffer;
}

const REDEMPTIONS = `
  select r.id, a.reference, r.player_id as playerId, r.state, r.code_hash as hash,
    r.mode = 'direct' and r.state = 'in_doubt'
      and not exists (select 1 from tasks where job_key = 'doubt:' || r.id and run_at is not null) as isAPersons
  from redemptions r left join attempts a on a.redemption_id = r.id where r.code_hash is not null`;

const readRedemptions = ({ disk }: Books): Row[] =>
  look(disk.databasePath(), (file) => file.prepare(REDEMPTIONS).all() as Row[]);

/** Each code that the platform spent for us, and what the books say of it. */
interface OfOurs {
  code: string;
  playerId: string;
  state: string | undefined;
  isAPersons: boolean;
}

function listSpent(world: Books): OfOurs[] {
  const byReference = new Map(readRedemptions(world).map((row) => [row.reference, row]));
  return [...world.platform.spent.values()].flatMap(({ reference, code, playerId }) => {
    if (reference === undefined) return [];
    const { state, isAPersons } = byReference.get(reference) ?? {};
    return [{ code, playerId, state, isAPersons: isAPersons === 1 }];
  });
}

const describeSpent = ({ code, playerId, state }: OfOurs): string =>
  `${code} was redeemed for ${playerId}, and its redemption is ${state ?? 'unknown to us'}`;

/** Of a code that came with its order a person may have to decide whether its giver had redeemed it before. */
export const whatIsSpentIsRedeemed = (world: Books): string[] =>
  listSpent(world)
    .filter(({ state, isAPersons }) => state !== undefined && state !== 'redeemed' && !isAPersons)
    .map(describeSpent);

export const whatIsSpentIsInTheBooks = (world: Books): string[] =>
  listSpent(world)
    .filter(({ state }) => state === undefined)
    .map(describeSpent);

/** Whatever anybody says of it later: at worst a person decides. */
export const whatIsSpentIsNeverCalledFailed = (world: Books): string[] =>
  listSpent(world)
    .filter(({ state }) => state === 'failed')
    .map(describeSpent);

/** For that player, as we or the platform call them. */
export function whatIsRedeemedIsSpentByUs(world: Books): string[] {
  const byHash = new Map(
    [...world.platform.spent.values()].map((each) => [hashOf(each.gameId, each.code), each]),
  );
  return readRedemptions(world).flatMap(({ id, playerId, state, hash }) => {
    if (state !== 'redeemed') return [];
    const found = byHash.get(hash.toString('hex'));
    if (found?.reference === undefined)
      return [
        `redemption ${id} is redeemed, and its code was ${found ? 'redeemed without us' : 'spent never'}`,
      ];
    const { openid } = describePlayer(found.gameId, found.playerId);
    return [openid, found.playerId].includes(playerId)
      ? []
      : [`redemption ${id} is redeemed for ${playerId}, and the platform says ${found.playerId}`];
  });
}

export const nothingIsSentTwice = ({ platform }: Books): string[] =>
  [...platform.resent].map((reference) => `the order ${reference} was sent once more`);

const SHELF = "select code_hash as hash, batch_id as batch from codes where state = 'available'";

/** What is taken for unspent in a batch up to this one, and was spent by us. */
function listSpentOnTheShelf({ disk, platform }: Books, newest: number): string[] {
  const shelf = look(
    disk.databasePath(),
    (file) => file.prepare(SHELF).all() as { hash: Buffer; batch: number }[],
  );
  const known = new Set(shelf.filter(({ batch }) => batch <= newest).map(({ hash }) => hash.toString('hex')));
  return [...platform.spent.values()]
    .filter(({ gameId, code, reference }) => reference !== undefined && known.has(hashOf(gameId, code)))
    .map(({ code }) => `${code} is spent, and stands in stock`);
}

export const noCodeOnTheShelfIsSpent = (world: Books): string[] => listSpentOnTheShelf(world, Infinity);

/** Whoever lists again what a past spent that is lost brings a code that nobody here knows. */
export const noCodeThatABackupKnewIsTakenForUnspent = (world: Books): string[] =>
  listSpentOnTheShelf(world, world.diary.restored?.batch ?? 0);

export function notRedeemedIsNotRedeemed({ diary, platform }: Books): string[] {
  return diary.believed.flatMap(({ gameId, code, playerId }) => {
    const spent = platform.find(gameId, code);
    const reference = spent?.reference;
    // Somebody else may use it since.
    return reference === undefined || spent?.playerId !== playerId
      ? []
      : [`${code} was told as not redeemed, and is spent for us`];
  });
}

const hashes = new Map<string, string>();

export function hashOf(gameId: string, code: string): string {
  const key = `${gameId} ${code}`;
  const hash = hashes.get(key) ?? seals.hash(gameId, code).toString('hex');
  hashes.set(key, hash);
  return hash;
}

const USED =
  "select id, code_hash as hash from redemptions where mode = 'database' and error_code = 'CODE_USED' and doubted_at is null and id > ?";

/**
 * What a backup brought back is asked about before it is sent: no order meets a code that we have spent, but one that a
 * kill cut off.
 */
export function noCodeOfAStockIsTriedThatIsSpent({ disk, platform, diary }: Books): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(USED).all(diary.judgedRedemption)) as {
    id: number;
    hash: Buffer;
  }[];
  if (rows.length === 0) return [];
  const spent = new Map([...platform.spent.values()].map((each) => [hashOf(each.gameId, each.code), each]));
  return rows.flatMap(({ id, hash }) => {
    const found = spent.get(hash.toString('hex'));
    return found?.reference === undefined
      ? []
      : [`redemption ${id} was tried with ${found.code}, which was spent`];
  });
}
