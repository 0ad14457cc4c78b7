import type { PolicyPublished } from '@dmarc-ledger/dmarc';
import type { Db } from '@dmarc-ledger/schema';
import type { MessageSums, OpenEvent } from '@dmarc-ledger/scoring';
import { addDays, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { newestPolicy } from './newest-policy.ts';
import { findChecks, type StoredCheck } from './checks.ts';
import { findOpenEvents } from './open-events.ts';
import { findPlacement, type Placement } from './placement.ts';

/** The facts that decide a domain's health. */
export interface HealthFacts {
  id: string;
  domain: string;
  dmarcState: string;
  /** The newest report day up to today; null before the first report. */
  newestDay: Day | null;
  /** True if every report is dated after today. */
  isAhead: boolean;
  /** The 30 days up to the newest one; days without reports are missing. */
  days: { day: Day; messages: number; compliant: number }[];
  window: MessageSums;
  senders: (MessageSums & { address: string })[];
  checks: StoredCheck[];
  /** The published policy according to the newest report up to today. */
  reportedPolicy: PolicyPublished | undefined;
  /** The domain's open events that require action. */
  events: OpenEvent[];
  placement: Placement[];
}

const WINDOW_DAYS = 30;
const SENDERS = 5;

/** Returns undefined if the organization does not monitor the domain. */
export async function findHealthFacts(
  db: Db,
  orgId: string,
  name: string,
  today: Day,
): Promise<HealthFacts | undefined> {
  const domain = await db
    .selectFrom('domain')
    .select(['id', 'name', 'dmarc_state'])
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where('monitored', '=', true)
    .executeTakeFirst();
  if (!domain) return undefined;
  const { id } = domain;
  const newestDay = await findNewestDay(db, orgId, id, today);
  const range = newestDay && { orgId, domainId: id, from: addDays(newestDay, 1 - WINDOW_DAYS), to: newestDay };
  const [isAhead, days, senders, checks, reportedPolicy, events, placement] = await Promise.all([
    newestDay === null && hasLaterReports(db, orgId, id, today),
    range ? findWindow(db, range) : [],
    range ? findSenders(db, range) : [],
    findChecks(db, orgId, id),
    findReportedPolicy(db, orgId, id, today),
    findOpenEvents(db, orgId, name),
    findPlacement(db, orgId, name, today),
  ]);
  const window = { messages: 0, compliant: 0, spfPass: 0, dkimPass: 0 };
  for (const day of days) {
    window.messages += day.messages;
    window.compliant += day.compliant;
    window.spfPass += day.spfPass;
    window.dkimPass += day.dkimPass;
  }
  return {
    id,
    domain: name,
    dmarcState: domain.dmarc_state,
    newestDay,
    isAhead,
    days,
    window,
    senders,
    checks,
    reportedPolicy,
    events,
    placement,
  };
}

async function findNewestDay(db: Db, orgId: string, domainId: string, today: Day): Promise<Day | null> {
  const row = await db
    .selectFrom('domain_day')
    .select('day')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '<=', today)
    .where('reports', '>', 0)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.day ?? null;
}

/** True if a report is dated after today. */
async function hasLaterReports(db: Db, orgId: string, domainId: string, today: Day): Promise<boolean> {
  const row = await db
    .selectFrom('domain_day')
    .select('day')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>', today)
    .where('reports', '>', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A range of days of one domain, both ends included. */
interface DomainDays {
  orgId: string;
  domainId: string;
  from: Day;
  to: Day;
}

async function findWindow(db: Db, { orgId, domainId, from, to }: DomainDays) {
  return await db
    .selectFrom('domain_day')
    .select(['day', 'messages', 'compliant', 'spf_pass as spfPass', 'dkim_pass as dkimPass'])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('reports', '>', 0)
    .orderBy('day')
    .execute();
}

async function findSenders(db: Db, { orgId, domainId, from, to }: DomainDays) {
  return await db
    .selectFrom('source_domain_day')
    .select(({ fn }) => [
      'source_ip as address',
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('compliant').as('compliant'),
      fn.sum<number>('spf_pass').as('spfPass'),
      fn.sum<number>('dkim_pass').as('dkimPass'),
    ])
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('source_ip')
    .orderBy(sql`sum(messages)`, 'desc')
    .orderBy('source_ip')
    .limit(SENDERS)
    .execute();
}

/** Returns the published policy according to the newest report up to today. */
export async function findReportedPolicy(
  db: Db,
  orgId: string,
  domainId: string,
  today: Day,
): Promise<PolicyPublished | undefined> {
  const newest = newestPolicy({ orgId: sql`${orgId}`, domainId: sql`${domainId}` }, today);
  const { rows } = await sql<{ policy: PolicyPublished }>`${newest}`.execute(db);
  return rows[0]?.policy;
}
