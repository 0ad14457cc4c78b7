import { findChecks, findEnrichments } from '@dmarc-ledger/facts';
import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import type { Ask } from '@dmarc-ledger/dns-records';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  alignReports,
  checkDomain,
  classifyReports,
  enrichAddresses,
  judgeSignatures,
  type Outside,
} from '../src/index.ts';
import { openEventFixture } from './event-fixture.ts';

let database: ClonedDatabase;
let orgId: string;
beforeEach(async () => {
  database = await cloneDatabase();
  ({ id: orgId } = await createOrganization(database.db, { name: 'Org' }));
});
afterEach(() => database[Symbol.asyncDispose]());

const never = () => new Promise<never>(() => {});

it('a worker that ends keeps what was found about addresses, and leaves the rest to another', async () => {
  const [quick, slow] = ['45.0.0.1', '45.0.0.2'];
  await database.db
    .insertInto('ip_enrichment')
    .values([quick, slow].map((address) => ({ address, planned: true })))
    .execute();
  const ending = new AbortController();
  const outside: Outside = {
    place: async () => ({ facts: {}, build: null }),
    reputation: async () => ({ outcome: 'not_available', reason: 'no key', source: '' }),
    reverse: async (address) => {
      if (address === quick) return { outcome: 'none' };
      setImmediate(() => ending.abort()); // by then the quick one is done
      return await never();
    },
    lists: async () => undefined,
  };
  const run = enrichAddresses({ database, outside, ending: ending.signal }, { addresses: [quick, slow] });
  await expect(run).rejects.toMatchObject({ code: 'job_interrupted', retryable: true });
  const found = await findEnrichments(database.db, [quick, slow]);
  const states = found.map(({ address, ptr_state, planned }) => [address, { ptr_state, planned }]);
  expect(Object.fromEntries(states)).toEqual({
    [quick]: { ptr_state: 'none', planned: false },
    [slow]: { ptr_state: null, planned: true },
  });
});

it('a worker that ends keeps nothing of a check that was not finished', async () => {
  const { id: domainId } = await addDomain(database.db, orgId, 'example.com', {});
  const ending = new AbortController();
  const silent: Ask = {
    isValidating: false,
    text: never,
    mailServers: never,
    addresses: never,
    isNameAbsent: never,
    validatedMailServers: never,
    tlsa: never,
    fetch: never,
    presented: never,
  };
  const ask = () => {
    setImmediate(() => ending.abort());
    return silent;
  };
  const needs = { database, organizationalDomain: publicSuffixDomains(), ask, ending: ending.signal };
  const check = checkDomain(needs, { orgId, domainId });
  await expect(check).rejects.toMatchObject({ code: 'job_interrupted', retryable: true });
  expect(await findChecks(database.db, orgId, domainId)).toEqual([]);
});

it.each([
  ['align', 'records that are not aligned yet', alignReports],
  ['classify', 'records that are not classified yet', classifyReports],
] as const)('a worker that ends (%s) leaves %s to another', async (step, _, run) => {
  await using fixture = await openEventFixture();
  await fixture.arrive({ records: [{ ip: '45.0.0.1', count: 5 }] });
  const { pool } = fixture.database;
  await pool.query('insert into unjudged_report (org_id, report_id, step) select org_id, id, $1 from report', [step]);
  const { rows } = await pool.query<{ id: string }>('select id from report');
  const needs = {
    database: fixture.database,
    organizationalDomain: publicSuffixDomains(),
    ending: AbortSignal.abort(),
  };
  const ended = run(needs, { orgId: fixture.orgId, reportIds: rows.map(({ id }) => id) });
  await expect(ended).rejects.toMatchObject({ code: 'job_interrupted', retryable: true });
  expect((await pool.query('select step from unjudged_report')).rows).toEqual([{ step }]);
  await fixture.judge();
  expect((await pool.query('select step from unjudged_report')).rows).toEqual([]);
});

it('a worker that ends leaves selectors whose mail is to be classified again to another', async () => {
  await using fixture = await openEventFixture();
  await fixture.arrive({ records: [{ ip: '45.0.0.1', count: 5 }] });
  const { pool } = fixture.database;
  await pool.query(`insert into unjudged_signature (org_id, domain_id, signer, selector, from_day, to_day)
    select org_id, domain_id, 'example.com', 's1', day, day from report`);
  const { rows } = await pool.query<{ id: string }>('select domain_id as id from unjudged_signature');
  const domainId = rows[0]?.id ?? '';
  const ended = judgeSignatures(
    { database: fixture.database, ending: AbortSignal.abort() },
    { orgId: fixture.orgId, domainId },
  );
  await expect(ended).rejects.toMatchObject({ code: 'job_interrupted', retryable: true });
  expect((await pool.query('select signer from unjudged_signature')).rows).toEqual([{ signer: 'example.com' }]);
  await fixture.judge();
  expect((await pool.query('select signer from unjudged_signature')).rows).toEqual([]);
});
