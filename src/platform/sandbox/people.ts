// The invented people and accounts of the sandbox. Everything is derived by hash, so it is the same after every restart
// and needs no storage. Some names are awkward on purpose: whoever shows them has to cope.
import { createHash } from 'node:crypto';

import type { PlatformCharacter, Credentials, PlatformOrder } from '../port.ts';
import type { LedgerRow } from './ledger.ts';

/** A player of the sandbox; not every one has a region. */
export interface Player extends PlatformCharacter {
  region?: string;
}

/** How a code was redeemed, as the ledger has it. */
export type Use = Pick<LedgerRow, 'playerId' | 'playerName' | 'openid' | 'amount' | 'redeemedAt'>;

const AWKWARD_NAMES = [
  '<b>Bob</b> & *co*_[x](y)',
  '\u05e9\u05dc\u05d5\u05dd \u202eabc\u202c \u0645\u0631\u062d\u0628\u0627',
  '\u{1F469}\u{1F3FD}\u200D\u{1F680}\u{1F3F3}\uFE0F\u200D\u{1F308} Nova',
  'LongestNameThatThePlatformAllowsWhichIsSixtyCharacters_0123x',
  'Zero\u200bWidth\u2060Joined',
  '=HYPERLINK("http://example.invalid","free")',
] as const;
const FIRST = ['Swift', 'Quiet', 'Amber', 'Iron', 'Lucky', 'North', 'Velvet', 'Storm'] as const;
const SECOND = ['Falcon', 'Otter', 'Comet', 'Badger', 'Willow', 'Raven', 'Pixel', 'Harbor'] as const;
const REGIONS = ['DE', 'TR', 'BR', 'ID', 'SA', 'MY', 'PL'] as const;
/** One name in three is awkward, one player in eight has no region. */
const AWKWARD_EVERY = 3;
const NO_REGION_EVERY = 8;

const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789&_*<!#';
const PASSWORD_LENGTH = 14;
/** Session tokens of the real thing are longer than 256 characters: 225 bytes are 300 in base64url. */
const SESSION_TOKEN_BYTES = 225;

/** The player of this id: any id has one, always the same. */
export function describePlayer(gameId: string, playerId: string): Player {
  const hash = digest('player', gameId, playerId);
  const region = pick(REGIONS, byteAt(hash, 5));
  return {
    openid: digits(hash, 8),
    name: nameFrom(hash),
    ...(byteAt(hash, 6) % NO_REGION_EVERY === 0 ? {} : { region }),
  };
}

const USED_AT = Date.UTC(2025, 0, 1);

/** For whom, and when, a code was redeemed that is used before it comes here. */
export function describeUse(gameId: string, code: string): Use {
  const playerId = digits(digest('stranger', gameId, code), 0);
  const { openid, name } = describePlayer(gameId, playerId);
  return { playerId, openid, playerName: name, amount: null, redeemedAt: USED_AT };
}

/** The platform account that redeemed this order: a login and a password. */
export function accountOf(order: PlatformOrder): Credentials {
  const hash = digest('account', order.code, order.reference);
  const password = Array.from({ length: PASSWORD_LENGTH }, (_, at) =>
    PASSWORD_ALPHABET.charAt(byteAt(hash, 8 + at) % PASSWORD_ALPHABET.length),
  ).join('');
  return { uid: digits(hash, 0), email: `topup.${hash.toString('hex', 0, 5)}@accounts.invalid`, password };
}

/** For the session family: the player account id stands for the login, a session token for the password. */
export function sessionOf(order: PlatformOrder): Credentials {
  const hash = digest('session', order.code, order.reference);
  const token = createHash('shake256', { outputLength: SESSION_TOKEN_BYTES })
    .update(hash)
    .digest('base64url');
  return { email: digits(hash, 0), password: token };
}

function nameFrom(hash: Buffer): string {
  const choice = byteAt(hash, 0);
  if (choice % AWKWARD_EVERY === 0) return pick(AWKWARD_NAMES, byteAt(hash, 1));
  return `${pick(FIRST, byteAt(hash, 2))}${pick(SECOND, byteAt(hash, 3))}${byteAt(hash, 4)}`;
}

function digest(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function digits(hash: Buffer, from: number): string {
  return hash.readBigUInt64BE(from).toString().padStart(20, '1');
}

function byteAt(hash: Buffer, at: number): number {
  return hash.readUInt8(at);
}

function pick<T>(choices: readonly [T, ...T[]], at: number): T {
  return choices[at % choices.length] ?? choices[0];
}
