import { acknowledgeEvent, addDomain } from '@dmarc-ledger/ledger';
import { findHealth } from '@dmarc-ledger/queries';
import { awayFromTheTurn } from '@dmarc-ledger/testkit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { computeHealth } from '../src/index.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { failureMail, tlsJson } from './other-reports.ts';

let ledger: Ledger;
let domainId: string;
let reports = 0;

beforeAll(async () => {
  ledger = await openLedger('Postgres');
});
afterAll(() => ledger[Symbol.asyncDispose]());
beforeEach(async () => {
  await ledger.database.pool.query(
    'delete from event; delete from event_condition; delete from domain; delete from tlsrpt_report; delete from failure_report',
  );
  ({ id: domainId } = await addDomain(ledger.database.db, ledger.orgId, 'shop.example', {}));
});

/** A report on TLS of so many days ago. */
function tlsReport(failures: number, successes: number, { domain = 'shop.example', ago = 1 } = {}): Buffer {
  const day = new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  return tlsJson({
    'report-id': `tls-${(reports += 1)}`,
    'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
    policies: [
      {
        policy: { 'policy-type': 'sts', 'policy-string': [], 'policy-domain': domain, 'mx-host': [] },
        summary: { 'total-successful-session-count': successes, 'total-failure-session-count': failures },
      },
    ],
  });
}

async function take(...contents: Buffer[]): Promise<void> {
  await ledger.handIn(...contents);
  await ledger.settled();
}

async function events() {
  const rows = await ledger.database.db
    .selectFrom('event')
    .select(['type', 'severity', 'domain', 'title', 'message', 'link', 'dedup_key', 'resolved_at'])
    .orderBy('created_at')
    .orderBy('dedup_key')
    .execute();
  return rows;
}

const tlsFailures = {
  type: 'tls_failures',
  severity: 'warning',
  domain: 'shop.example',
  title: 'TLS delivery failures for shop.example',
  message: 'TLS delivery failures for shop.example.',
  link: '/domains/shop.example',
  dedup_key: 'tls_failures/shop.example/shop.example',
  resolved_at: null,
};

it('many sessions that failed are an event of the domain, and an item of its health', async () => {
  await take(tlsReport(10, 90));
  expect(await events()).toEqual([tlsFailures]);
  await computeHealth(ledger, { orgId: ledger.orgId, domainId });
  const held = await findHealth(ledger.database.db, ledger.orgId, 'shop.example');
  expect(held?.body.health.items).toEqual([
    {
      type: 'tls_failures',
      severity: 'medium',
      title: 'TLS delivery failures for shop.example',
      suggested_action: 'Check the certificates of the mail servers, and the MTA-STS and DANE records that name them.',
      cta_label: 'View details',
      link: '/domains/shop.example',
    },
  ]);
});

it('an event that is acknowledged leaves the items of its domain at once', async () => {
  const { db } = ledger.database;
  await take(tlsReport(10, 90));
  await computeHealth(ledger, { orgId: ledger.orgId, domainId });
  await ledger.database.pool.query(`update domain set health_due_at = now() + interval '1 hour'`);
  const held = () => findHealth(db, ledger.orgId, 'shop.example');
  expect(await held()).toMatchObject({ isCurrent: true, body: { health: { itemCount: 1 } } });
  const { id } = await db.selectFrom('event').select('id').executeTakeFirstOrThrow();
  expect(await acknowledgeEvent(db, ledger.orgId, id, 'me')).toBe(true);
  expect(await held()).toMatchObject({ isCurrent: false });
  await computeHealth(ledger, { orgId: ledger.orgId, domainId });
  expect(await held()).toMatchObject({ body: { health: { itemCount: 0 } } });
});

it.each([
  ['fewer than ten', tlsReport(9, 1)],
  ['two in a hundred', tlsReport(10, 490)],
  ['long ago', tlsReport(50, 50, { ago: 5 })],
  ['of a domain that is not monitored', tlsReport(50, 50, { domain: 'other.example' })],
])('failures that are %s are none', async (_, report) => {
  await take(report);
  expect(await events()).toEqual([]);
});

it('failures below a monitored domain are that one’s, each name once', async () => {
  await take(tlsReport(11, 0, { domain: 'a.shop.example' }), tlsReport(11, 0, { domain: 'b.shop.example' }));
  expect((await events()).map(({ domain, dedup_key }) => [domain, dedup_key])).toEqual([
    ['shop.example', 'tls_failures/shop.example/a.shop.example'],
    ['shop.example', 'tls_failures/shop.example/b.shop.example'],
  ]);
});

it('the same failures raise an event once in seven days, however many report them', async () => {
  const report = tlsReport(10, 90);
  await take(report, tlsReport(20, 90));
  await take(report, tlsReport(30, 90));
  expect(await events()).toHaveLength(1);
  const age = (days: number) =>
    ledger.database.pool.query(`update event_condition set ends_at = ends_at - interval '${days} days'`);
  await age(6);
  await take(tlsReport(10, 90));
  expect(await events()).toHaveLength(1);
  await age(2);
  await take(tlsReport(10, 90));
  expect((await events()).map(({ resolved_at }) => resolved_at === null)).toEqual([false, true]);
});

it('failure reports raise an event once a day, and are no item', async () => {
  await awayFromTheTurn();
  await take(failureMail({}));
  await take(failureMail({ subject: 'Another' }));
  const today = new Date().toISOString().slice(0, 10);
  expect(await events()).toEqual([
    {
      type: 'forensic_report_received',
      severity: 'info',
      domain: 'shop.example',
      title: 'Failure report received for shop.example',
      message: 'Failure report received for shop.example.',
      link: '/domains/shop.example',
      dedup_key: `forensic_report_received/shop.example/${today}`,
      resolved_at: null,
    },
  ]);
  await computeHealth(ledger, { orgId: ledger.orgId, domainId });
  const held = await findHealth(ledger.database.db, ledger.orgId, 'shop.example');
  expect(held?.body.health.items).toEqual([]);
});

it('makes the health of the domain due', async () => {
  await ledger.database.pool.query(`update domain set health_due_at = now() + interval '1 day'`);
  await take(tlsReport(10, 90));
  const { rows } = await ledger.database.pool.query(
    `select from domain where health_due_at < now() + interval '1 minute'`,
  );
  expect(rows).toHaveLength(1);
});
