// The power goes: what SQLite had not told the disk to keep is gone.
import type { Fault } from './index.ts';
import { strike } from './kill.ts';

export const powerLoss: Fault = {
  name: 'power loss',
  weight: 2,
  of: 'end',
  happen: (world, random) => strike(world, random, 'power lost'),
};
