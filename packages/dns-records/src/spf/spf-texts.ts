import { counted } from '@dmarc-ledger/vocabulary';

interface Count {
  count: number;
}

/** The sentences about the shortest record. (rules, spf/shortest-record) */
export const spfTexts = {
  noRecord: () => 'No SPF record that can be read is published, so there is nothing to shorten.',
  incomplete: () => 'The record could not be read with everything that it refers to, so nothing is advised.',
  notEnough: ({ messages, days }: { messages: number; days: number }) =>
    `${messages} messages on ${counted(days, 'day')} with reports are needed before a term can be called unused.`,
  stale: ({ days }: { days: number }) =>
    `No report is about the last ${counted(days, 'day')}, so nothing is advised until reports arrive again.`,
  removed: ({ count }: Count) =>
    `${counted(count, 'term')} can go: no mail of your senders in 90 days needed ${count === 1 ? 'it' : 'them'}, or ` +
    `another term covers ${count === 1 ? 'it' : 'them'}. ` +
    `First ask who set ${count === 1 ? 'it' : 'each of them'} up: a new service, mail that is sent rarely, and mail ` +
    'that only uses the domain as its envelope sender are not in the reports.',
  unreached: ({ count }: Count) =>
    `${counted(count, 'term')} ${count === 1 ? 'stands' : 'stand'} after all, or beside it, where receivers do not ` +
    `look: put ${count === 1 ? 'it' : 'them'} before it if ${count === 1 ? 'its' : 'their'} servers are yours.`,
  added: ({ count }: Count) =>
    count === 1
      ? '1 address is added: its network is one that you decided is yours. Check that the server is yours too.'
      : `${counted(count, 'address', 'addresses')} are added: their networks are ones that you decided are yours. ` +
        'Check that each server is yours too.',
  tooMany: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of senders that are yours are missing: add their networks, not each ` +
    `address.`,
  services: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of services that are yours ${count === 1 ? 'is' : 'are'} missing: add ` +
    `the include that the service names.`,
  open: () => 'The record ends in +all, which lets any server send; ~all takes its place.',
  openOnly: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of senders that nothing was decided about ` +
    `${count === 1 ? 'is' : 'are'} in no term and may pass by +all alone: ` +
    'decide which of them are yours before you publish this.',
  wide: ({ term }: { term: string }) =>
    `Any server passes by ${term}: replace that first, as nothing else of the record is needed beside it.`,
  asShort: () => 'The record is as short as your senders allow.',
} as const;
