// What must be true of the books by what the world outside was told, in any past that the service knows; whatever
// happened in between.
import { checkConservation } from '../../../../src/store/backup/conservation.ts';
import type { Restored } from '../../../../src/store/backup/restore.ts';
import { look } from '../../run/rest.ts';
import { heldByLedgers, secrets } from '../books.ts';
import { everybodyIsWhatWasDecided, paidDaysAreThere } from './people.ts';
import { accountOf, credentialsOf, isBornUsed, listKnown, query, referenceOf, type Shops } from './world.ts';

const GONE = ['extracted', 'undone'];
const TAKEABLE = ['available', 'unverified'];
const MOST_TOLD = 5;

/** Of the restored file, before the service starts on it. */
export function nothingGoesOnAfterARestore(world: Shops, { drift, unreadable, rows }: Restored): string[] {
  const left = Object.entries(UNFINISHED).flatMap(([what, sql]) => {
    const [row] = query<{ count: number }>(world, `select count(*) as count from ${sql}`);
    return row && row.count > 0 ? [`after a restore ${row.count} ${what} go on`] : [];
  });
  const isSound = drift + unreadable === 0 || world.rotten.size > 0;
  return isSound ? left : [...left, `a restored file: ${JSON.stringify(rows.slice(0, 5))}`];
}

const UNFINISHED = {
  jobs: "jobs where state = 'running'",
  extractions: 'extractions where ended_at is null',
  imports: "imports where state in ('collecting', 'committing')",
  pieces: 'import_pieces',
  // What is still to be announced is a fact that nobody may have been told of.
  messages: "tasks where run_at is not null and task not in ('announce', 'order')",
  conversations: 'conversations',
  confirmations: "confirmations where action = 'redeem-now'",
  'verified codes': "codes where state = 'available' or (state = 'reserved' and claimed_from = 'available')",
};

/**
 * `isWhole`: no past was ever lost, so that the platform's ledger is of this one alone; `isLast`: whatever is sealed is
 * opened, too.
 */
export function audit(
  world: Shops,
  { isWhole, isLast = false }: { isWhole: boolean; isLast?: boolean },
): string[] {
  return [
    ...noNumberStandsForTwoThings(world),
    ...eachCodeIsInOnePlace(world),
    ...batchesSayHowManyTheyHave(world),
    ...receiptsStand(world),
    ...moneyIsBooked(world),
    ...keysOpenUntilTheyAreRevoked(world),
    ...everybodyIsWhatWasDecided(world),
    ...paidDaysAreThere(world),
    ...booksAreConserved(world, isLast),
    ...(isWhole ? heldByLedgers(world) : []),
  ];
}

/** By what a row is told from every other, in any past. */
const MARKS: Record<string, string> = {
  accounts: "created_at || '|' || name",
  api_keys: 'hex(digest)',
  batches: "at || '|' || account_id",
  usages: "account_id || '|' || kind || '|' || at",
  codes: 'hex(code_secret)',
  extractions: "at || '|' || account_id",
  jobs: "kind || '|' || at",
  purchases: 'charge_id',
  redemptions: "account_id || '|' || created_at || '|' || coalesce(usage_id, '')",
};
const NUMBERS = Object.entries(MARKS)
  .map(([table, mark]) => `select '${table}:' || id as number, ${mark} as mark from ${table}`)
  .join(' union all ');

/** No number stands for two things, whatever past either was in. */
function noNumberStandsForTwoThings(world: Shops): string[] {
  return query<{ number: string; mark: string }>(world, NUMBERS).flatMap(({ number, mark }) => {
    const before = world.numbers.get(number);
    world.numbers.set(number, mark);
    return before === undefined || before === mark ? [] : [`${number} was ${before}, and is ${mark}`];
  });
}

interface CodeRow {
  hash: string;
  state: string;
  batchId: number;
  extractionId: number | null;
}

/** Each code in one place, handed out no more often than it was given, and nothing that was acknowledged lost. */
function eachCodeIsInOnePlace(world: Shops): string[] {
  const rows = query<CodeRow>(
    world,
    'select hex(code_hash) as hash, state, batch_id as batchId, extraction_id as extractionId from codes',
  );
  const all = Map.groupBy(rows, ({ hash }) => hash.toLowerCase());
  const spent = new Set(
    [...world.platform.spent.values()].map(({ gameId, code }) => world.hashOf(gameId, code)),
  );
  const handedOut = new Map<string, number>();
  const named = new Map<string, string>();
  const hashes = (gameId: string, codes: readonly string[]) =>
    codes.map((code) => {
      const hash = world.hashOf(gameId, code);
      named.set(hash, code);
      return hash;
    });
  const added = listKnown(world, 'added').flatMap(({ gameId, codes }) => hashes(gameId, codes));
  for (const { stockKey, codes } of listKnown(world, 'handed out'))
    for (const hash of hashes(stockKey.gameId, codes)) handedOut.set(hash, (handedOut.get(hash) ?? 0) + 1);
  const nameOf = (hash: string) => named.get(hash) ?? hash;
  const lost = [...added, ...handedOut.keys()].filter((hash) => !all.has(hash));
  const wrong = [...all].flatMap(([hash, places]) => {
    const how = describe(places, {
      given: world.given.get(hash) ?? 0,
      handedOut: handedOut.get(hash) ?? 0,
      isSpent: spent.has(hash),
      isUnseen: world.usedUnseen.has(nameOf(hash)),
      isBornUsed: isBornUsed(nameOf(hash)),
    });
    return how === undefined ? [] : [`${nameOf(hash)} ${how}: ${list(places)}`];
  });
  return [
    ...wrong.slice(0, MOST_TOLD),
    ...lost.slice(0, MOST_TOLD).map((hash) => `${nameOf(hash)} is lost`),
    ...takenBackIsGone(world, rows),
  ];
}

