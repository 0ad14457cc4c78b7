import { judgeSpf, readSpfTree, termsOf, type SpfMail, type SpfSender } from '@dmarc-ledger/dns-records';
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
};

function sender(address: string, more: Partial<SpfSender> = {}): SpfSender {
  return { address, messages: 100, spfPass: 100, isOurs: false, isService: false, ...more };
}

async function judge(record: string, senders: readonly SpfSender[], mail: Partial<SpfMail> = {}) {
  const tree = await readSpfTree(askZone({ ...others, [NAME]: { text: [record], mx: ['mx.test'] } }), NAME);
  const judged = judgeSpf(tree!, { messages: 1_000, reportDays: 60, isCurrent: true, ...mail, senders });
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
    ['a redirect, which says what others get', 'v=spf1 redirect=none.corp.test', [], 'v=spf1 redirect=none.corp.test'],
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
    ['6', 'v=spf1 exists:%{i}.test ptr include:crm.test -all', [], 'v=spf1 exists:%{i}.test ptr -all'],
    [
      '7',
      'v=spf1 -ip4:192.0.2.1 ?include:crm.test include:none.test +all',
      [],
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
    ['9', 'v=spf1 include:silent.test include:crm.test -all', [], null],
    ['10', 'v=spf1 what -all', [], null],
  ])('%s of %j', async (_, record, senders, expected) => {
    const zone = { 'silent.test': { text: '?' as const }, 'both.test': { text: ['v=spf1 include:crm.test -all'] } };
    const tree = await readSpfTree(askZone({ ...others, ...zone, [NAME]: { text: [record], mx: ['mx.test'] } }), NAME);
    const { advice } = judgeSpf(tree!, { messages: 1_000, reportDays: 60, isCurrent: true, senders });
    expect(advice.record).toBe(expected);
    expect(advice.reasons.length).toBeGreaterThan(0);
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
    const { advice, uses } = await judge('v=spf1 include:crm.test -all', [], { isCurrent: false });
    expect(advice.record).toBeNull();
    expect(advice.reasons).toEqual([
      'No report is about the last 30 days, so nothing is advised until reports arrive again.',
    ]);
    expect(uses).toContain('include:crm.test unknown');
  });

  it('is not advised from little mail', async () => {
    const { advice, uses } = await judge('v=spf1 include:crm.test -all', [], { messages: 99, reportDays: 60 });
    expect(advice.record).toBeNull();
    expect(advice.reasons).toEqual([
      '100 messages on 14 days with reports are needed before a term can be called unused.',
    ]);
    expect(uses).toContain('include:crm.test unknown');
  });

  it('adds no long list of addresses', async () => {
    const senders = Array.from({ length: 11 }, (_, i) => sender(`192.0.2.${i}`, { isOurs: true, spfPass: 0 }));
    const { advice } = await judge('v=spf1 -all', senders);
    expect(advice.record).toBe('v=spf1 -all');
    expect(advice.reasons).toEqual([
      '11 addresses of senders that are yours are missing: add their networks, not each address.',
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
});
