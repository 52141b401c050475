// Encryption of what must not be read from the file, and keyed hashes to look it up by. A sealed value is: key id (4) ·
// nonce (12) · tag (16) · ciphertext, AES-256-GCM, with the row's identity as additional data.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  type KeyObject,
} from 'node:crypto';

export const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** By so much a sealed value is longer. */
export const HEAD_BYTES = KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

export interface Secrets {
  /** Which key sealed a value: the first bytes of a digest of the key. */
  readonly keyId: Buffer;
  /** `identity` names the row and column; the value opens under no other. */
  seal(identity: string, plaintext: string): Buffer;
  /** Throws when the value was sealed by another key, for another row, or was changed. */
  open(identity: string, sealed: Buffer): string;
  /** undefined where it does not open: a disk that rots costs its own rows, and none of the others. */
  openIfSound(identity: string, sealed: Buffer): string | undefined;
  /**
   * As `seal`, for values that are kept beside their own keyed hash: smaller by what the hash stands for. The nonce is
   * the hash's beginning and three random bytes, the additional data is the hash.
   */
  sealByHash(hash: Buffer, plaintext: string): Buffer;
  /** Throws as `open` does. */
  openByHash(hash: Buffer, sealed: Buffer): string;
  /** A keyed hash for look-ups and uniqueness; `purpose` keeps the columns apart. 32 bytes. */
  hash(purpose: string, value: string): Buffer;
}

/**
 * Hashes of what is kept sealed beside them: a rekey makes them anew. All others, of idempotency keys, references, API
 * keys and links, name what was given away or cannot be known again: the naming key, which no rekey changes, makes them.
 */
const MADE_ANEW: readonly string[] = ['code', 'tail', 'beginning'];

/** Derives what it needs from keys of 32 bytes. `names`: the naming key of the file; another for what has no file. */
export function createSecrets(key: Buffer, names: Buffer = key): Secrets {
  const { hashing, ...seals } = openKey(key);
  const naming = derive(names, 'names');
  return {
    ...seals,
    openIfSound(identity, sealed) {
      try {
        return seals.open(identity, sealed);
      } catch {
        return undefined;
      }
    },
    hash: (purpose, value) => digest(MADE_ANEW.includes(purpose) ? hashing : naming, purpose, value),
  };
}

const digest = (key: KeyObject, purpose: string, value: string): Buffer =>
  createHmac('sha256', key).update(`${purpose}\0${value}`).digest();

function openKey(key: Buffer) {
  if (key.length !== KEY_BYTES)
    throw new Error(`An encryption key has ${KEY_BYTES} bytes, this one ${key.length}.`);
  const sealing = derive(key, 'seal');
  const keyId = createHash('sha256').update(derive(key, 'id').export()).digest().subarray(0, KEY_ID_BYTES);
  const nextNonce = createNonces(NONCE_BYTES);

  return {
    keyId,
    hashing: derive(key, 'hash'),
    seal(identity: string, plaintext: string): Buffer {
      const nonce = nextNonce();
      const { tag, ciphertext } = encrypt(sealing, nonce, Buffer.from(identity), plaintext);
      return Buffer.concat([keyId, nonce, tag, ciphertext]);
    },
    open(identity: string, sealed: Buffer): string {
      if (sealed.length < HEAD_BYTES || !sealed.subarray(0, KEY_ID_BYTES).equals(keyId)) throw anotherKey();
      const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
      return decrypt(sealing, nonce, Buffer.from(identity), sealed.subarray(KEY_ID_BYTES + NONCE_BYTES));
    },
    ...createSealingByHash(derive(key, 'seal-by-hash'), keyId),
  };
}

const SALT_BYTES = 3;
const SHORT_HEAD_BYTES = 1 + SALT_BYTES + TAG_BYTES;

