import { describe, expect, it } from 'vitest';
import { bulkProviders, bulkRequirements, judgeBulkSender, requirements, type BulkSenderFacts } from '../src/index.ts';

const good: BulkSenderFacts = {
  domain: 'example.com',
  days: 30,
  spf: { status: 'ok', hasRecord: true, isSeveral: false, details: 'Good.' },
  dmarc: { status: 'ok', hasRecord: true, isSeveral: false, details: 'Good.' },
  policy: 'none',
  keyBits: [2_048, 4_096],
  mail: { messages: 1_000, passed: 995, spf: 700, dkim: 992 },
  pointers: { confirmed: 3, wrong: 0, missing: 0, unknown: 0 },
};
const noMail = { messages: 0, passed: 0, spf: 0, dkim: 0 };
const unseen = ['tls', 'spam_rate', 'unsubscribe', 'format', 'addresses'];

const itemOf = (requirement: string, more: Partial<BulkSenderFacts>) =>
  judgeBulkSender({ ...good, ...more }).find((item) => item.requirement === requirement);

describe('the rules for bulk senders', () => {
  it('are met by a domain that does everything, save what cannot be seen', () => {
    const items = judgeBulkSender(good);
    expect(items.length).toBeGreaterThan(unseen.length);
    for (const { requirement, state, change } of items) {
      const isUnseen = unseen.includes(requirement);
      expect([requirement, state, change]).toEqual([requirement, isUnseen ? 'cannot_be_seen' : 'met', null]);
    }
  });

  it.each([
    [
      'spf',
      'not_met',
      { spf: { status: 'error', hasRecord: false, isSeveral: false, details: 'No SPF record was found.' } },
    ],
    [
      'spf',
      'not_met',
      { spf: { status: 'error', hasRecord: true, isSeveral: false, details: 'It needs 12 lookups.' } },
    ],
    ['spf', 'unknown', { spf: undefined }],
    ['spf', 'unknown', { spf: { status: 'unknown', hasRecord: false, isSeveral: false, details: '' } }],
    ['spf', 'unknown', { mail: { ...good.mail, spf: 0 } }],
    ['spf', 'met', { spf: { status: 'warning', hasRecord: true, isSeveral: false, details: 'It ends in ?all.' } }],
    ['dkim', 'met', { mail: { ...good.mail, dkim: 990 } }],
    ['dkim', 'unknown', { mail: { ...good.mail, dkim: 989 } }],
    ['dkim', 'unknown', { mail: noMail }],
    ['dkim_key', 'not_met', { keyBits: [2_048, 1_023] }],
    ['dkim_key', 'met', { keyBits: [1_024] }],
    ['dkim_key', 'unknown', { keyBits: [] }],
    ['dmarc_record', 'met', { policy: 'reject' }],
    [
      'dmarc_record',
      'not_met',
      {
        policy: 'reject',
        dmarc: { status: 'error', hasRecord: true, isSeveral: true, details: '2 DMARC records are published.' },
      },
    ],
    [
      'dmarc_record',
      'not_met',
      { policy: null, dmarc: { status: 'error', hasRecord: false, isSeveral: false, details: 'None.' } },
    ],
    ['dmarc_record', 'unknown', { policy: null, dmarc: undefined }],
    ['dmarc_record', 'unknown', { policy: null }],
    ['alignment', 'not_met', { mail: { ...good.mail, passed: 989 } }],
    ['alignment', 'met', { mail: { ...good.mail, passed: 990 } }],
    ['alignment', 'unknown', { mail: noMail }],
    ['ptr', 'not_met', { pointers: { confirmed: 9, wrong: 0, missing: 1, unknown: 5 } }],
    ['ptr', 'not_met', { pointers: { confirmed: 9, wrong: 1, missing: 0, unknown: 0 } }],
    ['ptr', 'unknown', { pointers: { confirmed: 9, wrong: 0, missing: 0, unknown: 1 } }],
    ['ptr', 'unknown', { pointers: { confirmed: 0, wrong: 0, missing: 0, unknown: 0 } }],
  ] as [string, string, Partial<BulkSenderFacts>][])('%s is %s with %o', (requirement, state, more) => {
    const item = itemOf(requirement, more);
    expect(item?.state).toBe(state);
    expect(state === 'not_met' && item?.change === null).toBe(false);
  });

  it.each([
    ['none is published', {}, 'Publish v=DMARC1; p=none with a rua address at _dmarc.example.com.'],
    ['one that is broken stands', { hasRecord: true }, 'Correct the DMARC record at _dmarc.example.com.'],
    [
      'several stand',
      { hasRecord: true, isSeveral: true },
      'Remove all DMARC records at _dmarc.example.com but one: the one with the policy that you want.',
    ],
  ])('say what to do about the DMARC record where %s', (_, published, expected) => {
    const none = { status: 'error', hasRecord: false, isSeveral: false, details: 'Its fault.' } as const;
    const dmarc = { ...none, ...published };
    expect(itemOf('dmarc_record', { policy: null, dmarc })).toMatchObject({ evidence: 'Its fault.', change: expected });
  });

  it.each<[BulkSenderFacts['spf'], string]>([
    [
      { status: 'warning', hasRecord: true, isSeveral: false, details: 'The SPF record allows any server to send.' },
      'The SPF record allows any server to send. In 30 days 700 of 1,000 messages passed SPF with an aligned domain.',
    ],
    [
      {
        status: 'unknown',
        hasRecord: false,
        isSeveral: false,
        details: 'No SPF record is published; no mail of this subdomain is known.',
      },
      'No SPF record is published; no mail of this subdomain is known.',
    ],
    [undefined, 'The SPF record of example.com was not checked in the last week.'],
  ])('say of SPF what its check says (%#)', (spf, expected) => expect(itemOf('spf', { spf })?.evidence).toBe(expected));

  it('says what an SPF record is worth where services send with a return path of their own', () => {
    expect(itemOf('spf', { mail: { ...good.mail, spf: 0 } })?.change).toContain('return path');
  });

  it('advises a longer key where a short one is enough', () => {
    expect(itemOf('dkim_key', { keyBits: [1_024] })).toMatchObject({
      state: 'met',
      change: expect.stringContaining('2,048'),
    });
  });

  it('each name who asks for them, and since when', () => {
    for (const requirement of bulkRequirements) {
      const since = Object.entries(requirements[requirement].since);
      expect(since.length).toBeGreaterThan(0);
      for (const [provider, month] of since) {
        expect(bulkProviders).toContain(provider);
        expect(month).toMatch(/^202[45]-\d\d$/);
      }
    }
  });
});
