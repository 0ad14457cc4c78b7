import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { zipped } from '@dmarc-ledger/samples';

/** An attached file. */
export interface Attachment {
  name: string;
  type: string;
  bytes: Buffer;
}

/** A mail as a test describes it; all other fields have plain values. */
export interface DescribedMail {
  /** An aggregate report, which is packed and named by the standard. */
  xml?: Buffer | string;
  encoding?: 'gzip' | 'zip' | 'xml';
  /** The attachments instead of a report. */
  attachment?: Attachment;
  to?: string;
  from?: string;
  subject?: string;
  messageId?: string;
  date?: Date;
  /** Header fields that the servers on its way have prepended. */
  deliveredTo?: string;
  receivedAt?: Date;
  authenticationResults?: string;
  /** More header lines, verbatim. */
  headers?: readonly string[];
}

/** A mail with a report: some text, and the attachment in base64. The same description gives the same bytes. */
export function reportMail(described: DescribedMail): Buffer {
  const {
    from = 'dmarc@reporter.example',
    to = 'reports@example.com',
    date = new Date('2026-01-02T03:04:05Z'),
  } = described;
  const submitter = from.slice(from.lastIndexOf('@') + 1);
  const facts = readFacts(described.xml ?? '', submitter);
  const { bytes, name, type } = described.attachment ?? packed(described, facts.file);
  const { subject = facts.subject, messageId = `${digest(bytes)}@${submitter}` } = described;
  const boundary = `=_${digest(name)}`;
  const lines = [
    ...linesOnTheWay(described, submitter),
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${mailDate(date)}`,
    `Message-ID: <${messageId}>`,
    ...(described.headers ?? []),
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is an aggregate report.',
    '',
    `--${boundary}`,
    `Content-Type: ${type}; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    bytes.toString('base64').replaceAll(/(.{76})(?=.)/g, '$1\r\n'),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}

/** Subject and file name follow from the report. (RFC 9990, 3.5.2) */
function readFacts(xml: Buffer | string, submitter: string): { subject: string; file: string } {
  const text = xml.toString();
  const read = (element: string) => new RegExp(`<${element}>([^<]*)<`).exec(text)?.[1] ?? '';
  const domain = read(String.raw`policy_published>\s*<domain`);
  return {
    subject: `Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${read('report_id')}>`,
    file: `${submitter}!${domain}!${read('begin')}!${read('end')}`,
  };
}

function packed({ xml = '', encoding = 'gzip' }: DescribedMail, file: string): Attachment {
  if (encoding === 'zip') return { ...zipped(file, xml.toString()), type: 'application/zip' };
  if (encoding === 'gzip') return { name: `${file}.xml.gz`, type: 'application/gzip', bytes: gzipSync(xml) };
  return { name: `${file}.xml`, type: 'text/xml', bytes: Buffer.from(xml) };
}

/** The last server's lines come first. */
function linesOnTheWay(described: DescribedMail, submitter: string): string[] {
  const { deliveredTo, receivedAt, authenticationResults } = described;
  return [
    ...(deliveredTo ? [`Delivered-To: ${deliveredTo}`] : []),
    ...(receivedAt ? [`Received: from mail.${submitter} by mx.example.com with ESMTPS; ${mailDate(receivedAt)}`] : []),
    ...(authenticationResults ? [`Authentication-Results: ${authenticationResults}`] : []),
  ];
}

function mailDate(date: Date): string {
  return date.toUTCString().replace('GMT', '+0000');
}

function digest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 24);
}
