import { findEnforcement } from '@dmarc-ledger/queries';
import { refreshEnforcementDays } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import { testSeed } from '@dmarc-ledger/testkit/random';
import { addDays } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { driftOf, openLedger, type Ledger } from './ledger.ts';
import {
  DAYS,
  DECISIONS,
  ABSENT,
  daysOf,
  effectsOf,
  generateYears,
  TODAY,
  xmlOf,
  type TrueReport,
} from './enforcement/truth.ts';

const SEED = testSeed();
const DOMAINS = ['alpha.example', 'beta.example', 'mail.alpha.example'] as const;

async function expectTruth(ledger: Ledger, reports: readonly TrueReport[]): Promise<void> {
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

async function refresh(ledger: Ledger, domain: string): Promise<number> {
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

async function decide(ledger: Ledger): Promise<void> {
  for (const [sender, decision] of Object.entries(DECISIONS))
    await sql`insert into sender_decision (org_id, domain_id, sender, decision, decided_by, decided_at)
      select org_id, id, ${sender}, ${decision}, 'test', now() from domain where org_id = ${ledger.orgId}
      on conflict do nothing`.execute(ledger.database.db);
  await sql`insert into domain_check (org_id, domain_id, subject, status, has_record, facts, checked_at, changed_at)
    select org_id, id, 'subdomains', 'ok', false, ${JSON.stringify({ absent: ABSENT })}::jsonb, now(), now()
    from domain where org_id = ${ledger.orgId} on conflict do nothing`.execute(ledger.database.db);
}

it(`finds what a recomputation over all reports of three years finds (seed ${SEED})`, async () => {
  await using ledger = await openLedger('Postgres');
  const years = generateYears(SEED);
  const first = years.filter(({ arrives }) => arrives === 'first');
  // the partial copies count until the complete ones arrive
  const partly = first.map((report) => (report.partial ? { ...report, records: report.records.slice(0, 1) } : report));
  const later = years.filter(({ arrives, partial }) => arrives === 'later' || partial);

  await ledger.handIn(...first.map((report) => xmlOf(report, report.partial)));
  await ledger.settled();
  await decide(ledger);
  await expectTruth(ledger, partly);

  for (const domain of DOMAINS) expect(await refresh(ledger, domain)).toBe(daysOf(first, domain));
  for (const domain of DOMAINS) expect(await refresh(ledger, domain)).toBe(0);
  await expectTruth(ledger, partly);

  await ledger.handIn(...later.map((report) => xmlOf(report)));
  await ledger.settled();
  await expectTruth(ledger, years);

  for (const domain of DOMAINS) expect(await refresh(ledger, domain)).toBe(daysOf(later, domain));
  await expectTruth(ledger, years);
  expect(ledger.faults).toEqual([]);
});
