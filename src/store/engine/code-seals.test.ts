// Codes as they are kept: each opens with its own hash only.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { createCodeSeals, HASH_BYTES, createSecrets } from './secrets.ts';

const secrets = createSecrets(randomBytes(32));
const seals = createCodeSeals(secrets);
const CODE = '60SmR4EXEoB4nFkXLw';

test('what is sealed opens, and takes 20 bytes more than the code', () => {
  const sealed = seals.seal('game_id_1', CODE);
  expect(seals.open(sealed)).toBe(CODE);
  expect(sealed.hash).toHaveLength(HASH_BYTES);
  expect(sealed.secret).toHaveLength(20 + CODE.length);
  expect(sealed.secret.includes(CODE)).toBe(false);
});

test('one code sealed twice is never twice alike; its hash always is', () => {
  const sealed = Array.from({ length: 20 }, () => seals.seal('game_id_1', CODE));
  expect(new Set(sealed.map(({ secret }) => secret.toString('hex'))).size).toBe(20);
  expect(new Set(sealed.map(({ hash }) => hash.toString('hex'))).size).toBe(1);
});

test('swapped, changed, cut and foreign secrets do not open', () => {
  const sealed = seals.seal('game_id_1', CODE);
  const other = seals.seal('game_id_1', 'another code');
  expect(seals.openIfSound({ hash: other.hash, secret: sealed.secret })).toBeUndefined();
  for (let at = 0; at < sealed.secret.length; at += 1) {
    const secret = Buffer.from(sealed.secret);
    secret[at] = (secret[at] ?? 0) ^ 1;
    expect(seals.openIfSound({ hash: sealed.hash, secret })).toBeUndefined();
    expect(seals.openIfSound({ hash: sealed.hash, secret: sealed.secret.subarray(0, at) })).toBeUndefined();
  }
  const foreign = createCodeSeals(createSecrets(randomBytes(32)));
  expect(foreign.openIfSound(sealed)).toBeUndefined();
  expect(foreign.hash('game_id_1', CODE)).not.toEqual(sealed.hash);
});

test('codes that lie in files already are found and open', () => {
  const kept = createCodeSeals(createSecrets(Buffer.from(Array.from({ length: 32 }, (_, index) => index))));
  const hash = Buffer.from('0a9326baaed56819a7084d4ba3de1ba1', 'hex');
  const secret = Buffer.from('336104f3836f890e3ba0c8eb278e444a1b7334b0a6b16202b3538f0af3defac6', 'hex');
  expect(kept.hash('game_id_1', 'ABCD1234EFGH')).toEqual(hash);
  expect(kept.open({ hash, secret })).toBe('ABCD1234EFGH');
});
