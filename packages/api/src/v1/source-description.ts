import type { SourceDetail } from '@dmarc-ledger/db';

type SourceClass = 'authenticated' | 'likely_forwarded' | 'suspicious' | 'needs_review';

const FORWARDING_REASONS = new Set(['mailing_list', 'trusted_forwarder', 'forwarded']);
const ARC_PASS = /\barc\s*=\s*pass\b/i;

interface Failing {
  dkim_pass: boolean;
  spf_pass: boolean;
  reasons: { type: string; comment: string | null }[] | null;
}

/** Why a source that nothing was looked up about is taken for what it is. Undefined for an authenticated one. */
export function describeClass(
  judged: SourceClass,
  source: SourceDetail,
  records: readonly Failing[],
): string | undefined {
  switch (judged) {
    case 'authenticated':
      return undefined;
    case 'likely_forwarded':
      return records.some(isMarkedForwarded)
        ? 'Receivers marked this mail as forwarded or sent through a mailing list, so a failure was expected.'
        : 'The failures look like ordinary forwarding: another server passed the message on after it was sent.';
    case 'suspicious':
      return 'Mail from this address fails DMARC and its reputation raises doubts. Check whether you know this sender.';
    case 'needs_review':
      return source.messages === 0
        ? 'Reports mention this address without any messages.'
        : 'Mail from this address fails DMARC and nothing tells whether it is yours. Check whether you know this sender.';
  }
}

/** Only receivers write the reason for an override. */
function isMarkedForwarded({ dkim_pass, spf_pass, reasons }: Failing): boolean {
  if (dkim_pass || spf_pass) return false;
  return reasons?.some(({ type, comment }) => FORWARDING_REASONS.has(type) || ARC_PASS.test(comment ?? '')) ?? false;
}
