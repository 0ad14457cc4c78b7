import { HEADER_HELD, MAX_MAIL, type FetchedMail } from './mailbox.ts';
import type { ListedMail } from './scan.ts';

const BATCH_MAILS = 50;
const BATCH_BYTES = 4 * 1024 ** 2;
/** Servers report sizes a little wrong: by line ends, by headers of their own. */
const SLACK_RATE = 0.1;
const SLACK_BYTES = 16 * 1024;

/** A mail to fetch, and the most bytes of it that are held; beyond MAX_MAIL it is the header alone. */
export interface Wanted {
  mail: ListedMail;
  atMost: number;
}

/** The first of these that are fetched together: so many, or so many bytes. One that is too large comes alone. */
export function firstBatch(listed: readonly ListedMail[]): ListedMail[] {
  let bytes = 0;
  let count = 0;
  for (const { size } of listed) {
    bytes += size;
    if (count > 0 && (count >= BATCH_MAILS || bytes > BATCH_BYTES)) break;
    count += 1;
  }
  return listed.slice(0, count);
}

/** A mail is held up to the size that its server reports, and a little more. */
export function asListed(mail: ListedMail): Wanted {
  const slack = Math.ceil(mail.size * SLACK_RATE) + SLACK_BYTES;
  return { mail, atMost: mail.size > MAX_MAIL ? HEADER_HELD : Math.min(mail.size + slack, MAX_MAIL) };
}

/** Whatever its server reports. */
export function asLongAsItIs(mail: ListedMail): Wanted {
  return { mail, atMost: MAX_MAIL };
}

/** The memory that these take, whatever the server sends. */
export function heldBytes(batch: readonly Wanted[]): number {
  return batch.reduce((sum, { atMost }) => sum + atMost, 0);
}

/**
 * The result for a mail. Undefined when it is longer than the limit: it may have been cut by that limit, so it is not
 * taken for the whole.
 */
export function taken({ mail, atMost }: Wanted, source: Buffer): FetchedMail | undefined {
  if (mail.size > MAX_MAIL || source.length > MAX_MAIL) {
    const content = Buffer.from(source.subarray(0, HEADER_HELD)); // a copy, so that the rest can be freed
    return { ...mail, size: Math.max(mail.size, source.length), content, isHeaderOnly: true };
  }
  return source.length > atMost ? undefined : { ...mail, content: source, isHeaderOnly: false };
}
