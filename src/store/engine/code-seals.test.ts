// Codes as they are kept: short now, long in files from before; each opens with its own hash only.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { createCodeSeals, HASH_BYTES } from './code-seals.ts';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets(randomBytes(32));
const short = createCodeSeals(secrets);
const long = createCodeSeals(secrets, false);
const CODE = '60SmR4EXEoB4nFkXLw';

test('what is sealed opens, and takes 20 bytes more than the code', () => {
  const sealed = short.seal('game_id_1', CODE);
  expect(short.open(sealed)).toBe(CODE);
  expect(sealed.hash).toHaveLength(HASH_BYTES);
  expect(sealed.secret).toHaveLength(20 + CODE.length);
  expect(sealed.secret.includes(CODE)).toBe(false);
});

test('a short hash is the beginning of the long one, and both kinds open with either', () => {
  const [now, before] = [short.seal('game_id_1', CODE), long.seal('game_id_1', CODE)];
  expect(before.hash.subarray(0, HASH_BYTES)).toEqual(now.hash);
  expect([short.open(before), long.open(now)]).toEqual([CODE, CODE]);
  for (const { hash } of [now, before]) {
    expect(short.isHashOf(hash, 'game_id_1', CODE)).toBe(true);
    expect(short.isHashOf(hash, 'game_id_2', CODE)).toBe(false);
    expect(short.isHashOf(hash, 'game_id_1', `${CODE}x`)).toBe(false);
  }
});

test('one code sealed twice is never twice alike; its hash always is', () => {
  const seals = Array.from({ length: 20 }, () => short.seal('game_id_1', CODE));
  expect(new Set(seals.map(({ secret }) => secret.toString('hex'))).size).toBe(20);
  expect(new Set(seals.map(({ hash }) => hash.toString('hex'))).size).toBe(1);
});

test('swapped, changed, cut and foreign secrets do not open', () => {
  const sealed = short.seal('game_id_1', CODE);
  const other = short.seal('game_id_1', 'another code');
  expect(short.openIfSound({ hash: other.hash, secret: sealed.secret })).toBeUndefined();
  for (let at = 0; at < sealed.secret.length; at += 1) {
    const secret = Buffer.from(sealed.secret);
    secret[at] = (secret[at] ?? 0) ^ 1;
    expect(short.openIfSound({ hash: sealed.hash, secret })).toBeUndefined();
    expect(short.openIfSound({ hash: sealed.hash, secret: sealed.secret.subarray(0, at) })).toBeUndefined();
  }
  const foreign = createCodeSeals(createSecrets(randomBytes(32)));
  expect(foreign.openIfSound(sealed)).toBeUndefined();
  expect(foreign.hash('game_id_1', CODE)).not.toEqual(sealed.hash);
});

test('codes that lie in files already are found and open: long ones of the first version, short ones of this', () => {
  const kept = createSecrets(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  const [first, now] = [createCodeSeals(kept, false), createCodeSeals(kept)];
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const ofFirst = {
    hash: bytes('0a9326baaed56819a7084d4ba3de1ba1458422075e39a883435d0f3f0b792b0d'),
    secret: bytes('3372e9c5ca639159cb3f616da441613d9b469574b7fc85e4a7acda07f905e588418ca15bd9c3f0b16fe72852'),
  };
  const ofNow = {
    hash: bytes('0a9326baaed56819a7084d4ba3de1ba1'),
    secret: bytes('336104f3836f890e3ba0c8eb278e444a1b7334b0a6b16202b3538f0af3defac6'),
  };
  expect(first.hash('game_id_1', 'ABCD1234EFGH')).toEqual(ofFirst.hash);
  expect(now.hash('game_id_1', 'ABCD1234EFGH')).toEqual(ofNow.hash);
  expect([now.open(ofFirst), now.open(ofNow)]).toEqual(['ABCD1234EFGH', 'ABCD1234EFGH']);
});
