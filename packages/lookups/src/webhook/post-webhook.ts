import type { Dispatcher } from 'undici';
import type { Unanswered } from '../https/fetch-fact.ts';
import { guardedRequest, type GuardOptions } from '../https/guarded-request.ts';
import { readRetryAfter } from './retry-after.ts';
import { signWebhook } from './signature.ts';
import { webhookUrl } from './webhook-url.ts';

export interface WebhookOptions extends GuardOptions {
  /** Allows HTTP, and the addresses that `isAllowed` allows besides public ones (ALLOW_PRIVATE_ADDRESSES). */
  isOpen?: boolean;
}

export interface WebhookMessage {
  url: string;
  /** `whsec_…`; unset: not signed, for receivers whose URL is their secret. */
  secret?: string;
  /** The same at every attempt. */
  id: string;
  /** JSON. */
  body: string;
}

/**
 * The receiver's status, whatever it is, the beginning of its response, and the pause it asks for; or why there is
 * none.
 */
export type WebhookFact =
  | { outcome: 'answered'; status: number; text: string; retryAfterSeconds: number | null }
  | Unanswered;

const TOTAL_MS = 15_000;
const MAX_TEXT = 1_024;

/** Sends one message once, signed where there is a secret. Reads at most 1 KiB of the response. Nothing is thrown. */
export async function postWebhook(
  { isOpen = false, ...guard }: WebhookOptions,
  { url: text, secret, id, body }: WebhookMessage,
): Promise<WebhookFact> {
  const url = webhookUrl(text, isOpen);
  if (!url) return { outcome: 'forbidden', reason: 'host' };
  const headers = {
    'user-agent': 'dmarc-ledger',
    'content-type': 'application/json',
    accept: '*/*',
    'accept-encoding': 'identity',
    ...(secret !== undefined && signWebhook(secret, { id, seconds: Math.floor(Date.now() / 1_000), body })),
  };
  const { totalMs = TOTAL_MS } = guard;
  const request = { method: 'POST', headers, body, headersMs: totalMs } as const;
  return await guardedRequest({ ...guard, totalMs }, url, request, readAnswer);
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<WebhookFact> {
  const retryAfterSeconds = readRetryAfter(headers['retry-after'], new Date());
  return { outcome: 'answered', status: statusCode, text: await beginningOf(body), retryAfterSeconds };
}

/** The status is known, so errors in the body are ignored. */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  const arriving: AsyncIterable<Buffer> = body;
  let size = 0;
  body.on('error', () => {});
  try {
    for await (const chunk of arriving) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_TEXT) break;
    }
  } catch {
    // the response ends here
  }
  return Buffer.concat(chunks).subarray(0, MAX_TEXT).toString();
}
