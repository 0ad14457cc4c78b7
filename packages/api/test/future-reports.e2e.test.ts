import { givenReports } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

const on = (day: string, end = day) => ({ begin: `${day}T00:00:00Z`, end: `${end}T23:59:59Z` });
const records = [{ count: 10 }];

beforeAll(async () => {
  served = await serveApi(); // it is 2026-03-10
  org = await givenOrganization(served, 'Ahead');
  await givenReports(served.db, org.id, [
    { ...on('2026-03-09'), domain: 'one.example', policy: { p: 'none' }, records },
    { ...on('2027-03-09'), domain: 'one.example', policy: { p: 'reject' }, records },
    { ...on('2027-03-09'), domain: 'ahead.example', policy: { p: 'reject' }, records },
    { ...on('2026-03-10', '2026-03-11'), domain: 'long.example', policy: { p: 'quarantine' }, records },
    { ...on('2026-03-11'), domain: 'long.example', policy: { p: 'reject' }, records },
  ]);
});
afterAll(() => served[Symbol.asyncDispose]());

const read = async (path: string) => (await org.ask(path)).body;
const isOf = (name: string) => (each: { domain: string }) => each.domain === name;

/** The policy of a domain in each answer that shows it. */
async function policiesOf(domain: string) {
  const { requirements } = await read(`/ext/v1/domains/${domain}/bulk-sender-rules`);
  const isAboutRecord = ({ requirement }: { requirement: string }) => requirement === 'dmarc_record';
  return {
    score: (await read(`/v1/compliance-score?domain=${domain}`)).domain_scores[0]?.policy,
    card: (await read('/v1/dashboard/overview')).domain_cards.find(isOf(domain))?.policy,
    health: (await read(`/v1/domains/${domain}/health`)).compliance.policy,
    enforcement: (await read(`/ext/v1/domains/${domain}/enforcement`)).policy.p,
    stage: (await read('/ext/v1/enforcement')).domains.find(isOf(domain)).policy.p,
    bulkSender: requirements.find(isAboutRecord).evidence,
  };
}

describe('the policy by reports', () => {
  const everywhere = (policy: string) => ({
    score: policy,
    card: policy,
    health: policy,
    enforcement: policy,
    stage: policy,
    bulkSender: `The policy that applies is ${policy}.`,
  });
  const unknown = {
    score: undefined,
    card: undefined,
    health: 'none',
    enforcement: null,
    stage: null,
    bulkSender: expect.stringContaining('not checked'),
  };
  it.each([
    ['is not that of a report dated after today', 'one.example', everywhere('none')],
    ['is that of a report of today whose window ends later', 'long.example', everywhere('quarantine')],
    ['is not known while every report is dated after today', 'ahead.example', unknown],
  ])('%s, in every answer', async (_, domain, expected) => {
    expect(await policiesOf(domain)).toEqual(expected);
  });

  it('is that of the score in its history too', async () => {
    const { overall_score, policy_strength } = await read('/v1/compliance-score');
    expect([overall_score, policy_strength]).toEqual([90, 50]);
    expect((await read('/v1/compliance-score/history')).points.at(-1).score).toBe(overall_score);
  });
});
