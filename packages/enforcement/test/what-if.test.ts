import { describe, expect, it } from 'vitest';
import {
  enforcementSteps,
  enforcementTexts,
  fixOf,
  judgeEnforcement,
  judgedSenders,
  judgeReadiness,
  nextStep,
  stepEffects,
  type AppliedPolicy,
  type Fate,
  type MailGroup,
  type RecordFacts,
  type Scope,
  type SenderOfAddress,
} from '@dmarc-ledger/enforcement';

const group = (scope: Scope, fate: Fate, address: string | null, messages: number): MailGroup => ({
  scope,
  fate,
  address,
  messages,
});
const senders: { [address: string]: Partial<SenderOfAddress> } = {
  '192.0.2.1': { key: 'mailchimp', slug: 'mailchimp', name: 'Mailchimp' },
  '192.0.2.2': { key: 'mailchimp', slug: 'mailchimp', name: 'Mailchimp' },
  '198.51.100.1': { decision: 'ours' },
  '198.51.100.2': { decision: 'not_ours' },
  '198.51.100.3': { decision: 'forwarder' },
  '198.51.100.4': { key: 'lists', slug: 'lists', name: 'Lists', isForwarder: true },
  '198.51.100.5': { hasPassed: true },
};
const senderOf = (address: string): SenderOfAddress => ({
  key: address,
  slug: null,
  name: address,
  decision: null,
  suggestion: null,
  isForwarder: false,
  hasPassed: false,
  ...senders[address],
});

const mail = [
  group('domain', 'strict', null, 900),
  group('domain', 'relaxed', '192.0.2.1', 40),
  group('domain', 'none', '192.0.2.1', 30),
  group('domain', 'none', '192.0.2.2', 10),
  group('domain', 'quarantine', '198.51.100.1', 7),
  group('domain', 'reject', null, 5),
  group('subdomain', 'none', '198.51.100.3', 3),
  group('subdomain', 'strict', null, 4),
  group('absent', 'quarantine', '198.51.100.2', 2),
];

describe('what a step would have done', () => {
  it.each([
    ['quarantine', 992, 52, 40],
    ['reject', 992, 52, 47],
    ['sp_reject', 7, 3, 3],
    ['np_reject', 2, 2, 2],
    ['strict', 1001, 57, 40],
  ] as const)('%s counts the mail that it applies to', (step, messages, failing, newlyAffected) => {
    const effect = stepEffects(mail, senderOf).find((each) => each.step === step);
    expect(effect).toMatchObject({ messages, failing, newlyAffected });
  });

  it('splits the affected messages by decision, and into senders by messages', () => {
    const [, reject] = stepEffects(mail, senderOf);
    expect(reject?.byDecision).toEqual({ ours: 7, forwarded: 0, not_ours: 0, undecided: 40 });
    expect(reject?.senders).toMatchObject([
      { slug: 'mailchimp', addresses: 2, messages: 40 },
      { slug: null, name: '198.51.100.1', addresses: 1, messages: 7, decision: 'ours' },
    ]);
  });

  it.each([
    ['198.51.100.1', true, 'our own sender'],
    ['198.51.100.2', false, 'a sender that is not ours'],
    ['198.51.100.3', false, 'a forwarder'],
    ['198.51.100.4', false, 'a service that forwards by nature'],
    ['198.51.100.5', true, 'an undecided network that has passed'],
    ['192.0.2.1', true, 'an undecided service'],
    ['203.0.113.1', false, 'an undecided network that never passed'],
  ])('%s blocks a step: %s, as it is %s', (address, blocks) => {
    const [effect] = stepEffects(
      [group('domain', 'strict', null, 1000), group('domain', 'none', address, 1)],
      senderOf,
    );
    expect(effect?.senders[0]?.isBlocker).toBe(blocks);
  });

  it('is blocked by a network that never passed from one message in a hundred on', () => {
    const blocks = (messages: number) =>
      stepEffects(
        [group('domain', 'strict', null, 1000 - messages), group('domain', 'none', '203.0.113.1', messages)],
        senderOf,
      )[0]?.senders[0]?.isBlocker;
    expect([blocks(9), blocks(10)]).toEqual([false, true]);
  });
});

