import {
  type DecidedSender,
  findDecidedAddresses,
  findSourceKnowledge,
  sourceClassOf,
  type SourceKnowledge,
  type SourceSums,
} from '@dmarc-ledger/facts';
import type { Db, Session } from '@dmarc-ledger/schema';
import { keyOf, type ListedSeverity, type SourceFacts } from '@dmarc-ledger/scoring';
import { redFlagsOf, reputationReason } from '@dmarc-ledger/sources';
import { type Day, dayOf } from '@dmarc-ledger/vocabulary';
import { type RawBuilder, sql } from 'kysely';
import type { JudgedMail } from './doubted-reports.ts';
import type { WatchedDomain } from './hold-watch.ts';

/** Sources judged in one batch. */
const AT_ONCE = 500;

/** The keys of the domain's conditions that hold, those that were found just now included. */
type OpenConditions = Pick<ReadonlyMap<string, unknown>, 'has'>;

type Picked = Omit<SourceSums, 'spf_pass' | 'dkim_pass' | 'last_seen'> & {
  ip: string;
  since: Date;
  listed_severity: ListedSeverity | null;
  listed_at: Date | null;
  proved: number;
  failing_of_late: number;
  messages_of_week: number;
  messages_of_late: number;
};

/** Returns the sources of a domain that are due, with the facts about each for that domain. */
export async function findDueSources(
  { db }: Session,
  mail: JudgedMail,
  { id, name, now, today }: WatchedDomain,
  open: OpenConditions,
): Promise<SourceFacts[]> {
  const { orgId } = mail;
  const { rows: found } = await sql<Picked>`
    with picked as (
      select * from event_source where org_id = ${orgId} and domain_id = ${id} and due_at <= ledger_now()
      order by due_at limit ${AT_ONCE} for update skip locked
    ), gone as (
      delete from event_source s using picked p
      where s.org_id = ${orgId} and s.domain_id = ${id} and s.source_ip = p.source_ip and not exists (
        select from source_domain d where d.org_id = ${orgId} and d.source_ip = p.source_ip and d.domain_id = ${id})
    )
    select host(p.source_ip) as ip, p.since, p.listed_severity, p.listed_at, d.messages, d.compliant, d.suspicious,
      d.needs_review, d.forwarded, d.proved, d.first_seen, l.failing_of_late, l.messages_of_week, l.messages_of_late
    from picked p
      join source_domain d on d.org_id = ${orgId} and d.source_ip = p.source_ip and d.domain_id = ${id}
      cross join lateral (
        select coalesce(sum(messages - compliant) filter (where day > ${today}::date - 7), 0)::bigint as failing_of_late,
          coalesce(sum(messages) filter (where day > ${today}::date - 7), 0)::bigint as messages_of_week,
          coalesce(sum(messages), 0)::bigint as messages_of_late
        from source_domain_day where org_id = ${orgId} and source_ip = p.source_ip and domain_id = ${id}
          and day > ${today}::date - 30 and day <= ${today}::date) l
    order by p.source_ip`.execute(db);
  const rows = await withoutDoubted(db, mail, found, today);
  const addresses = rows.map(({ ip }) => ip);
  const known = await findSourceKnowledge(db, orgId, addresses);
  const services = await findKnownServices(db, { orgId, domainId: id }, rows, known);
  const decided = await findDecidedAddresses(db, orgId, id, addresses);
  return rows.map((row) =>
    factsOf(row, {
      domain: name,
      now,
      open,
      services,
      knowledge: known.get(row.ip),
      decided: decided.get(row.ip),
    }),
  );
}

type DoubtedSource = Pick<
  Picked,
  | 'ip'
  | 'messages'
  | 'compliant'
  | 'suspicious'
  | 'needs_review'
  | 'forwarded'
  | 'proved'
  | 'failing_of_late'
  | 'messages_of_week'
  | 'messages_of_late'
>;

