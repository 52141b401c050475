// A code that was handed out is in one hand: people and programs note what they were given (people/), by what gave it
// to them.
import { hashOf } from './ledger.ts';
import { BEGINNINGS } from '../audit/notice-words.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** Notes codes that somebody has in their hands now; `by` names the extraction. */
export function handOut(world: World, by: string, codes: readonly string[]): void {
  const { diary } = world;
  const gameId = findTaken(world, by)?.gameId ?? 'game_id_1';
  for (const code of codes) {
    const hash = hashOf(gameId, code);
    const earlier = diary.handedOut.get(hash)?.by;
    if (earlier === undefined) noteWhatIsSpent(world, by, [code]);
    const isTwice =
      earlier !== undefined &&
      earlier !== by &&
      !isOfAProgram(world, earlier, by) &&
      !wasListedAgain(world, hash);
    if (isTwice) diary.twice.push(`${code} was handed out by ${earlier} and by ${by}`);
    diary.handedOut.set(hash, { code, by });
  }
}

/**
 * By the books: the list came after the code was taken out or back, so that it is none that an import reads once more.
 */
const LISTED_AGAIN = `
  select 1 from codes gone join batches b on b.id = gone.batch_id left join extractions e on e.id = gone.extraction_id
    join codes again on again.code_hash = gone.code_hash and again.id <> gone.id
    join batches later on later.id = again.batch_id
  where gone.code_hash = ? and (
    (gone.state = 'extracted' and later.at >= e.at) or (gone.state = 'undone' and later.at >= b.undone_at)) limit 1`;

/** A supplier who looked before it left the stock lists it once more: it is a fresh one then. */
const wasListedAgain = ({ disk }: Pick<World, 'disk'>, hash: string): boolean =>
  look(disk.databasePath(), (file) => file.prepare(LISTED_AGAIN).get(Buffer.from(hash, 'hex')) !== undefined);

/**
 * What a program took out, by its key, is had again in a chat, by its number: one of the two is named so, and the other
 * is not.
 */
function isOfAProgram(world: World, ...doors: string[]): boolean {
  const [taken, ...others] = doors.flatMap((by) => findTaken(world, by) ?? []);
  return others.length === 0 && taken?.actor.startsWith('apiKey:') === true;
}

const EXTRACTION = 'Extraction ';
const TAKEN = 'select game_id as gameId, at, actor from extractions where id = ?';

interface Taken {
  gameId: string;
  at: number;
  actor: string;
}

/** What it was that took them out, where it was asked for in the chat. */
function findTaken({ disk }: World, by: string): Taken | undefined {
  if (!by.startsWith(EXTRACTION)) return undefined;
  const id = Number(by.slice(EXTRACTION.length));
  return look(disk.databasePath(), (file) => file.prepare(TAKEN).get(id)) as Taken | undefined;
}

/** What the bot hands out is unspent when it is taken out. */
function noteWhatIsSpent(world: World, by: string, codes: readonly string[]): void {
  const { diary, platform } = world;
  const taken = findTaken(world, by);
  if (taken === undefined) return;
  for (const code of codes) {
    const spent = platform.find(taken.gameId, code);
    if (spent?.reference !== undefined && spent.redeemedAt < taken.at)
      diary.notice(`${code} was handed out by ${by}, and was spent before`);
  }
}

const OF_CHATS = `
  select e.id, cast(substr(e.actor, 8) as integer) as telegramId, e.at, m.telegram_id as ownerId
  from extractions e left join members m on m.account_id = e.account_id and m.role = 'owner'
  where e.id > ? and e.actor like 'member:%' and exists (select 1 from codes c where c.extraction_id = e.id)`;

interface OfChat {
  id: number;
  telegramId: number;
  at: number;
  ownerId: number | null;
}

const names = (id: number, text: string): boolean =>
  new RegExp(`<b>(?:Extraction|Забрано, №) ${id}<`).test(text);

/** Those of today that are not in the chat in which they were ordered. */
function listUnsent({ diary, disk, said }: World): OfChat[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(OF_CHATS).all(diary.judgedExtraction),
  ) as OfChat[];
  return rows.filter(
    ({ id, telegramId }) =>
      !said.today.some(
        ({ chatId, document, text }) => chatId === telegramId && document !== undefined && names(id, text),
      ),
  );
}

const isReachable = (world: World, id: number): boolean =>
  !world.diary.isAway({ id }) && !isTouched(world, id);

/** Codes that left the stock by a chat are in that chat, where it is open and of a role that may. */
export const whatIsTakenOutInAChatIsThere = (world: World): string[] =>
  listUnsent(world)
    .filter(({ telegramId }) => isReachable(world, telegramId))
    .map(({ id, telegramId }) => `extraction ${id} of ${telegramId} was handed to nobody`);

/** Of the others the owner knows. */
export const theOwnerHearsOfWhatReachesNoChat = (world: World): string[] =>
  listUnsent(world)
    .filter((row) => !isReachable(world, row.telegramId) && mustBeTold(world, row))
    .filter(
      ({ id, ownerId }) =>
        !world.said.today.some(
          ({ chatId, text }) =>
            chatId === ownerId && BEGINNINGS.extractionUnsent?.test(text) && names(id, text),
        ),
    )
    .map(
      ({ id, telegramId, ownerId }) =>
        `extraction ${id} did not reach ${telegramId}, nor its owner ${ownerId}`,
    );

const isTouched = ({ diary }: World, telegramId: number): boolean =>
  diary.staffing.some(({ id }) => id === telegramId);

/** What an owner took out is owed to them in their own chat. */
function mustBeTold(world: World, { telegramId, ownerId }: OfChat): boolean {
  const { people } = world;
  return (
    ownerId !== null &&
    ownerId !== telegramId &&
    people.some(({ userId }) => userId === ownerId) &&
    isReachable(world, ownerId)
  );
}

const ADDED = 'select 1 from codes c join batches b on b.id = c.batch_id where c.code_hash = ? and b.at >= ?';

/** What a past sent that is lost is waited for before its codes are handed out. */
export function whatIsHandedOutIsSpentByNoLostPast({ diary, platform, disk }: World): string[] {
  const { handedOut, restored } = diary;
  if (!restored) return [];
  return [...platform.spent.values()].flatMap(({ gameId, code, reference, redeemedAt }) => {
    if (reference === undefined || redeemedAt < restored.at || !platform.lost.has(reference)) return [];
    const hash = hashOf(gameId, code);
    const given = handedOut.get(hash);
    if (given === undefined) return [];
    // Whoever lists it again brings one that nobody here knows.
    const isFresh = look(disk.databasePath(), (file) =>
      file.prepare(ADDED).get(Buffer.from(hash, 'hex'), restored.at),
    );
    return isFresh
      ? []
      : [`${code} was handed out by ${given.by}, and then spent by an order of a lost past`];
  });
}

export function noCodeIsHandedOutTwice({ diary, disk }: World): string[] {
  const sql = "select code_hash from codes where state in ('available', 'unverified', 'reserved')";
  const shelf = look(disk.databasePath(), (file) => file.prepare(sql).pluck().all() as Buffer[]);
  const onShelf = new Set(shelf.map((hash) => hash.toString('hex')));
  const kept = [...diary.handedOut].flatMap(([hash, { code, by }]) =>
    onShelf.has(hash) && !wasListedAgain({ disk }, hash)
      ? [`${code} was handed out by ${by}, and stands in stock`]
      : [],
  );
  return [...diary.twice, ...kept];
}
