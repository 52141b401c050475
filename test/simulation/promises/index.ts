// Every promise, by its name: each tells what breaks it, and nothing while it holds. To add one: a file, and a line here.
import type { World } from '../world.ts';
import { codesAndChargesAreConserved } from './conserved.ts';

export type Promised = (world: World) => string[];

export const PROMISES: Readonly<Record<string, Promised>> = {
  codesAndChargesAreConserved,
};
