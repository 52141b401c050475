// IDs that are written in groups: `517 092 5570`, `5170-9255-70`, `5,170,925,570`. A person is asked about each.

/** A number of a line that was written in groups; `start` and `end` are offsets in the line. */
export interface Grouped {
  digits: string;
  start: number;
  end: number;
}

/** Two or more groups of one to four digits with one mark between them, two of five, or the same in thousands. */
const GROUPS =
  /(?<![\p{L}\d.,_/-])(?:\d{1,4}(?:[ -]\d{1,4}){1,5}|(?<!\d[ -])\d{5}[ -]\d{5}(?![ -]\d))(?![\p{L}\d]|[.,_/-]\d)/gu;
const THOUSANDS = /(?<![\p{L}\d.,])\d{1,3}([,.'’])\d{3}(?:\1\d{3}){1,2}(?![\p{L}\d]|[.,]\d)/gu;
/** `2026-11-21`, `21 11 2026`. */
const DAY = /^(?:\d{4}[ -]\d{1,2}[ -]\d{1,2}|\d{1,2}[ -]\d{1,2}[ -]\d{4})$/;
const SHORTEST = 8;
const LONGEST = 11;

/**
 * What could be IDs in groups. Amounts at the end or the beginning may be part of one or not, `517 092 557 60`: then
 * both are there, and one is a part of the other. `isAmount` tells of a group.
 */
export function findGrouped(line: string, isAmount: (group: string) => boolean): Grouped[] {
  const thousands = [...line.matchAll(THOUSANDS)].map(({ 0: text, index }) => toGrouped(text, index));
  const spaced = [...line.matchAll(GROUPS)].flatMap(({ 0: text, index }) => split(text, index, isAmount));
  return [...thousands, ...spaced].filter(
    ({ digits }) => digits.length >= SHORTEST && digits.length <= LONGEST,
  );
}

function split(text: string, index: number, isAmount: (group: string) => boolean): Grouped[] {
  if (DAY.test(text)) return [];
  const groups = text.split(/[ -]/);
  // `60 325 660` is no player.
  if (groups.every((group) => isAmount(group) || group.length === 1)) return [];
  const found = [toGrouped(text, index)];
  let end = text.length;
  for (const group of groups.toReversed()) {
    if (!isAmount(group)) break;
    end -= group.length + 1;
    found.push(toGrouped(text.slice(0, end), index));
  }
  let start = 0;
  for (const group of groups) {
    if (!isAmount(group)) break;
    start += group.length + 1;
    found.push(toGrouped(text.slice(start), index + start));
  }
  return found;
}

function toGrouped(text: string, start: number): Grouped {
  return { digits: text.replace(/\D/g, ''), start, end: start + text.length };
}
