// What is noticed at once, by whoever it happens to: a preview that files codes under another heading, a count that does
// not fit, a wait that is longer than was said.
import type { World } from '../run/world.ts';

/** People and programs note it (people/). */
export const nobodyFoundAnythingAmiss = ({ diary }: World): string[] => diary.amiss;

export const nothingIsLeftThatNothingCutOff = ({ diary }: World): string[] => diary.cutOff;

/** Faults look whether what they bring about is met (faults/). */
export const whatIsBroughtAboutIsMet = ({ diary }: World): string[] => diary.amissBeside;

/** Asked for in the evening (audit/). */
export const whatIsShownIsWhatTheBooksSay = ({ diary }: World): string[] => diary.miscounted;
