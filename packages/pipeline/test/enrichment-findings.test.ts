import type { Enrichment } from '@dmarc-ledger/facts';
import type { ListResult } from '@dmarc-ledger/sources';
import { describe, expect, it } from 'vitest';
import { applyFindings, type Findings } from '../src/sources/apply-findings.ts';

const now = new Date('2026-03-01T00:00:00Z');
const earlier = new Date('2026-02-01T00:00:00Z');

/** An address without any findings. */
const unknown: Enrichment = {
  address: '45.0.0.1',
  named_at: earlier,
  mentioned_at: now,
  is_failing: true,
  priority: 0,
  due_at: earlier,
  planned: true,
  ptr_state: null,
  hostname: null,
  ptr_at: null,
  ptr_due_at: earlier,
  ptr_tries: 0,
  country_code: null,
  country: null,
  city: null,
  latitude: null,
  longitude: null,
  asn: null,
  isp: null,
  geo_build: null,
  abuse_score: null,
  abuse_reports: null,
  abuse_categories: null,
  usage_type: null,
  is_tor: null,
  abuse_last_reported: null,
  abuse_source: null,
  abuse_at: null,
  abuse_due_at: earlier,
  abuse_tries: 0,
  list_scope: null,
  verdict: null,
  lists_at: null,
  lists_due_at: earlier,
  lists_tries: 0,
  enriched_at: null,
  updated_at: null,
  version: 0,
  in_line: false,
};

const applied = (findings: Findings, before: Partial<Enrichment> = {}) =>
  applyFindings({ ...unknown, ...before }, findings, { now, volume: { messages: 1, failing: 1 }, chance: 0 });
const list = (status: ListResult['status'], more: Partial<ListResult> = {}): ListResult => ({
  list: 'l',
  name: 'A list',
  rank: 1,
  status,
  enforced: false,
  ...more,
});
const asked = (scope: 'ingest' | 'full', results: ListResult[]) => ({ scope, answers: { results, suspended: [] } });
const named = (name: string, confirmed: boolean | null): Findings => ({
  reverse: { outcome: 'found', names: [{ name, confirmed }] },
});
const failed: Findings = {
  reverse: { outcome: 'failed', failure: 'timeout' },
  reputation: { outcome: 'failed', failure: 'timeout', source: 'AbuseIPDB' },
  lists: asked('ingest', []),
  place: { facts: {}, build: '2026-01-01' },
};
const scored = (facts: object): Findings => ({
  reputation: {
    outcome: 'found',
    facts: {
      abuseScore: 10,
      abuseReports: 1,
      abuseCategories: [],
      hostNames: [],
      whitelisted: false,
      tor: false,
      ...facts,
    },
    source: 'AbuseIPDB',
  },
});

describe('an address', () => {
  it('of which nothing could be found out is as unknown as before', () => {
    const { row, lists, isChanged } = applied(failed);
    expect(row).toMatchObject({
      enriched_at: null,
      updated_at: null,
      ptr_state: null,
      verdict: null,
      list_scope: null,
    });
    expect(row).toMatchObject({ ptr_tries: 1, abuse_tries: 1, lists_tries: 1, priority: 2 });
    expect({ lists, isChanged }).toEqual({ lists: undefined, isChanged: false });
  });

  it('that is not public is not asked about again for a year', () => {
    const { row } = applied({
      reverse: { outcome: 'not_public' },
      reputation: { outcome: 'not_available', reason: 'not a public address', source: '' },
      lists: { scope: 'ingest', answers: undefined },
    });
    expect(row.enriched_at).toBeNull();
    expect(row.due_at.toISOString()).toBe('2027-03-01T00:00:00.000Z');
  });

  it.each<[string, Findings]>([
    ['a name', named('mail.test', true)],
    ['that there is no name', { reverse: { outcome: 'none' } }],
    ['an answer of a list', { lists: asked('ingest', [list('clean')]) }],
    ['a score', scored({})],
    ['a place', { ...failed, place: { facts: { countryCode: 'DE' }, build: 'b' } }],
  ])('is known from the first answer on: %s', (_, findings) => {
    const { row, isChanged } = applied(findings);
    expect(row).toMatchObject({ enriched_at: now, updated_at: now });
    expect(isChanged).toBe(true);
  });
});

