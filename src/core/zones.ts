// Time zones and their days, and the one in which the people of an account read times. A zone is `UTC`, an offset such
// as `+03:00`, or an IANA name.
import { DAY_MS, MINUTE_MS, type Clock } from '../clock.ts';
import { offsetAt } from '../moments.ts';
import type { Store } from '../store/index.ts';
import { type AccountActor, type InTransaction, requirePermission } from './context.ts';
import { CoreError } from './errors.ts';
import { getCurrentActor } from './members.ts';
import { record } from './audit-log.ts';

/** A day of the calendar; where it begins depends on the zone. */
export interface Day {
  year: number;
  /** From 1. */
  month: number;
  day: number;
}

/** Of all offsets on earth. */
const MOST_EAST_MINUTES = 14 * 60;
const MOST_WEST_MINUTES = -12 * 60;

/**
 * The zone that somebody names: `UTC+3`, `GMT-4:30`, `+3`, `Europe/Moscow`, `new york`; undefined: none that is known.
 */
export function parseTimeZone(text: string): string | undefined {
  const wanted = text.trim().replace(/\s+/g, ' ');
  const offset = /^(?:utc|gmt)? ?([+\-−–]) ?(\d{1,2})(?::?(\d{2}))?$/i.exec(wanted);
  if (offset) return toOffset(offset[1] === '+' ? 1 : -1, Number(offset[2]), Number(offset[3] ?? 0));
  if (/^(utc|gmt|z)$/i.test(wanted)) return 'UTC';
  const name = wanted.replaceAll(' ', '_').toLowerCase();
  if (name === '') return undefined;
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    zones.find((zone) => zone.toLowerCase() === name) ??
    zones.find((zone) => zone.toLowerCase().endsWith(`/${name}`)) ??
    findAlias(name)
  );
}

function toOffset(sign: 1 | -1, hours: number, minutes: number): string | undefined {
  const all = sign * (hours * 60 + minutes);
  if (minutes > 59 || all > MOST_EAST_MINUTES || all < MOST_WEST_MINUTES) return undefined;
  if (all === 0) return 'UTC';
  return formatOffset(all);
}

const two = (value: number) => String(value).padStart(2, '0');

/** `+03:00`, of whole minutes. */
function formatOffset(minutes: number): string {
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}

/** `2026-01-13`. */
export const formatIsoDay = ({ year, month, day }: Day): string => [year, month, day].map(two).join('-');

/** A day as it is written so; undefined for what the calendar does not have. */
export function parseIsoDay(text: string): Day | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const read = { year: Number(year), month: Number(month), day: Number(day) };
  return day !== undefined && isDay(read) ? read : undefined;
}

/** ISO 8601 with the offset of the zone: `2026-01-13T11:27:18.520+03:00`; `Z` where there is none. */
export function toIsoTime(at: number, timeZone: string): string {
  const offset = offsetAt(timeZone, at);
  const local = new Date(at + offset).toISOString();
  return offset === 0 ? local : `${local.slice(0, -1)}${formatOffset(Math.round(offset / MINUTE_MS))}`;
}

/** Older names, such as `Europe/Kiev`: known, and listed under another. */
function findAlias(name: string): string | undefined {
  if (!/^[a-z]+\/[a-z_/+-]+$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The day that it is at a moment. */
export function dayAt(timeZone: string, at: number): Day {
  return toDay(at + offsetAt(timeZone, at));
}

/** When a day begins; where its midnight is left out, when its first minute is. */
export function startOfDay(timeZone: string, day: Day): number {
  const midnight = Date.UTC(day.year, day.month - 1, day.day);
  const offsets = [offsetAt(timeZone, midnight - DAY_MS), offsetAt(timeZone, midnight + DAY_MS)];
  const starts = offsets.map((offset) => midnight - offset).sort((a, b) => a - b);
  return starts.find((at) => isSame(dayAt(timeZone, at), day)) ?? starts[0] ?? midnight;
}

/** The day so many days after one, or before. */
export function addDays({ year, month, day }: Day, days: number): Day {
  return toDay(Date.UTC(year, month - 1, day + days));
}

/** From the first moment of a day to the one after the last of another, ms UTC; a side that is left out has no end. */
export function rangeOfDays(
  { from, to }: { from?: Day | undefined; to?: Day | undefined },
  timeZone: string,
): { from: number; until: number } {
  return {
    from: from ? startOfDay(timeZone, from) : 0,
    until: to ? startOfDay(timeZone, addDays(to, 1)) : Number.MAX_SAFE_INTEGER,
  };
}

/** Whether the calendar has it. */
export function isDay(day: Day): boolean {
  const { year } = day;
  return year >= 2000 && year < 2100 && isSame(addDays(day, 0), day);
}

const isSame = (a: Day, b: Day) => a.year === b.year && a.month === b.month && a.day === b.day;

function toDay(shifted: number): Day {
  const date = new Date(shifted);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Of an account; of one that is not there `UTC`. */
export const readTimeZone = (store: Pick<Store, 'read'>, accountId: number): string =>
  store.read((tables) => tables.accounts.find(accountId)?.timeZone ?? 'UTC');

/** The verbs about time zones. */
export function createTimeZones({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** What `readTimeZone` tells. */
    timeZoneOf: (accountId: number): string => readTimeZone(store, accountId),
    /**
     * Takes what `parseTimeZone` understands; what was set. Safe to repeat. Throws CoreError FORBIDDEN, INVALID_INPUT.
     */
    async setTimeZone(
      actor: AccountActor,
      text: string,
      inTransaction?: InTransaction<string>,
    ): Promise<string> {
      const zone = parseTimeZone(text);
      if (zone === undefined) throw new CoreError('INVALID_INPUT', 'There is no such time zone.');
      await store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'setTimeZone');
        const before = tables.accounts.find(actor.accountId)?.timeZone ?? '';
        tables.accounts.setTimeZone(actor.accountId, zone);
        const set = { before: { zone: before }, after: { zone } };
        if (before !== zone) record(tables, actor, 'timeZoneSet', set, clock.now());
        inTransaction?.(tables, zone);
      });
      return zone;
    },
  };
}