/** The sources with the figures of the reports that may not be forged: zeros for one that no such report names. */
async function withoutDoubted(
  db: Db,
  { orgId, doubted }: JudgedMail,
  found: readonly Picked[],
  today: Day,
): Promise<Picked[]> {
  if (doubted.length === 0 || found.length === 0) return [...found];
  const { rows } = await sql<DoubtedSource>`
    select host(r.source_ip) as ip, sum(r.messages)::bigint as messages, ${messagesOf(sql`r.dkim_pass or r.spf_pass`)} as compliant,
      ${messagesOf(sql`r.class = 'suspicious'`)} as suspicious, ${messagesOf(sql`r.class = 'needs_review'`)} as needs_review,
      ${messagesOf(sql`r.class = 'likely_forwarded'`)} as forwarded, ${messagesOf(sql`r.proved`)} as proved,
      ${messagesOf(sql`not r.dkim_pass and not r.spf_pass and r.day > ${today}::date - 7`)} as failing_of_late,
      ${messagesOf(sql`r.day > ${today}::date - 7`)} as messages_of_week,
      ${messagesOf(sql`r.day > ${today}::date - 30`)} as messages_of_late
    from unnest(${doubted}::uuid[]) as k (id)
      cross join lateral (
        select * from stored_record where org_id = ${orgId} and report_id = k.id order by org_id, report_id, position offset 0) r
    where r.source_ip = any(${found.map(({ ip }) => ip)}::inet[]) group by r.source_ip`.execute(db);
  const doubtedOf = new Map(rows.map((row) => [row.ip, row]));
  return found.map((source) => {
    const less = doubtedOf.get(source.ip);
    if (!less) return source;
    return {
      ...source,
      messages: source.messages - less.messages,
      compliant: source.compliant - less.compliant,
      suspicious: source.suspicious - less.suspicious,
      needs_review: source.needs_review - less.needs_review,
      forwarded: source.forwarded - less.forwarded,
      proved: source.proved - less.proved,
      failing_of_late: source.failing_of_late - less.failing_of_late,
      messages_of_week: source.messages_of_week - less.messages_of_week,
      messages_of_late: source.messages_of_late - less.messages_of_late,
    };
  });
}

function messagesOf(condition: RawBuilder<unknown>) {
  return sql`coalesce(sum(r.messages) filter (where ${condition}), 0)::bigint`;
}

interface Context {
  domain: string;
  now: Date;
  open: OpenConditions;
  services: ReadonlyMap<string, Date>;
  knowledge: SourceKnowledge | undefined;
  decided: DecidedSender | undefined;
}

function factsOf(row: Picked, { domain, now, open, services, knowledge, decided }: Context): SourceFacts {
  const { ip, since, messages, compliant, first_seen, listed_severity, listed_at } = row;
  const service = knowledge?.service;
  const firstOfService = service && services.get(service.slug);
  const flags = knowledge?.facts ? redFlagsOf(knowledge.facts) : [];
  const verdict = knowledge?.row.verdict;
  const severities = (['critical', 'warning'] as const).filter((one) =>
    open.has(keyOf('source_blocklisted', domain, ip, one)),
  );
  return {
    domain,
    ip,
    now,
    class: eventClassOf(row),
    firstSeen: first_seen,
    messages,
    failing: row.suspicious + row.needs_review + row.forwarded - row.proved,
    failingOfLate: row.failing_of_late,
    messagesOfWeek: row.messages_of_week,
    messagesOfLate: row.messages_of_late,
    decided,
    service: service && {
      slug: service.slug,
      name: service.name,
      isKnown: firstOfService !== undefined && first_seen !== null && firstOfService < first_seen,
    },
    isOfCampaign:
      first_seen !== null &&
      open.has(keyOf('spoofing_campaign', domain, dayOf(Math.floor(first_seen.getTime() / 1_000)))),
    isMalicious: flags.includes('H1') || (verdict?.tiers.includes(4) ?? false),
    reason: knowledge?.facts && reputationReason(knowledge.facts, messages - compliant),
    since,
    isLookedUp: knowledge !== undefined,
    listing: {
      severity: verdict?.severity,
      at: knowledge?.row.lists_at ?? null,
      topList: verdict?.topList,
      before: listed_severity !== null && listed_at !== null ? { severity: listed_severity, at: listed_at } : undefined,
      open: severities,
    },
  };
}

/** The class of a source by which events are raised: a sender can write what inferred forwarding rests on. */
function eventClassOf(row: Picked): SourceFacts['class'] {
  const named = sourceClassOf(row);
  if (named !== 'likely_forwarded') return named;
  return sourceClassOf({ ...row, needs_review: row.needs_review + row.forwarded - row.proved, forwarded: row.proved });
}

/** Returns since when the services of these sources have sent passing mail for the domain. */
async function findKnownServices(
  db: Db,
  { orgId, domainId }: { orgId: string; domainId: string },
  rows: readonly Picked[],
  known: ReadonlyMap<string, SourceKnowledge>,
): Promise<Map<string, Date>> {
  const slugs = [...new Set(rows.flatMap(({ ip }) => known.get(ip)?.service?.slug ?? []))];
  if (slugs.length === 0) return new Map();
  const { rows: found } = await sql<{ slug: string; first_seen: Date }>`
    select s.service_slug as slug, min(d.first_seen) as first_seen
    from source_standing s join source_domain d on d.org_id = ${orgId} and d.source_ip = s.source_ip
      and d.domain_id = ${domainId} and d.compliant > 0 and d.first_seen is not null
    where s.org_id = ${orgId} and s.service_slug = any(${slugs}::text[]) group by s.service_slug`.execute(db);
  return new Map(found.map(({ slug, first_seen }) => [slug, first_seen]));
}
