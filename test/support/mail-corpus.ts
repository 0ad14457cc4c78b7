import { gunzipSync } from 'node:zlib';
import { reportMail } from '@dmarc-ledger/testkit';
import type { Corpus } from './synthetic.ts';

/** A file as a mail that a receiver sends; what is a mail already stays as it is. */
export function mailOf({ name, bytes }: Corpus['files'][number], receivedAt?: Date): Buffer {
  const [, ending = ''] = /\.(eml|zip|xml|xml\.gz)$/.exec(name) ?? [];
  if (ending === 'eml') return bytes;
  return reportMail({ attachment: { name, type: TYPES[ending] ?? 'application/octet-stream', bytes }, receivedAt });
}

const TYPES: { [ending: string]: string } = { xml: 'text/xml', 'xml.gz': 'application/gzip', zip: 'application/zip' };

/** A mail in which there is no report. */
export function idleMail(number: number): Buffer {
  return Buffer.from(`From: a@example.com\r\nSubject: hello ${number}\r\n\r\nThere is no report in this.\r\n`);
}

/** A report under the same identity with other counts: of the two one counts, whichever comes first. */
export interface Conflict {
  /** Said nowhere when it came. */
  loser: Buffer;
  /** Received at an instant that is known. */
  winner: Buffer;
}

/** The file's report, which is to count, and another version of it; nothing for a file that holds no single report. */
export function conflictOf(file: Corpus['files'][number]): Conflict | undefined {
  const xml = textOf(file);
  if (!xml?.includes('</feedback>')) return undefined;
  const other = Buffer.from(xml.replaceAll(/<count>\d+<\/count>/g, '<count>900000</count>'));
  return {
    loser: mailOf({ name: `other-${file.name.replace(/\.gz$/, '')}`, bytes: other }),
    winner: mailOf(file, new Date('2026-01-03T04:05:06Z')),
  };
}

function textOf({ name, bytes }: Corpus['files'][number]): string | undefined {
  try {
    if (name.endsWith('.xml')) return bytes.toString();
    return name.endsWith('.xml.gz') ? gunzipSync(bytes).toString() : undefined;
  } catch {
    return undefined; // a damaged one
  }
}
