import { describe, expect, it } from 'vitest';
import type { DkimKeyFact } from '@dmarc-ledger/vocabulary';
import { judgeRecords, type CheckFact, type Judgement, type SeenRecords } from '../../src/index.ts';

const domain = 'example.com';
const start = Date.parse('2026-03-10T12:00:00Z');
const at = (minutes: number) => new Date(start + minutes * 60_000);

/** What a check at some minute found, which was first found at another. */
type Found = Partial<CheckFact> & { now?: number; since?: number };

function check({ now = 0, since = now, ...fact }: Found): CheckFact {
  const none = { status: 'ok', details: 'Said.', hasRecord: true, records: ['r'], policy: null, facts: null };
  const isAnswered = fact.status !== 'unknown' && fact.status !== 'unconfirmed';
  return { ...none, isAnswered, checkedAt: at(now), changedAt: at(since), ...fact };
}

/** Judges every check in turn, each with the state that the one before left; returns the judgements of each. */
function looks(subject: string, founds: readonly Found[], before: SeenRecords = {}): Judgement[][] {
  let seen = before;
  return founds.map((found) => {
    const facts = { domain, checks: new Map([[subject, check(found)]]), signed: new Map(), open: [] };
    const first = judgeRecords(facts, seen);
    seen = JSON.parse(JSON.stringify(first.seen)) as SeenRecords;
    return first.judgements;
  });
}

/** The conditions that hold after the last check. */
function raised(subject: string, ...founds: Found[]): string[] {
  return looks(subject, founds)
    .at(-1)!
    .flatMap((one) => (one.state === 'holds' ? [`${one.key} ${one.severity}`] : []));
}

function over(subject: string, ...founds: Found[]): string[] {
  return looks(subject, founds)
    .at(-1)!
    .flatMap((one) => (one.state === 'over' ? [one.key] : []));
}

const state = (status: string, now = 0, since = now): Found => ({ status, now, since });

describe('verification', () => {
  it.each([
    ['is gained', [state('not_published'), state('verified', 20)], ['verification_gained/example.com/dmarc info']],
    [
      'is gained from a parent',
      [state('published_not_ours'), state('verified_inherited', 20)],
      ['verification_gained/example.com/dmarc info'],
    ],
    ['is no gain from the first', [state('verified')], []],
    ['is no gain when it was pending', [state('pending'), state('verified', 20)], []],
    [
      'is no gain when nothing was known for a while',
      [state('verified'), state('unconfirmed', 20), state('verified', 40)],
      [],
    ],
    [
      'is lost when two checks say so',
      [state('verified'), state('not_published', 60), state('not_published', 75, 60)],
      ['dmarc_verification_lost/example.com critical'],
    ],
    ['is not lost by one', [state('verified'), state('not_published', 60)], []],
    [
      'is not lost within 15 minutes',
      [state('verified'), state('not_published', 60), state('not_published', 74, 60)],
      [],
    ],
    [
      'is lost when the checks differ in how',
      [state('verified'), state('not_published', 60), state('multiple_records', 75)],
      ['dmarc_verification_lost/example.com critical'],
    ],
    [
      'is not lost when nothing can be found out',
      [state('verified'), state('unconfirmed', 60), state('unconfirmed', 90, 60)],
      [],
    ],
    [
      'is not lost by one check and one without an answer',
      [state('verified'), state('not_published', 60), { ...state('not_published', 75, 60), isAnswered: false }],
      [],
    ],
    [
      'is lost by two checks, with one between them that was not answered',
      [
        state('verified'),
        state('not_published', 60),
        { ...state('not_published', 75, 60), isAnswered: false },
        state('not_published', 90, 60),
      ],
      ['dmarc_verification_lost/example.com critical'],
    ],
    [
      'stays lost',
      [state('verified'), state('not_published', 60), state('not_published', 75, 60), state('not_published', 90, 60)],
      ['dmarc_verification_lost/example.com critical'],
    ],
    [
      'stays lost by one check that differs in how',
      [state('verified'), state('not_published', 60), state('not_published', 75, 60), state('multiple_records', 90)],
      ['dmarc_verification_lost/example.com critical'],
    ],
    ['cannot be lost that never was', [state('not_published'), state('not_published', 30, 0)], []],
  ])('%s', (_, founds, expected) => expect(raised('dmarc_state', ...founds)).toEqual(expected));

  it('that is back is over', () =>
    expect(over('tlsrpt_state', state('not_published'), state('verified', 20))).toEqual([
      'tlsrpt_verification_lost/example.com',
    ]));

  it.each([
    ['tlsrpt_state', 'tlsrpt_verification_lost/example.com warning'],
    ['forensic_state', 'forensic_verification_lost/example.com warning'],
    ['aprf_state', 'aprf_verification_lost/example.com warning'],
  ])('of %s raises its own event', (subject, expected) =>
    expect(raised(subject, state('verified'), state('not_published', 60), state('not_published', 75, 60))).toEqual([
      expected,
    ]),
  );
});

