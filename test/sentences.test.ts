import { details, keyTexts, spfTexts } from '@dmarc-ledger/dns-records';
import { enforcementSteps, enforcementTexts, fixOf, serviceSettings } from '@dmarc-ledger/enforcement';
import { mailboxTexts, waitTexts } from '@dmarc-ledger/pipeline';
import {
  adviceOf,
  bulkSenderTexts,
  confidenceOf,
  coverageTexts,
  domainVerdicts,
  emptyStates,
  eventTexts,
  orgVerdicts,
  scoreOf,
  type EmptyFacts,
} from '@dmarc-ledger/scoring';
import {
  builtInLists,
  classificationDescription,
  interpretAnswer,
  judgeBlocklists,
  reputationReason,
  type AddressFacts,
  type ZoneAnswer,
} from '@dmarc-ledger/sources';
import { alertTypes, sourceClasses } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';
import { faulty } from './support/sentence-faults.ts';

const NUMBERS = [0, 1, 2, 1_000, 1_234_567] as const;
/** The longest domain name: 253 characters, in labels of 63. */
const LONGEST_NAME = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'b'.repeat(61)].join('.');
const NAMES = ['example.com', LONGEST_NAME] as const;
const cases = NUMBERS.flatMap((number) => NAMES.map((name) => ({ number, name })));

/** Every fact that some sentence takes, with one number and one name. */
function factsOf(number: number, name: string) {
  const counts = {
    count: number,
    rejected: number,
    usable: number,
    seconds: number,
    bits: 2_048,
    attachments: number,
    lookups: number,
    voids: number,
    messages: number,
    addresses: number,
    used: number,
    limit: number,
    base: number,
    percent: 99.5,
    usual: 100,
  };
  const names = {
    domain: name,
    host: name,
    name,
    signer: name,
    sender: name,
    provider: name,
    reporter: name,
    list: name,
  };
  const words = {
    policy: 'reject',
    subdomains: 'none',
    from: 'none',
    to: 'reject',
    record: 'DMARC',
    reporting: 'DMARC',
  };
  const others = {
    reason: 'It redirects',
    selector: 's'.repeat(63),
    ip: '2001:db8::a',
    reputation: 'It is a Tor exit.',
    day: '2026-03-01',
    state: 'Gone',
  };
  return {
    ...counts,
    ...names,
    ...words,
    ...others,
    since: '2026-03-01T00:00:00Z',
    fault: 'Sign-in was refused.',
    type: 'dkim_key_revoked',
    isIgnored: false,
    advice: 'move on',
  };
}

/** The verdict about an address that so many lists of this name list, while others give no answer. */
function verdictOf({ listed, silent, first, name }: { listed: number; silent: number; first: number; name: string }) {
  const lists = [...builtInLists.slice(first), ...builtInLists.slice(0, first)].map((list) => ({ ...list, name }));
  const answerOf = (i: number): ZoneAnswer => {
    if (i < listed) return { outcome: 'addresses', addresses: ['127.0.0.2'], texts: [] };
    return i < listed + silent ? { outcome: 'failed', failure: 'timeout' } : { outcome: 'nxdomain' };
  };
  return judgeBlocklists(
    lists.slice(0, 6).map((list, i) => interpretAnswer(list, answerOf(i))),
    'ingest',
  );
}

function serviceOf(name: string): NonNullable<AddressFacts['sender']> {
  const service = { slug: 'service', name, icon: 'service', category: 'marketing', forwarder: false } as const;
  return { ...service, strength: 'strong', witnesses: [], contradictions: [] };
}

it('finds what a reader would stumble over', () => {
  const examples = [
    'the record is gone.',
    'The record is gone',
    'undefined is gone.',
    '1 messages failed.',
    '1 DKIM selectors have valid keys.',
    '2 message failed.',
    '1000 messages failed.',
  ];
  expect(faulty(examples, 'example.com').map(([sentence]) => sentence)).toEqual(examples);
});

