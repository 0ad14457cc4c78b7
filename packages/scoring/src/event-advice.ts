import type { AlertCode } from '@dmarc-ledger/vocabulary';

/** What to do about an open event: one sentence for each type that makes an item. (rules, action-items/advice) */
const advice: { readonly [type in AlertCode]?: string } = {
  reports_stopped: 'Check that the DMARC record of the domain still has your rua address, and that mail to it arrives.',
  report_parse_failed: 'Look at the refused attachments, and ask their senders for reports that can be read.',
  dmarc_verification_lost: 'Add your report address to the rua tag of the DMARC record again.',
  tlsrpt_verification_lost: 'Add your report address to the rua tag of the TLS-RPT record again.',
  forensic_verification_lost: 'Add your report address to the ruf tag of the DMARC record again.',
  aprf_verification_lost: 'Add your report address to the APRF record again.',
  dmarc_record_missing: 'Publish the DMARC record at _dmarc of the domain again.',
  dmarc_record_multiple: 'Remove all DMARC records but one.',
  dmarc_record_invalid: 'Correct the DMARC record, as receivers ignore it as it is.',
  dmarc_policy_weakened: 'Restore the stricter policy, unless the change was intended.',
  policy_upgrade_ready:
    'See which senders the stricter policy would affect; publish it in the DMARC record when none of them is yours.',
  spf_record_missing: 'Publish the SPF record of the domain again.',
  spf_record_invalid: 'Publish one valid SPF record.',
  spf_lookup_limit_exceeded:
    'Remove includes that no sender needs, and names that no longer exist, until the record is within its limits.',
  spf_lookup_limit_near: 'Remove includes that no sender needs before you add the next one.',
  spf_permissive:
    'Name only servers that send your mail, and see that the record, and each that it refers to, ends in ~all or -all.',
  dkim_key_missing: 'Publish the key of the selector, or have the sender sign with one that is published.',
  dkim_key_revoked:
    'Have the sender sign with a new key at a new selector; publish the revoked one again only if that was a mistake.',
  dkim_key_weak: 'Publish a key of 2048 bits under a new selector, and sign with it.',
  mta_sts_broken:
    'Repair the MTA-STS policy, and give its record a new id: senders may refuse to deliver mail until then.',
  tls_failures: 'Check the certificates of the mail servers, and the MTA-STS and DANE records that name them.',
  bimi_broken: 'Repair the BIMI record, or remove it.',
  dane_broken: 'Publish the TLSA records of the certificates in use, or remove the old ones.',
  new_failing_source:
    'If the service is yours, set up SPF or DKIM for it; otherwise a stricter policy stops it, once your own senders ' +
    'pass.',
  suspicious_source:
    'If the source is yours, authenticate its mail; otherwise a stricter policy stops it, once your own senders pass.',
  malicious_source:
    'Receivers refuse its mail under a policy of reject: move there step by step, once your own senders pass.',
  source_blocklisted: 'Find out why the address is listed, stop the cause, and ask the list to remove it.',
  compliance_drop: 'Look for one of your senders that began to fail on that day, and repair its SPF or DKIM.',
  failure_spike:
    'Look at the sources that failed on that day: authenticate your own, and leave the others to the policy.',
  spoofing_campaign:
    'Check that none of the sources is yours; a stricter policy stops the others, once your own senders pass.',
  alignment_drop: 'Look for one of your senders whose SPF or DKIM changed on that day, and repair it.',
  aprf_spam_placement: 'Check the content and the lists of the mail that is signed by this domain.',
};

/** The same where no stricter policy can be advised: receivers are already asked to reject all failing mail. */
const adviceAtReject: { readonly [type in AlertCode]?: string } = {
  new_failing_source:
    'If the service is yours, set up SPF or DKIM for it; otherwise receivers are asked to reject its mail.',
  suspicious_source: 'If the source is yours, authenticate its mail; otherwise receivers are asked to reject it.',
  malicious_source: 'Receivers are asked to reject its mail; make sure that your SPF record does not name the address.',
  spoofing_campaign: 'Check that none of the sources is yours; receivers are asked to reject mail of the others.',
};

const byType = new Map<string, string>(Object.entries(advice));
const byTypeAtReject = new Map<string, string>(Object.entries(adviceAtReject));

/**
 * Returns what to do about an event; undefined for a type that is no action item.
 * @param isRejected whether the policy of the domain is reject, for all of its mail
 */
export function adviceOf(type: string, isRejected: boolean): string | undefined {
  return (isRejected ? byTypeAtReject.get(type) : undefined) ?? byType.get(type);
}
