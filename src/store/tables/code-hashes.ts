// How code hashes are compared: short ones, of which the long ones of older files begin with (engine/code-seals.ts).
import { sql, type Orm, type SQL } from '../engine/drizzle.ts';
import { isLeaner } from '../engine/migrations.ts';

const ph = sql.placeholder;

/** A code hash in its short form, as the unique indexes hold it. */
export const shortHash = (column: string): string => `substr(${column}, 1, 16)`;

/** Whether `code_hash` is `:hash`, by the unique index in force (turnover.ts): a large file of before has only long ones. */
export function hasHash(orm: Orm, isTurnedOver: boolean): SQL {
  const isShort = isTurnedOver && isLeaner(orm.$client);
  return sql`${sql.raw(isShort ? shortHash('code_hash') : 'code_hash')} = +${ph('hash')}`;
}

/** Whether a column begins with `:name`, over a plain index of it; bind `beginning(hash)`. */
export const beginsWith = (column: string, name: string): SQL =>
  sql`${sql.raw(column)} >= +${ph(name)} and ${sql.raw(column)} <= +${ph(`${name}End`)}`;

/** The values of `beginsWith`. */
export function beginning<Name extends string>(
  name: Name,
  hash: Buffer,
): Record<Name | `${Name}End`, Buffer> {
  const end = Buffer.concat([hash, BEHIND_ALL]);
  return { [name]: hash, [`${name}End`]: end } as Record<Name | `${Name}End`, Buffer>;
}

/** Greater than any hash: the long ones have 32 bytes. */
export const BEHIND_ALL = Buffer.alloc(33, 0xff);
