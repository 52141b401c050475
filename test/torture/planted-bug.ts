// What a planted bug is.
import type { Planting } from '../mutate/planted-tree.ts';

export interface PlantedBug extends Planting {
  name: string;
  /** Test files, of which one must fail. */
  tests: string[];
}
