import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);

/** OWASP's second choice for Argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const SHAPE = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{8,64})\$([A-Za-z0-9+/]{22,88})$/;

/** Hashes a password with Argon2id (RFC 9106). Returns a PHC string, which contains its parameters and salt. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(tag)}`;
}

/**
 * Whether the password has this hash. Without a hash the answer is no, after the same work: the time of a refusal does
 * not show whether an account has a password.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = SHAPE.exec(hash ?? '') ?? [];
  if (salt === undefined || tag === undefined) {
    await tagOf(password, Buffer.alloc(SALT_BYTES), { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES });
    return false;
  }
  const stored = Buffer.from(tag, 'base64');
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const found = await tagOf(password, Buffer.from(salt, 'base64'), parameters, stored.length);
  return timingSafeEqual(found, stored);
}

async function tagOf(
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
  tagLength = TAG_BYTES,
): Promise<Buffer> {
  return await derive('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });
}

/** Base64 without padding, as PHC strings have it. */
function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
