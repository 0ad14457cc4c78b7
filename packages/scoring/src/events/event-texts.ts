import { counted, groupedDigits, type Day } from '@dmarc-ledger/vocabulary';

interface OfDomain {
  domain: string;
}
interface OfDay extends OfDomain {
  day: Day;
}
interface SpfCost {
  lookups: number;
  voids: number;
}
interface KeyFault {
  selector: string;
  bits?: number;
  type: string;
  /** The key is so short that receivers ignore it. */
  isIgnored: boolean;
}
interface Change extends OfDomain {
  from: string;
  to: string;
}

/**
 * The message of each event that has one of its own. The comments name the types; `docs/events.md` has their
 * conditions. An event without one says its title as a sentence, one about a record that changed, is gone or cannot be
 * used the details of its check. (rules, events/texts-of-events)
 */
export const eventTexts = {
  /** `first_report_received`. A report may leave its sender out. */
  firstReport: ({ reporter, domain }: OfDomain & { reporter: string }) =>
    `${reporter || 'A reporter without a name'} sent the first DMARC report for ${domain}.`,
  /** `reports_stopped` */
  stopped: ({ domain, day }: OfDay) => `No DMARC report has arrived for ${domain} since ${day}. Check the rua address.`,
  /** `report_parse_failed` */
  unread: ({ attachments }: { attachments: number }) =>
    `${counted(attachments, 'attachment')} received in the last 24 hours could not be read.`,
  /** `domain_discovered` */
  discovered: ({ domain }: OfDomain) => `Reports arrive for ${domain}, which nobody has added yet.`,
  /** `subdomain_discovered` */
  subdomain: ({ name, messages, domain }: OfDomain & { name: string; messages: number }) =>
    `${name} sent ${counted(messages, 'message')} as a subdomain of ${domain}.`,
  /** `dkim_selector_new` */
  selector: ({ signer, selector }: { signer: string; selector: string }) =>
    `${signer} signs with a new selector, ${selector}.`,
  /** `dkim_key_missing` and the like. The signer may be another domain. */
  dkimKey: ({ domain, selector, bits = 0, type, isIgnored }: OfDomain & KeyFault) => {
    const key = `The DKIM key ${selector} of ${domain}`;
    if (type === 'dkim_key_missing') return `${key} is not in the DNS, and mail is signed with it.`;
    if (type === 'dkim_key_revoked') return `${key} is revoked, and mail is still signed with it.`;
    return isIgnored
      ? `${key} has ${bits} bits and is ignored by receivers.`
      : `${key} has ${bits} bits; 2048 is recommended.`;
  },
  /** `spf_lookup_limit_near` */
  spfNear: ({ lookups }: SpfCost) => `The SPF record uses ${groupedDigits(lookups)} of 10 DNS lookups.`,
  /** `spf_lookup_limit_exceeded` */
  spfLookups: ({ lookups }: SpfCost) => `The SPF record needs ${counted(lookups, 'DNS lookup')}; the limit is 10.`,
  /** The same for lookups that find nothing. */
  spfVoids: ({ voids }: SpfCost) =>
    `${counted(voids, 'lookup of the SPF record finds', 'lookups of the SPF record find')} nothing; the limit is 2.`,
  /** `spf_permissive` */
  spfPermissive: () => 'The SPF record allows any server to send.',
  /** `verification_gained` */
  gained: ({ reporting, domain }: OfDomain & { reporting: string }) =>
    `${reporting} reporting for ${domain} is verified.`,
  /** `dmarc_verification_lost` and the like */
  lost: ({ record, domain, state }: OfDomain & { record: string; state: string }) =>
    `The ${record} record of ${domain} no longer reports to you (${state}).`,
  /** `dmarc_policy_weakened`, `dmarc_policy_strengthened` */
  policyChanged: ({ domain, from, to }: Change) => `The policy of ${domain} changed from ${from} to ${to}.`,
  /** `policy_upgrade_ready` */
  ready: ({ domain, percent, advice }: OfDomain & { percent: number; advice: string }) =>
    `${percent}% of mail from ${domain} passes DMARC. You can ${advice}.`,
  /** `new_source` */
  newSource: ({ sender, domain }: OfDomain & { sender: string }) =>
    `${sender} started sending for ${domain} and passes DMARC.`,
  /** `new_failing_source` */
  newFailing: ({ sender, messages, domain }: OfDomain & { sender: string; messages: number }) =>
    messages === 1
      ? `${sender} sent 1 message as ${domain} that fails DMARC.`
      : `${sender} sent ${counted(messages, 'message')} as ${domain} that fail DMARC.`,
  /** `new_failing_source` of a sender that was decided to be an own one */
  ownFailing: ({ sender, messages, domain }: OfDomain & { sender: string; messages: number }) =>
    `${sender} is yours, and ${counted(messages, 'message')} it sent as ${domain} within 7 days failed DMARC.`,
  /** `suspicious_source`, `malicious_source` */
  dangerous: ({
    ip,
    messages,
    domain,
    reputation,
  }: OfDomain & { ip: string; messages: number; reputation?: string | undefined }) =>
    [`${ip} sent ${counted(messages, 'failing message')} as ${domain}.`, ...(reputation ? [reputation] : [])].join(' '),
  /** `source_blocklisted` */
  listed: ({ ip, domain, list }: OfDomain & { ip: string; list: string | undefined }) =>
    `${ip} sends mail for ${domain} and is listed on ${list ?? 'a blocklist'}.`,
  /** `compliance_drop` */
  dropped: ({ percent, domain, day, usual }: OfDay & { percent: number; usual: number }) =>
    `${percent}% of mail from ${domain} passed on ${day}, down from ${usual}%.`,
  /** `failure_spike`, `volume_spike` */
  unusual: ({ messages, day, base }: { messages: number; day: Day; base: number }) =>
    `${counted(messages, 'message')} on ${day}, usually about ${groupedDigits(Math.round(base))}.`,
  /** `spoofing_campaign` */
  campaign: ({ messages, addresses, domain, day }: OfDay & { messages: number; addresses: number }) =>
    `${counted(messages, 'message')} from ${counted(addresses, 'address', 'addresses')} failed DMARC for ${domain} ` +
    `on ${day}.`,
  /** `aprf_spam_placement` */
  spam: ({ provider, percent, signer }: { provider: string; percent: number; signer: string }) =>
    `${provider} placed ${percent}% of mail signed by ${signer} in spam.`,
  /** `quota_near_limit` below 100% */
  quotaNear: ({ used, limit }: { used: number; limit: number }) =>
    `${groupedDigits(used)} of ${counted(limit, 'API request is', 'API requests are')} used this hour.`,
  /** `quota_near_limit` at 100% */
  quotaUsed: ({ limit }: { limit: number }) =>
    limit === 1
      ? 'The one API request of this hour is used.'
      : `All ${groupedDigits(limit)} API requests of this hour are used.`,
  /** `api_key_expiring` */
  keyExpires: ({ name, day }: { name: string; day: Day }) => `API key expires soon. ${name} can be used until ${day}.`,
} as const;
