import type { DigestEvent, DigestFacts, DomainFigures, IssuePeriod } from '@dmarc-ledger/digest';
import type { Db } from '@dmarc-ledger/schema';
import type { Day } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import { findDigestItems } from './digest-items.ts';

/** What a digest is asked for. */
export interface DigestQuestion {
  period: IssuePeriod;
  /** Empty: all domains of the organization. */
  domains: readonly string[];
  organization: string;
  /** Whether the reader may see events. */
  seesEvents: boolean;
  today: Day;
}

const EVENTS = 10;

/** Reads what a digest is made of. */
export async function findDigestFacts(
  db: Db,
  orgId: string,
  { period, domains, organization, seesEvents, today }: DigestQuestion,
): Promise<DigestFacts> {
  const [figures, items, events] = await Promise.all([
    findFigures(db, orgId, period, domains),
    findDigestItems(db, orgId, { domains, seesEvents, today }),
    seesEvents ? findEventsOf(db, orgId, period, domains) : undefined,
  ]);
  const reports = figures.reduce((sum, each) => sum + each.reports, 0);
  const { from, to } = period;
  return { organization, from, to, domains: figures, items, events, reports };
}

function isAsked(name: RawBuilder<unknown>, domains: readonly string[]): RawBuilder<boolean> {
  return domains.length === 0 ? sql<boolean>`true` : sql<boolean>`${name} = any(${domains}::text[])`;
}

async function findFigures(
  db: Db,
  orgId: string,
  { from, to, before }: IssuePeriod,
  domains: readonly string[],
): Promise<(DomainFigures & { reports: number })[]> {
  const isNow = sql`d.day >= ${from}::date`;
  const { rows } = await sql<{
    domain: string;
    reports: number;
    messages: number;
    compliant: number;
    messages_before: number;
    compliant_before: number;
  }>`
    select n.name as domain, coalesce(sum(d.reports) filter (where ${isNow}), 0)::bigint as reports,
      coalesce(sum(d.messages) filter (where ${isNow}), 0)::bigint as messages,
      coalesce(sum(d.compliant) filter (where ${isNow}), 0)::bigint as compliant,
      coalesce(sum(d.messages) filter (where not ${isNow}), 0)::bigint as messages_before,
      coalesce(sum(d.compliant) filter (where not ${isNow}), 0)::bigint as compliant_before
    from domain_day d join domain n on n.org_id = d.org_id and n.id = d.domain_id
    where d.org_id = ${orgId} and d.day between ${before.from}::date and ${to}::date
      and ${isAsked(sql`n.name`, domains)}
    group by n.name`.execute(db);
  return rows.map(({ domain, reports, messages, compliant, messages_before, compliant_before }) => ({
    domain,
    reports,
    now: { messages, compliant },
    before: { messages: messages_before, compliant: compliant_before },
  }));
}

async function findEventsOf(db: Db, orgId: string, { since, until }: IssuePeriod, domains: readonly string[]) {
  const { rows } = await sql<DigestEvent & { total: number; critical: number }>`
    select severity, title, domain, created_at as at, count(*) over () as total,
      count(*) filter (where severity = 'critical') over () as critical
    from event
    where org_id = ${orgId} and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
      and ${isAsked(sql`domain`, domains)}
    order by array_position(array['critical', 'warning', 'info'], severity), created_at desc,
      id limit ${EVENTS}`.execute(db);
  const first = rows.map(({ severity, title, domain, at }) => ({ severity, title, domain, at }));
  return { first, total: rows[0]?.total ?? 0, critical: rows[0]?.critical ?? 0 };
}
