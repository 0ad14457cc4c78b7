import type { SampleFile } from './facts.ts';

/** A mail that carries a report. */
export interface Letter {
  from: string;
  to: string;
  subject: string;
  sentAt: Date;
  attachment: SampleFile;
  attachmentType: string;
}

/** The attachment is the whole body, as machines send it. */
export function bareMail(letter: Letter): Buffer {
  return message(letter, [...attachmentHeaders(letter), '', base64(letter.attachment.bytes)]);
}

/** Text and attachment side by side. */
export function mailWithText(letter: Letter): Buffer {
  const body = multipart('mixed', boundaryOf(letter, 'm'), [textPart(letter), attachmentPart(letter)]);
  return message(letter, body);
}

/** The attachment in a nested part, beside a text in two forms. */
export function nestedMail(letter: Letter): Buffer {
  const html = ['Content-Type: text/html; charset=utf-8', '', `<p>${letter.subject}</p>`];
  const alternative = multipart('alternative', boundaryOf(letter, 'a'), [textPart(letter), html]);
  const related = multipart('related', boundaryOf(letter, 'r'), [alternative]);
  return message(letter, multipart('mixed', boundaryOf(letter, 'm'), [related, attachmentPart(letter)]));
}

function message({ from, to, subject, sentAt, attachment }: Letter, rest: string[]): Buffer {
  const date = sentAt.toUTCString().replace('GMT', '+0000');
  const id = attachment.name.replaceAll('!', '.');
  const headers = [
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${date}`,
    `Message-ID: <${id}@${from.split('@')[1]}>`,
  ];
  return Buffer.from([...headers, 'MIME-Version: 1.0', ...rest, ''].join('\r\n'));
}

function multipart(kind: string, boundary: string, parts: string[][]): string[] {
  const body = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [`Content-Type: multipart/${kind}; boundary="${boundary}"`, '', ...body, `--${boundary}--`, ''];
}

function textPart({ subject }: Letter): string[] {
  return ['Content-Type: text/plain; charset=utf-8', '', `This is a DMARC aggregate report. ${subject}`, ''];
}

function attachmentPart(letter: Letter): string[] {
  return [...attachmentHeaders(letter), '', base64(letter.attachment.bytes)];
}

function attachmentHeaders({ attachment, attachmentType }: Letter): string[] {
  return [
    `Content-Type: ${attachmentType}; name="${attachment.name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${attachment.name}"`,
  ];
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll(/(.{76})(?=.)/g, '$1\r\n');
}

function boundaryOf({ sentAt }: Letter, kind: string): string {
  return `=_${kind}_${sentAt.getTime().toString(36)}`;
}
