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
    const isTwice = earlier !== undefined && earlier !== by && !wasListedAgain(world, code);
    // What was taken out in a past that is lost comes back with it: this world has forgotten in whose hands it was.
    if (isTwice && isOfALostPast(world, by)) continue;
    if (isTwice) diary.twice.push(`${code} was handed out by ${earlier} and by ${by}`);
    diary.handedOut.set(code, by);
  }
}

/** By the books: the list came after the code was taken out or back, so that it is none that an import reads once more. */
const LISTED_AGAIN = `
  select 1 from codes gone join batches b on b.id = gone.batch_id left join extractions e on e.id = gone.extraction_id
    join codes again on again.code_hash = gone.code_hash and again.id <> gone.id
    join batches later on later.id = again.batch_id
  where gone.code_hash = ? and (
    (gone.state = 'extracted' and later.at >= e.at) or (gone.state = 'undone' and later.at >= b.undone_at)) limit 1`;

/** A supplier who looked before it left the stock lists it once more: it is a fresh one then. */
const wasListedAgain = ({ disk }: Pick<World, 'disk'>, code: string): boolean =>
  look(disk.databasePath(), (file) => {
    const hash = Buffer.from(hashOf('game_id_1', code), 'hex');
    return file.prepare(LISTED_AGAIN).get(hash) !== undefined;
  });

function isOfALostPast({ diary, disk }: World, by: string): boolean {
  if (!diary.isPastLost || !by.startsWith('Extraction ')) return false;
  const id = Number(by.slice('Extraction '.length));
  const at = look(disk.databasePath(), (file) => file.prepare(TAKEN_OUT).pluck().get(id)) as
    number | undefined;
  return at !== undefined && at <= diary.lostAt;
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
    standing.has(hashOf('game_id_1', code)) && !wasListedAgain({ disk }, code)
      ? [`${code} was handed out by ${by}, and stands in stock`]
      : [],
  );
  return [...diary.twice, ...kept];
}
