import {
  settleState,
  verifyAprf,
  verifyDmarc,
  verifyTlsRpt,
  walkDmarc,
  walkTargets,
  type KeptState,
} from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const ours = ['rua@ledger.example'];
const OURS = 'rua=mailto:rua@ledger.example';
const found = (...values: string[]) => ({ kind: 'found' as const, values });
const none = { kind: 'none' as const };
const silent = { kind: 'unconfirmed' as const, reason: 'timeout' };

describe('the state of DMARC reporting', () => {
  const zone = (text: string[] | '?', above: string[] | '?' = []): Zone => ({
    '_dmarc.mail.example.com': { text },
    '_dmarc.example.com': { text: above },
  });
  const state = async (records: Zone, tag: 'rua' | 'ruf' = 'rua') => {
    const walk = await walkDmarc('mail.example.com', askZone(records).text);
    return verifyDmarc('mail.example.com', walk, tag, ours).state;
  };
  it.each<[string, Zone, string]>([
    ['the query fails', zone('?'), 'unconfirmed'],
    ['the query above fails', zone([], '?'), 'unconfirmed'],
    ['several', zone(['v=DMARC1; p=none', `v=DMARC1; ${OURS}`]), 'multiple_records'],
    ['ours', zone([`v=DMARC1; p=none; ${OURS}`]), 'verified'],
    [
      'ours, in another spelling',
      zone(['v=DMARC1; p=none; rua=mailto:x@y.test, MAILTO:Rua%40LEDGER.example!5m']),
      'verified',
    ],
    [
      'a tag behind a plus sign is another address',
      zone(['v=DMARC1; p=none; rua=mailto:rua+t@ledger.example']),
      'published_not_ours',
    ],
    ['without rua', zone(['v=DMARC1; p=none']), 'published_not_ours'],
    [
      'an own record shadows the parent',
      zone(['v=DMARC1; p=none'], [`v=DMARC1; p=none; ${OURS}`]),
      'published_not_ours',
    ],
    ['a broken one too', zone(['v=DMARC1; p=rejcet'], [`v=DMARC1; p=none; ${OURS}`]), 'published_not_ours'],
    ['ours above', zone([], [`v=DMARC1; p=none; ${OURS}`]), 'verified_inherited'],
    ['not ours above', zone([], ['v=DMARC1; p=none']), 'published_not_ours'],
    ['nothing anywhere', zone([]), 'not_published'],
    ['a record that is none', zone(['v=dmarc1; p=none']), 'not_published'],
  ])('%s', async (_, records, expected) => expect(await state(records)).toBe(expected));

  it('of failure reports follows ruf', async () => {
    expect(await state(zone(['v=DMARC1; p=none; ruf=mailto:rua@ledger.example']), 'ruf')).toBe('verified');
    expect(await state(zone([`v=DMARC1; p=none; ${OURS}`]), 'ruf')).toBe('not_published');
    expect(await state(zone(['v=DMARC1; p=none; ruf=mailto:x@y.test']), 'ruf')).toBe('published_not_ours');
  });
});

it('TLS reports and placement reports inherit nothing', () => {
  expect(verifyTlsRpt(none, ours).state).toBe('not_published');
  expect(verifyTlsRpt(silent, ours).state).toBe('unconfirmed');
  expect(verifyTlsRpt(found(`v=TLSRPTv1; ${OURS}`), ours).state).toBe('verified');
  expect(verifyTlsRpt(found('v=TLSRPTv1; rua = mailto:rua@ledger.example'), ours).state).toBe('published_not_ours');
  expect(verifyTlsRpt(found('v=TLSRPTv1; rua=https://x.test/'), ours).state).toBe('published_not_ours');
  expect(verifyTlsRpt(found(`v=TLSRPTv1; ${OURS}`, `v=TLSRPTv1; ${OURS}`), ours).state).toBe('multiple_records');
  expect(verifyAprf([none, found(`v=APRFv1; ${OURS}`)], ours).state).toBe('verified');
  expect(verifyAprf([silent, found('v=APRFv1; rua=mailto:x@y.test')], ours).state).toBe('published_not_ours');
  expect(verifyAprf([found('v=APRFv1', 'v=APRFv1')], ours).state).toBe('multiple_records');
  expect(verifyAprf([none, silent], ours).state).toBe('unconfirmed');
  expect(verifyAprf([none, none], ours).state).toBe('not_published');
});

describe('the walk up the tree', () => {
  it.each([
    [
      'a.b.c.d.e.f.g.h.i.j.mail.example.com',
      [
        'g.h.i.j.mail.example.com',
        'h.i.j.mail.example.com',
        'i.j.mail.example.com',
        'j.mail.example.com',
        'mail.example.com',
        'example.com',
        'com',
      ],
    ],
    ['com', []],
    ['b.example.com', ['example.com', 'com']],
  ])('of %s', (domain, rest) => expect(walkTargets(domain)).toEqual([domain, ...rest]));

  const tree: Zone = {
    '_dmarc.example.com': { text: ['v=DMARC1; p=reject'] },
    '_dmarc.bank.example': { text: ['v=DMARC1; p=reject; psd=y'] },
    '_dmarc.giant.bank.example': { text: ['v=DMARC1; p=quarantine'] },
    '_dmarc.corp.test': { text: ['v=DMARC1; p=none'] },
    '_dmarc.mail.corp.test': { text: ['v=DMARC1; p=none; psd=n'] },
    '_dmarc.dup.test': { text: ['v=DMARC1; p=none', 'v=DMARC1; p=none'] },
    '_dmarc.two.test': { text: ['v=DMARC1; p=reject; sp=quarantine'] },
    '_dmarc.mid.two.test': { text: ['v=DMARC1; p=none'] },
  };
  it.each([
    ['mail.giant.bank.example', 'giant.bank.example'],
    ['mail.mega.bank.example', 'bank.example'],
    ['bank.example', 'bank.example'],
    ['a.mail.corp.test', 'mail.corp.test'],
    ['x.mid.two.test', 'two.test'],
    ['dup.test', undefined],
    ['none.invalid', undefined],
  ])('finds the policy of %s at %s', async (domain, at) =>
    expect((await walkDmarc(domain, askZone(tree).text)).applied?.at).toBe(at),
  );
});

describe('a state that was verified', () => {
  const since = new Date('2026-01-01T00:00:00Z');
  const verified: KeptState = { state: 'verified', verifiedAt: since, failures: 0, failedAt: null };
  const after = (minutes: number) => new Date(since.getTime() + minutes * 60_000);

  it('stands until three checks, a quarter of an hour apart, have found out nothing', () => {
    const first = settleState(verified, 'unconfirmed', after(0));
    const hasty = settleState(first, 'unconfirmed', after(5));
    const second = settleState(hasty, 'unconfirmed', after(15));
    const third = settleState(second, 'unconfirmed', after(30));
    expect([first, hasty, second, third].map(({ state }) => state)).toEqual([
      'verified',
      'verified',
      'verified',
      'unconfirmed',
    ]);
    expect(third.verifiedAt).toEqual(since);
    expect(settleState(third, 'verified', after(60))).toEqual(verified);
    expect(settleState(third, 'not_published', after(60))).toMatchObject({ state: 'not_published', verifiedAt: null });
  });

  it('never checked gives way at once', () => {
    const pending: KeptState = { state: 'pending', verifiedAt: null, failures: 0, failedAt: null };
    expect(settleState(pending, 'unconfirmed', since).state).toBe('unconfirmed');
    expect(settleState(pending, 'verified_inherited', since)).toMatchObject({
      state: 'verified_inherited',
      verifiedAt: since,
    });
  });
});
