import { findChecks, findEnrichments } from '@dmarc-ledger/facts';
import { addDomain, createOrganization } from '@dmarc-ledger/ledger';
import type { Ask } from '@dmarc-ledger/dns-records';
import { publicSuffixDomains } from '@dmarc-ledger/dmarc';
import { cloneDatabase, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkDomain, enrichAddresses, type Outside } from '../src/index.ts';

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
