// Secrets: what is sealed opens for its own row under its own key, and nothing else ever does.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createSecrets, KEY_BYTES } from './secrets.ts';

const secrets = createSecrets(Buffer.alloc(KEY_BYTES, 7));
const texts = fc.string({ unit: 'binary', maxLength: 60 });

describe('sealing', () => {
  test('opens to the same text, whatever it is', () => {
    fc.assert(
      fc.property(texts, texts, (identity, text) => {
        expect(secrets.open(identity, secrets.seal(identity, text))).toBe(text);
      }),
    );
  });

  test('opens under no other identity', () => {
    fc.assert(
      fc.property(texts, texts, texts, (identity, other, text) => {
        fc.pre(identity !== other);
        expect(() => secrets.open(other, secrets.seal(identity, text))).toThrow();
      }),
    );
  });

  test('every changed bit is noticed', () => {
    const sealed = secrets.seal('row:1', 'a code and a password');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => secrets.open('row:1', changed)).toThrow();
    }
  });

  test.each(['a code', ''])('every cut is noticed of "%s", and one into the head is named', (text) => {
    const [hash, sealed] = [secrets.hash('code', text), secrets.seal('row:1', text)];
    for (let length = 0; length < sealed.length; length += 1) {
      const message = length < 32 ? 'another encryption key' : 'authenticate';
      expect(() => secrets.open('row:1', sealed.subarray(0, length))).toThrow(message);
    }
    const byHash = secrets.sealByHash(hash, text);
    for (let length = 0; length < byHash.length; length += 1) {
      const message = length < 20 ? 'another encryption key' : 'authenticate';
      expect(() => secrets.openByHash(hash, byHash.subarray(0, length))).toThrow(message);
    }
  });

  test('another key is named by its id, before anything is decrypted', () => {
    const other = createSecrets(Buffer.alloc(KEY_BYTES, 8));
    expect(other.keyId.equals(secrets.keyId)).toBe(false);
    expect(() => other.open('row:1', secrets.seal('row:1', 'a code'))).toThrow('another encryption key');
  });

  test('the same text never seals the same way twice, in thousands', () => {
    const sealed = Array.from({ length: 2_000 }, () => secrets.seal('row:1', 'a code').toString('base64'));
    expect(new Set(sealed).size).toBe(2_000);
  });

  test('the text is not in the sealed value, nor is the key id the key', () => {
    expect(secrets.seal('row:1', 'a code to hide').includes('a code to hide')).toBe(false);
    expect(Buffer.alloc(KEY_BYTES, 7).includes(secrets.keyId)).toBe(false);
  });

  test.each([0, 16, 31, 33])('a key of %i bytes is refused', (length) => {
    expect(() => createSecrets(randomBytes(length))).toThrow('32 bytes');
  });
});

describe('hashing', () => {
  test('is the same for the same purpose and value under one key, and differs in each of the three', () => {
    const other = createSecrets(Buffer.alloc(KEY_BYTES, 8));
    const hash = secrets.hash('code', 'value');
    expect(hash).toHaveLength(32);
    expect(createSecrets(Buffer.alloc(KEY_BYTES, 7)).hash('code', 'value')).toEqual(hash);
    for (const different of [
      secrets.hash('tail', 'value'),
      secrets.hash('code', 'Value'),
      other.hash('code', 'value'),
      secrets.hash('cod', 'evalue'),
      secrets.hash('codev', 'alue'),
    ])
      expect(different.equals(hash)).toBe(false);
  });
});

/** As the version before wrote them: what changes one of these leaves every database and backup there is unreadable. */
describe('values that lie in files already', () => {
  const kept = createSecrets(Buffer.from(Array.from({ length: 32 }, (_, index) => index)));
  const bytes = (hex: string) => Buffer.from(hex, 'hex');

  test('name the key they were sealed with', () => {
    expect(kept.keyId).toEqual(bytes('3372e9c5'));
  });

  test('are found by the hash they were kept under', () => {
    expect(kept.hash('code', 'game_id_1\0ABCD1234EFGH')).toEqual(
      bytes('0a9326baaed56819a7084d4ba3de1ba1458422075e39a883435d0f3f0b792b0d'),
    );
  });

  test('open, in both forms', () => {
    const sealed = `3372e9c5d8400f0a0b8b743ebd99411f93ae05744bfc315fac6cd7738b1ccd21
      43d226b4f1a125c1b071f944564582d19c6f8b5ee75a`.replace(/\s+/g, '');
    expect(kept.open('redemption:ref:credentials', bytes(sealed))).toBe('login and пароль');
    const byHash = bytes('33e77d8a609bf344e9520b0fe80a0a2a1a46c70f0d2438c2bbed0c2f0d2c3d5c');
    expect(kept.openByHash(bytes('0a9326baaed56819a7084d4ba3de1ba1'), byHash)).toBe('ABCD1234EFGH');
  });
});