const mixed = [group('subdomain', 'none', '198.51.100.1', 3), group('absent', 'none', '198.51.100.1', 2)];
const policy: AppliedPolicy = { p: 'none', sp: null, np: null, adkim: 'r', aspf: 'r', isPartly: false };
const facts = {
  domain: 'example.com',
  days: 30,
  messages: 1000,
  reportDays: 30,
  newestDay: '2026-03-09' as string | null,
  today: '2026-03-10',
  policy,
};

/** The verdict on the next step, of the mail of a window. */
function verdictOn(window: typeof facts & { policy: AppliedPolicy }, groups: readonly MailGroup[]) {
  const step = nextStep(window.policy);
  return judgeEnforcement(window, step === undefined ? [] : judgedSenders(step, groups, senderOf));
}

describe('the verdict', () => {
  it.each([
    [99, 30, 'not enough data'],
    [1000, 13, 'not enough data'],
    [100, 14, 'ready after 2 fixes'],
  ])('of %i messages on %i days is "%s"', (messages, reportDays, verdict) => {
    expect(verdictOn({ ...facts, messages, reportDays }, mail).verdict).toBe(verdict);
  });

  const silent =
    'No report is about the last 14 days: what fails now is not known, so nothing is advised until reports arrive again.';
  it.each([
    ['2026-02-24', 'ready after 2 fixes', expect.stringMatching(/^Before example\.com/)],
    ['2026-02-23', 'not enough data', silent],
    [null, 'not enough data', silent],
  ])('of a window whose newest report is of %s is "%s"', (newestDay, verdict, text) => {
    expect(verdictOn({ ...facts, newestDay }, mail)).toMatchObject({ verdict, text });
  });

  it('is ready when nothing blocks the next step, and names what is left to the policy', () => {
    const groups = [group('domain', 'strict', null, 999), group('domain', 'none', '203.0.113.1', 1)];
    expect(verdictOn(facts, groups)).toEqual({
      step: 'quarantine',
      verdict: 'ready',
      fixes: 0,
      text:
        'example.com may publish p=quarantine; sp=none: in the last 30 days it would have quarantined no mail that is yours or looks like yours. ' +
        '1 message of 1 undecided sender would have been quarantined: it has never passed and sends little, so look whether it is yours.',
    });
  });

  it.each([
    ['in test mode', { ...policy, p: 'quarantine' as const, isPartly: true }],
    ['under a policy that was taken back', policy],
  ])('on quarantine is not ready where own mail was quarantined %s', (_, now) => {
    const groups = [group('domain', 'strict', null, 900), group('domain', 'quarantine', '198.51.100.1', 100)];
    expect(verdictOn({ ...facts, policy: now }, groups)).toMatchObject({
      step: 'quarantine',
      verdict: 'ready after 1 fix',
      text: expect.stringContaining('100 messages of it would have been quarantined.'),
    });
    expect(stepEffects(groups, senderOf)[0]).toMatchObject({ step: 'quarantine', newlyAffected: 0 });
  });

  it('says of forwarded mail that it may be yours, and only of decided senders that it is meant', () => {
    const groups = [
      group('domain', 'strict', null, 900),
      group('domain', 'none', '198.51.100.2', 3),
      group('domain', 'none', '198.51.100.3', 50),
      group('domain', 'none', '198.51.100.4', 47),
    ];
    const { verdict, text } = verdictOn({ ...facts, policy: { ...policy, p: 'quarantine' } }, groups);
    expect(verdict).toBe('ready');
    expect(text).toBe(
      'example.com may publish p=reject; sp=quarantine: in the last 30 days it would have rejected no mail that is yours or looks like yours. ' +
        '97 messages of 2 forwarders would have been rejected, which may be mail of yours that others pass on: ' +
        'the standard advises against reject where people write to mailing lists. ' +
        '3 messages of 1 sender that you decided is not yours would have been rejected, as intended.',
    );
  });

  it('is about the step after the policy of today', () => {
    expect(verdictOn({ ...facts, policy: { ...policy, p: 'quarantine' } }, mail)).toMatchObject({
      step: 'reject',
      verdict: 'ready after 2 fixes',
    });
    expect(verdictOn({ ...facts, policy: { ...policy, p: 'reject' } }, mail).text).toBe(
      'example.com asks receivers to reject failing mail, of its subdomains too: there is no stricter policy.',
    );
  });

  it.each([
    ['a name that does not exist', [group('absent', 'none', '198.51.100.1', 500)], 'ready after 1 fix'],
    ['a subdomain, and a name that does not exist', mixed, 'ready after 1 fix'],
    ['the domain itself', [group('domain', 'none', '198.51.100.1', 500)], 'ready'],
  ] as const)('on sp=reject counts own mail of %s', (_, groups, verdict) => {
    const window = { ...facts, policy: { ...policy, p: 'reject', sp: 'none' } as const };
    expect(verdictOn(window, groups)).toMatchObject({
      step: 'sp_reject',
      verdict,
      text: expect.stringContaining('sp=reject; np=reject'),
    });
  });

  it.each([
    [
      'none',
      null,
      'example.com publishes no DMARC record, so no policy applies: publish one with p=none first, and reports arrive.',
    ],
    [
      'broken',
      'none',
      'What example.com publishes is no valid DMARC record, so receivers apply no policy: correct it first.',
    ],
  ] as const)('never says ready where the record is %s', (fault, p, text) => {
    const window = { ...facts, policy: { ...policy, p, fault } };
    expect(verdictOn(window, mail)).toMatchObject({ verdict: 'no valid record', fixes: 0, text });
    expect(verdictOn({ ...window, messages: 0, reportDays: 0 }, [])).toMatchObject({
      verdict: 'no valid record',
      text,
    });
  });

  it('is that nothing stricter is left for a record below the organizational domain that rejects, whatever its sp', () => {
    const below = { ...policy, p: 'reject', sp: 'none', isBelow: true } as const;
    const { verdict, text } = judgeEnforcement({ ...facts, domain: 'mail.example.com', policy: below }, []);
    expect([verdict, text]).toEqual([
      'ready',
      'mail.example.com asks receivers to reject failing mail: there is no stricter policy. ' +
        'Names below it follow the record of its organizational domain.',
    ]);
  });

  it.each([
    [1, 'ready after 1 fix'],
    [2, 'ready after 2 fixes'],
    [1_000, 'ready after 1,000 fixes'],
  ])('counts %i', (fixes, text) => {
    expect(enforcementTexts.verdict.fixes({ fixes })).toBe(text);
  });
});

