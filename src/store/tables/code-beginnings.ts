// Code beginnings, by which redemptions are found: keyed hashes of the codes in capitals and without dashes. Those of
// the beginning are noted behind the redemptions, a slice at a time: new ones first, then what a restore has noted
// again.
import { asc, bound, desc, ph, sql, type Orm } from '../engine/drizzle.ts';
import {
  BEHIND_ALL,
  cutHash,
  plainCode,
  type CodeSeals,
  type KeyedHash,
  type Secrets,
} from '../engine/secrets.ts';
import { codeBeginnings, codeBeginningsLeft, redemptions } from '../schema/index.ts';
import { WHOLE } from './redemptions-queries.ts';

/** How many characters at an end of a code find it. */
const END_LENGTH = 6;
/** A longer beginning is told apart by a second hash: codes of one kind share their first characters. */
const LONGER = 10;
/** Of each of the two. What is found is opened and compared: a few bytes find it. */
const STEP_BYTES = 4;
const TAIL_HASH_BYTES = 8;
/** Redemptions noted in one transaction. */
const SLICE = 100;

/** The hash of a beginning; that of a longer one begins with it. undefined: too short to be found by. */
export function hashBeginning(secrets: Secrets, code: string): KeyedHash | undefined {
  const plain = plainCode(code);
  const steps = [END_LENGTH, LONGER].filter((length) => plain.length >= length);
  if (steps.length === 0) return undefined;
  const hashes = steps.map((length) =>
    cutHash(secrets.hash('beginning', plain.slice(0, length)), STEP_BYTES),
  );
  const hash: KeyedHash = Buffer.concat(hashes);
  const older = hashes.flatMap((step) => step.older ?? []);
  if (older.length > 0) hash.older = Buffer.concat(older);
  return hash;
}

/** The hash by which a redemption is found by how its code ends. */
export const hashTail = (secrets: Secrets, code: string): KeyedHash =>
  cutHash(secrets.hash('tail', plainCode(code).slice(-END_LENGTH)), TAIL_HASH_BYTES);

export function createCodeBeginningsTable(orm: Orm, secrets: Secrets, seals: CodeSeals) {
  const queries = prepareQueries(orm);
  const readLeft = () => {
    const { newer = 0, older = 0, last = 0 } = queries.left.get() ?? {};
    return { newer, older, last };
  };

  function note({ id, accountId, codeHash, codeSecret }: Unnoted): Noted | undefined {
    const code = codeHash && codeSecret && seals.openIfSound({ hash: codeHash, secret: codeSecret });
    if (!code) return undefined;
    const hash = hashBeginning(secrets, code);
    return hash && { accountId, hash, redemptionId: id };
  }

  return {
    /** Redemptions whose code may begin so, in no order; `text` has at least the indexed length. */
    find(accountId: number, text: string, limit: number): number[] {
      const hash = hashBeginning(secrets, text);
      if (!hash) return [];
      const begins = (start: Buffer) =>
        queries.find.all({ accountId, hash: start, hashEnd: Buffer.concat([start, BEHIND_ALL]), limit });
      const found = [...begins(hash), ...(hash.older ? begins(hash.older) : [])];
      return [...new Set(found.map((row) => row.redemptionId))].slice(0, limit);
    },
    /** Up to which id new ones are noted. */
    notedUpTo: (): number => readLeft().newer,
    /** Whether there is something to note. */
    hasMore(): boolean {
      const { newer, older, last } = readLeft();
      return newer < last || older > 0;
    },
    /** Notes the next slice; false when nothing is left. */
    fill(): boolean {
      const { newer, older, last } = readLeft();
      const isNew = newer < last;
      if (!isNew && older <= 0) return false;
      const rows = isNew ? queries.listNewer.all({ id: newer }) : queries.listOlder.all({ id: older });
      const noted = rows.map(note).filter((row) => row !== undefined);
      // Neighbours lie on one page.
      for (const row of noted.sort((a, b) => a.accountId - b.accountId || a.hash.compare(b.hash)))
        queries.insert.run(row);
      const reached = rows.length < SLICE ? undefined : rows.at(-1)?.id;
      if (isNew) queries.setLeft.run({ newer: reached ?? last, older });
      else queries.setLeft.run({ newer, older: reached === undefined ? 0 : reached - 1 });
      return this.hasMore();
    },
  };
}

type Unnoted = ReturnType<ReturnType<typeof prepareQueries>['listNewer']['all']>[number];
type Noted = typeof codeBeginnings.$inferSelect;

/** Notes the beginning of a code that was put in place of another. */
export function prepareNoting(orm: Orm) {
  return orm
    .insert(codeBeginnings)
    .select(sql`select account_id, ${ph('hash')}, id from redemptions where id = ${ph('id')}+0`)
    .onConflictDoNothing()
    .prepare();
}

function prepareQueries(orm: Orm) {
  const unnoted = {
    id: redemptions.id,
    accountId: redemptions.accountId,
    codeHash: WHOLE.codeHash,
    codeSecret: WHOLE.codeSecret,
  };
  return {
    find: orm
      .select({ redemptionId: codeBeginnings.redemptionId })
      .from(codeBeginnings)
      .where(sql`account_id = ${ph('accountId')}+0 and hash >= +${ph('hash')} and hash <= +${ph('hashEnd')}`)
      .limit(ph('limit'))
      .prepare(),
    left: orm
      .select({
        newer: codeBeginningsLeft.newer,
        older: codeBeginningsLeft.older,
        last: sql<number>`(select coalesce(max(id), 0) from redemptions)`,
      })
      .from(codeBeginningsLeft)
      .limit(1)
      .prepare(),
    listNewer: orm
      .select(unnoted)
      .from(redemptions)
      .where(sql`id > ${ph('id')}+0`)
      .orderBy(asc(redemptions.id))
      .limit(SLICE)
      .prepare(),
    listOlder: orm
      .select(unnoted)
      .from(redemptions)
      .where(sql`id <= ${ph('id')}+0`)
      .orderBy(desc(redemptions.id))
      .limit(SLICE)
      .prepare(),
    insert: orm
      .insert(codeBeginnings)
      .values({ accountId: ph('accountId'), hash: ph('hash'), redemptionId: ph('redemptionId') })
      .onConflictDoNothing()
      .prepare(),
    setLeft: orm
      .update(codeBeginningsLeft)
      .set({ newer: bound('newer'), older: bound('older') })
      .prepare(),
  };
}
