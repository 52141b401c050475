// What a code does in a sandbox, told by how it begins, and the minting of fresh codes. Pure: no file, no clock.
import type { RefusalCode } from '../port.ts';

export type CodeBehaviour =
  /** Redeems. `answer` is what the caller gets to hear of it, `delayMs` after how long it takes effect. */
  | {
      kind: 'redeems';
      amount?: number;
      hasOrder: boolean;
      delayMs: number;
      answer: 'receipt' | 'garbled' | 'never';
    }
  | { kind: 'refuses'; errorCode: RefusalCode }
  /** Does not redeem, and nobody is told. */
  | { kind: 'swallows' }
  /** The platform cannot be reached with it. */
  | { kind: 'unreachable' };

/**
 * Which sandbox of how many: a digit right after a magic word binds it to the one of that number, where there are
 * several.
 */
export interface SandboxNumber {
  number: number;
  of: number;
}

type Redeems = Extract<CodeBehaviour, { kind: 'redeems' }>;

const PLAIN: Redeems = { kind: 'redeems', hasOrder: true, delayMs: 0, answer: 'receipt' };
const SLOW_MS = 5_000;
/** Longer than an answer is waited for, once `settlingMs` is over: no look-up before it calls the code unspent. */
const LATE_MS = 8_000;

const BY_PREFIX: readonly (readonly [prefix: string, behaviour: CodeBehaviour])[] = [
  ['USED', { kind: 'refuses', errorCode: 'CODE_USED' }],
  ['INVALID', { kind: 'refuses', errorCode: 'INVALID_CODE' }],
  ['RISK', { kind: 'refuses', errorCode: 'RISK_CONTROL' }],
  ['LOGIN', { kind: 'refuses', errorCode: 'LOGIN_FAILED' }],
  ['NOACCOUNT', { kind: 'refuses', errorCode: 'NO_ACCOUNTS_AVAILABLE' }],
  ['NOORDER', { ...PLAIN, hasOrder: false }],
  ['GARBLED', { ...PLAIN, answer: 'garbled' }],
  ['TIMEOUT', { ...PLAIN, answer: 'never' }],
  ['MUTE', { ...PLAIN, answer: 'never' }],
  ['LATE', { ...PLAIN, delayMs: LATE_MS, answer: 'never' }],
  ['LOST', { kind: 'swallows' }],
  ['DOWN', { kind: 'unreachable' }],
  ['SLOW', { ...PLAIN, delayMs: SLOW_MS }],
];

/** What is true of a code is true of it everywhere: these are bound to no sandbox. */
const OF_CODE = ['USED', 'INVALID'];

const WELL_FORMED = /^[A-Za-z0-9]{12,32}$/;
const DENOMINATED = /^(\d+)S/i;

/**
 * What redeeming this code does at this sandbox. Prefixes count in any case; a malformed code is refused as
 * INVALID_CODE.
 */
export function behaviourOf(code: string, at: SandboxNumber = { number: 1, of: 1 }): CodeBehaviour {
  const upper = code.toUpperCase();
  const [prefix, behaviour] = BY_PREFIX.find(([each]) => upper.startsWith(each)) ?? ['', undefined];
  const bound = Number(upper.charAt(prefix.length));
  const isAnothers =
    at.of > 1 && !OF_CODE.includes(prefix) && bound >= 1 && bound <= at.of && bound !== at.number;
  const magic = isAnothers ? undefined : behaviour;
  if (magic?.kind === 'unreachable') return magic;
  if (!WELL_FORMED.test(code)) return { kind: 'refuses', errorCode: 'INVALID_CODE' };
  if (magic) return magic;
  const amount = Number(DENOMINATED.exec(code)?.[1]);
  return Number.isSafeInteger(amount) && amount > 0 ? { ...PLAIN, amount } : PLAIN;
}

/** Whether no look-up tells what became of it, at whichever sandbox. */
export const isMute = (code: string): boolean => /^MUTE/i.test(code);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const MINTED_LENGTH = 16;
const LARGEST_DENOMINATION = 9_999_999;

/**
 * Fresh codes that the sandbox redeems for `denomination`: its digits, `S`, then random letters and digits, 16
 * characters in all, no two alike. Throws RangeError for a denomination that leaves no room to be unguessable.
 */
export function mintCodes(order: {
  count: number;
  denomination: number;
  randomBytes: (size: number) => Uint8Array;
}): string[] {
  const { count, denomination, randomBytes } = order;
  if (!Number.isInteger(denomination) || denomination < 1 || denomination > LARGEST_DENOMINATION) {
    throw new RangeError(`A denomination is a whole number from 1 to ${LARGEST_DENOMINATION}.`);
  }
  const prefix = `${denomination}S`;
  const codes = new Set<string>();
  while (codes.size < count) codes.add(prefix + randomText(MINTED_LENGTH - prefix.length, randomBytes));
  return [...codes];
}

// Bytes from the last, incomplete run of the alphabet are thrown away: taken modulo, they would favour its beginning.
function randomText(length: number, randomBytes: (size: number) => Uint8Array): string {
  const fair = 256 - (256 % ALPHABET.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < fair) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}
