import { counted, groupedDigits } from '@dmarc-ledger/vocabulary';

interface Host {
  host: string;
}
interface Count {
  count: number;
}
interface Reason {
  reason: string;
}
interface PolicyName {
  policy: string;
}
interface Key {
  selector: string;
  bits: number;
}

/**
 * The sentence about each finding of a check. The comments name the finding; the checks decide it. Sizes of keys are
 * names, so they have no separators. (rules, domain-checks/sentences)
 */
export const details = {
  /** Never shown for a check that ran: the name servers did not answer. */
  unreachable: () => 'DNS could not be read; the last attempt failed.',
  /** No check has run yet. */
  notChecked: () => 'The first check follows within minutes.',
  /** The last check was a week ago or earlier, as of a domain that is no longer monitored. */
  notCheckedLately: () => 'It was not checked in the last week.',
  /** MTA-STS and BIMI: the record is valid, and its host did not answer. */
  silentHost: ({ host }: Host) => `${host} did not answer; the last attempt failed.`,

  /** DMARC, error: several records at the domain's own name. */
  dmarcSeveral: ({ count }: Count) =>
    `${counted(count, 'DMARC record is', 'DMARC records are')} published; receivers ignore all of them.`,
  /** DMARC, error: several, each at another name server. */
  dmarcSplit: () => 'The name servers have different DMARC records; receivers use the one that they are given.',
  /** DMARC, error: no record, and none is inherited. */
  dmarcMissing: () => 'No DMARC record is published.',
  /** DMARC, error: the record breaks the syntax. */
  dmarcBroken: ({ reason }: Reason) => `The DMARC record cannot be parsed: ${reason}.`,
  /** DMARC, warning: the policy is none. */
  dmarcNone: () => 'The DMARC policy is none, so failing mail is still delivered.',
  /** DMARC, warning: test mode, or a `pct` below 100. */
  dmarcPartly: ({ policy }: PolicyName) => `The DMARC policy is ${policy} but is not fully applied.`,
  /** DMARC, warning: the record has no `rua`. */
  dmarcUnreported: () => 'The DMARC record asks for no aggregate reports.',
  /** DMARC, warning: `sp` is weaker than `p`. */
  dmarcSubdomains: ({ policy, subdomains }: PolicyName & { subdomains: string }) =>
    `The DMARC policy is ${policy}, but subdomains use ${subdomains}.`,
  /** DMARC, warning: no address of the organization is in `rua`. */
  dmarcElsewhere: ({ policy }: PolicyName) => `The DMARC policy is ${policy}, but reports go elsewhere.`,
  /** DMARC, ok. */
  dmarcGood: ({ policy }: PolicyName) => `The DMARC policy is ${policy}.`,

  /** SPF, error: several records. */
  spfSeveral: ({ count }: Count) =>
    `${counted(count, 'SPF record is', 'SPF records are')} published; receivers treat this as an error.`,
  /** SPF, error: several, each at another name server. */
  spfSplit: () => 'The name servers have different SPF records; receivers use the one that they are given.',
  /** SPF, error: no record. */
  spfMissing: () => 'No SPF record is published.',
  /** SPF, unknown: no record at a subdomain without mail in the scoring window and without mail servers. */
  spfNotNeeded: () => 'No SPF record is published; no mail of this subdomain is known.',
  /** SPF, error: syntax, a loop, or an include or redirect without a record. */
  spfBroken: ({ reason }: Reason) => `The SPF record cannot be parsed: ${reason}.`,
  /** SPF, error: more lookups than receivers make. */
  spfLookups: ({ count }: Count) => `The SPF record needs ${counted(count, 'DNS lookup')}; the limit is 10.`,
  /** SPF, error: more lookups without a result than receivers accept. */
  spfVoids: ({ count }: Count) =>
    `${counted(count, 'lookup of the SPF record finds', 'lookups of the SPF record find')} nothing; the limit is 2.`,
  /** SPF, warning: `+all`, or a network that contains any sender. */
  spfOpen: () => 'The SPF record allows any server to send.',
  /** SPF, warning: `?all`, or no `all` and no `redirect`. */
  spfUnsaid: () => 'The SPF record does not say what to do with other servers.',
  /** SPF, warning: `ptr` is used. */
  spfPtr: () => 'The SPF record uses the deprecated ptr mechanism.',
  /** SPF, ok. */
  spfGood: ({ count }: Count) => `The SPF record is valid and uses ${groupedDigits(count)} of 10 DNS lookups.`,

  /** DKIM, unknown: no signature of the domain is known. */
  dkimUnknown: () => 'No DKIM selector is known yet; selectors appear once reports arrive.',
  /** DKIM, error: no selector has a usable key. */
  dkimMissing: ({ count }: Count) =>
    `No published key was found for ${counted(count, 'DKIM selector')} seen in reports.`,
  /** DKIM, error: an RSA key below 1024 bits. */
  dkimIgnored: ({ selector, bits }: Key) =>
    `The DKIM key for selector ${selector} has ${bits} bits and is ignored by receivers.`,
  /** DKIM, warning: some key is missing, revoked or cannot be parsed. */
  dkimRejected: ({ rejected, count }: Count & { rejected: number }) =>
    `${groupedDigits(rejected)} of ${counted(count, 'DKIM selector')} ${rejected === 1 ? 'has' : 'have'} no usable ` +
    `key.`,
  /** DKIM, warning: an RSA key below 2048 bits. */
  dkimWeak: ({ selector, bits }: Key) => `The DKIM key for selector ${selector} has ${bits} bits; 2048 is recommended.`,
  /** DKIM, warning: a key in testing mode (`t=y`). */
  dkimTested: ({ selector }: Pick<Key, 'selector'>) => `The DKIM key for selector ${selector} is in testing mode.`,
  /** DKIM, ok. */
  dkimGood: ({ count }: Count) =>
    `${counted(count, 'DKIM selector has a valid key', 'DKIM selectors have valid keys')}.`,

  /** MTA-STS, error: no TXT record. */
  mtaStsMissing: () => 'No MTA-STS record is published.',
  /** MTA-STS, error: several TXT records, or no valid `id`. */
  mtaStsInvalid: () => 'The MTA-STS record is not valid.',
  /** MTA-STS, error: the policy was answered and cannot be used. */
  mtaStsUnusable: ({ reason }: Reason) => `The MTA-STS policy cannot be used: ${reason}.`,
  /** MTA-STS, error: enforced, and a mail server is not covered. */
  mtaStsRefuses: ({ host }: Host) => `The MTA-STS policy does not cover ${host}, so senders refuse to deliver to it.`,
  /** MTA-STS, error: another policy of the same id was enforced, and does not cover a mail server. */
  mtaStsKept: ({ host }: Host) =>
    'The MTA-STS policy has changed, but not the id of its record: ' +
    `senders that keep the one of before refuse to deliver to ${host}.`,
  /** MTA-STS, warning: another policy was served with the same id. */
  mtaStsSameId: () =>
    'The MTA-STS policy has changed, but not the id of its record, so senders keep the one of before.',
  /** MTA-STS, error: the record is gone, and an enforced policy does not cover a mail server. */
  mtaStsGone: ({ host }: Host) =>
    `No MTA-STS record is published, but senders that keep the policy refuse to deliver to ${host}.`,
  /** MTA-STS, warning: mode none. */
  mtaStsOff: () => 'MTA-STS is switched off.',
  /** MTA-STS, warning: a mail server is not covered. */
  mtaStsUncovered: ({ host }: Host) => `The MTA-STS policy does not cover ${host}.`,
  /** MTA-STS, warning: mode testing. */
  mtaStsTesting: () => 'MTA-STS is in testing mode.',
  /** MTA-STS, warning: a lifetime below a day. */
  mtaStsShort: ({ seconds }: { seconds: number }) => `The MTA-STS policy expires after ${counted(seconds, 'second')}.`,
  /** MTA-STS, ok. */
  mtaStsGood: () => 'MTA-STS is enforced.',

  /** TLS-RPT, error: no record. */
  tlsRptMissing: () => 'No TLS-RPT record is published.',
  /** TLS-RPT, error: several records, or none that is well-formed. */
  tlsRptInvalid: () => 'The TLS-RPT record is not valid.',
  /** TLS-RPT, warning: no address of the organization is in `rua`. */
  tlsRptElsewhere: () => 'TLS reports go elsewhere.',
  /** TLS-RPT, ok. */
  tlsRptGood: () => 'TLS reports are requested.',

  /** BIMI, error: no record. */
  bimiMissing: () => 'No BIMI record is published.',
  /** BIMI, ok: an empty `l=`. */
  bimiDeclined: () => 'The domain declines BIMI.',
  /** BIMI, error: malformed, several, or a logo that cannot be fetched. */
  bimiUnusable: ({ reason }: Reason) => `The BIMI record is not usable: ${reason}.`,
  /** BIMI, warning: DMARC is not enforced for all mail. */
  bimiUnenforced: () => 'A BIMI record exists, but DMARC is not enforced.',
  /** BIMI, warning: no usable certificate. */
  bimiUncertified: () => 'The BIMI logo has no certificate, so few providers show it.',
  /** BIMI, ok. */
  bimiGood: () => 'The BIMI logo and certificate are published.',

  /** DANE, unknown: no MX, or the null MX. */
  daneNoServers: () => 'The domain has no mail servers.',
  /** A note beside it: without MX, mail goes to the address of the domain. */
  daneImplicit: ({ host }: Host) =>
    `Without MX records, mail goes to the address of ${host} itself; DANE is checked for the hosts of MX records alone.`,
  /** DANE, unknown: TLSA records, and no validating resolver. */
  daneUnvalidated: () => 'DANE could not be checked: no validating resolver.',
  /** DANE, error: the MX or the TLSA zone is not signed, or has no TLSA record. */
  daneMissing: () => 'The mail servers publish no DANE records.',
  /** DANE, error: a certificate does not match. */
  daneMismatch: ({ host }: Host) => `The DANE record of ${host} does not match its certificate.`,
  /** DANE, warning: some servers are without TLSA records. */
  danePartly: ({ usable, count }: Count & { usable: number }) =>
    `Only ${groupedDigits(usable)} of ${counted(count, 'mail server')} ${usable === 1 ? 'has' : 'have'} DANE records.`,
  /** DANE, ok. */
  daneGood: () => 'All mail servers have matching DANE records.',

  /** APRF, unknown: no name answers. */
  aprfMissing: () => 'No APRF record was found.',
  /** APRF, warning: a name has several. */
  aprfSeveral: () => 'More than one APRF record is published.',
  /** APRF, ok. */
  aprfGood: () => 'An APRF record is published.',
} as const;
