// What people notice by themselves, at once: a preview that files codes under another heading, a count that does not
// fit, a wait that is longer than was said (people/ note it).
import type { World } from '../run/world.ts';

export function nobodyFoundAnythingAmiss({ diary }: World): string[] {
  return diary.amiss;
}
