import { createOrganization, decideSender } from '@dmarc-ledger/ledger';
import { findEnforcement, findEnforcementStages } from '@dmarc-ledger/queries';
import { cloneDatabase, givenReports, type ClonedDatabase } from '@dmarc-ledger/testkit';
import { addDays, senderDecisions } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { computeHealth } from '../src/index.ts';

const TODAY = '2026-03-10';
const WINDOW = { days: 30, today: TODAY, now: new Date(`${TODAY}T12:00:00Z`) };
const policies = [
  { p: 'none' },
  { p: 'quarantine', sp: 'none' },
  { p: 'quarantine', testing: 'y' },
  { p: 'reject', sp: 'none', np: 'reject' },
  { p: 'reject', np: 'none' },
  { p: 'reject' },
] as const;
const dispositions = ['none', 'quarantine', 'reject'] as const;
/** A name of the greatest length beside short ones. */
const LONG = `${Array.from({ length: 3 }, () => 'x'.repeat(63)).join('.')}.${'y'.repeat(53)}.example`;
const names = [LONG, ...Array.from({ length: 11 }, (_, i) => `d${i}.example`)];
const below = { gone: LONG.slice(4), news: `u${LONG.slice(5)}` };

let database: ClonedDatabase;
let org: { id: string };

/** Numbers from 0 to below `n` that look random and are the same in every run. */
function sequence(seed: number): (n: number) => number {
  let state = seed;
  return (n) => (state = (state * 48_271) % 2_147_483_647) % n;
}

beforeAll(async () => {
  database = await cloneDatabase();
  org = await createOrganization(database.db, { name: 'Stages' });
  for (const [i, domain] of names.entries()) {
    const next = sequence(i + 1);
    const days = i % 5 === 4 ? 5 : 20;
    const from = [
      domain,
      domain,
      ...(domain === LONG ? [below.gone, below.news] : [`news.${domain}`, `gone.${domain}`]),
    ];
    const record = () => {
      const isPassing = next(2) === 0;
      return {
        ip: `${next(2) ? 198 : 192}.51.${next(40)}.${next(3)}`,
        count: 1 + next(isPassing ? 400 : 9),
        dkim: isPassing,
        spf: false,
        disposition: isPassing ? ('none' as const) : dispositions[next(3)]!,
        headerFrom: from[next(from.length)]!,
      };
    };
    await givenReports(
      database.db,
      org.id,
      Array.from({ length: days }, (_, ago) => {
        const day = addDays(TODAY, 1 - ago); // the first of them is dated after today
        const policy = policies[i % policies.length]!;
        const records = Array.from({ length: 8 }, () => record());
        return { domain, begin: `${day}T00:00:00Z`, end: `${day}T23:59:59Z`, policy, records };
      }),
    );
  }
  await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, facts, checked_at, changed_at)
    select org_id, id, 'subdomains', 'ok', false, jsonb_build_object('absent', array['gone.' || name, ${below.gone}]), now(), now()
    from domain where org_id = ${org.id}`.execute(database.db);
  await sql`update source_total set service_slug = 'sendgrid' where org_id = ${org.id} and source_ip <<= '198.51.3.0/24'`.execute(
    database.db,
  );
  await sql`update source_total set service_slug = 'google-groups' where org_id = ${org.id} and source_ip <<= '198.51.4.0/24'`.execute(
    database.db,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

/** The verdict of each domain, from the page of all and from its own. */
async function verdicts() {
  const all = await findEnforcementStages(database.db, org.id, WINDOW);
  const each = await Promise.all(names.map((domain) => findEnforcement(database.db, org.id, { domain, ...WINDOW })));
  return {
    all: Object.fromEntries(all.map(({ domain, nextStep, verdict }) => [domain, [nextStep, verdict]])),
    each: Object.fromEntries(each.map((found) => [found?.domain, [found?.verdict.step, found?.verdict.verdict]])),
  };
}

it('the verdict of each domain is that of its own page, whether or not the mail of its days is stored', async () => {
  const { all, each } = await verdicts();
  expect(all).toEqual(each);
  const said = new Set(Object.values(all).map(([, verdict]) => verdict));
  expect([...said].some((verdict) => verdict?.startsWith('ready after'))).toBe(true);
  expect(said).toContain('ready');
  expect(said).toContain('not enough data');
  await sql`update domain set monitored = true where org_id = ${org.id} and name not in ('d1.example', 'd2.example')`.execute(
    database.db,
  );
  const domains = await database.db.selectFrom('domain').select('id').where('org_id', '=', org.id).execute();
  expect(domains.length).toBeGreaterThan(2);
  for (const { id } of domains)
    await computeHealth({ database, now: () => WINDOW.now }, { orgId: org.id, domainId: id });
  expect((await verdicts()).all).toEqual(each);
});

it('a decision changes the verdict on the page of all domains as on its own', async () => {
  const senders = await sql<{ domain: string; sender: string }>`
    select distinct d.name as domain, coalesce(t.service_slug, sender_network(t.source_ip)) as sender
    from source_domain s join source_total t using (org_id, source_ip) join domain d on d.id = s.domain_id
    where s.org_id = ${org.id} order by 1, 2`.execute(database.db);
  const next = sequence(99);
  const by = { owner: '', note: '', by: 'ops@example.com' };
  expect(senders.rows.length).toBeGreaterThan(5);
  for (const key of senders.rows)
    if (next(3) > 0) await decideSender(database.db, org.id, key, { decision: senderDecisions[next(3)]!, ...by });
  const { all, each } = await verdicts();
  expect(all).toEqual(each);
});

it('networks that forge the domain are no fixes, however many there are', async () => {
  const forged = (_: unknown, i: number) => ({
    ip: `45.${Math.floor(i / 250)}.${i % 250}.1`,
    count: 1,
    dkim: false,
    spf: false,
    disposition: 'none' as const,
  });
  const records = [{ ip: '192.0.2.1', count: 50_000 }, ...Array.from({ length: 3_000 }, forged)];
  const policy = { p: 'none' } as const;
  const days = Array.from({ length: 14 }, (_, ago) => addDays(TODAY, -ago));
  await givenReports(
    database.db,
    org.id,
    days.map((day, i) => ({
      domain: 'forged.example',
      begin: `${day}T00:00:00Z`,
      end: `${day}T23:59:59Z`,
      policy,
      records: i === 0 ? records : records.slice(0, 1),
    })),
  );
  const all = await findEnforcementStages(database.db, org.id, WINDOW);
  expect(all.find(({ domain }) => domain === 'forged.example')).toMatchObject({ verdict: 'ready', failing: 3_000 });
});
