import {
  type DecidedSender,
  findDecidedAddresses,
  findSourceKnowledge,
  sourceClassOf,
  type SourceKnowledge,
} from '@dmarc-ledger/facts';
import type { Db, Session } from '@dmarc-ledger/schema';
import { keyOf, type SourceFacts } from '@dmarc-ledger/scoring';
import { redFlagsOf, reputationReason } from '@dmarc-ledger/sources';
import { dayOf } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import type { JudgedMail } from './doubted-reports.ts';
import { type DueSource, takeDueSources } from './due-sources.ts';
import type { WatchedDomain } from './hold-watch.ts';

/** The keys of the domain's conditions that hold, those that were found just now included. */
type OpenConditions = Pick<ReadonlyMap<string, unknown>, 'has'>;

/** Returns the sources of a domain that are due, with the facts about each for that domain. */
export async function findDueSources(
  { db }: Session,
  mail: JudgedMail,
  { id, name, now, today }: WatchedDomain,
  open: OpenConditions,
): Promise<SourceFacts[]> {
  const { orgId } = mail;
  const rows = await takeDueSources(db, mail, { id, today });
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

interface Context {
  domain: string;
  now: Date;
  open: OpenConditions;
  services: ReadonlyMap<string, Date>;
  knowledge: SourceKnowledge | undefined;
  decided: DecidedSender | undefined;
}

function factsOf(row: DueSource, { domain, now, open, services, knowledge, decided }: Context): SourceFacts {
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
function eventClassOf(row: DueSource): SourceFacts['class'] {
  const named = sourceClassOf(row);
  if (named !== 'likely_forwarded') return named;
  return sourceClassOf({ ...row, needs_review: row.needs_review + row.forwarded - row.proved, forwarded: row.proved });
}

/** Returns since when the services of these sources have sent passing mail for the domain. */
async function findKnownServices(
  db: Db,
  { orgId, domainId }: { orgId: string; domainId: string },
  rows: readonly DueSource[],
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
