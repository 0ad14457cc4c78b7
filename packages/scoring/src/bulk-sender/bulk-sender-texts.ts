import { counted, groupedDigits } from '@dmarc-ledger/vocabulary';

interface OwnMail {
  days: number;
  messages: number;
}

/** Every sentence about the rules for bulk senders; grammatical for any number. */
export const bulkSenderTexts = {
  evidence: {
    unchecked: ({ record, domain }: { record: string; domain: string }) =>
      `The ${record} record of ${domain} was not checked in the last week.`,
    noMail: ({ days }: { days: number }) => `No mail of own senders was reported in the last ${days} days.`,
    /** `record`: what the check says of it. */
    spf: ({ record, days, messages, spf }: OwnMail & { record: string; spf: number }) =>
      spf === 0
        ? `${record} None of ${counted(messages, 'message')} in ${days} days passed SPF with an aligned domain; ` +
          'services may pass with a domain of their own, which is not counted.'
        : `${record} In ${days} days ${part(spf, messages)} passed SPF with an aligned domain.`,
    dkim: ({ days, messages, dkim }: OwnMail & { dkim: number }) =>
      `In ${days} days ${part(dkim, messages)} of own senders passed DKIM with an aligned domain.`,
    noKeys: () => 'No RSA key of the domain is known: no selector was seen, or its key was not read.',
    keys: ({ keys, shortest }: { keys: number; shortest: number }) =>
      keys === 1
        ? `The RSA key of the one selector with a key that reports name has ${groupedDigits(shortest)} bits.`
        : `Of ${counted(keys, 'RSA key')} of selectors that reports name, the shortest has ` +
          `${groupedDigits(shortest)} bits.`,
    policy: ({ policy }: { policy: string }) => `The policy that applies is ${policy}.`,
    aligned: ({ days, messages, passed }: OwnMail & { passed: number }) =>
      `In ${days} days ${part(passed, messages)} of own senders passed DMARC; forwarded mail is not counted.`,
    pointers: ({
      confirmed,
      wrong,
      missing,
      unknown,
    }: { [state in 'confirmed' | 'wrong' | 'missing' | 'unknown']: number }) =>
      `Own sending addresses whose host name leads back: ${groupedDigits(confirmed)}; with one that does not: ` +
      `${groupedDigits(wrong)}; without one: ${groupedDigits(missing)}; not known: ${groupedDigits(unknown)}.`,
    tls: () =>
      'Reports do not say how mail was handed over: TLS reports are about mail to the domain. The logs of the ' +
      'sending servers do.',
    spamRate: () => 'Complaints are not in DMARC reports: look at Google Postmaster Tools and the Yahoo Sender Hub.',
    unsubscribe: () =>
      'The headers List-Unsubscribe and List-Unsubscribe-Post are not in DMARC reports: look at a message.',
    format: () => 'Messages are not in DMARC reports: look at a message as it arrives.',
    addresses: () => 'Whether addresses take replies is not in DMARC reports: send a reply.',
  },
  change: {
    spf: ({ domain }: { domain: string }) =>
      `Publish one valid SPF record at ${domain} that names every server and service that sends for it.`,
    returnPath: ({ domain }: { domain: string }) =>
      `At each service set a return path below ${domain}, or at ${domain} itself where its DMARC record has aspf=s, so ` +
      'that its mail passes SPF as yours.',
    dkim: ({ domain }: { domain: string }) =>
      `Have every sender sign with d=${domain}: look on the page of senders for those without.`,
    key: () =>
      'Publish a new key of 2,048 bits under a new selector, and sign with it: keys below 1,024 bits are ignored.',
    longerKey: () => 'The length is enough; both providers advise 2,048 bits.',
    noRecord: ({ domain }: { domain: string }) => `Publish v=DMARC1; p=none with a rua address at _dmarc.${domain}.`,
    severalRecords: ({ domain }: { domain: string }) =>
      `Remove all DMARC records at _dmarc.${domain} but one: the one with the policy that you want.`,
    brokenRecord: ({ domain }: { domain: string }) => `Correct the DMARC record at _dmarc.${domain}.`,
    align: () => 'Look on the page of enforcement for the senders whose mail fails, and repair those that are yours.',
    pointer: () =>
      'Have the provider of these addresses set a PTR record to a host name whose A or AAAA record has the address.',
  },
  summary: ({ domain, notMet, unknown }: { domain: string; notMet: number; unknown: number }) =>
    notMet > 0
      ? `${domain} does not meet ${counted(notMet, 'requirement')} of the rules for bulk senders.`
      : unknown > 0
        ? `${domain} meets what is known of the rules for bulk senders; ${counted(unknown, 'requirement')} cannot be ` +
          `judged yet.`
        : `${domain} meets every requirement for bulk senders that can be seen from reports and the DNS.`,
} as const;

/** `3 of 1,000 messages`. */
function part(some: number, all: number): string {
  return `${groupedDigits(some)} of ${counted(all, 'message')}`;
}
