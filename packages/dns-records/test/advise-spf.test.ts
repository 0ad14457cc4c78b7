import {
  checks,
  judgeSpf,
  readSpfTree,
  termsOf,
  type ReturnPath,
  type SpfMail,
  type SpfSender,
} from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const NAME = 'example.com';
const others: Zone = {
  'crm.test': { text: ['v=spf1 include:deep.crm.test -all'] },
  'deep.crm.test': { text: ['v=spf1 ip4:198.51.100.0/24 -all'] },
  'hoster.test': { text: ['v=spf1 mx ip4:203.0.113.0/24 -all'], mx: ['mx.hoster.test'] },
  'mx.hoster.test': { a: ['203.0.113.77'] },
  'none.corp.test': { text: ['v=spf1 -all'] },
  'open.test': { text: ['v=spf1 +all'] },
  'mx.test': { a: ['192.0.2.1'] },
  'news.test': { text: ['v=spf1 ip4:203.0.113.0/24 -all'] },
  'to.test': { text: ['v=spf1 redirect=news.test'] },
  'both.test': { text: ['v=spf1 include:crm.test -all'] },
  'but.test': { text: ['v=spf1 -ip4:192.0.2.0/24 include:news.test a:host.test -all'] },
  'around.test': { text: ['v=spf1 include:but.test -all'] },
  'host.test': { a: ['192.0.2.5'] },
  'lost.test': { text: ['v=spf1 include:gone.test ip4:203.0.113.0/24 -all'] },
  'voids.test': { text: ['v=spf1 a:v1.test a:v2.test a:v3.test ip4:203.0.113.0/24 -all'] },
  'silent.test': { text: '?' as const },
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [`i${i}.test`, { text: [`v=spf1 ip4:10.${i}.0.0/16 -all`] }]),
  ),
};
const includes = (count: number) => Array.from({ length: count }, (_, i) => `include:i${i}.test`).join(' ');
const inEach = (count: number) => Array.from({ length: count }, (_, i) => sender(`10.${i}.0.1`));

function sender(address: string, more: Partial<SpfSender> = {}): SpfSender {
  return { address, messages: 100, compliant: 100, spfPass: 100, isOurs: false, isService: false, ...more };
}

/** An address of ours whose mail fails, with its envelope sender at another name. */
function returned(
  address: string,
  { name, isRelated = false, passes = false, ...more }: Partial<SpfSender> & Partial<ReturnPath> & { name: string },
): SpfSender {
  const returnPath = { name, isRelated, passes };
  return sender(address, { isOurs: true, spfPass: 0, compliant: 0, returnPath, ...more });
}

function zoneOf(record: string): Zone {
  return { ...others, [NAME]: { text: [record], mx: ['mx.test'] } };
}

/** The status that the check of the DNS would give a record. */
async function statusOf(record: string) {
  const names = { domain: NAME, organizationalDomain: NAME, ours: [], selectors: [], hasMail: true };
  const check = checks.find(({ protocol }) => protocol === 'spf')!;
  return (await check.run(askZone(zoneOf(record)), { ...names, now: new Date(0) })).status;
}

async function judge(record: string, senders: readonly SpfSender[], mail: Partial<SpfMail> = {}) {
  const tree = await readSpfTree(askZone(zoneOf(record)), NAME);
  const judged = judgeSpf(tree!, { ownDays: 60, isCurrent: true, ...mail, senders });
  const uses = termsOf(tree!).map(({ id, term }) => `${term.text} ${judged.uses.get(id)?.needed}`);
  return { ...judged, uses };
}

