import type { SourceDetail, SourceKnowledge } from '@dmarc-ledger/db';
import { redFlagsOf } from '@dmarc-ledger/sources';

type SourceClass = 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';

const FORWARDING_REASONS = new Set(['mailing_list', 'trusted_forwarder', 'forwarded']);
const ARC_PASS = /\barc\s*=\s*pass\b/i;
const FAILS = 'Mail from this address fails DMARC and';
const UNLESS = 'Treat it as impersonation unless you recognise it.';

interface Failing {
  dkim_pass: boolean;
  spf_pass: boolean;
  reasons: { type: string; comment: string | null }[] | null;
}

/** Why a source is taken for what it is; the first that applies. Undefined for an authenticated one. (domain-rules, 2.5) */
export function describeClass(
  judged: SourceClass,
  source: SourceDetail,
  records: readonly Failing[],
  known: SourceKnowledge | undefined,
): string | undefined {
  switch (judged) {
    case 'authenticated':
      return undefined;
    case 'likely_forwarded':
      return describeForwarding(records, known);
    case 'suspicious':
      return describeSuspicion(known);
    case 'needs_review':
      return describeDoubt(source, known);
  }
}

function describeForwarding(records: readonly Failing[], known: SourceKnowledge | undefined): string {
  if (known?.service)
    return `${known.service.name} is relaying mail that was first sent elsewhere, which breaks SPF and sometimes DKIM. This is usually harmless.`;
  return records.some(isMarkedForwarded)
    ? 'Receivers marked this mail as forwarded or sent through a mailing list, so a failure was expected.'
    : 'The failures look like ordinary forwarding: another server passed the message on after it was sent.';
}

function describeSuspicion(known: SourceKnowledge | undefined): string {
  const flags = new Set(known ? redFlagsOf(known.facts) : []);
  if (flags.has('H1') || flags.has('H3')) return `${FAILS} the address has a record of abuse. ${UNLESS}`;
  if (flags.has('H2')) return `${FAILS} the address is on ${known?.facts.blocklists?.topList}. ${UNLESS}`;
  return `${FAILS} its reputation raises doubts. Check whether you know this sender.`;
}

function describeDoubt(source: SourceDetail, known: SourceKnowledge | undefined): string {
  if (known?.service)
    return `${known.service.name} sends mail as your domain without aligned SPF or DKIM. If you use this service, finish its domain authentication.`;
  return source.messages === 0
    ? 'Reports mention this address without any messages.'
    : `${FAILS} nothing tells whether it is yours. Check whether you know this sender.`;
}

/** Only receivers write the reason for an override. */
function isMarkedForwarded({ dkim_pass, spf_pass, reasons }: Failing): boolean {
  if (dkim_pass || spf_pass) return false;
  return reasons?.some(({ type, comment }) => FORWARDING_REASONS.has(type) || ARC_PASS.test(comment ?? '')) ?? false;
}