const policy = (p: 'none' | 'quarantine' | 'reject', more = {}) => ({ p, sp: undefined, pct: 100, t: false, ...more });
const dmarc = (p: 'none' | 'quarantine' | 'reject', now = 0, text = `v=DMARC1; p=${p}`): Found => ({
  policy: policy(p),
  records: [text],
  now,
});
const gone = (now: number, since = now): Found => ({ status: 'error', hasRecord: false, records: [], now, since });
const silent = (now: number): Found => ({ status: 'unknown', hasRecord: false, records: [], now });
const several = (now: number, since = now): Found => ({ status: 'error', records: ['a', 'b'], now, since });
const broken = (now: number, since = now): Found => ({ status: 'error', records: ['x'], now, since });

describe('the DMARC record', () => {
  it.each([
    [
      'is removed when two checks agree',
      [dmarc('none'), gone(60), gone(75, 60)],
      ['dmarc_record_missing/example.com critical'],
    ],
    ['is not by one', [dmarc('none'), gone(60)], []],
    ['is not within 15 minutes', [dmarc('none'), gone(60), gone(74, 60)], []],
    [
      'is removed when two checks agree, with one between them that was not answered',
      [dmarc('none'), gone(60), silent(75), gone(90)],
      ['dmarc_record_missing/example.com critical'],
    ],
    [
      'is removed when every other check is not answered',
      [dmarc('none'), gone(60), silent(64), gone(68), silent(72), gone(76)],
      ['dmarc_record_missing/example.com critical'],
    ],
    ['is not by one check and one without an answer', [dmarc('none'), gone(60), silent(75)], []],
    ['is not within 15 minutes, with a gap', [dmarc('none'), gone(60), silent(67), gone(74)], []],
    ['is not when it was there in between', [dmarc('none'), gone(60), dmarc('none', 75), silent(90), gone(105)], []],
    ['is not when the checks differ', [dmarc('none'), gone(60), silent(75), broken(90)], []],
    ['was never there', [gone(0), gone(60, 0)], []],
    ['was never there, with a gap', [gone(0), silent(30), gone(60)], []],
    [
      'is there several times',
      [dmarc('none'), several(60), several(75, 60)],
      ['dmarc_record_multiple/example.com critical'],
    ],
    ['is broken', [dmarc('none'), broken(60), broken(75, 60)], ['dmarc_record_invalid/example.com critical']],
    [
      'is not removed when nothing can be read',
      [dmarc('none'), { status: 'unknown', hasRecord: false, records: [], now: 90, since: 60 }],
      [],
    ],
    ['is weakened', [dmarc('reject'), dmarc('none', 60)], ['dmarc_policy_weakened/example.com/25 critical']],
    ['is strengthened', [dmarc('none'), dmarc('quarantine', 60)], ['dmarc_policy_strengthened/example.com/75 info']],
    [
      'is weakened over a gap',
      [dmarc('reject'), gone(60), dmarc('none', 90)],
      ['dmarc_policy_weakened/example.com/25 critical'],
    ],
    ['is not changed by spaces', [dmarc('none'), dmarc('none', 60, 'v=DMARC1;p=none ')], []],
    [
      'stays weakened',
      [dmarc('reject'), dmarc('none', 60), dmarc('none', 90)],
      ['dmarc_policy_weakened/example.com/25 critical'],
    ],
    [
      'stays weakened on its way back',
      [dmarc('reject'), dmarc('none', 60), dmarc('quarantine', 90), dmarc('quarantine', 120)],
      ['dmarc_policy_weakened/example.com/25 critical'],
    ],
    ['is no longer weakened', [dmarc('reject'), dmarc('none', 60), dmarc('reject', 90), dmarc('reject', 120)], []],
  ])('%s', (_, founds, expected) => expect(raised('dmarc', ...founds)).toEqual(expected));

  it('is changed when its text is another and its policy is not', () => {
    const [changed] = raised('dmarc', dmarc('none'), dmarc('none', 60, 'v=DMARC1; p=none; rua=mailto:a@b.c'));
    expect(changed).toMatch(/^dmarc_record_changed\/example\.com\/[0-9a-f]{16} info$/);
  });

  it('that is valid again is over, whatever was wrong', () =>
    expect(over('dmarc', dmarc('none'), gone(60), dmarc('none', 90))).toEqual([
      'dmarc_record_missing/example.com',
      'dmarc_record_multiple/example.com',
      'dmarc_record_invalid/example.com',
    ]));

  it.each([
    ['is back', [dmarc('reject'), dmarc('none', 60), dmarc('reject', 90)], ['dmarc_policy_weakened/example.com/25']],
    ['is not quite back', [dmarc('reject'), dmarc('none', 60), dmarc('quarantine', 90)], []],
    [
      'is back in two steps',
      [dmarc('reject'), dmarc('none', 60), dmarc('quarantine', 90), dmarc('reject', 120)],
      ['dmarc_policy_weakened/example.com/25'],
    ],
    [
      'is weakened again on its way back, and not quite back',
      [dmarc('reject'), dmarc('none', 60), dmarc('quarantine', 90), dmarc('none', 120), dmarc('quarantine', 150)],
      [],
    ],
    [
      'is weakened again on its way back, and is back',
      [dmarc('reject'), dmarc('none', 60), dmarc('quarantine', 90), dmarc('none', 120), dmarc('reject', 150)],
      ['dmarc_policy_weakened/example.com/25'],
    ],
  ])('a policy that %s ends its weakening accordingly', (_, founds, expected) =>
    expect(over('dmarc', ...founds).filter((key) => key.includes('weakened'))).toEqual(expected),
  );

  it('says why a policy is weaker whose name is the stronger one', () => {
    const [, after] = looks('dmarc', [
      { ...dmarc('none'), policy: policy('none', { sp: 'quarantine' }) },
      { ...dmarc('quarantine', 60), policy: policy('quarantine', { t: true }) },
    ]);
    expect(after).toContainEqual(
      expect.objectContaining({
        message: 'The policy of example.com changed from none; sp=quarantine to quarantine; t=y.',
      }),
    );
  });

  it('says what changed of a policy of the same name', () => {
    const [, after] = looks('dmarc', [
      dmarc('quarantine'),
      { ...dmarc('quarantine', 60), policy: policy('quarantine', { pct: 50 }) },
    ]);
    expect(after).toContainEqual(
      expect.objectContaining({ message: 'The policy of example.com changed from quarantine to quarantine; pct=50.' }),
    );
  });
});

