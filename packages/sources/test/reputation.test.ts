import { describe, expect, it } from 'vitest';
import {
  abuseStatusOf,
  builtInLists,
  classificationDescription,
  classificationFacts,
  identifySender,
  interpretAnswer,
  judgeBlocklists,
  redFlagsOf,
  reputationReason,
  spamSignals,
  type AddressFacts,
} from '../src/index.ts';

const scored = (abuseScore: number, more: Partial<AddressFacts> = {}): AddressFacts => ({ abuseScore, ...more });
const listedBy = (...listings: [id: string, ...codes: string[]][]) =>
  judgeBlocklists(
    listings.map(([id, ...addresses]) =>
      interpretAnswer(
        builtInLists.find((list) => list.id === id)!,
        { outcome: 'addresses', addresses },
      ),
    ),
    'full',
  );
const named = (name: string) => identifySender({ ip: '192.0.2.1', ptr: [{ name, confirmed: true }] });
const sendgrid = named('o1.sendgrid.net');
const weak = identifySender({ ip: '192.0.2.1', asn: 11377 });
const tier4 = listedBy(['spamhaus-zen', '127.0.0.9']);
const c2 = listedBy(['spamhaus-zen', '127.0.0.30']);
const tier3 = listedBy(['barracuda', '127.0.0.2']);
const tier2 = listedBy(['psbl', '127.0.0.2']);
const tier1 = listedBy(['s5h', '127.0.0.2']);
const torList = listedBy(['tor-exits', '127.0.0.100']);
const goodPtr = { name: 'mail.example.com', confirmed: true, generic: false };
const genericPtr = { name: '1-2-0-192.pool.example.com', confirmed: true, generic: true };
const falsePtr = { name: 'mail.example.com', confirmed: false, generic: false };

describe('the abuse status', () => {
  it.each([
    [-1, 'unknown'],
    [0, 'clean'],
    [24, 'clean'],
    [25, 'suspicious'],
    [74, 'suspicious'],
    [75, 'malicious'],
    [100, 'malicious'],
  ])('%i: %s', (score, status) => expect(abuseStatusOf(score)).toBe(status));
});

describe('the reason', () => {
  it.each<[string | undefined, AddressFacts, number]>([
    ['Listed as malware infrastructure on Spamhaus ZEN.', scored(90, { blocklists: c2, abuseReports: 4 }), 9],
    ['Reported for abuse 1,234 times; confidence 90%.', scored(90, { abuseReports: 1234, blocklists: tier4 }), 9],
    ['Reported for abuse once; confidence 75%.', scored(75, { abuseReports: 1 }), 0],
    ['Abuse confidence 100%.', scored(100, { abuseReports: 0 }), 0],
    ['Abuse confidence 25%.', scored(25, { abuseReports: 7, blocklists: tier4 }), 0],
    ['Listed on Spamhaus ZEN.', scored(-1, { blocklists: tier4, tor: true }), 0],
    ['Listed on Barracuda BRBL.', scored(0, { blocklists: tier3 }), 0],
    ['This address is a Tor exit.', scored(0, { tor: true, ptr: null }), 9],
    ['This address is a Tor exit.', scored(0, { blocklists: torList }), 0],
    ['This address is a Tor exit.', scored(0, { usageType: 'Tor Exit Node' }), 0],
    ['Reverse DNS is missing.', scored(-1, { ptr: null, blocklists: tier2 }), 1],
    ['Reverse DNS looks like a consumer connection.', scored(0, { ptr: { ...genericPtr, confirmed: false } }), 1],
    ['Reverse DNS does not match the address.', scored(0, { ptr: falsePtr }), 1],
    [undefined, scored(0, { ptr: null }), 0],
    ['Known sending service: Twilio SendGrid.', scored(0, { ptr: goodPtr, sender: sendgrid }), 5],
    [undefined, scored(-1, { ptr: goodPtr, sender: sendgrid }), 5],
    [undefined, scored(0, { sender: weak }), 5],
    [undefined, scored(-1), 5],
  ])('%s', (expected, facts, failCount) => expect(reputationReason(facts, failCount)).toBe(expected));
});

