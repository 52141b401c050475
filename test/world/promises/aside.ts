// What was put aside stays aside, and what a backup put in question is asked about before it counts as unspent.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { hashOf } from './ledger.ts';
import { triedAgain } from './pauses.ts';

const GONE = "select id from codes where state in ('used', 'invalid', 'extracted', 'undone', 'redeemed')";
const TAKEABLE = "select id, account_id as accountId from codes where state in ('available', 'unverified')";

const goneOf = new WeakMap<World['diary'], Set<number>>();

/** By the rows: a code that was taken back and is added again is another row. */
export function whatLeftTheStockStaysAway(world: World): string[] {
  const { disk, diary } = world;
  const again = triedAgain(world);
  return look(disk.databasePath(), (file) => {
    const ids = (sql: string) => file.prepare(sql).pluck().all() as number[];
    const before = goneOf.get(diary);
    goneOf.set(diary, new Set(ids(GONE)));
    if (!before) return [];
    const takeable = file.prepare(TAKEABLE).all() as { id: number; accountId: number }[];
    return takeable
      .filter(({ id, accountId }) => before.has(id) && !again.has(accountId))
      .map(({ id }) => `code ${id} had left the stock, and stands in it`);
  });
}

const SURE = `
  select c.code_hash from codes c join batches b on b.id = c.batch_id
  where c.state = 'available' and c.game_id = 'game_id_1' and b.id <= ? and c.changed_at > ?`;

/** Since the last restore the platform has said of each that it is unspent. */
export function whatARestorePutInQuestionIsAskedAbout({ disk, diary, platform, secrets }: World): string[] {
  const { restored } = diary;
  if (!restored) return [];
  const sure = look(
    disk.databasePath(),
    (file) => file.prepare(SURE).pluck().all(restored.batch, diary.judgedUntil) as Buffer[],
  );
  if (sure.length === 0) return [];
  const hashes = new Set(sure.map((hash) => hash.toString('hex')));
  return secrets
    .codes()
    .filter((code) => hashes.has(hashOf('game_id_1', code)))
    .filter((code) => (platform.lookedAt('game_id_1', code) ?? 0) < restored.at)
    .map((code) => `${code} is taken for unspent since a restore, and nobody asked`);
}
