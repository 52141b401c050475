// What programs send that nobody thought of, a code with blanks around it; and what they make of the answers.
import { behaviourOf } from '../../../src/platform/sandbox/codes.ts';
import type { Wish } from '../run/diary.ts';
import type { World } from '../run/world.ts';
import type { Self } from './index.ts';

const AROUND: readonly (readonly [before: string, after: string])[] = [
  ['', ' '],
  [' ', ''],
  ['', '\n'],
  ['\t', '\r\n'],
];

/** As it is copied from a table or a mail, now and then. */
export function copied(code: string, { random }: Pick<Self, 'random'>): string {
  if (!random.chance(0.15)) return code;
  const [before, after] = random.pick(AROUND);
  return before + code + after;
}

/** What an answer says is about what was asked. */
export function compareWithWish(world: World, by: string, wish: Wish, json: unknown): void {
  const { playerId, errorCode } = (json ?? {}) as { playerId?: string; errorCode?: string };
  const { codeOverride: code } = wish.body as { codeOverride?: string };
  if (playerId !== undefined && playerId !== wish.playerId)
    world.diary.amiss.push(`${by} asked for ${wish.playerId}, and is told of ${playerId}`);
  const isRejected = world.platform.rejected.has(code?.trim() ?? '');
  const isWell = code !== undefined && !isRejected && behaviourOf(code.trim()).kind !== 'refuses';
  if (errorCode === 'INVALID_CODE' && isWell)
    world.diary.amiss.push(`${by} is told that ${JSON.stringify(code)} is no code`);
}
