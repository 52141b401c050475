// Memoization of a function of texts, bounded.

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
