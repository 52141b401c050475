// The platform's own ledger against our books: what it spent for us we have redeemed, what we have redeemed it spent
// for that player, and what stands in stock nobody has spent.
import { describePlayer } from '../../../src/platform/sandbox/people.ts';
import { LOST_ACTOR } from '../../../src/core/receipts/receipts.ts';
import { createCodeSeals, createSecrets } from '../../../src/store/engine/secrets.ts';
import { look } from '../run/rest.ts';
import { KEY } from '../machine/service.ts';
import type { Books, World } from '../run/world.ts';

const seals = createCodeSeals(createSecrets(KEY));

interface Row {
  id: number;
  reference: string | null;
  playerId: string;
  state: string;
  mode: string;
  actor: string;
  hash: Buffer;
}

const REDEMPTIONS = `
  select r.id, a.reference, r.player_id as playerId, r.state, r.mode, r.actor, r.code_hash as hash
  from redemptions r left join attempts a on a.redemption_id = r.id and a.n = 1 where r.code_hash is not null`;

export function whatIsSpentIsRedeemed({ disk, platform, diary }: Books): string[] {
  const rows = look(disk.databasePath(), (file) => file.prepare(REDEMPTIONS).all() as Row[]);
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const spent = [...platform.spent.values()];
  const byHash = new Map(spent.map((each) => [hashOf(each.gameId, each.code), each]));
  const lost = spent.flatMap(({ reference, code, playerId, isToldOtherwise }) => {
    if (reference === undefined || diary.forgotten.has(reference)) return [];
    const { state = 'unknown to us', mode } = byReference.get(reference) ?? {};
    // Of a code that came with its order a calendar that has changed says that it may have been used before: a person
    // decides.
    if (state === 'in_doubt' && mode === 'direct' && isToldOtherwise) return [];
    return state === 'redeemed'
      ? []
      : [`${code} was redeemed for ${playerId}, and its redemption is ${state}`];
  });
  const invented = rows.flatMap(({ id, playerId, state, actor, hash }) => {
    if (state !== 'redeemed') return [];
    const found = byHash.get(hash.toString('hex'));
    // Of what a time that was lost had carried out the platform knows the openid alone, until an order of its player
    // takes it; whether it was carried out without us nobody can tell.
    const { openid } = found ? describePlayer(found.gameId, found.playerId) : {};
    if (actor === LOST_ACTOR && [openid, found?.playerId].includes(playerId)) return [];
    if (found?.playerId === playerId && found.reference === undefined)
      return [`redemption ${id} is redeemed, and ${found.code} was redeemed without us`];
    if (found?.playerId === playerId) return [];
    return [
      `redemption ${id} is redeemed for ${playerId}, and the platform says ${found?.playerId ?? 'nothing'}`,
    ];
  });
  return [...lost, ...invented];
}

/** What was lost alone is sent once more, to learn whose it was: under its own reference it is the same order. */
export function nothingIsSentTwice({ platform, diary }: Books): string[] {
  return [...platform.resent]
    .filter((reference) => !diary.forgotten.has(reference))
    .map((reference) => `the order ${reference} was sent once more`);
}

const SHELF = `
  select c.code_hash as hash, b.at as addedAt from codes c join batches b on b.id = c.batch_id where c.state = 'available'`;

export function noCodeOnTheShelfIsSpent({ disk, platform, diary }: Books): string[] {
  const shelf = look(
    disk.databasePath(),
    (file) => file.prepare(SHELF).all() as { hash: Buffer; addedAt: number }[],
  );
  const addedAt = new Map(shelf.map((row) => [row.hash.toString('hex'), row.addedAt]));
  return [...platform.spent.values()].flatMap(({ gameId, code, reference }) => {
    const at = addedAt.get(hashOf(gameId, code));
    if (reference === undefined || at === undefined) return [];
    // Whoever lists again what a past spent that is lost brings a code that nobody here knows.
    if (diary.forgotten.has(reference) && at >= diary.restoredAt) return [];
    return [`${code} is spent, and stands in stock`];
  });
}

export function notRedeemedIsNotRedeemed({ diary, platform }: World): string[] {
  return diary.believed.flatMap(({ gameId, code, playerId }) => {
    const spent = platform.find(gameId, code);
    const reference = spent?.reference;
    // Somebody else may use it since.
    return reference === undefined || spent?.playerId !== playerId || diary.forgotten.has(reference)
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
  "select id, code_hash as hash from redemptions where mode = 'database' and error_code = 'CODE_USED' and doubted_at is null and id > ? and created_at > ?";

/**
 * What a backup brought back is asked about before it is sent: no order meets a code that we have spent, but one that a
 * kill cut off.
 */
export function noCodeOfAStockIsTriedThatIsSpent({ disk, platform, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(USED).all(diary.judgedRedemption, diary.restoredAt),
  ) as {
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
