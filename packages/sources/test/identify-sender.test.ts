import { describe, expect, it } from 'vitest';
import { compileSenders, identifySender, isNamed, knownSenders, type SenderEvidence } from '../src/index.ts';

const ip = '192.0.2.17';
const ptr = (name: string, confirmed: boolean | null = true) => ({ ptr: [{ name, confirmed }] });
const dkim = (domain: string, messages = 100) => ({ messages, dkim: [domain], spf: [] });
const spf = (domain: string, messages = 100) => ({ messages, dkim: [], spf: [domain] });
const nothing = (messages: number) => ({ messages, dkim: [], spf: [] });
const named = (evidence: Partial<SenderEvidence>) => {
  const sender = identifySender({ ip, ...evidence });
  return isNamed(sender) ? sender.slug : undefined;
};

describe('an address is named by the best evidence', () => {
  it.each<[string, Partial<SenderEvidence>, string | undefined]>([
    [
      'a name that resolves back beats a signature',
      { ...ptr('mail-sor-f41.google.com'), mail: [dkim('mcsv.net')] },
      'google-workspace',
    ],
    ['a name that does not resolve back identifies no sender', ptr('mail-sor-f41.google.com', false), undefined],
    [
      'a home connection is not its provider’s mail service',
      { ip: '73.1.2.3', ...ptr('c-73-1-2-3.hsd1.ca.comcast.net') },
      undefined,
    ],
    ['the mail server of the same provider is', ptr('resqmta-po-01v.sys.comcast.net'), 'comcast'],
    ['a signature on 60% of the messages', { mail: [dkim('k1.mcsv.net', 60), nothing(40)] }, 'mailchimp'],
    ['a signature on exactly half', { mail: [dkim('k1.mcsv.net', 50), nothing(50)] }, 'mailchimp'],
    ['a signature on less than half', { mail: [dkim('k1.mcsv.net', 49), nothing(51)] }, undefined],
    ['a signature on no message at all', { mail: [dkim('k1.mcsv.net', 0)] }, undefined],
    ['a return path', { mail: [spf('bounce.em.sendgrid.net')] }, 'sendgrid'],
    ['a plain suffix is no label boundary', ptr('x.notsendgrid.net'), undefined],
    ['the domain of a service itself', ptr('sendgrid.net'), 'sendgrid'],
    ['a network alone', { asn: 11377 }, undefined],
    ['an unchecked name alone', ptr('o1.ptr2.sendgrid.net', null), undefined],
    [
      'an unchecked name in the network of that service',
      { ...ptr('o1.ptr2.sendgrid.net', null), asn: 11377 },
      'sendgrid',
    ],
    [
      'a name that does not resolve back beside its network',
      { ...ptr('o1.sendgrid.net', false), asn: 11377 },
      undefined,
    ],
    ['capitals and a trailing dot', ptr('O1.PTR2.SendGrid.NET.'), 'sendgrid'],
    ['nothing', {}, undefined],
    ['an empty name', ptr(''), undefined],
    ['an endless name', ptr(`${'a.'.repeat(5_000)}sendgrid.net`), undefined],
  ])('%s', (_, evidence, expected) => expect(named(evidence)).toBe(expected));

  it('says how strong the evidence is', () => {
    expect(identifySender({ ip, ...ptr('o1.sendgrid.net') })?.strength).toBe('strong');
    expect(identifySender({ ip, mail: [dkim('sendgrid.net')] })?.strength).toBe('strong');
    expect(identifySender({ ip, mail: [spf('sendgrid.net')] })?.strength).toBe('medium');
    expect(identifySender({ ip, asn: 11377 })).toMatchObject({ slug: 'sendgrid', strength: 'weak' });
    expect(identifySender({ ip, ...ptr('o1.sendgrid.net', null) })).toMatchObject({ strength: 'weak' });
  });

  it('keeps every witness, and what contradicts them', () => {
    const sender = identifySender({
      ip,
      ...ptr('mail-sor-f41.google.com'),
      asn: 11377,
      mail: [{ messages: 8, dkim: ['mcsv.net', 'example.com'], spf: ['gmail.com'] }],
    });
    expect(sender).toMatchObject({ slug: 'google-workspace', name: 'Google Workspace', category: 'mailbox' });
    expect(sender?.witnesses).toEqual([
      {
        evidence: 'ptr',
        strength: 'strong',
        slug: 'google-workspace',
        seen: 'mail-sor-f41.google.com',
        entry: 'google.com',
      },
      {
        evidence: 'spf',
        strength: 'medium',
        slug: 'google-workspace',
        seen: 'gmail.com',
        entry: 'gmail.com',
        messages: 8,
      },
    ]);
    expect(sender?.contradictions).toEqual([
      { evidence: 'dkim', strength: 'strong', slug: 'mailchimp', seen: 'mcsv.net', entry: 'mcsv.net', messages: 8 },
      { evidence: 'asn', strength: 'weak', slug: 'sendgrid', seen: 'AS11377', entry: '11377' },
    ]);
  });

  it('adds up the domains of one service, and counts a message signed twice once', () => {
    const twice = { messages: 30, dkim: ['mcsv.net', 'rsgsv.net'], spf: [] };
    expect(named({ mail: [twice, nothing(70)] })).toBeUndefined();
    expect(named({ mail: [dkim('mcsv.net', 30), dkim('rsgsv.net', 30), nothing(40)] })).toBe('mailchimp');
  });

  it('takes the service with more messages, then the slug that sorts first', () => {
    const both = { messages: 50, dkim: ['sendgrid.net', 'mcsv.net'], spf: [] };
    expect(named({ mail: [both] })).toBe('mailchimp');
    expect(named({ mail: [both, dkim('sendgrid.net', 1)] })).toBe('sendgrid');
  });
});

describe('the matcher', () => {
  const entry = { icon: 'x', category: 'marketing', dkim_domains: [], spf_includes: [], forwarder: false } as const;
  const matcher = compileSenders([
    { ...entry, slug: 'wide', name: 'Wide', ptr_suffixes: ['example.com'] },
    { ...entry, slug: 'narrow', name: 'Narrow', ptr_suffixes: ['mail.example.com'] },
    { ...entry, slug: 'a-signer', name: 'A', ptr_suffixes: [], dkim_domains: ['both.example'] },
    { ...entry, slug: 'a-host', name: 'B', ptr_suffixes: ['both.example'] },
  ]);

  it('takes the longest entry', () => {
    expect(matcher.byHostName('a.mail.example.com')).toMatchObject({
      suffix: 'mail.example.com',
      value: { slug: 'narrow' },
    });
    expect(matcher.byHostName('amail.example.com')).toMatchObject({ suffix: 'example.com', value: { slug: 'wide' } });
  });

  it('settles a tie by the slug', () => {
    expect(matcher.bySpfDomain('both.example')?.value.slug).toBe('a-host');
  });

  it.each([
    ['_spf.google.com', 'google-workspace'],
    ['spf.protection.outlook.com', 'microsoft-365'],
    ['u123.wl456.sendgrid.net', 'sendgrid'],
    ['amazonses.com', 'amazon-ses'],
    ['spf.example.com', undefined],
  ])('reads a published include of %s', (include, slug) => {
    expect(knownSenders.bySpfInclude(include)?.value.slug).toBe(slug);
  });
});
