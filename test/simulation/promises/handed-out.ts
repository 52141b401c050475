// A code that was handed out is in one hand: people and programs note what they were given (people/), by what gave it to them.
import { hashOf } from './ledger.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';

/** Notes codes that somebody has in their hands now; `by` names the extraction. */
export function handOut({ diary }: World, by: string, codes: readonly string[]): void {
  for (const code of codes) {
    const earlier = diary.handedOut.get(code);
    if (earlier !== undefined && earlier !== by)
      diary.twice.push(`${code} was handed out by ${earlier} and by ${by}`);
    diary.handedOut.set(code, by);
  }
}

export function noCodeIsHandedOutTwice({ diary, disk }: World): string[] {
  const sql = "select code_hash from codes where state in ('available', 'unverified', 'reserved')";
  const shelf = look(disk.databasePath(), (file) => file.prepare(sql).pluck().all() as Buffer[]);
  const standing = new Set(shelf.map((hash) => hash.toString('hex')));
  const kept = [...diary.handedOut].flatMap(([code, by]) =>
    standing.has(hashOf('game_id_1', code)) ? [`${code} was handed out by ${by}, and stands in stock`] : [],
  );
  return [...diary.twice, ...kept];
}