describe.each(cases)('with $number and $name', ({ number, name }) => {
  const facts = factsOf(number, name);

  it('every finding of a check is a sentence', () => {
    const sentences = Object.values(details).map((say) => say(facts));
    expect(sentences.length).toBeGreaterThan(50);
    expect(faulty(sentences, name)).toEqual([]);
  });

  it('every message of an event is a sentence', () => {
    expect(
      faulty(
        [
          ...Object.values(eventTexts).map((say) => say(facts)),
          ...[false, true].map((isIgnored) => eventTexts.dkimKey({ ...facts, type: 'dkim_key_weak', isIgnored })),
        ],
        name,
      ),
    ).toEqual([]);
  });

  it('every text about a mailbox is a sentence, and its title has no end', () => {
    const texts = Object.values(mailboxTexts);
    expect(faulty([...texts.map(({ message }) => message(facts)), ...Object.values(waitTexts)], name)).toEqual([]);
    expect(texts.map(({ title }) => title(facts)).filter((title) => title.endsWith('.'))).toEqual([]);
  });

  it('every summary of blocklists is a sentence', () => {
    const summaries = [0, 1, 2, 5].flatMap((listed) =>
      [0, 1, 2, 5].flatMap((silent) =>
        builtInLists.map((_, first) => verdictOf({ listed, silent, first, name }).summary),
      ),
    );
    expect(new Set(summaries).size).toBeGreaterThan(8);
    expect(faulty(summaries, name)).toEqual([]);
  });

  it('every reason of a reputation, and every class in words, is a sentence', () => {
    const blocklists = verdictOf({ listed: 3, silent: 0, first: 0, name });
    const facts: AddressFacts[] = [
      { abuseScore: 100, abuseReports: number },
      { abuseScore: 50 },
      { abuseScore: 0, blocklists: { ...blocklists, topList: name, topTier: 4, hasMalwareC2: true } },
      { abuseScore: 0, blocklists: { ...blocklists, topList: name, topTier: 3, hasMalwareC2: false } },
      { abuseScore: 0, ptr: null },
      { abuseScore: 0, ptr: { name, confirmed: false, generic: false } },
      { abuseScore: 0, ptr: { name, confirmed: true, generic: true } },
      { abuseScore: 0, sender: serviceOf(name) },
    ];
    const reasons = facts.flatMap((one) => reputationReason(one, 1) ?? []);
    expect(reasons).toHaveLength(facts.length);
    const described = sourceClasses.flatMap((classification) =>
      [undefined, ...facts].flatMap((one) =>
        [false, true].flatMap((receiversSayForwarded) => {
          const source = { classification, totalMessages: number, receiversSayForwarded, ...(one && { facts: one }) };
          return classificationDescription(source) ?? [];
        }),
      ),
    );
    expect(faulty([...reasons, ...described], name)).toEqual([]);
  });

  it('every verdict is a sentence', () => {
    const sums = { messages: 100, compliant: 50, spfPass: 50, dkimPass: 50 };
    const policy = { p: 'reject', sp: undefined, pct: 100, t: false } as const;
    const given = {
      score: scoreOf(sums, 100),
      policy,
      messages: number,
      failing: number,
      newestDay: '2026-03-01',
      isStale: false,
      isAhead: false,
      isLocked: false,
      isReady: false,
      recordFault: details.dmarcSeveral(facts),
      hasReports: true,
      domains: number,
      unenforced: number,
    };
    const sentences = [...domainVerdicts, ...orgVerdicts].map(([, say]) => say(given));
    expect(faulty(sentences, name)).toEqual([]);
  });

  it('every verdict of a stricter policy, and every fix, is a sentence', () => {
    const { verdict: _, ...texts } = enforcementTexts;
    const least = { messages: 100, days: 14 };
    const said = enforcementSteps.flatMap((step) =>
      Object.values(texts).map((say) =>
        say({
          ...facts,
          step,
          tags: 'p=reject; sp=none',
          days: 30,
          reportDays: number,
          least,
          senders: number,
          fixes: Math.max(number, 1),
        }),
      ),
    );
    const slugs = [null, 'unknown-service', ...Object.keys(serviceSettings)];
    const fixes = enforcementSteps.flatMap((step) =>
      slugs.flatMap((slug) =>
        (['ours', 'forwarder', 'not_ours', null] as const).flatMap((decision) =>
          (['forwarder', 'not_ours', null] as const).flatMap((suggestion) =>
            [true, false].map((isBlocker) =>
              fixOf({
                domain: name,
                step,
                decision,
                suggestion,
                slug,
                name: 'Service',
                isForwarder: !isBlocker,
                isBlocker,
                selectors: ['s1', 'google'],
                isStrict: isBlocker,
                passingSince: { lastFailed: '2026-01-02', messages: 20 * number },
              }),
            ),
          ),
        ),
      ),
    );
    expect(new Set(fixes).size).toBeGreaterThan(slugs.length);
    expect(faulty([...said, ...fixes], name)).toEqual([]);
  });

  it('every finding about a key, and all advice about SPF, is a sentence', () => {
    const days = {
      days: number,
      most: 180,
      from: '2026-01-01',
      to: '2026-02-01',
      old: 's1',
      selector: 's2',
      bits: 1_024,
    };
    const kinds = ['absent', 'revoked', 'unusable'] as const;
    const keys = kinds.flatMap((kind) => Object.values(keyTexts).map((say) => say({ ...facts, ...days, kind })));
    const spf = Object.values(spfTexts).map((say) =>
      say({
        count: number,
        messages: 100,
        days: 14,
        names: ['bounces.sendgrid.net'],
        others: number,
        term: 'include:a.test',
      }),
    );
    expect(faulty([...keys, ...spf], name)).toEqual([]);
  });

  it('every sentence about coverage, and about the rules for bulk senders, is one', () => {
    const bools = [true, false];
    const share = 12.34;
    const sums = { messages: number, passed: number };
    const { confidence: _, ...texts } = coverageTexts;
    const covered = bools.flatMap((isLarge) =>
      Object.values(texts).map((say) =>
        say({ name, isLarge, days: number, missing: number, messages: number, share, records: number }),
      ),
    );
    const levels = [sums, { messages: 1, passed: 0 }, { messages: 0, passed: 0 }].flatMap((sure) =>
      bools.map((isWatched) => confidenceOf({ sure, doubtful: number, unseen: number, isWatched }).text),
    );
    const { evidence, change, summary } = bulkSenderTexts;
    const given = {
      ...facts,
      record: 'SPF',
      days: 30,
      spf: number,
      dkim: number,
      passed: number,
      keys: Math.max(number, 1),
      shortest: 2_048,
      confirmed: number,
      wrong: number,
      missing: number,
      unknown: number,
      notMet: number,
    };
    const bulk = [...Object.values(evidence), ...Object.values(change)].map((say) => say(given));
    const all = [...covered, ...levels, ...bulk, summary(given), summary({ ...given, notMet: 0 })];
    expect(faulty(all, name)).toEqual([]);
  });

  it('every state without items is a sentence', () => {
    const given: EmptyFacts = {
      domain: name,
      hasReports: false,
      isAhead: false,
      isVerified: false,
      isLocked: false,
      statuses: [],
      fault: 'The TLS-RPT record is not valid.',
      score: 0,
    };
    expect(
      faulty(
        emptyStates.map(([, state]) => state(given).message),
        name,
      ),
    ).toEqual([]);
  });
});

it('every advice is one sentence', () => {
  const advice = [false, true].flatMap((isRejected) =>
    alertTypes.flatMap(({ code }) => adviceOf(code, isRejected) ?? []),
  );
  expect(advice.length).toBeGreaterThan(60);
  expect(faulty(advice, 'example.com')).toEqual([]);
});
