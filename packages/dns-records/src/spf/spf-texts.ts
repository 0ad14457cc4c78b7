import { counted } from '@dmarc-ledger/vocabulary';

interface Count {
  count: number;
}

/** Some names, and how many there are beside them. */
interface Named {
  names: readonly string[];
  others: number;
}

/** The sentences about the shortest record. (rules, spf/shortest-record) */
export const spfTexts = {
  noRecord: () => 'No SPF record that can be read is published, so there is nothing to shorten.',
  incomplete: () => 'The record could not be read with everything that it refers to, so nothing is advised.',
  noSender: () =>
    'No sender of yours is known: no mail of 90 days passed DMARC, and no sender was decided to be yours. Decide ' +
    'which senders are yours first.',
  notEnough: ({ messages, days }: { messages: number; days: number }) =>
    `${messages} messages of your senders on ${counted(days, 'day')} are needed before a term can be called unused.`,
  stale: ({ days }: { days: number }) =>
    `No report is about the last ${counted(days, 'day')}, so nothing is advised until reports arrive again.`,
  removed: ({ count }: Count) =>
    `${counted(count, 'term')} can go: no mail of your senders in 90 days needed ${count === 1 ? 'it' : 'them'}, or ` +
    `another term covers ${count === 1 ? 'it' : 'them'}. ` +
    `First ask who set ${count === 1 ? 'it' : 'each of them'} up: a new service, mail that is sent rarely, and mail ` +
    'that only uses the domain as its envelope sender are not in the reports.',
  dead: ({ count }: Count) =>
    `${counted(count, 'term')} ${count === 1 ? 'names' : 'name'} nothing that receivers can use, such as a host or ` +
    'an SPF record that does not exist, and receivers may treat the whole record as an error: correct ' +
    `${count === 1 ? 'the name if it is' : 'each name that is'} misspelt, or publish the record without ` +
    `${count === 1 ? 'it' : 'them'}.`,
  unreached: ({ count }: Count) =>
    `${counted(count, 'term')} ${count === 1 ? 'stands' : 'stand'} after all, or beside it, where receivers do not ` +
    `look: put ${count === 1 ? 'it' : 'them'} before it if ${count === 1 ? 'its' : 'their'} servers are yours.`,
  added: ({ count }: Count) =>
    count === 1
      ? '1 address is added: its network is one that you decided is yours. Check that the server is yours too.'
      : `${counted(count, 'address', 'addresses')} are added: their networks are ones that you decided are yours. ` +
        'Check that each server is yours too.',
  excluded: ({ count }: Count) =>
    count === 1
      ? '1 added address stands before the term that excludes it today, as the first match counts.'
      : `${counted(count, 'added address', 'added addresses')} stand before the terms that exclude them today, as ` +
        'the first match counts.',
  tooMany: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of senders that are yours are missing, too many to add each: have ` +
    'them sign by DKIM as this domain, or add a range only where all of its addresses are yours.',
  services: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of services that are yours ${count === 1 ? 'is' : 'are'} missing: add ` +
    `the include that the service names.`,
  returnPaths: ({ count, names }: Count & { names: readonly string[] }) =>
    `${counted(count, 'address', 'addresses')} of senders that are yours ${count === 1 ? 'needs' : 'need'} nothing ` +
    `in this record: the envelope sender of ${count === 1 ? 'its' : 'their'} mail is at another name ` +
    `(${names.join(', ')}), and receivers look for the SPF record there. To pass DMARC, have ` +
    `${count === 1 ? 'it' : 'them'} sign by DKIM as this domain, or where ${count === 1 ? 'it is' : 'they are'} run ` +
    'set up a return path below this domain, or with aspf=s at exactly this domain.',
  otherRecords: ({ count, names }: Count & { names: readonly string[] }) =>
    `${counted(count, 'address', 'addresses')} of senders that are yours ${count === 1 ? 'needs' : 'need'} nothing ` +
    `in this record: the envelope sender of ${count === 1 ? 'its' : 'their'} mail is at another name of yours ` +
    `(${names.join(', ')}), and receivers look for the SPF record at exactly that name. Add ` +
    `${count === 1 ? 'it' : 'them'} to the record there, a service by its include, or publish one there. A pass ` +
    'there counts for DMARC; with aspf=s, for mail from exactly that name alone.',
  notExact: ({ count, names }: Count & { names: readonly string[] }) =>
    `${counted(count, 'address', 'addresses')} of senders that are yours ${count === 1 ? 'passes' : 'pass'} SPF for ` +
    `another name of yours (${names.join(', ')}), which is not aligned, as with aspf=s. Nothing in this record ` +
    `changes that: have ${count === 1 ? 'it' : 'them'} use exactly the domain of the From field as envelope sender, ` +
    `and add ${count === 1 ? 'it' : 'them'} to the SPF record there, or sign by DKIM as exactly that domain.`,
  open: () => 'The record ends in +all, which lets any server send; ~all takes its place.',
  openOnly: ({ count }: Count) =>
    `${counted(count, 'address', 'addresses')} of senders that nothing was decided about ` +
    `${count === 1 ? 'is' : 'are'} in no term and may pass by +all alone: ` +
    'decide which of them are yours before you publish this.',
  wide: ({ term }: { term: string }) =>
    `Any server passes by ${term}: replace that first, as nothing else of the record is needed beside it.`,
  tooManyLookups: ({ count }: Count) =>
    `The terms that stay need ${counted(count, 'DNS lookup')}; receivers accept 10 and treat more as an error, so no ` +
    'record is offered.',
  tooManyVoids: ({ count }: Count) =>
    `${counted(count, 'lookup', 'lookups')} of the terms that stay ${count === 1 ? 'finds' : 'find'} nothing; ` +
    'receivers accept 2 and treat more as an error, so no record is offered.',
  waysOut: () =>
    'Let a sender use a subdomain of its own as envelope sender, with an SPF record there; its passes count for this ' +
    'domain unless DMARC has aspf=s. A sender whose mail passes by DKIM as this domain needs no term at all.',
  unusable: ({ term }: { term: string }) =>
    `Receivers end with an error at ${term}, or at a name that it refers to, so no record is offered: ask its owner ` +
    'to correct it, or take it out.',
  shared: (named: Named) =>
    `${named.names.length + named.others === 1 ? 'Another domain of yours uses' : 'Other domains of yours use'} this ` +
    `record too, by include or redirect (${listed(named)}): what mail from there needs stays, and whatever you ` +
    'change here changes there.',
  unseen: (named: Named) =>
    `No term is called unused, as too little mail of ${listed(named)} is known, or none of late.`,
  unsaid: () => 'The record does not say what to do with other servers; ~all at its end does.',
  long: ({ count }: Count) =>
    `The record has ${counted(count, 'character')}: enter it as several strings of at most 255 characters, unless ` +
    'your DNS service divides it itself.',
  asShort: () => 'The record is as short as your senders allow.',
} as const;

function listed({ names, others }: Named): string {
  if (others > 0) return `${names.join(', ')} and ${counted(others, 'other domain')}`;
  return names.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
