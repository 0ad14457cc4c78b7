import type { DkimKeysBody, SpfBody } from '@dmarc-ledger/api/answers';
import type { Formats } from '../page/formats.ts';

type Key = DkimKeysBody['keys'][number];
type Term = SpfBody['terms'][number];

const counted = (count: number, shown: string, one: string, many: string) => `${shown} ${count === 1 ? one : many}`;

/** The words of the pages about the DNS that are not in the answers themselves. */
export const dnsWords = {
  keyStates: { active: 'in use', idle: 'not in the last 7 days', unused: 'not in the last 30 days' },
  published: {
    rsa: 'RSA',
    ed25519: 'Ed25519',
    revoked: 'revoked',
    unusable: 'cannot be used',
    absent: 'nothing',
  },
  notRead: 'not looked up in the last week',
  notKnown: 'Not known. Look there before you publish something: where two records stand, neither may count.',
  foundThen: 'What was found then may no longer be so.',
  bits: (bits: number) => `${bits} bits`,
  testMode: 'test mode',
  age: (days: number, shown: string) => `at least ${counted(days, shown, 'day', 'days')} old`,
  otherSelectors: (count: number, shown: string, isAtLeast: boolean) =>
    `${shown}${isAtLeast ? ' or more' : ''} ${count === 1 ? 'selector was' : 'selectors were'} seen that never ` +
    'passed. Anybody can write a selector into a message, so they are counted and not listed.',
  noKeys: 'No DKIM signature of this domain has passed in the reports that are held.',
  termStates: {
    plain: '',
    found: '',
    void: 'finds nothing',
    unanswered: 'was not answered',
    depends: 'depends on the message',
    broken: 'has no SPF record that can be used',
    loop: 'leads back to itself',
    ignored: 'is ignored beside all',
    unread: 'is beyond what is followed',
  },
  needed: { yes: 'needed', no: 'not needed', unknown: '' },
  mail: (addresses: number, messages: number, formats: Formats) =>
    `${formats.counted(addresses, 'address', 'addresses')}, ${formats.counted(messages, 'message', 'messages')}`,
  networks: (count: number, shown: string) => counted(count, shown, 'network', 'networks'),
  lookups: (count: number, shown: string) => counted(count, shown, 'lookup', 'lookups'),
  absent: {
    elsewhere: 'SPF passes: the record of another name authorises it.',
    mostlyElsewhere: 'SPF mostly passes: the record of another name authorises it.',
    dkim: 'Passes by DKIM alone, as forwarded mail does. If the sender is yours, decide so.',
    mostlyDkim: 'Mostly passes by DKIM alone, as forwarded mail does. If the sender is yours, decide so.',
    mostlyFailing:
      'Mostly fails; some of it passes by DKIM, as forwarded mail does. If the sender is yours, decide so.',
    decidedDkim: 'Passes by DKIM alone; no SPF pass is aligned.',
    mostlyDecidedDkim: 'Mostly passes by DKIM alone.',
    partly: 'Mostly fails SPF.',
    failing: 'Fails SPF.',
    notAligned: 'No SPF pass is aligned.',
    mostlyNotAligned: 'Mostly, no SPF pass is aligned.',
    returnPath: (name: string) =>
      `No term here would help: its envelope sender is at ${name}, and the SPF record of that name counts.`,
  },
  server: { found: 'has the record', absent: 'has no record', unanswered: 'gave no answer that counts' },
  serversDiffer: 'The name servers do not agree: mail is judged by whichever is asked.',
} as const satisfies {
  keyStates: { [state in Key['state']]: string };
  published: { [kind in NonNullable<Key['published']>]: string };
  termStates: { [state in Term['state']]: string };
  needed: { [needed in Term['needed']]: string };
  [name: string]: unknown;
};

/** What the mail of an address that is in no term of an SPF record comes to. */
export function meaningOfAbsent(address: SpfBody['absent'][number]): string {
  const { return_path } = address;
  const meaning = meaningOfResults(address);
  return return_path === null ? meaning : `${meaning} ${dnsWords.absent.returnPath(return_path)}`;
}

function meaningOfResults(address: SpfBody['absent'][number]): string {
  const { messages, spf_pass, dkim_pass, decision, return_path } = address;
  const { absent } = dnsWords;
  if (2 * spf_pass >= messages) return spf_pass === messages ? absent.elsewhere : absent.mostlyElsewhere;
  const isByDkim = 2 * dkim_pass >= messages;
  const isWhole = dkim_pass === messages && spf_pass === 0;
  if (decision !== null && isByDkim) return isWhole ? absent.decidedDkim : absent.mostlyDecidedDkim;
  // of another name's record only the aligned passes are known here
  if (return_path !== null) return spf_pass === 0 ? absent.notAligned : absent.mostlyNotAligned;
  if (decision !== null || dkim_pass === 0) return spf_pass === 0 ? absent.failing : absent.partly;
  if (!isByDkim) return absent.mostlyFailing;
  return isWhole ? absent.dkim : absent.mostlyDkim;
}
