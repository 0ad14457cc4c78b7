import { generateKeyPairSync } from 'node:crypto';
import {
  judgeKeys,
  KEPT_KEYS,
  readKeys,
  readServerAnswers,
  type KeptKey,
  type KeyFacts,
} from '@dmarc-ledger/dns-records';
import { describe, expect, it } from 'vitest';
import { askZone, type Zone } from './zone.ts';

const TODAY = '2026-11-20';
const published = { kind: 'rsa' as const, bits: 2_048, isTesting: false, since: '2026-11-01', isReplaced: false };
const usual: KeyFacts = {
  domain: 'example.com',
  selector: 's1',
  firstDay: '2026-10-01',
  lastDay: '2026-11-19',
  failingMessages: 0,
  services: [],
  published,
  isHandedOver: false,
};

const enough = { messages: 100, reportDays: 14 };

function judgeOne(...keys: Partial<KeyFacts>[]) {
  const judged = judgeKeys(
    keys.map((key) => ({ ...usual, ...key })),
    enough,
    TODAY,
  );
  return judged.map(({ state, findings }) => [state, ...findings.map(({ code }) => code)]);
}

describe('the life of a key', () => {
  it.each<[string, Partial<KeyFacts>, string[]]>([
    ['1', {}, ['active']],
    ['2', { lastDay: '2026-11-13' }, ['idle']],
    ['3', { lastDay: '2026-10-21' }, ['unused', 'published_unused']],
    ['4', { lastDay: '2026-10-21', published: { ...published, kind: 'absent', bits: null } }, ['unused']],
    ['5', { published: { ...published, kind: 'absent', bits: null } }, ['active', 'used_but_gone']],
    [
      '6',
      { lastDay: '2026-11-01', failingMessages: 3, published: { ...published, kind: 'revoked', bits: null } },
      ['idle', 'used_but_gone'],
    ],
    ['21', { published: { ...published, kind: 'absent', bits: null }, isHandedOver: true }, ['active']],
    ['7', { published: { ...published, kind: 'unconfirmed', bits: null } }, ['active']],
    ['8', { published: { ...published, bits: 1_024, isTesting: true } }, ['active', 'weak_key', 'test_mode']],
    ['9', { firstDay: '2026-05-23' }, ['active', 'rotation_due']],
    ['10', { firstDay: '2026-05-24' }, ['active']],
    ['11', { firstDay: '2025-01-01', published: { ...published, isReplaced: true } }, ['active']],
    [
      '35',
      { lastDay: '2026-10-21', published: { ...published, bits: 1_024, isTesting: true } },
      ['unused', 'published_unused'],
    ],
    [
      '36',
      {
        lastDay: '2026-10-21',
        published: { ...published, bits: 1_024, isTesting: true },
        services: ['microsoft-365'],
      },
      ['unused', 'weak_key', 'test_mode', 'published_unused'],
    ],
    ['12', { published: { ...published, since: '2026-01-01' } }, ['active', 'rotation_due']],
    ['13', { published: undefined }, ['active']],
    ['14', { published: { ...published, kind: 'ed25519', bits: null } }, ['active']],
  ])('%s', (_, key, expected) => {
    expect(judgeOne(key)).toEqual([expected]);
  });

  it.each<[string, Partial<KeyFacts>, Partial<KeyFacts>, string | undefined]>([
    [
      '15',
      { lastDay: '2026-11-05' },
      { selector: 's2', firstDay: '2026-11-01' },
      'Selector s2 took over from s1: both were in use from 2026-11-01 to 2026-11-05.',
    ],
    [
      '16',
      {},
      { selector: 's2', firstDay: '2026-11-01' },
      'Selector s2 is taking over from s1: both are in use since 2026-11-01.',
    ],
    [
      '22',
      { isHandedOver: true, lastDay: '2026-11-16' },
      { selector: 's2', firstDay: '2026-11-12' },
      'Selector s2 took over from s1: both were in use from 2026-11-12 to 2026-11-16.',
    ],
    ['17', { lastDay: '2026-10-25' }, { selector: 's2', firstDay: '2026-11-01' }, undefined],
    ['18', {}, { selector: 'google', firstDay: '2026-11-01' }, undefined],
    [
      '19',
      { services: ['google-workspace'] },
      { selector: 'g', firstDay: '2026-11-01', services: ['google-workspace'] },
      'Selector g is taking over from s1: both are in use since 2026-11-01.',
    ],
    ['20', {}, { selector: 's2', domain: 'mail.example.com', firstDay: '2026-11-01' }, undefined],
  ])('%s tells a rotation from two services', (_, old, next, expected) => {
    const keys = [old, next].map((key) => ({ ...usual, ...key }));
    const [before, after] = judgeKeys(keys, enough, TODAY);
    expect(before?.findings).toEqual([]);
    expect(after?.findings.map(({ text }) => text)).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each([
    [{ messages: 99, reportDays: 30 }, []],
    [{ messages: 100, reportDays: 13 }, []],
    [{ messages: 0, reportDays: 0 }, []],
    [enough, ['published_unused']],
  ])('is not over because reports stopped or show little mail: %j', (mail, expected) => {
    const [key] = judgeKeys([{ ...usual, lastDay: '2026-10-21' }], mail, TODAY);
    expect(key?.findings.map(({ code }) => code)).toEqual(expected);
  });

  it('is not over where a service may sign with the key again', () => {
    const [key] = judgeKeys([{ ...usual, lastDay: '2026-10-21', services: ['microsoft-365'] }], enough, TODAY);
    expect(key?.findings.map(({ text }) => text)).toEqual([
      'No mail passed with selector s1 for 30 days. It is of a service, which may sign with it again: ' +
        'leave its record published while you use the service.',
    ]);
  });

  it.each<[string, Partial<KeyFacts>, string]>([
    [
      'a key that is not there is published',
      { published: { ...published, kind: 'absent', bits: null } },
      'Mail is signed with selector s1, but no key is published for it: publish the key, or stop signing with it.',
    ],
    [
      'a revoked key gives way to a new one',
      { published: { ...published, kind: 'revoked', bits: null } },
      'Mail is signed with selector s1, but its key is revoked: sign with a new key at a new selector, and publish ' +
        'the old one again only if the revocation was a mistake.',
    ],
    [
      'a key that cannot be used is corrected',
      { published: { ...published, kind: 'unusable', bits: null } },
      'Mail is signed with selector s1, but its key cannot be used: correct the record, or sign with another key.',
    ],
    [
      'an old key is replaced',
      { firstDay: '2026-05-04' },
      'The key of selector s1 is at least 200 days old: replace keys every 180 days, with a new selector beside the ' +
        'old one.',
    ],
    [
      'an old key of a service is replaced by the service',
      { firstDay: '2026-05-04', services: ['sendgrid'] },
      'The key of selector s1 is at least 200 days old. It is of a service, which alone can replace it: start a ' +
        'rotation there, if the service does not do so by itself.',
    ],
    [
      'a short key of a service too',
      { published: { ...published, bits: 1_024 }, services: ['sendgrid'] },
      'The key of selector s1 has 1024 bits. It is of a service: have the service sign with one of 2048 bits.',
    ],
  ])('says what to do: %s', (_, key, expected) => {
    const [judged] = judgeKeys([{ ...usual, ...key }], enough, TODAY);
    expect(judged?.findings.map(({ text }) => text)).toEqual([expected]);
  });

  it('is at least as long as mail has passed by the key', () => {
    const [key] = judgeKeys([{ ...usual, firstDay: '2026-08-12' }], enough, TODAY);
    expect(key?.ageDays).toBe(100);
  });
});

describe('the keys that checks keep', () => {
  const now = new Date('2026-11-20T00:00:00Z');
  const later = new Date('2026-11-21T00:00:00Z');
  const rsa = (bits: number, more = '') => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    return `v=DKIM1; ${more}p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  };
  const at = (text: string[] | '?'): Zone => ({ 's1._domainkey.example.com': { text } });
  const selectors = [{ domain: 'example.com', selector: 's1' }];
  const read = (text: string[] | '?', before: readonly KeptKey[] = [], when = now, of = selectors) =>
    readKeys(askZone(at(text)), of, before, when);

  it.each<[string[], string]>([
    [['v=spf1 -all'], 'absent'],
    [['v=DMARC1; p=reject; rua=mailto:a@b.example'], 'absent'],
    [['v=DKIM1; p='], 'revoked'],
    [['v=dkim1; p=AAAA'], 'unusable'],
    [['v=DKIM1\\; k=rsa\\; p=AAAA'], 'unusable'],
    [['v=DKIM1; k=rsa'], 'unusable'],
  ])('take %j for a key that is %s', async (text, kind) => {
    expect(await read(text)).toMatchObject([{ kind }]);
  });

  it('have their time from the first check that saw them', async () => {
    const key = rsa(2_048, 't=y; ');
    const first = await read([key]);
    expect(first).toMatchObject([
      { kind: 'rsa', bits: 2_048, isTesting: true, since: now.getTime(), isReplaced: false },
    ]);
    const second = await read([key], first, later);
    expect(second).toMatchObject([{ since: now.getTime(), isReplaced: false, readAt: later.getTime() }]);
    const third = await read([rsa(1_024)], second, later);
    expect(third).toMatchObject([{ bits: 1_024, since: later.getTime(), isReplaced: true }]);
    expect(await read([], third, later)).toMatchObject([{ kind: 'absent', hash: '' }]);
  });

  it.each([[[]], [['v=DKIM1; p=']]])('are as old as before when they come back after %j', async (between) => {
    const record = rsa(2_048);
    const first = await read([record]);
    const gone = await read(between, await read(between, first, later), later);
    const back = await read([record], gone, later);
    expect(back).toMatchObject([{ since: now.getTime(), isReplaced: false }]);
    expect(await read([rsa(1_024)], gone, later)).toMatchObject([{ since: later.getTime(), isReplaced: true }]);
  });

  it('stay as they were while the name servers do not answer', async () => {
    const first = await read([rsa(2_048)]);
    expect(await read('?', first, later)).toEqual(first);
    expect(await read('?')).toEqual([]);
  });

  it('are asked for again when no mail carries their selector now, but not all of them', async () => {
    const before = Array.from({ length: 200 }, (_, i): KeptKey => ({
      domain: 'example.com',
      selector: `old${i}`,
      kind: 'rsa',
      bits: 2_048,
      isTesting: false,
      hash: 'x',
      since: 0,
      isReplaced: false,
      readAt: 0,
    }));
    let asked = 0;
    const ask = askZone({});
    const counting = { ...ask, text: async (name: string) => ((asked += 1), await ask.text(name)) };
    const kept = await readKeys(counting, selectors, before, now);
    expect(asked).toBe(1 + KEPT_KEYS.askedAgain);
    expect(kept).toHaveLength(KEPT_KEYS.kept);
    expect(kept.filter(({ kind }) => kind === 'absent')).toHaveLength(1 + KEPT_KEYS.askedAgain);
  });
});

describe('the answers of each name server', () => {
  it('are kept for the names of the domain’s own records, cut', async () => {
    const ask = askZone({});
    const servers = Array.from({ length: 9 }, (_, i) => ({
      server: `ns${i}.test`,
      outcome: 'found' as const,
      records: Array.from({ length: 300 }, () => 'x'.repeat(9_000)),
    }));
    const answering = { ...ask, text: async () => ({ kind: 'none' as const, servers }) };
    const many = Array.from({ length: 5_000 }, (_, i) => ({ domain: 'example.com', selector: `s${i}` }));
    const answers = await readServerAnswers(answering, 'example.com', { selectors: many });
    expect(answers.dmarc?.map(({ name }) => name)).toEqual(['_dmarc.example.com']);
    expect(answers.dkim).toHaveLength(20);
    expect(answers.spf?.[0]?.servers).toHaveLength(4);
    expect(answers.spf?.[0]?.servers[0]?.records.map((record) => record.length)).toEqual([600, 600, 600, 600, 600]);
    expect(await readServerAnswers(ask, 'example.com', { selectors: [] })).toEqual({});
  });
});
