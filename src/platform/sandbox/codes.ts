// What a code does in the sandbox, told by how it begins, and the minting of fresh codes. Pure: no file, no clock.
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

type Redeems = Extract<CodeBehaviour, { kind: 'redeems' }>;

const PLAIN: Redeems = { kind: 'redeems', hasOrder: true, delayMs: 0, answer: 'receipt' };
const SLOW_MS = 5_000;

const BY_PREFIX: readonly (readonly [prefix: string, behaviour: CodeBehaviour])[] = [
  ['USED', { kind: 'refuses', errorCode: 'CODE_USED' }],
  ['INVALID', { kind: 'refuses', errorCode: 'INVALID_CODE' }],
  ['RISK', { kind: 'refuses', errorCode: 'RISK_CONTROL' }],
  ['LOGIN', { kind: 'refuses', errorCode: 'LOGIN_FAILED' }],
  ['NOACCOUNT', { kind: 'refuses', errorCode: 'NO_ACCOUNTS_AVAILABLE' }],
  ['NOORDER', { ...PLAIN, hasOrder: false }],
  ['GARBLED', { ...PLAIN, answer: 'garbled' }],
  ['TIMEOUT', { ...PLAIN, answer: 'never' }],
  ['LOST', { kind: 'swallows' }],
  ['DOWN', { kind: 'unreachable' }],
  ['SLOW', { ...PLAIN, delayMs: SLOW_MS }],
];

const WELL_FORMED = /^[A-Za-z0-9]{12,32}$/;
const DENOMINATED = /^(\d+)S/i;

/** What redeeming this code does. Prefixes count in any case; a malformed code is refused as INVALID_CODE. */
export function behaviourOf(code: string): CodeBehaviour {
  const upper = code.toUpperCase();
  const magic = BY_PREFIX.find(([prefix]) => upper.startsWith(prefix))?.[1];
  if (magic?.kind === 'unreachable') return magic;
  if (!WELL_FORMED.test(code)) return { kind: 'refuses', errorCode: 'INVALID_CODE' };
  if (magic) return magic;
  const amount = Number(DENOMINATED.exec(code)?.[1]);
  return Number.isSafeInteger(amount) && amount > 0 ? { ...PLAIN, amount } : PLAIN;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const MINTED_LENGTH = 16;
const LARGEST_DENOMINATION = 9_999_999;

/**
 * Fresh codes that the sandbox redeems for `denomination`: its digits, `S`, then random letters and digits, 16 characters
 * in all, no two alike. Throws RangeError for a denomination that leaves no room to be unguessable.
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
