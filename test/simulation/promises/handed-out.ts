// A code that was handed out is in one hand: people and programs note what they were given (people/), by what gave it to them.
import { hashOf } from './ledger.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';

/** Notes codes that somebody has in their hands now; `by` names the extraction. */
export function handOut(world: World, by: string, codes: readonly string[]): void {
  const { diary } = world;
  for (const code of codes) {
    const earlier = diary.handedOut.get(code);
    if (earlier === undefined && by.startsWith('Extraction ')) noteWhatIsSpent(world, by.slice(11), [code]);
    if (earlier !== undefined && earlier !== by)
      diary.twice.push(`${code} was handed out by ${earlier} and by ${by}`);
    diary.handedOut.set(code, by);
  }
}

const TAKEN_OUT = 'select at from extractions where id = ?';

/** What the bot hands out is unspent when it is taken out. */
export function noteWhatIsSpent(world: World, extraction: string, codes: readonly string[]): void {
  const { diary, disk, platform } = world;
  const at = look(disk.databasePath(), (file) => file.prepare(TAKEN_OUT).pluck().get(Number(extraction))) as
    number | undefined;
  if (at === undefined || diary.isCalendarWrongToday) return;
  for (const code of codes) {
    const spent = platform.find('game_id_1', code);
    if (spent?.reference !== undefined && spent.redeemedAt < at)
      diary.amiss.push(`${code} was handed out by extraction ${extraction}, and was spent before`);
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
