// What may befall the service. To add a fault: a file, and a line here.
import type { Seeded } from '../../torture/seeded.ts';
import type { World } from '../world.ts';
import { kill } from './kill.ts';

export interface Fault {
  name: string;
  /** How often, beside the others. */
  weight: number;
  /** Begins it, and ends it where it does not end by itself. */
  happen(world: World, random: Seeded): Promise<void>;
}

export const FAULTS: readonly Fault[] = [kill];
