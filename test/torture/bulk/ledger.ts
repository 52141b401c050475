// What the world outside was told about codes, and what must therefore be true of the database: each code in exactly
// one place, handed out no more often than it was given, and nothing that was acknowledged lost.

/** A code of the database, opened. */
export interface CodeRow {
  code: string;
  state: string;
  batchId: number;
  extractionId: number | null;
}

export interface Ledger {
  /** Somebody gives these codes: each may be taken once more. Codes named twice in one giving count once. */
  give(codes: Iterable<string>): void;
  /** He was told that they are in the database now, or have been there. */
  acknowledge(codes: Iterable<string>): void;
  /** He was told these codes of an extraction, for the first time or again. */
  handOut(extraction: string, codes: readonly string[]): void;
  /** He was told that so many of the batch were taken back. */
  takeBack(batchId: number, count: number): void;
  /** He was told that this code was redeemed. */
  redeem(code: string): void;
  /** Everything that is not true of these rows; `spent` are the codes that the platform redeemed. */
  audit(rows: readonly CodeRow[], spent: ReadonlySet<string>): string[];
}

const GONE = ['extracted', 'undone'];
const TAKEABLE = ['available', 'unverified'];
const MOST_TOLD = 5;

export function createLedger(): Ledger {
  const given = new Map<string, number>();
  const acknowledged = new Set<string>();
  const extractions = new Map<string, readonly string[]>();
  const handedOut = new Map<string, number>();
  const takenBack = new Map<number, number>();
  const redeemed = new Set<string>();
  const lies: string[] = [];

  return {
    give(codes) {
      for (const code of new Set(codes)) given.set(code, (given.get(code) ?? 0) + 1);
    },
    acknowledge(codes) {
      for (const code of codes) acknowledged.add(code);
    },
    handOut(extraction, codes) {
      const before = extractions.get(extraction);
      if (before) {
        if (before.join() !== codes.join())
          lies.push(`extraction ${extraction} was ${before.length} codes, and is ${codes.length} others`);
        return;
      }
      extractions.set(extraction, codes);
      for (const code of codes) handedOut.set(code, (handedOut.get(code) ?? 0) + 1);
      const often = codes.filter((code) => (handedOut.get(code) ?? 0) > (given.get(code) ?? 0));
      if (often.length > 0)
        lies.push(`extraction ${extraction} tells ${often.length} codes more often than they were given`);
    },
    takeBack: (batchId, count) => void takenBack.set(batchId, count),
    redeem: (code) => void redeemed.add(code),
    audit(rows, spent) {
      const all = Map.groupBy(rows, ({ code }) => code);
      const found = [
        ...lies,
        ...told('is given once more than it can be taken', all, (code, places) =>
          places.length > (given.get(code) ?? 0) ? `${places.length} rows` : undefined,
        ),
        ...told('is twice in a batch', all, (_, places) =>
          new Set(places.map(({ batchId }) => batchId)).size < places.length ? 'yes' : undefined,
        ),
        ...told('is in two places', all, (_, places) =>
          places.filter(({ state }) => !GONE.includes(state)).length > 1 ? list(places) : undefined,
        ),
        ...told('left and can be taken or was spent', all, (code, places) =>
          describeReturn(places, handedOut.get(code) ?? 0, spent.has(code)),
        ),
        ...missing(all, acknowledged, 'is lost'),
        ...missing(all, handedOut.keys(), 'was handed out and is not known'),
        ...notIn(all, redeemed, 'redeemed', 'was redeemed'),
      ];
      for (const [batchId, count] of takenBack) {
        const ofBatch = rows.filter((row) => row.batchId === batchId);
        const left = ofBatch.filter(({ state }) => TAKEABLE.includes(state)).length;
        const undone = ofBatch.filter(({ state }) => state === 'undone').length;
        if (left > 0) found.push(`batch ${batchId} was taken back, and ${left} of it can be taken`);
        if (undone !== count) found.push(`of batch ${batchId} ${count} were taken back, and ${undone} are`);
      }
      return found;
    },
  };
}

/** A row that is extracted for each time that it was handed out, and never both handed out and spent. */
function describeReturn(places: readonly CodeRow[], handedOut: number, isSpent: boolean): string | undefined {
  const extracted = places.filter(({ state }) => state === 'extracted').length;
  if (extracted < handedOut) return `handed out ${handedOut} times, ${list(places)}`;
  const gone = places.filter(({ state }) => GONE.includes(state)).length;
  if (isSpent && gone === places.length) return `spent, and ${list(places)}`;
  const takeable = places.find(({ state }) => TAKEABLE.includes(state));
  return isSpent && takeable?.state === 'available' ? `spent, and ${list(places)}` : undefined;
}

function told(
  what: string,
  all: ReadonlyMap<string, CodeRow[]>,
  describe: (code: string, places: CodeRow[]) => string | undefined,
): string[] {
  const found: string[] = [];
  for (const [code, places] of all) {
    const how = describe(code, places);
    if (how !== undefined) found.push(`${code} ${what}: ${how}`);
  }
  return shorten(found);
}

function missing(all: ReadonlyMap<string, CodeRow[]>, codes: Iterable<string>, what: string): string[] {
  return shorten([...codes].filter((code) => !all.has(code)).map((code) => `${code} ${what}`));
}

function notIn(
  all: ReadonlyMap<string, CodeRow[]>,
  codes: Iterable<string>,
  state: string,
  what: string,
): string[] {
  const wrong = [...codes].filter((code) => !all.get(code)?.some((place) => place.state === state));
  return shorten(wrong.map((code) => `${code} ${what}, and is ${list(all.get(code) ?? [])}`));
}

const list = (places: readonly CodeRow[]) =>
  places
    .map(({ state, batchId, extractionId }) => `${state} (batch ${batchId}, extraction ${extractionId})`)
    .join(' and ');

/** One that is everywhere would fill the page. */
function shorten(found: string[]): string[] {
  if (found.length <= MOST_TOLD) return found;
  return [...found.slice(0, MOST_TOLD), `… and ${found.length - MOST_TOLD} more like it`];
}
