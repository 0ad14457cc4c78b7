import type { sourceClasses } from '@dmarc-ledger/vocabulary';
import { isNamed } from '../senders/identify-sender.ts';
import type { AddressFacts } from './address-facts.ts';
import { redFlagsOf } from './red-flags.ts';

export interface ClassifiedSource {
  classification: (typeof sourceClasses)[number];
  totalMessages: number;
  /** A receiver gave a matching reason: a mailing list, a trusted forwarder, a passing ARC chain. */
  receiversSayForwarded: boolean;
  /** Absent until the address was looked up. */
  facts?: AddressFacts;
}

/**
 * Explains the class of a source to its owner in one or two sentences. Undefined for an authenticated one. (rules,
 * classification/class-in-words)
 */
export function classificationDescription(source: ClassifiedSource): string | undefined {
  switch (source.classification) {
    case 'authenticated':
      return undefined;
    case 'likely_forwarded':
      return forwarded(source);
    case 'suspicious':
      return suspicious(source);
    case 'needs_review':
      return toReview(source);
  }
}

function forwarded({ facts, receiversSayForwarded }: ClassifiedSource): string {
  if (isNamed(facts?.sender))
    return (
      `${facts.sender.name} is relaying mail that was first sent elsewhere, which breaks SPF and sometimes ` +
      `DKIM. This is usually harmless.`
    );
  return receiversSayForwarded
    ? 'Receivers marked this mail as forwarded or sent through a mailing list, so a failure was expected.'
    : 'The failures look like ordinary forwarding: another server passed the message on after it was sent.';
}

function suspicious({ facts }: ClassifiedSource): string {
  const flags = facts ? redFlagsOf(facts) : [];
  if (flags.includes('H1') || flags.includes('H3'))
    return (
      'Mail from this address fails DMARC and the address has a record of abuse. Treat it as impersonation ' +
      'unless you recognise it.'
    );
  if (flags.includes('H2'))
    return (
      `Mail from this address fails DMARC and the address is on ${facts?.blocklists?.topList}. Treat it as ` +
      `impersonation unless you recognise it.`
    );
  return 'Mail from this address fails DMARC and its reputation raises doubts. Check whether you know this sender.';
}

function toReview({ facts, totalMessages }: ClassifiedSource): string {
  if (isNamed(facts?.sender))
    return (
      `${facts.sender.name} sends mail as your domain without aligned SPF or DKIM. If you use this service, ` +
      `finish its domain authentication.`
    );
  return totalMessages === 0
    ? 'Reports mention this address without any messages.'
    : 'Mail from this address fails DMARC and nothing tells whether it is yours. Check whether you know this sender.';
}
