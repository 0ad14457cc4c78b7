/** What a word on a page means, in one paragraph, and where its rule is written. */
export interface Term {
  title: string;
  text: string;
  /** A page of `docs`, or the standard. */
  source: string;
}

export const terms = {
  score: {
    title: 'Score',
    text:
      'From 0 to 100. The share of messages that pass DMARC makes 40 % of it; the share that passes aligned SPF, the ' +
      'share that passes aligned DKIM, and the strength of the policy make 20 % each. The grade is a range of scores.',
    source: 'docs/rules/scores.md',
  },
  compliance: {
    title: 'Pass rate',
    text:
      'The share of messages that passed DMARC: DKIM or SPF passed, for the domain in the From header or one ' +
      'that is aligned with it.',
    source: 'RFC 9989, 4.4 and 5.3',
  },
  window: {
    title: 'The 30 days of a score',
    text:
      'They end with the newest day of which reports of the domain speak. A domain that receivers stopped ' +
      'reporting is judged by the last 30 days that they saw; charts and lists show the days that you choose, up to ' +
      'today.',
    source: 'docs/rules/scores.md',
  },
  confidence: {
    title: 'Confidence',
    text:
      'How far a rate can be from the rate of all expected mail. Reports that are missing, may be forged or ' +
      'contradict each other are taken as if all their mail had passed, and as if none had; little mail widens the ' +
      'interval further. High: at most one point wide; medium: at most ten.',
    source: 'docs/rules/coverage.md',
  },
  expected: {
    title: 'Expected reporters',
    text:
      'A reporter is expected by its own history: on a day on which a silence as long as its present one would ' +
      'happen by chance at most once in 20 times.',
    source: 'docs/rules/coverage.md',
  },
  what_if: {
    title: 'What if',
    text:
      'What receivers would have done with the counted mail of these days under a stricter policy: mail that ' +
      'failed, and that they treated more mildly. Nothing is estimated.',
    source: 'docs/rules/enforcement.md',
  },
  authenticated: {
    title: 'Authenticated',
    text:
      'Passed DMARC: an aligned DKIM signature or an aligned SPF pass shows that the domain itself sent or ' +
      'authorised the mail.',
    source: 'docs/rules/classification.md',
  },
  likely_forwarded: {
    title: 'Likely forwarded',
    text:
      'Failed DMARC, and the evidence looks like ordinary relaying by a mailing list or a forwarding address. ' +
      'Usually nothing is to be done: ARC and DKIM that survives forwarding help.',
    source: 'docs/rules/classification.md',
  },
  needs_review: {
    title: 'Needs review',
    text:
      'Failed DMARC, and the evidence neither shows forwarding nor abuse. Decide whether you know this sender: ' +
      'if it is yours, authenticate it.',
    source: 'docs/rules/classification.md',
  },
  suspicious: {
    title: 'Suspicious',
    text:
      'Failed DMARC, and the address has a bad reputation or behaves like a forger. A policy of quarantine or ' +
      'reject stops such mail.',
    source: 'docs/rules/classification.md',
  },
  spf: {
    title: 'SPF',
    text:
      'A list in the DNS of the servers that may send for a domain. It counts for DMARC when the envelope sender ' +
      'is aligned with the From header.',
    source: 'RFC 7208; RFC 9989, 4.4.2',
  },
  dkim: {
    title: 'DKIM',
    text:
      'A signature in the message, verified with a key in the DNS. It counts for DMARC when its domain is ' +
      'aligned with the From header, and usually survives forwarding.',
    source: 'RFC 6376; RFC 9989, 4.4.1',
  },
  disposition: {
    title: 'Disposition',
    text:
      'What the receiver says it did with the message: none (delivered as usual), quarantine (spam folder) or ' +
      'reject.',
    source: 'RFC 9990, 3.1.1.10',
  },
  policy: {
    title: 'Policy',
    text: 'What the domain asks receivers to do with mail that fails DMARC: none, quarantine or reject.',
    source: 'RFC 9989, 4.7',
  },
  blocklist: {
    title: 'Blocklists',
    text:
      'Public lists of addresses that send unwanted mail. How serious a listing is depends on the list; a list ' +
      'that did not answer is never counted as clean.',
    source: 'docs/rules/reputation.md',
  },
  forged: {
    title: 'Forged mail',
    text:
      'A day counts when it has at least 100 failing messages, five times as many as the usual day of the ' +
      'domain, and suspicious addresses sent most of them. Days that follow each other are one wave.',
    source: 'docs/rules/classification.md',
  },
  stopped: {
    title: 'Stopped',
    text:
      'A reporter has stopped when others report and its silence is so long that its history does not explain ' +
      'it. It may have changed its address or gone, or its reports are refused on the way.',
    source: 'docs/rules/coverage.md',
  },
  tighten: {
    title: 'A stricter policy',
    text:
      'It is due when nearly all mail passes DMARC: 98 % before quarantine, 99 % before reject, with at least ' +
      '100 messages on 14 days of the last 30, and a valid record in the DNS. Whether one of your own senders is in ' +
      'the rest, the page of enforcement shows.',
    source: 'docs/rules/events.md',
  },
  evidence: {
    title: 'Evidence',
    text:
      'Each fact about the address gives points: positive ones speak for unwanted mail, negative ones for a ' +
      'known sender. The sum is a summary. What failing mail is taken for follows from single facts, such as a ' +
      'listing or a host name, and from signs of forwarding.',
    source: 'docs/rules/classification.md',
  },
  acknowledged: {
    title: 'Acknowledged',
    text: 'Somebody has dealt with the event. It stays in the list with their name, and is no longer an open item.',
    source: 'docs/rules/action-items.md',
  },
  intake: {
    title: 'Refused and quarantined',
    text:
      'A refused delivery holds no report that can be read, and its code says why. One that failed again and ' +
      'again for no clear reason is quarantined, and can be read again on its page.',
    source: 'docs/operations.md',
  },
  warning: {
    title: 'Warnings',
    text:
      'The report was kept although it departs from its standard. Unless the explanation of a warning says so, ' +
      'it changes nothing in the figures.',
    source: 'docs/warnings.md',
  },
  roles: {
    title: 'Who may what',
    text:
      'An owner may everything; an admin too, except adding and removing owners. An analyst sees figures, ' +
      'reports and intake, acknowledges events, adds domains and decides about senders. A viewer sees figures and ' +
      'domains. Integration is for programs: it sees reports and uploads.',
    source: 'docs/pages.md',
  },
  tls: {
    title: 'TLS reports',
    text:
      'Senders report how many of their connections to your mail servers were encrypted, and why others failed. ' +
      'A connection is called a session.',
    source: 'RFC 8460',
  },
  rotation: {
    title: 'Rotation',
    text:
      'A key that is used for years is more likely to have leaked. Publish a new key at a new selector, sign ' +
      'with it, and remove the old one when no mail carries it any more.',
    source: 'docs/rules/dkim-keys.md',
  },
  lookups: {
    title: 'Lookups',
    text:
      'Each include, a, mx, ptr, exists and redirect of the record and of those it refers to costs a lookup. ' +
      'Receivers give up after 10, and after 2 that find nothing, and treat mail as if SPF had failed.',
    source: 'RFC 7208, 4.6.4',
  },
  needed: {
    title: 'Needed',
    text:
      'A term is needed when an address that it authorises sent mail as the domain in the last 90 days, or as ' +
      'another domain of yours whose record refers to this one. What depends on the message cannot be seen, and is ' +
      'never called unused.',
    source: 'docs/rules/spf.md',
  },
  shortest: {
    title: 'Shortest record',
    text:
      'The terms of today without those that no sender of yours needs, and the addresses of senders that you ' +
      'decided are yours. The includes of services are kept as they are.',
    source: 'docs/rules/spf.md',
  },
  name_servers: {
    title: 'Name servers',
    text:
      'Each server of a zone may answer differently while a change spreads. A record that one has counts; an ' +
      'absence needs two that agree. Once two have answered, others are not asked.',
    source: 'docs/rules/domain-checks.md',
  },
  state: {
    title: 'Reporting state',
    text:
      'Whether the published DMARC record sends reports to this organization. Verified by parent: the record of ' +
      'the organizational domain does.',
    source: 'docs/rules/domain-checks.md',
  },
} as const satisfies { [name: string]: Term };

export type TermName = keyof typeof terms;

/** The page of the help for a source; undefined for a standard. */
export function helpOf(source: string): string | undefined {
  const [, page] = /^docs\/([a-z/-]+)\.md$/.exec(source) ?? [];
  return page === undefined ? undefined : `/help/${page}`;
}
