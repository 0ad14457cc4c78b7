import type { SampleRecord } from '@dmarc-ledger/samples';
import type { DmarcPolicy } from '@dmarc-ledger/vocabulary';
import type { Host } from './hosts.ts';

/** How one kind of mail looks to a receiver. */
export interface Mail {
  /** The selector of a signature in the name of the domain that holds, or one that is broken. */
  signed?: string;
  broken?: string;
  /** Another domain whose signature holds. */
  alsoSignedBy?: string;
  /** The domain of the envelope sender, whose SPF passes (`path`) or does not (`failedPath`). */
  path?: string;
  failedPath?: string;
  /** The From domain, where it is not the domain itself. */
  from?: string;
  /** The reason that the receiver gives for another disposition than the policy asks. */
  reason?: { type: string; comment?: string };
  /** The verdict of the reporter, where it is not what the results say. */
  claimed?: 'pass' | 'fail';
}

/** Mail of some hosts, each with so many messages a day. */
export interface Stream {
  from: Host | readonly Host[];
  daily: number;
  mail: Mail;
  /** The first and the last of the days, in days before today; default 20 and 1. */
  days?: readonly [first: number, last: number];
  /** The host of the reporter among those of the samples; default `gomail.example`. */
  seenBy?: string;
}

/** Mail of a domain's own server: signed with `s1`, sent under the domain itself. */
export function ownMail(from: Stream['from'], domain: string, daily = 1_000): Stream {
  return { from, daily, mail: { signed: 's1', path: domain } };
}

export const FIRST_REPORTER = 'gomail.example';

/** What a stream adds to the report on a domain of one of its days. */
export function recordsOf(stream: Stream, domain: string, policy: DmarcPolicy): SampleRecord[] {
  const { signed, broken, alsoSignedBy, path, failedPath, from = domain, reason, claimed } = stream.mail;
  const envelopeFrom = path ?? failedPath ?? domain;
  const isAligned = path !== undefined && (path === domain || path.endsWith(`.${domain}`));
  const dkim = claimed ?? (signed === undefined ? ('fail' as const) : ('pass' as const));
  const spf = isAligned ? ('pass' as const) : ('fail' as const);
  const isTreated = dkim === 'fail' && spf === 'fail' && reason === undefined;
  return [stream.from].flat().map(({ ip }) => ({
    sourceIp: ip,
    count: stream.daily,
    disposition: isTreated ? policy : 'none',
    dkim,
    spf,
    ...(reason && { reason }),
    headerFrom: from,
    envelopeFrom,
    envelopeTo: 'customers.example',
    dkimResults: [
      ...(signed === undefined ? [] : [{ domain, selector: signed, result: 'pass' }]),
      ...(broken === undefined ? [] : [{ domain, selector: broken, result: 'fail' }]),
      ...(alsoSignedBy === undefined ? [] : [{ domain: alsoSignedBy, selector: 'k1', result: 'pass' }]),
    ],
    spfResult: { domain: envelopeFrom, result: path === undefined ? 'fail' : 'pass' },
  }));
}