const fixed = (sender: Partial<Parameters<typeof fixOf>[0]>) =>
  fixOf({
    domain: 'example.com',
    step: 'reject',
    selectors: [],
    isStrict: false,
    slug: null,
    name: '192.0.2.0/24',
    decision: null,
    suggestion: null,
    isForwarder: false,
    isBlocker: true,
    ...sender,
  });

it('tells for each sender which record to publish, and where the setting is', () => {
  expect(fixed({ slug: 'sendgrid', name: 'SendGrid', decision: 'ours' })).toBe(
    'At SendGrid, open Settings > Sender Authentication > Authenticate your domain, and publish CNAME records at s1._domainkey.example.com and s2._domainkey.example.com.',
  );
  expect(fixed({})).toMatch(
    /^Decide whether 192\.0\.2\.0\/24 sends for you\. If it does, authenticate it\. On the servers in /,
  );
  expect(fixed({ decision: 'ours' })).toContain('name their addresses, never the whole network, in the SPF record');
  expect(fixed({ decision: 'not_ours' })).toBe('Nothing to do: the policy is meant for this mail.');
  for (const step of enforcementSteps) {
    for (const decision of ['ours', 'forwarder', 'not_ours', null] as const) {
      const said = fixed({ step, slug: 'x', name: 'X', decision, isBlocker: false });
      expect(said).toMatch(/^[A-Z].*\.$/);
    }
  }
});

it('leaves a key where it is published, at a selector that a service asks for', () => {
  const sendgrid = { slug: 'sendgrid', name: 'SendGrid', decision: 'ours' } as const;
  expect(fixed({ ...sendgrid, selectors: ['k1', 's2'] })).toMatch(
    /A key is published at s2\._domainkey\.example\.com already: if it is not of SendGrid, leave it, and have SendGrid sign with another selector\.$/,
  );
  expect(fixed({ ...sendgrid, selectors: ['k1'] })).not.toContain('already');
});

