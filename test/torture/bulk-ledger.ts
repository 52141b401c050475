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
  /** Everything that is not true of these rows; `spent` are the codes that the platform redeemed. */
  audit(rows: readonly CodeRow[], spent: ReadonlySet<string>): string[];
}

const MOST_TOLD = 5;

export function createLedger(): Ledger {
  const given = new Map<string, number>();
  const acknowledged = new Set<string>();
  const extractions = new Map<string, readonly string[]>();
  const handedOut = new Map<string, number>();
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
    audit(rows, spent) {
      const all = Map.groupBy(rows, ({ code }) => code);
      const known = { acknowledged, 'handed out': handedOut.keys() };
      const lost = Object.entries(known).flatMap(([what, codes]) =>
        [...codes].filter((code) => !all.has(code)).map((code) => `${code} was ${what}, and is lost`),
      );
      const wrong = [...all].flatMap(([code, places]) => {
        const times = { given: given.get(code) ?? 0, handedOut: handedOut.get(code) ?? 0 };
        const how = describe(places, { ...times, isSpent: spent.has(code) });
        return how === undefined ? [] : [`${code} ${how}: ${JSON.stringify(places)}`];
      });
      // One that is everywhere would fill the page.
      return [lies, lost, wrong].flatMap((found) => found.slice(0, MOST_TOLD));
    },
  };
}

/** A row that is extracted for each time that it was handed out, and never both handed out and spent. */
function describe(
  places: readonly CodeRow[],
  { given, handedOut, isSpent }: { given: number; handedOut: number; isSpent: boolean },
): string | undefined {
  const count = (...states: string[]) => places.filter(({ state }) => states.includes(state)).length;
  const gone = count('extracted', 'undone');
  if (places.length > given) return `was given ${given} times`;
  if (new Set(places.map(({ batchId }) => batchId)).size < places.length) return 'is twice in a batch';
  if (places.length - gone > 1) return 'is in two places';
  if (count('extracted') < handedOut) return `was handed out ${handedOut} times`;
  const isLeft = gone === places.length || count('available') > 0;
  return isSpent && isLeft ? 'is spent, and left or can be taken' : undefined;
}
