// What others of the same shop may have done with a code between a question and its answer.
import { hashOf } from '../promises/ledger.ts';
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const SENT = "select 1 from redemptions where code_hash = ? and mode = 'direct'";

/** Whether a program has sent it to be redeemed. */
export const wasSent = ({ disk }: World, code: string): boolean =>
  look(disk.databasePath(), (file) => {
    const hash = Buffer.from(hashOf('game_id_1', code), 'hex');
    return file.prepare(SENT).get(hash) !== undefined;
  });

const UNDONE = 'select count(*) from batches where undone_at >= ?';

/** Whether anybody took back what they had added. */
export const wasUndoneSince = ({ disk }: Pick<World, 'disk'>, at: number): boolean =>
  look(disk.databasePath(), (file) => (file.prepare(UNDONE).pluck().get(at) as number) > 0);

const EXTRACTED = 'select count(*) from extractions where at >= ?';

/** Whether any code left the stock otherwise than by a redemption: listed again, such a one is fresh. */
export const leftSince = (world: Pick<World, 'disk'>, at: number): boolean =>
  wasUndoneSince(world, at) ||
  look(world.disk.databasePath(), (file) => (file.prepare(EXTRACTED).pluck().get(at) as number) > 0);
