import { createHash } from 'node:crypto';

/** How a content security policy names an inline style: by the hash of its text. */
export function styleHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