it.each([
  [
    'forwarder',
    /^Decide whether 192\.0\.2\.0\/24 forwards mail, as most that fails looks: then nothing is to be published/,
  ],
  [
    'not_ours',
    /^Decide whether 192\.0\.2\.0\/24 is a stranger, as most that fails looks forged: then the policy is meant/,
  ],
  ['ours', /^Decide whether 192\.0\.2\.0\/24 sends for you\./],
] as const)('says first what the mail of an undecided sender looks like: %s', (suggestion, expected) => {
  expect(fixed({ suggestion })).toMatch(expected);
  expect(fixed({ suggestion, decision: 'ours' })).toMatch(/^On the servers in /);
});

it('says that strict alignment needs the domain of the From field itself', () => {
  const strict = { decision: 'ours', isStrict: true } as const;
  expect(fixed(strict)).toMatch(
    /so d=, or the envelope sender's domain, must be exactly the domain of the From field, which may be a subdomain\.$/,
  );
  expect(fixed({ ...strict, slug: 'x' })).toMatch(/so d= must be exactly the domain of the From field/);
  expect(fixed({ decision: 'ours' })).not.toContain('strict');
});

it('names the addresses of a host in the SPF record at exactly the domain of its envelope sender', () => {
  expect(fixed({ decision: 'ours' })).toMatch(
    /in the SPF record at exactly the envelope sender's domain, which must be example\.com or of the same organizational domain\.$/,
  );
});

it('says since when nothing of a sender has failed, where that may be a repair', () => {
  const since = (messages: number) => ({ passingSince: { lastFailed: '2026-11-06', messages } });
  expect(fixed({ decision: 'ours', ...since(2_100) })).toMatch(
    /^Nothing of it has failed since 2026-11-06, and 2,100 messages passed: if it was repaired, wait until /,
  );
  expect(fixed({ decision: 'ours', ...since(19) })).toMatch(/^On the servers in /);
  expect(fixed({ decision: 'ours', step: 'strict', ...since(2_100) })).not.toContain('has failed since');
});

const record = {
  domain: 'example.com',
  tags: new Map([['p', 'reject']]),
  inheritedFrom: null,
  suffixDomain: 'example.com',
  isBelow: false,
  walk: { organizationalDomain: 'example.com' },
  sized: [],
  unauthorized: [],
};