describe('what was known', () => {
  const known: Partial<Enrichment> = {
    ...applied({
      ...named('mail.test', true),
      ...scored({ abuseScore: 80 }),
      lists: asked('full', [list('listed', { tier: 2, category: 'spam' })]),
    }).row,
    version: 1,
  };

  it('stands when nothing answers, and its age with it', () => {
    const { row, lists, isChanged } = applied(failed, { ...known, updated_at: earlier });
    expect(row).toMatchObject({ ptr_state: 'confirmed', abuse_score: 80, list_scope: 'full', updated_at: earlier });
    expect(row.verdict).toMatchObject({ severity: 'warning' });
    expect({ lists, isChanged }).toEqual({ lists: undefined, isChanged: false });
  });

  it('of its place stands while the geo data cannot be read, and nothing was looked up by that', () => {
    const placed = { ...known, country_code: 'DE', geo_build: 'b', updated_at: earlier };
    const { row } = applied({ ...failed, place: undefined }, placed);
    expect(row).toMatchObject({ country_code: 'DE', geo_build: 'b', updated_at: earlier });
  });

  it('stands when every list fails', () => {
    const { row, lists } = applied({ lists: asked('full', [list('error', { failure: 'timeout' })]) }, known);
    expect(row.verdict).toMatchObject({ severity: 'warning', listed: 1 });
    expect(lists).toBeUndefined();
  });

  it('of a name that resolves back stands while that cannot be found out again', () => {
    const { row, isChanged } = applied(named('mail.test', null), known);
    expect(row).toMatchObject({ ptr_state: 'confirmed', ptr_tries: 1 });
    expect(isChanged).toBe(false);
    expect(applied(named('other.test', null), known).row).toMatchObject({
      hostname: 'other.test',
      ptr_state: 'unchecked',
    });
  });

  it('by the reputation service stands in for geo data that is silent, until there is newer data', () => {
    const place = { facts: { asn: 64_500 }, build: 'old' };
    const first = applied({ place, ...scored({ isp: 'Told', countryCode: 'NL' }) }).row;
    expect(first).toMatchObject({ isp: 'Told', country_code: 'NL' });
    expect(applied({ place }, first).row).toMatchObject({ isp: 'Told', country_code: 'NL' });
    expect(applied({ place: { ...place, build: 'new' } }, first).row).toMatchObject({ isp: null, country_code: null });
    const said = { facts: { isp: 'Known', countryCode: 'DE' }, build: 'old' };
    expect(applied({ place: said, ...scored({ isp: 'Told' }) }).row).toMatchObject({
      isp: 'Known',
      country_code: 'DE',
    });
  });
});

it('reports a verdict of errors alone as unknown', () => {
  const { row, lists } = applied({ lists: asked('ingest', [list('error', { failure: 'timeout' })]) });
  expect(row).toMatchObject({ lists_at: null, list_scope: 'ingest', lists_tries: 1, enriched_at: now });
  expect(row.verdict).toMatchObject({ severity: 'degraded', checked: 0, total: 1 });
  expect(lists).toMatchObject([{ result: { status: 'error' }, checkedAt: now }]);
});

it.each<[string, Partial<Enrichment>, Findings, boolean]>([
  ['a score within one status', { abuse_score: 80 }, scored({ abuseScore: 90 }), false],
  ['a score of another status', { abuse_score: 20 }, scored({ abuseScore: 25 }), true],
  ['another city', {}, { place: { facts: { city: 'Berlin', countryCode: 'DE' }, build: 'b' } }, false],
  ['a listing', {}, { lists: asked('full', [list('listed', { tier: 3, category: 'spam' })]) }, true],
  ['another name', { ptr_state: 'confirmed', hostname: 'a.test' }, named('b.test', true), true],
])('mail is judged again, or not, for %s', (_, before, findings, isChanged) => {
  const known = { ...before, enriched_at: earlier, is_tor: false, version: 1 };
  expect(applied(findings, known).isChanged).toBe(isChanged);
});
