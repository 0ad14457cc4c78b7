import { type NewCheck, saveChecks } from '@dmarc-ledger/ledger';
import { transact } from '@dmarc-ledger/schema';
import type { DescribedReport } from '@dmarc-ledger/testkit';
import { addDays, startOfDay, type Day } from '@dmarc-ledger/vocabulary';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEventFixture, type EventFixture } from './event-fixture.ts';

const SHOP = 'shop.example';
const START = '2026-01-01';
type Records = NonNullable<DescribedReport['records']>;

let fixture: EventFixture;
beforeAll(async () => void (fixture = await openEventFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

let number = 0;
function report(day: Day, records: Records, domain = SHOP): DescribedReport {
  return { id: `r-${(number += 1)}`, domain, begin: startOfDay(day), records };
}

/** The mail of every day: a thousand messages that pass, and a few that do not. */
const steady: Records = [
  { ip: '45.0.0.1', count: 1_000, dkim: 'pass', spf: 'pass' },
  { ip: '45.0.0.2', count: 20 },
];
/** From three addresses of one network that never sent before: no drop of compliance, as it is no own mail. */
const spike = ['46.0.0.1', '46.0.0.2', '46.0.0.3'].map((ip) => ({ ip, count: 140 }));
/** From fifteen addresses of five networks. */
const campaign = Array.from({ length: 15 }, (_, i) => ({ ip: `5${i % 5}.1.0.${i}`, count: 40 }));

const special: { [day: Day]: Records } = { '2026-01-21': spike, '2026-02-03': campaign };
const OUTAGE = { from: '2026-02-10', to: '2026-02-14' };

async function check(at: Date, p: 'none' | 'quarantine' | 'reject'): Promise<void> {
  const domain = await fixture.database.db
    .selectFrom('domain')
    .select('id')
    .where('name', '=', SHOP)
    .executeTakeFirstOrThrow();
  const row: NewCheck = {
    subject: 'dmarc',
    status: 'warning',
    details: 'Said.',
    has_record: true,
    is_partial: false,
    records: [`v=DMARC1; p=${p}`],
    inherited_from: null,
    policy: { p, pct: 100, t: false },
    notes: [],
    failures: 0,
    policy_read_at: at,
    kept: null,
    facts: null,
    checked_at: at,
    verified_at: null,
    failed_at: null,
  };
  const states = { dmarc_state: 'verified', tlsrpt_state: 'pending', forensic_state: 'pending', aprf_state: 'pending' };
  const outcome = {
    states,
    verifiedAt: at,
    verifiedSource: 'self' as const,
    inheritedFrom: null,
    failures: 0,
    dueAt: at,
    checkedAt: at,
    checkedBefore: null,
    begunAt: at,
  };
  await transact(fixture.database, (session) =>
    saveChecks(session, { orgId: fixture.orgId, domainId: domain.id }, [row], outcome),
  );
}

const policies: { [day: Day]: 'none' | 'quarantine' | 'reject' } = {
  '2026-01-20': 'quarantine',
  '2026-01-28': 'none',
  '2026-02-07': 'reject',
};

it('sixty days bring exactly the expected events, however often and by how many evaluators they are checked', async () => {
  let policy: 'none' | 'quarantine' | 'reject' = 'none';
  for (let i = 0; i < 60; i += 1) {
    const day = addDays(START, i);
    const today = addDays(day, 1);
    fixture.itIs(today, 5);
    if (day < OUTAGE.from || day > OUTAGE.to) await fixture.arrive(report(day, [...steady, ...(special[day] ?? [])]));
    // days late, of mail that all failed
    if (today === '2026-02-20') await fixture.arrive(report('2026-02-12', [{ ip: '47.0.0.1', count: 5_000 }]));
    if (today === '2026-02-25') await importYear();
    policy = policies[today] ?? policy;
    await check(new Date((startOfDay(today) + 5 * 3_600) * 1_000), policy);
    for (const [hours, minutes] of [
      [5, 1],
      [6, 30],
      [18, 0],
    ] as const) {
      fixture.itIs(today, hours, minutes);
      await fixture.look();
    }
  }
  const events = await fixture.events();
  expect(
    events.map(({ type, domain, raised, resolved, severity }) => [raised, type, domain, severity, resolved]),
  ).toEqual(expected);
});

/** Of a year ago: half of its mail failed on every tenth day. Another domain has its first reports then. */
async function importYear(): Promise<void> {
  const reports = Array.from({ length: 365 }, (_, i) => {
    const failing = i % 10 === 0 ? 3_000 : 10;
    const records: Records = [
      { ip: '45.0.0.1', count: 1_000, dkim: 'pass', spf: 'pass' },
      ...Array.from({ length: 12 }, (_unused, n) => ({ ip: `5${n}.2.0.1`, count: failing })),
    ];
    return report(addDays('2024-12-01', i), records);
  });
  await fixture.arrive(...reports, report('2025-03-01', [...steady, ...campaign], 'old.example'));
}

const shop = (raised: string, type: string, severity: string, resolved: string | null = null) => [
  raised,
  type,
  SHOP,
  severity,
  resolved,
];

const expected = [
  shop('2026-01-02', 'dkim_selector_new', 'info'),
  shop('2026-01-02', 'domain_discovered', 'info'),
  shop('2026-01-02', 'first_report_received', 'info'),
  shop('2026-01-02', 'new_source', 'info'),
  shop('2026-01-04', 'new_failing_source', 'warning', '2026-02-03'),
  shop('2026-01-15', 'policy_upgrade_ready', 'info', '2026-01-20'),
  shop('2026-01-20', 'dmarc_policy_strengthened', 'info'),
  shop('2026-01-22', 'failure_spike', 'warning', '2026-01-25'),
  shop('2026-01-22', 'new_failing_source', 'warning', '2026-02-21'),
  shop('2026-01-22', 'new_failing_source', 'warning', '2026-02-21'),
  shop('2026-01-22', 'new_failing_source', 'warning', '2026-02-21'),
  shop('2026-01-28', 'dmarc_policy_weakened', 'critical', '2026-02-07'),
  shop('2026-02-04', 'spoofing_campaign', 'critical', '2026-02-07'),
  shop('2026-02-07', 'dmarc_policy_strengthened', 'info'),
  shop('2026-02-14', 'reports_stopped', 'warning', '2026-02-16'),
  shop('2026-02-16', 'reports_resumed', 'info'),
  ['2026-02-25', 'domain_discovered', 'old.example', 'info', null],
  ['2026-02-25', 'first_report_received', 'old.example', 'info', null],
];
