// What others of the same shop may have done with a code between a question and its answer.
import { hashOf } from '../promises/ledger.ts';
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const SENT = "select 1 from redemptions where code_hash = ? and mode = 'direct'";

/** Whether a program has sent it to be redeemed. */
export const wasSent = ({ disk }: World, code: string): boolean =>
  look(disk.databasePath(), (file) => {
    const hash = Buffer.from(hashOf('game_id_1', code), 'hex');
    return file.prepare(SENT).get(hash) !== undefined;
  });

const UNDOINGS = "select count(*) from jobs where kind = 'undo'";
const UNDONE = `${UNDOINGS} and state <> 'running'`;

/** How often a list was taken back so far; for `wasUndoneSince`. */
export const countUndone = ({ disk }: Pick<World, 'disk'>): number =>
  look(disk.databasePath(), (file) => file.prepare(UNDONE).pluck().get() as number);

/**
 * Whether anybody takes back what they had added, or was just doing so: the list ends at once where it is still being
 * added, and is marked as taken back with its last code. By their number: a calendar may be set right meanwhile.
 */
export const wasUndoneSince = ({ disk }: Pick<World, 'disk'>, undone: number): boolean =>
  look(disk.databasePath(), (file) => (file.prepare(UNDOINGS).pluck().get() as number) !== undone);

const GONE = `
  select count(*) from codes where game_id = 'game_id_1' and state in ('extracted', 'undone')
    and hex(code_hash) in (select upper(value) from json_each(?))`;

/**
 * How often these codes left a stock otherwise than by a redemption: listed again, such a one is fresh. An extraction
 * that asks the platform about each of its codes takes them long after it began.
 */
export const countGone = ({ disk }: Pick<World, 'disk'>, codes: readonly string[]): number =>
  look(disk.databasePath(), (file) => {
    const hashes = JSON.stringify(codes.map((code) => hashOf('game_id_1', code)));
    return file.prepare(GONE).pluck().get(hashes) as number;
  });
