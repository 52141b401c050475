// Seeds from seeds: a stream of chance for everything that has a name.

/** Each stream of chance its own: who is left out changes nobody else's. */
export function seedOf(seed: number, name: string): number {
  let hash = seed ^ 0x9e3779b9;
  for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