describe('readiness for RFC 9989', () => {
  it('asks for no np where the record says nothing of names below', () => {
    const items = judgeReadiness({
      ...record,
      domain: 'mail.example.com',
      isBelow: true,
      tags: new Map([['p', 'none']]),
    });
    expect(items.find(({ topic }) => topic === 'np')).toMatchObject({
      state: 'ok',
      text: 'Names below mail.example.com follow the record of example.com, so that sp and np of this one say nothing.',
    });
  });

  it('has nothing to change in a record without removed tags', () => {
    expect(judgeReadiness(record).filter(({ state }) => state !== 'ok')).toEqual([]);
  });

  it.each([
    [
      'pct',
      {
        tags: new Map([
          ['p', 'reject'],
          ['pct', '50'],
        ]),
      },
    ],
    [
      'rf',
      {
        tags: new Map([
          ['p', 'reject'],
          ['rf', 'afrf'],
        ]),
      },
    ],
    [
      'ri',
      {
        tags: new Map([
          ['p', 'reject'],
          ['ri', '3600'],
        ]),
      },
    ],
    [
      'np',
      {
        tags: new Map([
          ['p', 'reject'],
          ['sp', 'none'],
        ]),
      },
    ],
    [
      'psd',
      {
        tags: new Map([
          ['p', 'reject'],
          ['psd', 'y'],
        ]),
      },
    ],
    ['tree_walk', { walk: { organizationalDomain: 'mail.example.com' } }],
    ['rua_size', { sized: ['mailto:a@example.com!10m'] }],
    ['external', { unauthorized: [{ host: 'other.example', record: 'example.com._report._dmarc.other.example' }] }],
  ] as const)('says what to change about %s', (topic, change) => {
    const items = judgeReadiness({ ...record, ...change });
    expect(items.filter(({ state }) => state === 'change').map((item) => item.topic)).toEqual([topic]);
  });

  const pctOf = (text: string) =>
    judgeReadiness({
      ...record,
      tags: new Map(text.split('; ').map((tag) => tag.split('=') as [string, string])),
    }).find(({ topic }) => topic === 'pct')?.text;
  it.each([
    [
      'p=reject; pct=10',
      'Receivers that follow RFC 9989 ignore pct=10 and apply the policy to all failing mail, others still apply it to 10 %. ' +
        'Without it all do: remove it as a step of the path, once that is ready.',
    ],
    ['p=quarantine; pct=100', 'pct=100 changes nothing: remove it.'],
    ['p=none; pct=10', 'pct=10 changes nothing: remove it.'],
    ['p=none; sp=reject; pct=0', expect.stringContaining('to 0 %')],
  ])('says of %s what its removal does', (tags, text) => expect(pctOf(tags)).toEqual(text));

  it('does not say that no mail comes from names that do not exist', () => {
    const items = judgeReadiness({ ...record, tags: new Map([['p', 'none']]) });
    expect(items.find(({ topic }) => topic === 'np')?.text).toBe(
      'Names below the domain that do not exist get none, as sp or p says. ' +
        'Publish np=reject when the step np_reject affects no mail of yours: some servers send from names that only they know.',
    );
    const spelled = judgeReadiness({ ...record, tags: new Map([['p', 'Reject']]) });
    expect(spelled.find(({ topic }) => topic === 'np')?.state).toBe('ok');
  });

  it.each([
    [
      'p=reject; np=none',
      'change',
      /^np=none makes names .* easier to forge than others, which get reject\. Publish np=reject/,
    ],
    ['p=reject; sp=none; np=none', 'ok', /^np=none is asked for/],
    ['p=none; np=reject', 'ok', /^np=reject is asked for/],
    ['p=reject; np=rejct', 'change', /^np=rejct is no policy, so .* take the whole record for p=none: correct it\.$/],
    ['p=reject; sp=nonee', 'change', /^sp=nonee is no policy/],
  ] as const)('of %s: np is %s', (tags, state, text) => {
    const read = new Map(tags.split('; ').map((tag) => tag.split('=') as [string, string]));
    const item = judgeReadiness({ ...record, tags: read }).find(({ topic }) => topic === 'np');
    expect(item).toEqual({ topic: 'np', state, text: expect.stringMatching(text) });
  });

  const walkText = (change: Partial<RecordFacts>) =>
    judgeReadiness({ ...record, ...change }).find(({ topic }) => topic === 'tree_walk')?.text;
  it.each([
    ['n', 'mail.corp.test', 'mail.corp.test', 'corp.test'],
    ['y', 'bank.example', 'mega.bank.example', 'bank.example'],
  ] as const)('asks for no second record where psd=%s is why receivers differ', (psd, name, found, suffixDomain) => {
    const walk = { organizationalDomain: found, endsAt: { name, psd } };
    expect(walkText({ domain: found, suffixDomain, walk })).toBe(
      `By tree walk the organizational domain of ${found} is ${found}, by suffix list ${suffixDomain}, as the record of ` +
        `${name} has psd=${psd}: receivers differ in what aligns. Remove psd=${psd} there unless that is meant, and ` +
        'sign exactly as the From domain.',
    );
  });

  it('says of psd=y which domain is the public suffix, and asks no one below it for a change', () => {
    const tags = new Map([['psd', 'y']]);
    const psdOf = (change: Partial<RecordFacts>) =>
      judgeReadiness({ ...record, tags, ...change }).find(({ topic }) => topic === 'psd');
    expect(psdOf({ domain: 'shop.bank', suffixDomain: 'shop.bank', inheritedFrom: 'bank' })).toEqual({
      topic: 'psd',
      state: 'ok',
      text: 'psd=y says that bank is a public suffix, as the suffix list does.',
    });
    expect(psdOf({ domain: 'mail.example.com', inheritedFrom: 'example.com' })?.text).toMatch(
      /^psd=y says that example\.com is a public suffix/,
    );
  });

  it('does not ask for a change of the record of a public suffix', () => {
    const suffixDomain = 'agency.gov.uk';
    expect(judgeReadiness({ ...record, domain: suffixDomain, suffixDomain, inheritedFrom: 'gov.uk' })[0]?.text).toBe(
      'agency.gov.uk publishes no record: that of gov.uk applies, a public suffix. ' +
        'Give agency.gov.uk a record of its own.',
    );
  });

  it('says nothing of a record that is not known', () => {
    expect(judgeReadiness({ ...record, tags: undefined })).toMatchObject([{ topic: 'record', state: 'unknown' }]);
  });
});