const spf = (lookups: number, now = 0, more = {}): Found => ({
  records: [`v=spf1 ${lookups}`],
  facts: { lookups, voids: 0, isPermissive: false, ...more },
  now,
});

describe('the SPF record', () => {
  it.each([
    ['has 8 lookups', [spf(8)], []],
    ['has 9', [spf(9)], ['spf_lookup_limit_near/example.com info']],
    ['has 10', [spf(10)], ['spf_lookup_limit_near/example.com info']],
    ['has 11', [spf(11)], ['spf_lookup_limit_exceeded/example.com critical']],
    ['has 2 void ones', [spf(1, 0, { voids: 2 })], []],
    ['has 3', [spf(1, 0, { voids: 3 })], ['spf_lookup_limit_exceeded/example.com critical']],
    ['lets anybody send', [spf(1, 0, { isPermissive: true })], ['spf_permissive/example.com critical']],
    ['is removed', [spf(1), gone(60), gone(75, 60)], ['spf_record_missing/example.com critical']],
    [
      'is removed, with a check that was not answered',
      [spf(1), gone(60), silent(75), gone(90)],
      ['spf_record_missing/example.com critical'],
    ],
    ['is there in between', [spf(1), gone(60), spf(1, 75), silent(90), gone(105)], []],
    ['is there twice', [spf(1), several(60), several(75, 60)], ['spf_record_invalid/example.com critical']],
    ['is broken, by one check', [spf(1), broken(60)], []],
    ['was never good', [broken(0), broken(60, 0)], []],
    [
      'is too long after a change, which raises its own event',
      [spf(1), spf(11, 60)],
      ['spf_lookup_limit_exceeded/example.com critical'],
    ],
  ])('%s', (_, founds, expected) => expect(raised('spf', ...founds)).toEqual(expected));

  const NEAR = 'The SPF record uses 9 of 10 DNS lookups.';
  const OPEN = 'The SPF record allows any server to send.';
  it.each<[string, Found, { [type: string]: string }]>([
    ['with 9 lookups and no other fault', spf(9), { spf_lookup_limit_near: 'Said.' }],
    ['with 9 lookups that leaves others unsaid', { ...spf(9), status: 'warning' }, { spf_lookup_limit_near: NEAR }],
    [
      'with 9 lookups that lets anybody send',
      { ...spf(9, 0, { isPermissive: true }), status: 'warning' },
      { spf_lookup_limit_near: NEAR, spf_permissive: OPEN },
    ],
    [
      'with 11 lookups that lets anybody send',
      spf(11, 0, { isPermissive: true }),
      {
        spf_lookup_limit_exceeded: 'The SPF record needs 11 DNS lookups; the limit is 10.',
        spf_permissive: OPEN,
      },
    ],
    [
      'with 3 void lookups that lets anybody send',
      spf(9, 0, { voids: 3, isPermissive: true }),
      {
        spf_lookup_limit_exceeded: '3 lookups of the SPF record find nothing; the limit is 2.',
        spf_permissive: OPEN,
      },
    ],
  ])('%s says each fault in its own event', (_, found, expected) => {
    const held = looks('spf', [found])[0]!.flatMap((one) => (one.state === 'holds' ? [[one.type, one.message]] : []));
    expect(Object.fromEntries(held)).toEqual(expected);
  });

  it('is changed', () =>
    expect(raised('spf', spf(1), spf(2, 60))[0]).toMatch(/^spf_record_changed\/example\.com\/[0-9a-f]{16} info$/));

  it.each([
    ['at 10 lookups', spf(10, 60), 'spf_lookup_limit_exceeded/example.com'],
    ['at 8 lookups', spf(8, 60), 'spf_lookup_limit_near/example.com'],
    ['when no other sender is allowed', spf(1, 60), 'spf_permissive/example.com'],
    ['when it is there', spf(1, 60), 'spf_record_missing/example.com'],
  ])('is over %s', (_, found, key) => expect(over('spf', spf(11), found)).toContain(key));
});