describe('the shortest record', () => {
  it.each<[string, string, SpfSender[], string | null]>([
    ['1', 'v=spf1 include:crm.test include:news.test -all', [sender('203.0.113.9')], 'v=spf1 include:news.test -all'],
    [
      '2',
      'v=spf1 ip4:203.0.113.0/25 include:news.test ~all',
      [sender('203.0.113.9')],
      'v=spf1 ip4:203.0.113.0/25 include:news.test ~all',
    ],
    [
      'a network in another one',
      'v=spf1 ip4:203.0.113.9 ip4:203.0.113.0/25 ~all',
      [sender('203.0.113.9')],
      'v=spf1 ip4:203.0.113.0/25 ~all',
    ],
    [
      'an mx of its own beside that of an include, which is another domain’s',
      'v=spf1 mx include:hoster.test -all',
      [sender('192.0.2.1'), sender('203.0.113.9')],
      'v=spf1 mx include:hoster.test -all',
    ],
    [
      'a network after one that fails',
      'v=spf1 ip4:203.0.113.9 -ip4:203.0.113.0/28 ip4:203.0.113.0/24 -all',
      [sender('203.0.113.9'), sender('203.0.113.99')],
      'v=spf1 ip4:203.0.113.9 -ip4:203.0.113.0/28 ip4:203.0.113.0/24 -all',
    ],
    [
      'a redirect, which says what others get',
      'v=spf1 redirect=none.corp.test',
      [sender('192.0.2.7', { spfPass: 0 })],
      'v=spf1 redirect=none.corp.test',
    ],
    ['a network of all addresses', 'v=spf1 ip4:0.0.0.0/0 ip4:203.0.113.9 -all', [sender('203.0.113.9')], null],
    ['a wide network of IPv6', 'v=spf1 ip6:2000::/12 ip4:203.0.113.9 -all', [sender('203.0.113.9')], null],
    ['an include of all addresses', 'v=spf1 include:open.test include:crm.test -all', [sender('203.0.113.9')], null],
    [
      'the same term again',
      'v=spf1 include:news.test include:NEWS.test ~all',
      [sender('203.0.113.9')],
      'v=spf1 include:news.test ~all',
    ],
    [
      'an include inside another',
      'v=spf1 include:crm.test include:both.test -all',
      [sender('198.51.100.1')],
      'v=spf1 include:both.test -all',
    ],
    [
      '3',
      'v=spf1 include:news.test ~all',
      [sender('203.0.113.9'), sender('192.0.2.1', { isOurs: true, spfPass: 0 })],
      'v=spf1 include:news.test ip4:192.0.2.1 ~all',
    ],
    [
      '4',
      'v=spf1 include:news.test ~all',
      [sender('203.0.113.9'), sender('192.0.2.1', { spfPass: 0 })],
      'v=spf1 include:news.test ~all',
    ],
    [
      '5',
      'v=spf1 include:news.test -all',
      [sender('203.0.113.9'), sender('192.0.2.1', { isOurs: true, isService: true, spfPass: 0 })],
      'v=spf1 include:news.test -all',
    ],
    [
      'a redirect that an include has as well',
      'v=spf1 include:to.test redirect=news.test',
      [sender('203.0.113.9')],
      'v=spf1 include:to.test redirect=news.test',
    ],
    [
      '6',
      'v=spf1 exists:%{i}.test ptr include:crm.test -all',
      [sender('203.0.113.9')],
      'v=spf1 exists:%{i}.test ptr -all',
    ],
    [
      '7',
      'v=spf1 -ip4:192.0.2.1 ?include:crm.test include:none.test +all',
      [sender('203.0.113.9')],
      'v=spf1 -ip4:192.0.2.1 ?include:crm.test ~all',
    ],
    [
      '11',
      'v=spf1 include:news.test +all',
      [sender('203.0.113.9'), sender('192.0.2.1', { isOurs: true })],
      'v=spf1 include:news.test ip4:192.0.2.1 ~all',
    ],
    [
      '12',
      'v=spf1 include:news.test -all include:crm.test',
      [sender('203.0.113.9'), sender('198.51.100.1', { isOurs: true, spfPass: 0 })],
      'v=spf1 include:news.test ip4:198.51.100.1 -all',
    ],
    ['8', 'v=spf1 include:crm.test redirect=news.test', [sender('203.0.113.1')], 'v=spf1 redirect=news.test'],
    [
      'modifiers',
      'v=spf1 include:crm.test exp=why.test include:news.test x-Owner=mail -all',
      [sender('203.0.113.9')],
      'v=spf1 include:news.test -all exp=why.test x-Owner=mail',
    ],
    ['9', 'v=spf1 include:silent.test include:crm.test -all', [sender('203.0.113.9')], null],
    ['10', 'v=spf1 what -all', [sender('203.0.113.9')], null],
    ['no own sender', 'v=spf1 include:crm.test -all', [sender('203.0.113.9', { compliant: 0 })], null],
    ['more lookups than receivers make', `v=spf1 ${includes(12)} include:crm.test -all`, inEach(12), null],
    [
      'as many lookups as receivers make, without the unused ones',
      `v=spf1 ${includes(12)} -all`,
      inEach(10),
      `v=spf1 ${includes(10)} -all`,
    ],
    [
      'hosts that do not exist, whatever their result',
      'v=spf1 ?a:v1.test -a:v2.test ~mx:v3.test include:news.test -all',
      [sender('203.0.113.9')],
      'v=spf1 include:news.test -all',
    ],
    [
      'a neutral include without a record',
      'v=spf1 ?include:gone.test include:news.test -all',
      [sender('203.0.113.9', { spfPass: 0 })],
      'v=spf1 include:news.test -all',
    ],
    [
      'a redirect to nothing',
      'v=spf1 include:news.test redirect=gone.test',
      [sender('203.0.113.9', { spfPass: 0 })],
      'v=spf1 include:news.test ~all',
    ],
    ['a needed include that receivers cannot use', 'v=spf1 include:lost.test -all', [sender('203.0.113.9')], null],
    ['a needed include with many void lookups', 'v=spf1 include:voids.test -all', [sender('203.0.113.9')], null],
    ['no end', 'v=spf1 include:news.test', [sender('203.0.113.9')], 'v=spf1 include:news.test ~all'],
    [
      'a host that an include has only behind a network that it excludes',
      'v=spf1 include:but.test a:host.test -all',
      [sender('192.0.2.5'), sender('203.0.113.9')],
      'v=spf1 include:but.test a:host.test -all',
    ],
    [
      'the same, one include further',
      'v=spf1 include:around.test include:news.test a:host.test -all',
      [sender('192.0.2.5'), sender('203.0.113.9')],
      'v=spf1 include:around.test include:news.test a:host.test -all',
    ],
    [
      'an own address that the record excludes',
      'v=spf1 include:news.test -ip4:192.0.2.0/24 a:host.test -all',
      [sender('203.0.113.9'), sender('192.0.2.9', { isOurs: true, spfPass: 0 })],
      'v=spf1 include:news.test ip4:192.0.2.9 -ip4:192.0.2.0/24 -all',
    ],
    [
      'an own address that is excluded before it is named',
      'v=spf1 -ip4:192.0.2.0/24 a:host.test -all',
      [sender('192.0.2.5', { isOurs: true, spfPass: 0 })],
      'v=spf1 ip4:192.0.2.5 -ip4:192.0.2.0/24 a:host.test -all',
    ],
    [
      'own addresses of several networks',
      'v=spf1 ?ip4:198.51.100.0/24 ~mx -all',
      ['192.0.2.1', '192.0.2.2', '198.51.100.9'].map((address) => sender(address, { isOurs: true, spfPass: 0 })),
      'v=spf1 ip4:198.51.100.9 ?ip4:198.51.100.0/24 ip4:192.0.2.1 ~mx ip4:192.0.2.2 -all',
    ],
    [
      'an own address that an include excludes, which names no other address',
      'v=spf1 ?include:news.test include:crm.test -all',
      [sender('198.51.100.1'), sender('203.0.113.9', { isOurs: true, spfPass: 0 })],
      'v=spf1 ip4:203.0.113.9 ?include:news.test include:crm.test -all',
    ],
    [
      'an own address beside a redirect',
      'v=spf1 redirect=news.test',
      [sender('203.0.113.9'), sender('192.0.2.9', { isOurs: true, spfPass: 0 })],
      'v=spf1 ip4:192.0.2.9 redirect=news.test',
    ],
  ])('%s of %j', async (_, record, senders, expected) => {
    const { advice, absent } = await judge(record, senders);
    expect(advice.record).toBe(expected);
    expect(advice.reasons.length).toBeGreaterThan(0);
    if (advice.record === null) return;
    expect(await statusOf(advice.record)).not.toBe('error');
    const without = (await judge(advice.record, senders)).absent;
    const added = advice.added.map((text) => text.replace(/^ip[46]:/, ''));
    expect(without).toEqual(absent.filter(({ address }) => !added.includes(address)));
  });

  it.each([
    [
      'many lookups and an unused term',
      `v=spf1 ${includes(12)} include:crm.test -all`,
      ['include:crm.test'],
      12,
      [
        /^1 term can go: /,
        /^The terms that stay need 12 DNS lookups; receivers accept 10 and treat more as an error, so no record is off/,
        /^Let a sender use a subdomain of its own as envelope sender, .* passes by DKIM as this domain needs no term/,
      ],
    ],
    ['many lookups', `v=spf1 ${includes(12)} -all`, [], 12, [/^The terms that stay need 12 DNS lookups/, /^Let a /]],
    [
      'an include that receivers cannot use',
      `v=spf1 ${includes(1)} include:lost.test -all`,
      [],
      3,
      [/^Receivers end with an error at include:lost\.test, or at a name that it refers to, so no record is offered/],
    ],
    [
      'an include with many void lookups',
      'v=spf1 include:voids.test -all',
      [],
      4,
      [/^3 lookups of the terms that stay find nothing; receivers accept 2/, /^Let a /],
    ],
  ])('is not offered with %s, and says the way out', async (_, record, removed, lookups, reasons) => {
    const { advice } = await judge(record, [...inEach(12), sender('203.0.113.9')]);
    expect(advice).toMatchObject({ record: null, removed, lookups, added: [] });
    expect(advice.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
  });

  it.each([
    [
      'a name that does not exist',
      'v=spf1 ?include:gone.test include:news.test -all',
      '1 term names nothing that receivers can use, such as a host or an SPF record that does not exist, and ' +
        'receivers may treat the whole record as an error: correct the name if it is misspelt, or publish the record ' +
        'without it.',
    ],
    [
      'an address that is excluded',
      'v=spf1 -ip4:198.51.100.0/24 include:news.test -all',
      '1 added address stands before the term that excludes it today, as the first match counts.',
    ],
    [
      'a missing end',
      'v=spf1 include:news.test',
      'The record does not say what to do with other servers; ~all at its end does.',
    ],
    [
      'a long text',
      `v=spf1 include:news.test -all exp=${'why.'.repeat(60)}test`,
      'The record has 295 characters: enter it as several strings of at most 255 characters, unless your DNS service ' +
        'divides it itself.',
    ],
  ])('says what it does about %s', async (_, record, reason) => {
    const seen = [sender('203.0.113.9'), sender('198.51.100.1', { isOurs: true, spfPass: 0 })];
    expect((await judge(record, seen)).advice.reasons).toContain(reason);
  });

  it('authorises every own sender that the record authorised', async () => {
    const senders = ['198.51.100.1', '203.0.113.2', '203.0.113.200'].map((address) => sender(address));
    const { advice } = await judge(
      'v=spf1 include:crm.test ip4:203.0.113.0/25 include:news.test include:gone.test -all',
      senders,
    );
    expect(advice.record).toBe('v=spf1 include:crm.test ip4:203.0.113.0/25 include:news.test -all');
    const after = await judge(advice.record!, senders);
    expect(after.absent).toEqual([]);
  });

  it('asks to check an address that it adds, as strangers may have hosts in a network of yours', async () => {
    const seen = [sender('203.0.113.9'), sender('192.0.2.66', { isOurs: true, spfPass: 0 })];
    const { advice } = await judge('v=spf1 include:news.test ~all', seen);
    expect(advice.added).toEqual(['ip4:192.0.2.66']);
    expect(advice.reasons[0]).toBe(
      '1 address is added: its network is one that you decided is yours. Check that the server is yours too.',
    );
  });

  it('asks to decide on senders that may pass by +all alone', async () => {
    const { advice } = await judge('v=spf1 include:news.test +all', [sender('203.0.113.9'), sender('192.0.2.1')]);
    expect(advice.reasons).toEqual([
      'The record ends in +all, which lets any server send; ~all takes its place.',
      '1 address of senders that nothing was decided about is in no term and may pass by +all alone: ' +
        'decide which of them are yours before you publish this.',
    ]);
  });

  it.each([
    ['passes by DKIM alone', '-all', { spfPass: 0 }, false],
    ['passes by +all alone', '+all', {}, true],
    ['passes by DKIM alone, beside +all', '+all', { spfPass: 0 }, false],
    ['fails', '-all', { spfPass: 0, compliant: 0 }, true],
  ])('asks for the include of a service of yours only where it helps: one that %s', async (_, end, mail, isAsked) => {
    const service = sender('192.0.2.1', { isOurs: true, isService: true, ...mail });
    const { advice } = await judge(`v=spf1 include:news.test ${end}`, [sender('203.0.113.9'), service]);
    const sentence = '1 address of services that are yours is missing: add the include that the service names.';
    expect(advice.reasons.includes(sentence)).toBe(isAsked);
  });

  it.each([
    ['a service', true],
    ['a host', false],
  ])('asks for no term for %s of yours whose mail has another name as envelope sender', async (_, isService) => {
    const own = (address: string, name: string) => returned(address, { name, isService });
    const { advice } = await judge('v=spf1 include:news.test -all', [
      sender('203.0.113.9'),
      own('192.0.2.1', 'bounces.sendgrid.net'),
      own('192.0.2.2', 'bounces.sendgrid.net'),
      own('192.0.2.3', 'mail.host.test'),
    ]);
    expect(advice).toMatchObject({ record: 'v=spf1 include:news.test -all', added: [] });
    expect(advice.reasons).toEqual([
      '3 addresses of senders that are yours need nothing in this record: the envelope sender of their mail is at ' +
        'another name (bounces.sendgrid.net, mail.host.test), and receivers look for the SPF record there. To pass ' +
        'DMARC, have them sign by DKIM as this domain, or where they are run set up a return path below this domain, ' +
        'or with aspf=s at exactly this domain.',
    ]);
  });

  it.each([
    ['a service', true],
    ['a host', false],
  ])('says at which other name of the domain the record of %s belongs', async (_, isService) => {
    const { advice } = await judge('v=spf1 include:news.test -all', [
      sender('203.0.113.9'),
      returned('192.0.2.1', { name: 'news.example.com', isRelated: true, isService }),
    ]);
    expect(advice).toMatchObject({ record: 'v=spf1 include:news.test -all', added: [] });
    expect(advice.reasons).toEqual([
      '1 address of senders that are yours needs nothing in this record: the envelope sender of its mail is at another ' +
        'name of yours (news.example.com), and receivers look for the SPF record at exactly that name. Add it to the ' +
        'record there, a service by its include, or publish one there. A pass there counts for DMARC; with aspf=s, ' +
        'for mail from exactly that name alone.',
    ]);
  });

  it('asks for the very domain as envelope sender where SPF passes for another name and is not aligned', async () => {
    const { advice } = await judge('v=spf1 include:news.test -all', [
      sender('203.0.113.9'),
      returned('192.0.2.1', { name: 'news.example.com', isRelated: true, passes: true }),
      returned('192.0.2.2', { name: 'news.example.com', isRelated: true, passes: true }),
    ]);
    expect(advice).toMatchObject({ record: 'v=spf1 include:news.test -all', added: [] });
    expect(advice.reasons).toEqual([
      '2 addresses of senders that are yours pass SPF for another name of yours (news.example.com), which is not ' +
        'aligned, as with aspf=s. Nothing in this record changes that: have them use exactly the domain of the From ' +
        'field as envelope sender, and add them to the SPF record there, or sign by DKIM as exactly that domain.',
    ]);
  });

  it('adds no address beside +all that passes by the record of another name', async () => {
    const path = { name: 'news.example.com', isRelated: true, passes: true };
    const { advice } = await judge('v=spf1 include:news.test +all', [
      sender('203.0.113.9'),
      sender('192.0.2.1', { isOurs: true, returnPath: path }),
      sender('192.0.2.2', { isOurs: true }),
    ]);
    expect(advice.record).toBe('v=spf1 include:news.test ip4:192.0.2.2 ~all');
    expect(advice.reasons.join(' ')).not.toContain('news.example.com');
  });

  it('says nothing of an envelope sender at another name where the mail passes by DKIM', async () => {
    const signed = returned('192.0.2.1', { name: 'bounces.sendgrid.net', compliant: 100 });
    const { advice } = await judge('v=spf1 include:news.test -all', [sender('203.0.113.9'), signed]);
    expect(advice).toMatchObject({ added: [], reasons: ['The record is as short as your senders allow.'] });
  });

  it('says which terms receivers never come to', async () => {
    const { advice } = await judge('v=spf1 include:news.test -all include:crm.test', [sender('203.0.113.9')]);
    expect(advice).toMatchObject({
      removed: ['include:crm.test'],
      reasons: [
        '1 term stands after all, or beside it, where receivers do not look: put it before it if its servers are yours.',
      ],
    });
  });

  it('is not advised when no reports arrive any more', async () => {
    const seen = [sender('203.0.113.9')];
    const { advice, uses } = await judge('v=spf1 include:crm.test -all', seen, { isCurrent: false });
    expect(advice.record).toBeNull();
    expect(advice.reasons).toEqual([
      'No report is about the last 30 days, so nothing is advised until reports arrive again.',
    ]);
    expect(uses).toContain('include:crm.test unknown');
  });

  const LITTLE = '100 messages of your senders on 14 days are needed before a term can be called unused.';
  const NO_SENDER =
    'No sender of yours is known: no mail of 90 days passed DMARC, and no sender was decided to be yours. Decide ' +
    'which senders are yours first.';
  it.each<[string, SpfSender[], number, string]>([
    ['99 messages', [sender('203.0.113.9', { messages: 99, compliant: 99 })], 60, LITTLE],
    ['13 days', [sender('203.0.113.9')], 13, LITTLE],
    ['forged mail beside', [sender('203.0.113.9', { messages: 9_000, compliant: 99 })], 60, LITTLE],
    ['forged mail alone', [sender('203.0.113.9', { messages: 9_000, compliant: 0 })], 60, NO_SENDER],
    ['no mail', [], 0, NO_SENDER],
  ])('is not advised from %s', async (_, senders, ownDays, reason) => {
    const { advice, uses } = await judge('v=spf1 include:crm.test -all', senders, { ownDays });
    expect(advice).toMatchObject({ record: null, reasons: [reason] });
    expect(uses).toContain('include:crm.test unknown');
  });

  it.each<[string, readonly string[], readonly string[], string | null, RegExp]>([
    [
      'that their mail needs',
      ['203.0.113.9'],
      [],
      'v=spf1 include:crm.test include:news.test -all',
      /^Another domain of yours uses this record too, by include or redirect \(b0\.example\): what mail from there /,
    ],
    [
      'of which too little mail of theirs is known',
      [],
      ['b0.example'],
      'v=spf1 include:crm.test include:news.test -all',
      /^No term is called unused, as too little mail of b0\.example is known, or none of late\.$/,
    ],
    ['but no other', [], [], 'v=spf1 include:crm.test -all', /^Another domain of yours uses this record too/],
  ])('keeps for other domains that use it the terms %s', async (_, addresses, unseen, record, reason) => {
    const shared = { domains: ['b0.example'], unseen, addresses };
    const published = 'v=spf1 include:crm.test include:news.test -all';
    const { advice } = await judge(published, [sender('198.51.100.1')], { shared });
    expect(advice.record).toBe(record);
    expect(advice.reasons).toContainEqual(expect.stringMatching(reason));
  });

  it('names three of the domains that use it', async () => {
    const domains = Array.from({ length: 5 }, (_, i) => `b${i}.example`);
    const shared = { domains, unseen: domains.slice(0, 2), addresses: [] };
    const { advice } = await judge('v=spf1 include:crm.test -all', [sender('198.51.100.1')], { shared });
    expect(advice.reasons).toEqual([
      'The record is as short as your senders allow.',
      'Other domains of yours use this record too, by include or redirect (b0.example, b1.example, b2.example and 2 ' +
        'other domains): what mail from there needs stays, and whatever you change here changes there.',
      'No term is called unused, as too little mail of b0.example and b1.example is known, or none of late.',
    ]);
  });

  it('adds no long list of addresses', async () => {
    const senders = Array.from({ length: 11 }, (_, i) => sender(`192.0.2.${i}`, { isOurs: true, spfPass: 0 }));
    const { advice } = await judge('v=spf1 -all', senders);
    expect(advice.record).toBe('v=spf1 -all');
    expect(advice.reasons).toEqual([
      '11 addresses of senders that are yours are missing, too many to add each: have them sign by DKIM as this ' +
        'domain, or add a range only where all of its addresses are yours.',
    ]);
  });
});

describe('the terms of a record', () => {
  it('are needed by the senders in them, and unused without any', async () => {
    const { uses } = await judge('v=spf1 include:crm.test include:news.test a:%{i}.test -all', [
      sender('198.51.100.7'),
    ]);
    expect(uses).toEqual([
      'include:crm.test yes',
      'include:deep.crm.test yes',
      'ip4:198.51.100.0/24 yes',
      '-all unknown',
      '-all unknown',
      'include:news.test no',
      'ip4:203.0.113.0/24 no',
      '-all unknown',
      'a:%{i}.test unknown',
      '-all unknown',
    ]);
  });

  it('leave the addresses that are in none, those that fail SPF first', async () => {
    const senders = [
      sender('192.0.2.1', { messages: 900, spfPass: 450 }),
      sender('192.0.2.2', { messages: 10, spfPass: 0 }),
      sender('192.0.2.3', { messages: 50, spfPass: 20 }),
      sender('198.51.100.7'),
    ];
    const { absent } = await judge('v=spf1 include:crm.test -all', senders);
    expect(absent.map(({ address }) => address)).toEqual(['192.0.2.3', '192.0.2.2', '192.0.2.1']);
  });

  it('are judged fast for many senders and many networks', async () => {
    const terms = Array.from({ length: 900 }, (_, i) => `ip4:10.${i % 250}.${i >> 4}.0/${20 + (i % 9)}`).join(' ');
    const senders = Array.from({ length: 10_000 }, (_, i) => sender(`10.${i % 250}.${i >> 8}.${i & 255}`));
    const { absent, advice } = await judge(`v=spf1 ${terms} -all`, senders);
    expect(absent.length).toBeLessThan(senders.length);
    expect(advice.record).not.toBeNull();
  });

  /** The least processor time of three runs, in microseconds; at least one tick of its clock. */
  async function timeOf(record: string, senders: readonly SpfSender[], times: number, more: Zone = {}) {
    const tree = await readSpfTree(askZone({ ...zoneOf(record), ...more }), NAME);
    const runs = Array.from({ length: 3 }, () => {
      const started = process.threadCpuUsage();
      for (let i = 0; i < times; i += 1) judgeSpf(tree!, { ownDays: 60, isCurrent: true, senders });
      const { user, system } = process.threadCpuUsage(started);
      return user + system;
    });
    return Math.max(Math.min(...runs), 10_000);
  }

  it('take no longer for a network that a stranger repeats', async () => {
    const senders = Array.from({ length: 500 }, (_, i) => sender(`9.0.${i >> 8}.${i & 255}`));
    const repeated = (count: number): Zone => ({
      'crm.test': { text: [`v=spf1 include:deep.crm.test -all`] },
      'deep.crm.test': { text: [`v=spf1 ${'ip4:9.0.0.0/8 '.repeat(count)}-all`] },
    });
    const few = await timeOf('v=spf1 include:crm.test -all', senders, 4, repeated(45));
    const many = await timeOf('v=spf1 include:crm.test -all', senders, 4, repeated(900));
    expect(many).toBeLessThan(6 * few); // it would be 20 times as much
  });

  it('are compared with each other in a time that grows as their number does', async () => {
    const networks = (count: number) => Array.from({ length: count }, (_, i) => `10.${i >> 8}.${i & 255}.0`);
    const time = async (count: number, times: number) => {
      const record = `v=spf1 ${networks(count)
        .map((network) => `ip4:${network}/24`)
        .join(' ')} -all`;
      return await timeOf(
        record,
        networks(count).map((address) => sender(address)),
        times,
      );
    };
    const few = await time(60, 40);
    expect(await time(480, 5)).toBeLessThan(4 * few); // pair by pair it would be 8 times as much, and more
  });
});
