import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { behaviourOf, isMute, mintCodes } from './codes.ts';

/** As README and the interface tell of the magic codes. */
const PLAIN = { kind: 'redeems', hasOrder: true, delayMs: 0, answer: 'receipt' };
const refuses = (errorCode: string) => ({ kind: 'refuses', errorCode });

describe('what a code does', () => {
  test.each<[code: string, behaviour: object]>([
    ['60Sabcdefghi', { ...PLAIN, amount: 60 }],
    ['8100sabcdefghi', { ...PLAIN, amount: 8100 }],
    ['Xabcdefghijk', PLAIN],
    ['S60abcdefghi', PLAIN],
    ['0Sabcdefghij', PLAIN],
    ['99999999999999999Sabc', PLAIN],
    ['USEDabcdefgh', refuses('CODE_USED')],
    ['usedabcdefgh', refuses('CODE_USED')],
    ['INVALIDabcde', refuses('INVALID_CODE')],
    ['RISKabcdefgh', refuses('RISK_CONTROL')],
    ['LOGINabcdefg', refuses('LOGIN_FAILED')],
    ['NOACCOUNTabc', refuses('NO_ACCOUNTS_AVAILABLE')],
    ['NOORDERabcde', { ...PLAIN, hasOrder: false }],
    ['GARBLEDabcde', { ...PLAIN, answer: 'garbled' }],
    ['TIMEOUTabcde', { ...PLAIN, answer: 'never' }],
    ['LOSTabcdefgh', { kind: 'swallows' }],
    ['DOWNabcdefgh', { kind: 'unreachable' }],
    ['DOWN', { kind: 'unreachable' }],
    ['SLOWabcdefgh', { ...PLAIN, delayMs: 5_000 }],
    ['MUTEabcdefgh', { ...PLAIN, answer: 'never' }],
    ['LATEabcdefgh', { ...PLAIN, delayMs: 8_000, answer: 'never' }],
    ['DOWN1abcdefg', { kind: 'unreachable' }],
    ['xUSEDabcdefgh', PLAIN],
    ['60Sabcdefgh', refuses('INVALID_CODE')],
    [`60S${'a'.repeat(29)}`, { ...PLAIN, amount: 60 }],
    [`60S${'a'.repeat(30)}`, refuses('INVALID_CODE')],
    ['60S-abcdefghi', refuses('INVALID_CODE')],
    [' 60Sabcdefghi', refuses('INVALID_CODE')],
    ['60Sabcdefghi\n', refuses('INVALID_CODE')],
    ['TIMEOUT', refuses('INVALID_CODE')],
  ])('%j', (code, behaviour) => expect(behaviourOf(code)).toEqual(behaviour));
});

describe('what a code does at the second of three sandboxes', () => {
  test.each<[code: string, behaviour: object]>([
    ['DOWN2abcdefg', { kind: 'unreachable' }],
    ['noaccount2ab', refuses('NO_ACCOUNTS_AVAILABLE')],
    ['MUTE2abcdefg', { ...PLAIN, answer: 'never' }],
    ['NOACCOUNT1ab', PLAIN],
    ['LOGIN3abcdef', PLAIN],
    ['LOST1abcdefg', PLAIN],
    ['DOWN1', refuses('INVALID_CODE')],
    // Of the code, not of who is asked.
    ['USED1abcdefg', refuses('CODE_USED')],
    ['INVALID3abcd', refuses('INVALID_CODE')],
    // No digit of one that there is: it holds everywhere.
    ['LOGIN4abcdef', refuses('LOGIN_FAILED')],
    ['LOGIN0abcdef', refuses('LOGIN_FAILED')],
    ['LOGINabcdef1', refuses('LOGIN_FAILED')],
    ['60Sabcdefghi', { ...PLAIN, amount: 60 }],
    ['1Sabcdefghijk', { ...PLAIN, amount: 1 }],
    ['1abcdefghijkl', PLAIN],
  ])('%j', (code, behaviour) => expect(behaviourOf(code, { number: 2, of: 3 })).toEqual(behaviour));

  test('no look-up tells of a mute one, whichever sandbox it is bound to', () => {
    expect(['MUTEabcdefgh', 'mute3abcdefg', 'xMUTEabcdef'].map(isMute)).toEqual([true, true, false]);
  });
});

describe('minting', () => {
  test('minted codes are 16 characters, all different, and worth their denomination', () => {
    const codes = mintCodes({ count: 500, denomination: 8100, randomBytes });
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(code).toMatch(/^8100S[A-Za-z0-9]{11}$/);
    expect(codes.map((code) => behaviourOf(code))).toEqual(
      codes.map(() => expect.objectContaining({ kind: 'redeems', amount: 8100 })),
    );
  });

  test('no letter is favoured: bytes beyond the last whole alphabet are thrown away', () => {
    const bytes = [255, 248, 0, 61, 62, 247];
    let at = 0;
    const next = (size: number) => Uint8Array.from({ length: size }, () => bytes[at++ % bytes.length] ?? 0);
    expect(mintCodes({ count: 1, denomination: 60, randomBytes: next })).toEqual(['60SA9A9A9A9A9A9A']);
  });

  test('the same randomness twice does not give the same code twice', () => {
    let call = 0;
    const repeating = (size: number) => new Uint8Array(size).fill(call++ < 3 ? 1 : 2);
    expect(mintCodes({ count: 2, denomination: 60, randomBytes: repeating })).toEqual([
      '60SBBBBBBBBBBBBB',
      '60SCCCCCCCCCCCCC',
    ]);
  });

  test.for([0, -60, 1.5, 10_000_000, Number.NaN])('a denomination of %s is refused', (denomination) => {
    expect(() => mintCodes({ count: 1, denomination, randomBytes })).toThrow(
      new RangeError('A denomination is a whole number from 1 to 9999999.'),
    );
  });

  test.for([1, 9_999_999])('a denomination of %i is minted', (denomination) => {
    const [code] = mintCodes({ count: 1, denomination, randomBytes });
    expect(code).toHaveLength(16);
    expect(behaviourOf(code!)).toMatchObject({ amount: denomination });
  });
});