describe('DKIM keys', () => {
  const judge = (key: Partial<DkimKeyFact>, messages = 20, open: string[] = [], more: readonly DkimKeyFact[] = []) => {
    const facts = [{ domain, selector: 's1', kind: 'rsa', bits: 2_048, ...key }, ...more];
    const checks = new Map([['dkim', check({ status: 'warning', facts })]]);
    return judgeRecords({ domain, checks, signed: new Map([[`${domain}/s1`, messages]]), open }, {}).judgements;
  };
  it.each<[string, Partial<DkimKeyFact>, number, string[]]>([
    ['of 2048 bits', {}, 20, []],
    ['of 2047 bits', { bits: 2_047 }, 0, ['dkim_key_weak warning']],
    ['of 1024 bits', { bits: 1_024 }, 0, ['dkim_key_weak warning']],
    ['of 1023 bits', { bits: 1_023 }, 0, ['dkim_key_weak critical']],
    ['that is missing, with 20 messages', { kind: 'absent' }, 20, ['dkim_key_missing warning']],
    ['that is missing, with 19', { kind: 'absent' }, 19, []],
    ['that is revoked, with 20 messages', { kind: 'revoked' }, 20, ['dkim_key_revoked warning']],
    ['that is revoked, with 19', { kind: 'revoked' }, 19, []],
    ['of Ed25519', { kind: 'ed25519' }, 20, []],
  ])('%s', (_, key, messages, expected) =>
    expect(judge(key, messages).map((one) => one.state === 'holds' && `${one.type} ${one.severity}`)).toEqual(expected),
  );

  it('that are at fault together say each their own fault', () => {
    const facts: DkimKeyFact[] = [
      { domain, selector: 's1', kind: 'revoked' },
      { domain, selector: 's2', kind: 'absent' },
      { domain, selector: 's3', kind: 'rsa', bits: 1_024 },
    ];
    const checks = new Map([['dkim', check({ status: 'warning', facts })]]);
    const signed = new Map(['s1', 's2'].map((selector) => [`${domain}/${selector}`, 20]));
    const { judgements } = judgeRecords({ domain, checks, signed, open: [] }, {});
    expect(judgements.flatMap((one) => (one.state === 'holds' ? [one.message] : []))).toEqual([
      'The DKIM key s1 of example.com is revoked, and mail is still signed with it.',
      'The DKIM key s2 of example.com is not in the DNS, and mail is signed with it.',
      'The DKIM key s3 of example.com has 1024 bits; 2048 is recommended.',
    ]);
  });

  it.each<[string, Partial<DkimKeyFact>, string]>([
    ['missing', { kind: 'absent' }, 'The DKIM key s1 of example.com is not in the DNS, and mail is signed with it.'],
    ['revoked', { kind: 'revoked' }, 'The DKIM key s1 of example.com is revoked, and mail is still signed with it.'],
    ['short', { bits: 1_024 }, 'The DKIM key s1 of example.com has 1024 bits; 2048 is recommended.'],
    ['too short', { bits: 512 }, 'The DKIM key s1 of example.com has 512 bits and is ignored by receivers.'],
  ])('one that is %s says so, whatever the check says of the others', (_, key, expected) => {
    const said = (more: readonly DkimKeyFact[]) =>
      judge(key, 20, [], more).flatMap((one) => (one.state === 'holds' ? [one.message] : []));
    expect(said([{ domain, selector: 's2', kind: 'unusable' }])).toEqual([expected]);
    expect(said([{ domain, selector: 's2', kind: 'ed25519' }])).toEqual(['Said.']); // the check is about this key
  });

  const open = [`dkim_key_missing/${domain}/${domain}/s1`];
  it.each<[string, Partial<DkimKeyFact>, number, string[]]>([
    ['is usable', {}, 20, open],
    ['is signed with no more', { kind: 'absent' }, 0, open],
    ['cannot be looked up', { kind: 'unconfirmed' }, 20, []],
    ['is still missing', { kind: 'absent' }, 20, []],
    ['is replaced by one that receivers cannot use', { kind: 'unusable' }, 20, []],
    ['is replaced by such a one, and is signed with no more', { kind: 'unusable' }, 0, open],
  ])('one that %s', (_, key, messages, expected) =>
    expect(judge(key, messages, open).flatMap((one) => (one.state === 'over' ? [one.key] : []))).toEqual(expected),
  );
});

