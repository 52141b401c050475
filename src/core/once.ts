// A write may run twice: where one of a batch throws, each is run again. What is counted in memory is not undone with it.

/** Works out once what is asked for again and again, and answers the same ever after, undefined included. */
export function once<T>(work: () => T): () => T {
  let worked: { out: T } | undefined;
  return () => (worked ??= { out: work() }).out;
}