interface Known {
  given: number;
  handedOut: number;
  isSpent: boolean;
  isUnseen: boolean;
  isBornUsed: boolean;
}

function describe(places: readonly CodeRow[], known: Known): string | undefined {
  const { given, handedOut, isSpent, isUnseen } = known;
  const count = (...states: string[]) => places.filter(({ state }) => states.includes(state)).length;
  if (places.length > given) return `was given ${given} times`;
  if (new Set(places.map(({ batchId }) => batchId)).size < places.length) return 'is twice in a batch';
  if (places.length - count(...GONE) > 1) return 'is in two places';
  if (count('extracted') < handedOut) return `was handed out ${handedOut} times`;
  if (handedOut > 0 && given === 1 && count(...TAKEABLE) > 0) return 'had left, and can be taken';
  if (count('redeemed', 'used') > 0 && !isSpent && !known.isBornUsed)
    return 'is redeemed or used, and nobody spent it';
  return isSpent && !isUnseen && given === 1 && count('available') > 0
    ? 'is spent, and on the shelf'
    : undefined;
}

const list = (places: readonly CodeRow[]) =>
  places
    .map(({ state, batchId, extractionId }) => `${state} (batch ${batchId}, extraction ${extractionId})`)
    .join(' and ');

function takenBackIsGone(world: Shops, rows: readonly CodeRow[]): string[] {
  return listKnown(world, 'taken back').flatMap(({ batchId, count }) => {
    const ofBatch = rows.filter((row) => row.batchId === batchId);
    const left = ofBatch.filter(({ state }) => TAKEABLE.includes(state)).length;
    const undone = ofBatch.filter(({ state }) => state === 'undone').length;
    // One that was in doubt then may have come back since, into what is undone.
    return left === 0 && undone >= count
      ? []
      : [`batch ${batchId} was taken back, ${count} codes; ${undone} are, and ${left} can be taken`];
  });
}

const SAYS = `select b.id from batches b where b.added <> (select count(*) from codes c where c.batch_id = b.id)`;

const batchesSayHowManyTheyHave = (world: Shops): string[] =>
  query<{ id: number }>(world, SAYS).map(({ id }) => `batch ${id} has another number of codes than it says`);

function receiptsStand(world: Shops): string[] {
  return listKnown(world, 'receipt').flatMap(({ id, reference, code, credentials }) => {
    const found = world.service.store().read((tables) => tables.redemptions.find(id));
    if (referenceOf(world, id) !== reference || found?.state !== 'redeemed' || found.code !== code)
      return [`receipt ${id} is ${JSON.stringify(found)}`];
    return credentialsOf(world, id) === credentials || credentials === 'null'
      ? []
      : [`receipt ${id} lost its login`];
  });
}

function moneyIsBooked(world: Shops): string[] {
  const wrong: string[] = [];
  const { purchases, bills, waiting } = world.service.store().read((tables) => ({
    purchases: tables.purchases.find,
    bills: tables.purchaseOrders.find,
    waiting: new Set(tables.inbox.listWaiting(0, 1000).map((row) => row.updateId)),
  }));
  for (const { chargeId } of listKnown(world, 'paid'))
    if (!purchases(chargeId)) wrong.push(`${chargeId} is not booked`);
  for (const { chargeId } of listKnown(world, 'refunded'))
    if (!purchases(chargeId)?.refundedAt) wrong.push(`${chargeId} is not refunded`);
  for (const { orderId, shop } of listKnown(world, 'bill'))
    if (bills(orderId)?.accountId !== accountOf(world, shop))
      wrong.push(`${orderId} cannot be paid, or by another`);
  for (const { updateId } of listKnown(world, 'payment waits'))
    if (!waiting.has(updateId)) wrong.push(`the payment of update ${updateId} is not booked any more`);
  const charged =
    "select id from usages where account_id = ? and at = ? and kind = 'character' and returned_at is null";
  for (const { shop, at } of listKnown(world, 'charged'))
    if (query(world, charged, accountOf(world, shop), at).length === 0)
      wrong.push(`the usage of ${at} is lost`);
  return wrong;
}

function keysOpenUntilTheyAreRevoked(world: Shops): string[] {
  const revoked = new Set(listKnown(world, 'revoked').map(({ key }) => key));
  return listKnown(world, 'key').flatMap(({ key }) => {
    const opens = world.service.core().apiKeys.authenticate(key) !== undefined;
    return opens === revoked.has(key)
      ? [`key ${key} ${opens ? 'was revoked, and opens' : 'does not open'}`]
      : [];
  });
}

/** But for what we made unreadable. */
function booksAreConserved({ service, rotten }: Shops, isLast: boolean): string[] {
  return look(service.disk.databasePath(), (file) => {
    const secretOf = file.prepare('select hex(content_secret) from job_slices where rowid = ?').pluck();
    const isRotten = (row: unknown) => rotten.has(String(secretOf.get(row)).toLowerCase());
    return checkConservation(file, isLast ? { secrets } : {})
      .rows.filter(({ check, row }) => check !== 'sealed' || !isRotten(row))
      .slice(0, MOST_TOLD)
      .map((row) => `check: ${JSON.stringify(row)}`);
  });
}
