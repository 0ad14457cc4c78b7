import type { Digest } from './digest.ts';

/** Where the links of a digest lead. */
export interface DigestLinks {
  /** The pages of this product; undefined where their address is not known. */
  home: string | undefined;
  /** Ends these mails with one click. */
  unsubscribe: string | undefined;
}

/** Writes a digest as plain text. */
export function digestText(digest: Digest, { home, unsubscribe }: DigestLinks): string {
  const { opening, figures, sections } = digest;
  return [
    opening,
    '',
    ...figures.map(({ label, value, change }) => `${label}: ${value}${change && ` (${change})`}`),
    ...sections.flatMap(({ heading, rows, more }) => [
      '',
      heading.toUpperCase(),
      ...rows.flatMap(({ title, detail }) => [`- ${title}`, ...(detail ? [`  ${detail}`] : [])]),
      ...(more ? [more] : []),
    ]),
    '',
    ...(home === undefined ? [] : [`Details: ${home}`]),
    ...(unsubscribe === undefined ? [] : [`Unsubscribe: ${unsubscribe}`]),
    'Sent by DMARC Ledger, because you asked for this digest.',
    '',
  ].join('\n');
}
