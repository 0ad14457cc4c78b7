import { details } from '@dmarc-ledger/dns-records';
import { mailboxTexts } from '@dmarc-ledger/pipeline';
import {
  adviceOf,
  domainVerdicts,
  emptyStates,
  eventTexts,
  orgVerdicts,
  scoreOf,
  type EmptyFacts,
} from '@dmarc-ledger/scoring';
import { alertTypes } from '@dmarc-ledger/vocabulary';
import { describe, expect, it } from 'vitest';

const NUMBERS = [0, 1, 2, 1_000, 1_234_567] as const;
/** The longest domain name: 253 characters, in labels of 63. */
const LONGEST_NAME = [...Array.from({ length: 3 }, () => 'a'.repeat(63)), 'b'.repeat(61)].join('.');
const NAMES = ['example.com', LONGEST_NAME] as const;
const cases = NUMBERS.flatMap((number) => NAMES.map((name) => ({ number, name })));

/** Every fact that some sentence takes, with one number and one name. */
function factsOf(number: number, name: string) {
  const counts = {
    count: number,
    unusable: number,
    usable: number,
    seconds: number,
    bits: 2_048,
    attachments: number,
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
  return { ...counts, ...names, ...words, ...others, since: '2026-03-01T00:00:00Z', fault: 'Sign-in was refused.' };
}

/** Faults of a sentence that a reader would stumble over. */
function faultsOf(sentence: string, name: string): string[] {
  const text = sentence.replaceAll(name, 'NAME').replaceAll('2001:db8::a', 'IP');
  return [
    ...(/^(?:[A-Z0-9]|NAME|IP)/.test(text) ? [] : ['begins in lower case']),
    ...(/[.?]$/.test(text) ? [] : ['has no end']),
    ...(/undefined|null|NaN|\[object|[{}$]|\s{2}|\.\.| \./.test(text) ? ['has a gap'] : []),
    ...(/(?<![\d,.-])1 (?!of\b)(?:[A-Z][\w-]* )*\w+s\b(?! (?:is|has|finds))/.test(text) && !/1 address\b/.test(text)
      ? ['one of a plural']
      : []),
    ...(/(?<![\d,.])(?:0|2|1,000|1,234,567) (?:[A-Z][\w-]* )?(?:message|attachment|address|lookup|selector|domain|record|server)\b/.test(
      text,
    )
      ? ['many of a singular']
      : []),
    ...(/(?<![\d,.-])\d{4,}(?! bits| is recommended|-)/.test(text) ? ['has no separators'] : []),
  ];
}

/** The sentences that have a fault, each with its faults. */
function faulty(sentences: readonly string[], name: string): [string, string[]][] {
  return sentences.flatMap((sentence): [string, string[]][] => {
    const faults = faultsOf(sentence, name);
    return faults.length > 0 ? [[sentence, faults]] : [];
  });
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
        Object.values(eventTexts).map((say) => say(facts)),
        name,
      ),
    ).toEqual([]);
  });

  it('every text about a mailbox is a sentence, and its title has no end', () => {
    const texts = Object.values(mailboxTexts);
    expect(
      faulty(
        texts.map(({ message }) => message(facts)),
        name,
      ),
    ).toEqual([]);
    expect(texts.map(({ title }) => title(facts)).filter((title) => title.endsWith('.'))).toEqual([]);
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
      hasData: true,
      domains: number,
      unenforced: number,
    };
    const sentences = [...domainVerdicts, ...orgVerdicts].map(([, say]) => say(given));
    expect(faulty(sentences, name)).toEqual([]);
  });

  it('every state without items is a sentence', () => {
    const given: EmptyFacts = {
      domain: name,
      hasReports: false,
      isVerified: false,
      isLocked: false,
      statuses: [],
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
  const advice = alertTypes.flatMap(({ code }) => adviceOf(code) ?? []);
  expect(advice.length).toBeGreaterThan(30);
  expect(faulty(advice, 'example.com')).toEqual([]);
});