it('a fault of a DKIM key is over when no selector of the domain is known any more', () => {
  const open = [`dkim_key_weak/${domain}/${domain}/s1`];
  const over = (found: Partial<Parameters<typeof check>[0]>) => {
    const checks = new Map([['dkim', check({ status: 'unknown', ...found })]]);
    return judgeRecords({ domain, checks, signed: new Map(), open }, {}).judgements;
  };
  expect(over({ facts: [] })).toEqual([{ state: 'over', key: open[0] }]);
  expect(over({})).toEqual([]); // the check itself was not answered
});

const mx = (hosts: string[], now = 0, since = now): Found => ({ records: hosts, now, since });
const good = (status = 'ok', now = 0): Found => ({ status, now });

describe('mail servers', () => {
  it.each([
    ['have changed when two checks agree', [mx(['a']), mx(['b'], 60), mx(['b'], 75, 60)], 1],
    ['have changed with a check that was not answered', [mx(['a']), mx(['b'], 60), silent(75), mx(['b'], 90)], 1],
    ['have not by checks that differ', [mx(['a']), mx(['b'], 60), silent(75), mx(['c'], 90)], 0],
    ['have not when they were back', [mx(['a']), mx(['b'], 60), mx(['a'], 70), silent(80), mx(['b'], 90)], 0],
    ['have not by one', [mx(['a']), mx(['b'], 60)], 0],
    ['have not in another order', [mx(['a', 'b']), mx(['b', 'a'], 60), mx(['b', 'a'], 75, 60)], 0],
    ['have not when there were none before', [mx(['a'])], 0],
    ['are raised once', [mx(['a']), mx(['b'], 60), mx(['b'], 75, 60), mx(['b'], 90, 60)], 0],
  ])('%s', (_, founds, count) => expect(raised('mx', ...founds)).toHaveLength(count));

  it.each([
    [
      'broken under enforcement',
      [{ ...good(), facts: { mode: 'enforce' } }, broken(60)],
      ['mta_sts_broken/example.com critical'],
    ],
    [
      'broken in testing',
      [{ ...good(), facts: { mode: 'testing' } }, broken(60)],
      ['mta_sts_broken/example.com warning'],
    ],
    ['broken from the first', [broken(0)], ['mta_sts_broken/example.com warning']],
    ['not there', [good(), gone(60)], []],
    [
      'not there, while senders hold an enforced policy that refuses mail',
      [
        { ...good(), facts: { mode: 'enforce' } },
        { ...gone(60), facts: { mode: 'enforce' } },
      ],
      ['mta_sts_broken/example.com critical'],
    ],
  ])('MTA-STS is %s', (_, founds, expected) => expect(raised('mta_sts', ...founds)).toEqual(expected));

  it.each([
    ['bimi', 'bimi_broken/example.com info'],
    ['dane', 'dane_broken/example.com critical'],
  ])('%s breaks when it was good', (subject, key) => {
    expect(raised(subject, good('warning'), broken(60))).toEqual([key]);
    expect(raised(subject, broken(0), broken(60, 0))).toEqual([]);
    expect(raised(subject, good(), gone(60))).toEqual([]);
    expect(over(subject, good(), broken(60), good('ok', 90))).toEqual([key.split(' ')[0]]);
  });
});
