import { createHmac, randomBytes } from 'node:crypto';

/** Standard Webhooks: `whsec_` and 24 to 64 random bytes in base64. */
const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;
const NEW_BYTES = 32;

export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(NEW_BYTES).toString('base64')}`;
}

export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const key = keyOf(text);
  const isBase64 = key.toString('base64') === text.slice(PREFIX.length);
  return isBase64 && key.length >= LEAST_BYTES && key.length <= MOST_BYTES;
}

/**
 * Returns the three headers that prove the sender and time of a body. A receiver that knows the id has received the
 * message before. (Standard Webhooks, "Signature scheme": HMAC-SHA256 over `id.timestamp.body`)
 * @param seconds since 1970, for this attempt.
 */
export function signWebhook(secret: string, { id, seconds, body }: { id: string; seconds: number; body: string }) {
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
