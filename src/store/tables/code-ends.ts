// The ends of a code, by which its redemption is found: keyed hashes of the code in capitals and without dashes.
import { plainCode, type Secrets } from '../engine/secrets.ts';

/** How many characters at an end of a code find it. */
const END_LENGTH = 6;
/** A longer beginning is told apart by a second hash: codes of one kind share their first characters. */
const LONGER = 10;
/** Of each of the two. What is found is opened and compared: a few bytes find it. */
const STEP_BYTES = 4;
const TAIL_HASH_BYTES = 8;

/** The hash of a beginning; that of a longer one begins with it. undefined: too short to be found by. */
export function hashHead(secrets: Secrets, code: string): Buffer | undefined {
  const plain = plainCode(code);
  const steps = [END_LENGTH, LONGER].filter((length) => plain.length >= length);
  if (steps.length === 0) return undefined;
  return Buffer.concat(
    steps.map((length) => secrets.hash('beginning', plain.slice(0, length)).subarray(0, STEP_BYTES)),
  );
}

export const hashTail = (secrets: Secrets, code: string): Buffer =>
  secrets.hash('tail', plainCode(code).slice(-END_LENGTH)).subarray(0, TAIL_HASH_BYTES);

/** What a redemption keeps of its code to be found by. */
export const hashEnds = (secrets: Secrets, code: string) => ({
  head: hashHead(secrets, code) ?? null,
  tail: hashTail(secrets, code),
});
