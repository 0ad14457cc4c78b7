import { createHash } from 'node:crypto';

/** The hash by which a content security policy allows an inline style. */
export function styleHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
