import { findEnforcement } from '@dmarc-ledger/queries';
import { refreshEnforcementDays } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { addDays } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driftOf, openLedger, type Ledger } from './ledger.ts';
import {
  DAYS,
  DECISIONS,
  ABSENT,
  effectsOf,
  generateYears,
  TODAY,
  xmlOf,
  type TrueReport,
} from './enforcement/truth.ts';

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const DOMAINS = ['alpha.example', 'beta.example', 'mail.alpha.example'] as const;

let ledger: Ledger;
beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());

async function expectTruth(reports: readonly TrueReport[]): Promise<void> {
  const now = new Date(`${TODAY}T12:00:00Z`);
  for (const domain of DOMAINS)
    for (const days of DAYS) {
      const found = await findEnforcement(ledger.database.db, ledger.orgId, { domain, days, today: TODAY, now });
      const steps = found?.steps.map(({ step, messages, failing, newlyAffected, byDecision, senders }) => ({
        step,
        messages,
        failing,
        newlyAffected,
        byDecision,
        senders: senders.map(({ name, addresses, messages: sent, decision }) => ({
          name,
          addresses,
          messages: sent,
          decision,
        })),
      }));
      expect({ domain, days, steps }).toEqual({ domain, days, steps: effectsOf(reports, domain, days) });
    }
  expect(await driftOf(ledger)).toBe(0);
}

async function refresh(domain: string): Promise<number> {
  const { db } = ledger.database;
  const { id: domainId } = await db
    .selectFrom('domain')
    .select('id')
    .where('org_id', '=', ledger.orgId)
    .where('name', '=', domain)
    .executeTakeFirstOrThrow();
  const mail = { orgId: ledger.orgId, domainId, domain, from: addDays(TODAY, -89), to: TODAY };
  return await transact(ledger.database, (session) =>
    refreshEnforcementDays(session, mail, { days: 500, quietMinutes: 0 }),
  );
}

async function decide(): Promise<void> {
  for (const [sender, decision] of Object.entries(DECISIONS))
    await sql`insert into sender_decision (org_id, domain_id, sender, decision, decided_by, decided_at)
      select org_id, id, ${sender}, ${decision}, 'test', now() from domain where org_id = ${ledger.orgId}
      on conflict do nothing`.execute(ledger.database.db);
  await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, facts, checked_at, changed_at)
    select org_id, id, 'subdomains', 'ok', false, ${JSON.stringify({ absent: ABSENT })}::jsonb, now(), now()
    from domain where org_id = ${ledger.orgId} on conflict do nothing`.execute(ledger.database.db);
}

it(`finds what a recomputation over all reports of three years finds (seed ${SEED})`, async () => {
  const years = generateYears(SEED);
  const first = years.filter(({ arrives }) => arrives === 'first');
  await ledger.handIn(...first.flatMap((report) => (report.partial ? [xmlOf(report, true)] : [xmlOf(report)])));
  await ledger.settled();
  await decide();
  // the partial copies count until the complete ones arrive
  await expectTruth(
    first.map((report) => (report.partial ? { ...report, records: report.records.slice(0, 1) } : report)),
  );

  for (const domain of DOMAINS) expect(await refresh(domain)).toBeGreaterThan(50);
  for (const domain of DOMAINS) expect(await refresh(domain)).toBe(0);
  await expectTruth(
    first.map((report) => (report.partial ? { ...report, records: report.records.slice(0, 1) } : report)),
  );

  await ledger.handIn(...first.filter(({ partial }) => partial).map((report) => xmlOf(report)));
  await ledger.handIn(...years.filter(({ arrives }) => arrives === 'later').map((report) => xmlOf(report)));
  await ledger.settled();
  await expectTruth(years);

  for (const domain of DOMAINS) expect(await refresh(domain)).toBeGreaterThan(0);
  await expectTruth(years);
  expect(ledger.faults).toEqual([]);
});
