// Memoization: of a function of texts, bounded; and of work that is asked for again and again. A write may run twice:
// where one of a batch throws, each is run again, and what is counted in memory is not undone with it.

/** Of a text that is remembered, in characters. */
const LONGEST = 256;

/** Remembers what `read` returned, for up to `most` texts: then it begins anew. `read` depends on its text alone. */
export function memoize<T extends NonNullable<unknown>>(
  read: (text: string) => T,
  most = 1_000,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    if (text.length > LONGEST) return value;
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}

/** Works out once what is asked for again and again, and answers the same ever after, undefined included. */
export function once<T>(work: () => T): () => T {
  let worked: { out: T } | undefined;
  return () => (worked ??= { out: work() }).out;
}
