import { addDomain, setOrganization } from '@dmarc-ledger/ledger';
import { givenReports } from '@dmarc-ledger/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { givenOrganization, serveApi, TODAY, type Served } from './served.ts';

const OURS = 'DMARC@ledger.example';
const reporting = 'v=DMARC1; p=none; rua=mailto:dmarc@ledger.example!10m,mailto:a@other.example';
const allowed = (domain: string) => [
  {
    host: 'ledger.example',
    name: `${domain}._report._dmarc.ledger.example`,
    type: 'TXT',
    value: 'v=DMARC1',
  },
];
/** As long as a name can be. */
const LONG = `${Array.from({ length: 3 }, () => 'x'.repeat(63)).join('.')}.${'y'.repeat(49)}.example.com`.slice(-253);

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

beforeAll(async () => {
  served = await serveApi();
  org = await givenOrganization(served, 'Permissions');
  await setOrganization(served.database, org.id, { reportAddresses: [OURS, 'reports@second.example'] });
});
afterAll(() => served[Symbol.asyncDispose]());

interface Seen {
  domain: string;
  record?: string;
  notes?: string[];
  inheritedFrom?: string;
}

/** The permissions that the path of a domain shows when its newest check has found this. */
async function permissionsOf({ domain, record, notes = [], inheritedFrom }: Seen) {
  const { id } = await addDomain(served.db, org.id, domain, {});
  await sql`
    insert into domain_check (org_id, domain_id, subject, status, has_record, records, notes, inherited_from, policy_read_at,
      checked_at, changed_at)
    values (${org.id}, ${id}, 'dmarc', ${record ? 'warning' : 'error'}, ${record !== undefined},
      ${record ? [record] : []}::text[], ${notes}::text[], ${inheritedFrom ?? null},
      ${TODAY}, ${TODAY}, ${TODAY})`.execute(served.db);
  const { body } = await served.get(`/ext/v1/domains/${domain}/enforcement`, { authorization: `Bearer ${org.key}` });
  return body.permissions;
}

const missing = (domain: string) =>
  `reporters may not send to ledger.example until a TXT record at ${domain}._report._dmarc.ledger.example says v=DMARC1`;

it.each<[string, Seen, unknown]>([
  ['a domain without a record needs it', { domain: 'a.test' }, allowed('a.test')],
  ['a record that reports here has it', { domain: 'b.test', record: reporting }, []],
  [
    'a record whose check found it missing needs it',
    { domain: 'c.test', record: reporting, notes: [missing('c.test')] },
    allowed('c.test'),
  ],
  [
    'a subdomain needs its own, where it has inherited the record',
    { domain: 'mail.d.test', record: reporting, inheritedFrom: 'd.test' },
    allowed('mail.d.test'),
  ],
  [
    'a record that reports to others keeps doing so',
    { domain: 'e.test', record: 'v=DMARC1; p=none; rua=mailto:a@other.example' },
    [],
  ],
  [
    'a longer address is another one',
    { domain: 'f.test', record: 'v=DMARC1; p=none; rua=mailto:xdmarc@ledger.example' },
    [],
  ],
  [
    'a domain that inherits the record of a public suffix reports to its own addresses, not to the registry',
    { domain: 'agency.gov.uk', record: 'v=DMARC1; p=none; rua=mailto:a@registry.example', inheritedFrom: 'gov.uk' },
    allowed('agency.gov.uk'),
  ],
  ['a domain of the address’s own organization needs none', { domain: 'shop.ledger.example' }, []],
  ['a long name', { domain: LONG }, allowed(LONG)],
])('%s', async (_, seen, expected) => {
  expect(await permissionsOf(seen)).toEqual(expected);
});

it('suggests the address in the domain’s own organization, which needs no permission, wherever it stands', async () => {
  const own = await givenOrganization(served, 'Near');
  const reportAddresses = ['dmarc@ledger.example', 'rua@near.test'];
  await setOrganization(served.database, own.id, { reportAddresses });
  await addDomain(served.db, own.id, 'near.test', {});
  await addDomain(served.db, own.id, 'far.test', {});
  const pathOf = async (domain: string) => {
    const { path, permissions } = (await own.ask(`/ext/v1/domains/${domain}/enforcement`)).body;
    return [path.find(({ stage }: { stage: string }) => stage === 'monitor').record, permissions];
  };
  expect(await pathOf('near.test')).toEqual(['v=DMARC1; p=none; rua=mailto:rua@near.test', []]);
  expect(await pathOf('far.test')).toEqual(['v=DMARC1; p=none; rua=mailto:dmarc@ledger.example', allowed('far.test')]);
});

it('a domain that only reports are known of needs it: nothing shows that it stands', async () => {
  await givenReports(served.db, org.id, [
    { domain: 'reported.test', begin: '2026-03-09T00:00:00Z', end: '2026-03-09T23:59:59Z', records: [{ count: 1 }] },
  ]);
  const { body } = await served.get('/ext/v1/domains/reported.test/enforcement', {
    authorization: `Bearer ${org.key}`,
  });
  expect(body.permissions).toEqual(allowed('reported.test'));
});
