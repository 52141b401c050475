// A key's own limits: so many activations in any 24 hours, from these addresses alone, until this moment.
import { isCidr } from '../../addresses.ts';
import type { KeyLimitsRow } from '../../store/index.ts';
import { CoreError } from '../errors.ts';

/** What is not there does not limit. */
export interface KeyLimits {
  /** Activations in any rolling 24 hours, in quarters of one: 12.25. */
  dayLimit?: number | undefined;
  /** CIDRs of IPv4 and IPv6 from which alone it is taken; an address is one of its own. */
  addresses?: readonly string[] | undefined;
  expiresAt?: number | undefined;
}

/** Of the limits that are to change; null takes one away. */
export type KeyLimitsChange = { readonly [Limit in keyof KeyLimits]?: KeyLimits[Limit] | null };

const MOST_ADDRESSES = 20;
/** Activations. */
export const MOST_PER_DAY = 1_000_000;

export function readLimits({ dayLimit, addresses, expiresAt }: KeyLimitsRow): KeyLimits {
  return {
    ...(dayLimit !== null && { dayLimit: dayLimit / 4 }),
    ...(addresses !== null && { addresses: JSON.parse(addresses) as string[] }),
    ...(expiresAt !== null && { expiresAt }),
  };
}

/** The row of the limits that are left after a change. Throws CoreError INVALID_INPUT. */
export function changeLimits(before: KeyLimitsRow, change: KeyLimitsChange): KeyLimitsRow {
  const { dayLimit, addresses, expiresAt } = change;
  if (typeof dayLimit === 'number' && !isDayLimit(dayLimit))
    throw new CoreError(
      'INVALID_INPUT',
      `The limit of a day is a number of activations from 0.25 to ${MOST_PER_DAY}, in steps of 0.25.`,
    );
  const places = addresses?.map((address) => address.trim()) ?? [];
  if (places.length > MOST_ADDRESSES)
    throw new CoreError('INVALID_INPUT', `A key has at most ${MOST_ADDRESSES} addresses.`);
  const wrong = places.find((place) => !isCidr(place));
  if (wrong !== undefined)
    throw new CoreError(
      'INVALID_INPUT',
      `${JSON.stringify(wrong)} is no address: write 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`,
    );
  const kept = <T>(changed: T | null | undefined, was: T | null) => (changed === undefined ? was : changed);
  return {
    dayLimit: kept(typeof dayLimit === 'number' ? dayLimit * 4 : dayLimit, before.dayLimit),
    addresses: kept(addresses && (places.length > 0 ? JSON.stringify(places) : null), before.addresses),
    expiresAt: kept(expiresAt, before.expiresAt),
  };
}

/** In quarters of one. */
export const isDayLimit = (limit: number): boolean =>
  Number.isInteger(limit * 4) && limit > 0 && limit <= MOST_PER_DAY;