/**
 * A sealed value is: first byte of the key id (1) · salt (3) · tag (16) · ciphertext. A key of its own, so that these
 * nonces meet no random ones. Two different values share a nonce as rarely as two random ones would: its nine bytes of
 * hash are keyed. The salt tells two seals of one value apart.
 */
function createSealingByHash(sealing: KeyObject, keyId: Buffer): Pick<Secrets, 'sealByHash' | 'openByHash'> {
  const nextSalt = createNonces(SALT_BYTES);
  const nonceOf = (salt: Buffer, hash: Buffer) =>
    Buffer.concat([salt, hash.subarray(0, NONCE_BYTES - SALT_BYTES)]);
  return {
    sealByHash(hash, plaintext) {
      const salt = nextSalt();
      const { tag, ciphertext } = encrypt(sealing, nonceOf(salt, hash), hash, plaintext);
      return Buffer.concat([keyId.subarray(0, 1), salt, tag, ciphertext]);
    },
    openByHash(hash, sealed) {
      if (sealed.length < SHORT_HEAD_BYTES || sealed[0] !== keyId[0]) throw anotherKey();
      const salt = sealed.subarray(1, 1 + SALT_BYTES);
      return decrypt(sealing, nonceOf(salt, hash), hash, sealed.subarray(1 + SALT_BYTES));
    },
  };
}

/** AES-256-GCM. `about` is the additional data: the value opens beside no other. */
function encrypt(key: KeyObject, nonce: Buffer, about: Buffer, plaintext: string) {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(about);
  const ciphertext = cipher.update(plaintext, 'utf8');
  cipher.final();
  return { tag: cipher.getAuthTag(), ciphertext };
}

/** `sealed`: tag and ciphertext. Throws where anything was changed. */
function decrypt(key: KeyObject, nonce: Buffer, about: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(about)
    .setAuthTag(sealed.subarray(0, TAG_BYTES));
  const plaintext = decipher.update(sealed.subarray(TAG_BYTES));
  decipher.final();
  return plaintext.toString('utf8');
}

function anotherKey(): Error {
  return new Error('A stored secret was sealed with another encryption key.');
}

function derive(key: Buffer, purpose: string) {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), purpose, KEY_BYTES)));
}

/** Random nonces of so many bytes, drawn from the system in blocks: one system call serves many. */
function createNonces(bytes: number): () => Buffer {
  const block = Buffer.alloc(bytes * 256);
  let next = block.length;
  return () => {
    if (next === block.length) {
      randomFillSync(block);
      next = 0;
    }
    next += bytes;
    return Buffer.from(block.subarray(next - bytes, next));
  };
}

/** A code ready to be written; made outside any transaction, since sealing takes longer than inserting. */
export interface SealedCode {
  hash: Buffer;
  secret: Buffer;
}

export const HASH_BYTES = 16;
/** Greater than any hash. */
export const BEHIND_ALL = Buffer.alloc(HASH_BYTES + 1, 0xff);

export function createCodeSeals(secrets: Secrets) {
  const hash = (gameId: string, code: string) =>
    secrets.hash('code', `${gameId}\0${code}`).subarray(0, HASH_BYTES);
  const open = (sealed: SealedCode) => secrets.openByHash(sealed.hash, sealed.secret);
  function seal(gameId: string, code: string): SealedCode {
    const codeHash = hash(gameId, code);
    return { hash: codeHash, secret: secrets.sealByHash(codeHash, code) };
  }
  return {
    hash,
    seal,
    open,
    plain: plainCode,
    /** undefined where it does not open: one damaged row costs itself, not the page or the queue it is in. */
    openIfSound(sealed: SealedCode): string | undefined {
      try {
        return open(sealed);
      } catch {
        return undefined;
      }
    },
  };
}

/** A code as people compare it: in capitals, without dashes and spaces. */
export function plainCode(code: string): string {
  return code.toUpperCase().replace(/[\p{Pd}\s]/gu, '');
}

export type CodeSeals = ReturnType<typeof createCodeSeals>;
