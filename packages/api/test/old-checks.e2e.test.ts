import type { DomainEvidence, KeptKey, SpfTree } from '@dmarc-ledger/dns-records';
import { addDomain, saveEvidence } from '@dmarc-ledger/ledger';
import { givenReports, givenSignatures } from '@dmarc-ledger/testkit';
import { addDays } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenOrganization, serveApi, type Served } from './served.ts';
import { spfTerm } from './spf-term.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const TODAY = '2026-11-20';
const MARCH = new Date('2026-03-10T12:00:00Z');
const DAYS = Array.from({ length: 20 }, (_, ago) => addDays(TODAY, -ago));
const RECORD = 'v=spf1 include:old.test -all';

let served: Served;
let org: Awaited<ReturnType<typeof givenOrganization>>;

const plain = { state: 'plain', isLookup: false } as const;
const treeOf = (domain: string): SpfTree => ({
  domain,
  record: RECORD,
  terms: [
    spfTerm('include:old.test', {
      target: 'old.test',
      terms: [spfTerm('ip4:203.0.113.0/24', { ...plain, name: 'ip4', networks: ['203.0.113.0/24'] })],
    }),
    spfTerm('-all', { ...plain, name: 'all', qualifier: '-' }),
  ],
  isComplete: true,
});
const goneKey = (domain: string, readAt: Date): KeptKey => ({
  domain,
  selector: 's1',
  kind: 'absent',
  bits: null,
  isTesting: false,
  hash: '',
  since: MARCH.getTime(),
  isReplaced: false,
  readAt: readAt.getTime(),
});

beforeAll(async () => {
  served = await serveApi({ now: () => NOW });
  org = await givenOrganization(served, 'Old checks');
  await givenDomain('removed.example', MARCH, MARCH);
  await givenDomain('split.example', NOW, MARCH);
  await givenDomain('watched.example', NOW, NOW);
  await served.db.updateTable('domain').set({ monitored: false }).where('name', '=', 'removed.example').execute();
});
afterAll(() => served[Symbol.asyncDispose]());

/** Mail of today from a service that the record of March does not name, signed with a key that it did not have. */
async function givenDomain(domain: string, checkedAt: Date, readAt: Date) {
  const { id: domainId } = await addDomain(served.db, org.id, domain, {});
  await givenReports(
    served.db,
    org.id,
    DAYS.map((day) => ({
      domain,
      begin: `${day}T00:00:00Z`,
      end: `${day}T23:59:59Z`,
      policy: { p: 'reject' as const },
      records: [{ ip: '198.51.100.1', count: 40 }],
    })),
  );
  const signed = { domainId, signer: domain, selector: 's1', messages: 40 };
  await givenSignatures(
    served.db,
    org.id,
    DAYS.map((day) => ({ ...signed, day })),
  );
  const facts = JSON.stringify([{ domain, selector: 's1', kind: 'rsa', bits: 768 }]);
  const gone = JSON.stringify({ absent: [`gone.${domain}`] });
  await sql`
    insert into domain_check (org_id, domain_id, subject, status, has_record, records, details, facts, checked_at, changed_at)
    select ${org.id}, ${domainId}, c.subject, c.status, c.has_record, c.records, c.details, c.facts::jsonb, ${checkedAt}, ${MARCH}
    from (values ('dmarc', 'error', false, '{}'::text[], 'No DMARC record is published.', null),
      ('spf', 'error', false, '{}', 'No SPF record is published.', null),
      ('dkim', 'warning', true, '{}', 'Short.', ${facts}),
      ('subdomains', 'ok', false, '{}', '', ${gone})) as c (subject, status, has_record, records, details, facts)`.execute(
    served.db,
  );
  const evidence: { [subject in keyof DomainEvidence]: unknown } = {
    spf_tree: treeOf(domain),
    dkim_keys: [goneKey(domain, readAt)],
  };
  await saveEvidence(served.db, { orgId: org.id, domainId }, evidence as never, readAt);
}

const ask = async (domain: string, what: string) => (await org.ask(`/ext/v1/domains/${domain}/${what}`)).body;

describe('what a check of March found', () => {
  it.each(['removed.example', 'split.example'])(
    'shortens no SPF record of today: %s, whose include was replaced since',
    async (domain) => {
      expect((await ask('watched.example', 'spf')).advice.record).toBe('v=spf1 -all');
      const { advice, terms, absent, is_complete, record } = await ask(domain, 'spf');
      expect(advice).toMatchObject({ record: null, removed: [], added: [] });
      expect(terms.map(({ needed }: { needed: string }) => needed)).not.toContain('no');
      expect({ absent, is_complete, record }).toEqual({ absent: [], is_complete: false, record: RECORD });
    },
  );

  it('is no finding about the SPF record of today', async () => {
    const { status, details } = await ask('removed.example', 'spf');
    expect([status, details]).toEqual(['unknown', 'It was not checked in the last week.']);
  });

  it('calls no key gone that mail of today passes by', async () => {
    const keyOf = async (domain: string) => (await ask(domain, 'dkim-keys')).keys[0];
    expect((await keyOf('watched.example')).findings).toMatchObject([{ code: 'used_but_gone' }]);
    expect(await keyOf('removed.example')).toMatchObject({
      selector: 's1',
      published: null,
      published_since: null,
      findings: [],
    });
  });

  it('meets or breaks no rule for bulk senders: the newest report says which policy applies', async () => {
    const itemsOf = async (domain: string) => {
      const { requirements } = await ask(domain, 'bulk-sender-rules');
      const of = (name: string) =>
        requirements.find(({ requirement }: { requirement: string }) => requirement === name);
      return ['dmarc_record', 'spf', 'dkim_key'].map((name) => [of(name).state, of(name).change === null]);
    };
    expect(await itemsOf('watched.example')).toEqual(Array.from({ length: 3 }, () => ['not_met', false]));
    expect(await itemsOf('removed.example')).toEqual([
      ['met', true],
      ['unknown', true],
      ['unknown', true],
    ]);
  });

  it('says nothing of which names below the domain exist', async () => {
    await givenReports(
      served.db,
      org.id,
      ['removed.example', 'watched.example'].map((domain) => ({
        domain,
        begin: `${TODAY}T00:00:00Z`,
        end: `${TODAY}T23:59:59Z`,
        policy: { p: 'none' as const },
        records: [{ ip: '192.0.2.7', count: 5, dkim: false, spf: false, headerFrom: `gone.${domain}` }],
      })),
    );
    const affectedOf = async (domain: string) => {
      const { steps } = await ask(domain, 'enforcement');
      const of = (name: string) => steps.find(({ step }: { step: string }) => step === name).newly_affected_messages;
      return [of('sp_reject'), of('np_reject')];
    };
    expect(await affectedOf('watched.example')).toEqual([0, 5]);
    expect(await affectedOf('removed.example')).toEqual([5, 0]);
  });
});
