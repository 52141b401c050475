// What a planted bug is.

export interface PlantedBug {
  name: string;
  file: string;
  /** Each text must occur; every occurrence is replaced. */
  edits: [find: string, replace: string][];
  /** Test files, of which one must fail. */
  tests: string[];
}
