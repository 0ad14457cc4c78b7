import { randomUUID } from 'node:crypto';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrganization, findMailGroups } from '../src/index.ts';

const ADDRESS = '203.0.113.5';

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

describe('the mail that identifies a sender', () => {
  const passing = (domain: string) => ({
    ip: ADDRESS,
    dkimResults: [
      { domain, selector: 's', result: 'pass' as const, humanResult: 'r'.repeat(1_024) },
      { domain: 'failed.example', selector: 's', result: 'fail' as const },
      { domain: null, selector: 's', result: 'pass' as const },
    ],
    spfResults: [
      { domain, scope: 'mfrom' as const, result: 'pass' as const },
      { domain, scope: null, result: 'pass' as const },
      { domain: 'helo.example', scope: 'helo' as const, result: 'pass' as const },
    ],
  });
  const mailOf = async (domain: string) => {
    const { id: orgId } = await createOrganization(database.db, { name: randomUUID() });
    await givenReports(database.db, orgId, [
      { records: [...Array.from({ length: 250 }, () => passing(domain)), { ip: '203.0.113.6' }] },
    ]);
    return await findMailGroups(database.db, orgId, [ADDRESS, '203.0.113.6', '203.0.113.7']);
  };

  it('is the newest 200 records, with the names that passed', async () => {
    const group = { messages: 1, dkim: ['a.example'], spf: ['a.example', 'a.example'] };
    expect(await mailOf('a.example')).toEqual(
      new Map([
        [ADDRESS, Array.from({ length: 200 }, () => group)],
        ['203.0.113.6', [{ messages: 1, dkim: [], spf: [] }]],
      ]),
    );
  });

  it('is fewer records where their names are longer than any sender has', async () => {
    expect((await mailOf('a'.repeat(1_000))).get(ADDRESS)).toHaveLength(44);
  });
});