describe('the spam signals', () => {
  const names = (facts: AddressFacts) => spamSignals(facts).map(({ name }) => name);

  it.each<[AddressFacts, string[]]>([
    [scored(-1), []],
    [scored(90, { blocklists: tier4 }), ['BLOCKLIST_TIER_4', 'ABUSE_HIGH']],
    [scored(75, { tor: true, blocklists: tier3 }), ['BLOCKLIST_TIER_3', 'ABUSE_HIGH', 'TOR_EXIT']],
    [scored(74, { blocklists: tier2 }), ['ABUSE_MEDIUM', 'BLOCKLIST_TIER_2']],
    [scored(25, { ptr: null }), ['ABUSE_MEDIUM', 'RDNS_NONE']],
    [scored(24, { ptr: { ...genericPtr, confirmed: false } }), ['RDNS_DYNAMIC', 'FCRDNS_MISMATCH']],
    [scored(0, { ptr: genericPtr }), ['RDNS_DYNAMIC']],
    [scored(0, { ptr: { ...goodPtr, confirmed: null } }), []],
    [scored(0, { ptr: goodPtr, sender: sendgrid }), ['FCRDNS_PASS', 'KNOWN_SENDER']],
    [scored(0, { usageType: 'Data Center/Web Hosting/Transit' }), ['HOSTING_RANGE']],
    [scored(0, { usageType: 'Data Center/Web Hosting/Transit', sender: weak }), ['HOSTING_RANGE']],
    [scored(0, { usageType: 'Data Center/Web Hosting/Transit', sender: sendgrid }), ['KNOWN_SENDER']],
    [scored(0, { abuseCategories: ['VPN IP', 'SSH'] }), ['VPN_OR_PROXY']],
    [scored(0, { abuseCategories: ['Open Proxy'] }), ['VPN_OR_PROXY']],
    [scored(0, { blocklists: tier1 }), ['BLOCKLIST_TIER_1']],
    [scored(0, { blocklists: judgeBlocklists([], 'full') }), []],
  ])('%j', (facts, expected) => expect(names(facts)).toEqual(expected));

  it('carry their score and description', () => {
    expect(spamSignals(scored(0, { ptr: null }))).toEqual([
      { name: 'RDNS_NONE', score: 1.3, description: 'No reverse DNS' },
    ]);
  });
});

describe('the red flags', () => {
  it.each<[AddressFacts, string[]]>([
    [scored(90), ['H1']],
    [scored(40), ['S1']],
    [scored(-1, { blocklists: tier3 }), ['H2']],
    [scored(-1, { blocklists: tier2 }), ['S2']],
    [scored(-1, { blocklists: listedBy(['barracuda', '127.0.0.2'], ['psbl', '127.0.0.2']) }), ['H2', 'S2']],
    [scored(-1, { tor: true }), ['H3']],
    [scored(-1, { blocklists: torList }), ['H3']],
    [scored(-1, { ptr: null }), ['S3']],
    [scored(-1, { ptr: { ...genericPtr, confirmed: false } }), ['S4', 'S5']],
    [scored(-1, { ptr: { ...goodPtr, confirmed: null } }), []],
    [scored(-1), []],
  ])('%j', (facts, expected) => expect(redFlagsOf(facts)).toEqual(expected));

  it('become the facts that the classification asks for', () => {
    expect(classificationFacts(scored(40, { blocklists: tier3, ptr: null, sender: named('x.improvmx.com') }))).toEqual({
      sender: { forwarder: true, category: 'forwarder' },
      abuseStatus: 'suspicious',
      listedTiers: [3],
      torExit: false,
      ptr: null,
    });
    expect(classificationFacts(scored(-1, { sender: weak }))).toEqual({ abuseStatus: 'unknown', torExit: false });
  });
});

describe('the class of a source in words', () => {
  const improvmx = named('x.improvmx.com');
  const describeIt = (
    classification: Parameters<typeof classificationDescription>[0]['classification'],
    facts?: AddressFacts,
    more: { totalMessages?: number; receiversSayForwarded?: boolean } = {},
  ) => classificationDescription({ classification, totalMessages: 5, receiversSayForwarded: false, facts, ...more });

  it.each([
    [describeIt('authenticated', scored(90)), undefined],
    [
      describeIt('likely_forwarded', scored(-1, { sender: improvmx }), { receiversSayForwarded: true }),
      /^ImprovMX is relaying mail/,
    ],
    [
      describeIt('likely_forwarded', scored(-1, { sender: weak }), { receiversSayForwarded: true }),
      /^Receivers marked this mail/,
    ],
    [describeIt('likely_forwarded'), /^The failures look like ordinary forwarding/],
    [describeIt('suspicious', scored(90, { blocklists: tier3 })), /has a record of abuse/],
    [describeIt('suspicious', scored(-1, { tor: true })), /has a record of abuse/],
    [describeIt('suspicious', scored(40, { blocklists: tier3 })), /the address is on Barracuda BRBL\./],
    [describeIt('suspicious', scored(40)), /its reputation raises doubts/],
    [describeIt('needs_review', scored(-1, { sender: sendgrid })), /^Twilio SendGrid sends mail as your domain/],
    [describeIt('needs_review', undefined, { totalMessages: 0 }), 'Reports mention this address without any messages.'],
    [describeIt('needs_review'), /nothing tells whether it is yours/],
  ])('%s', (text, expected) => expect(text ?? 'none').toMatch(expected ?? 'none'));
});
