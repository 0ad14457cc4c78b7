import {
  type DecidedSender,
  findDecidedAddresses,
  findSourceKnowledge,
  sourceClassOf,
  type SourceKnowledge,
} from '@dmarc-ledger/facts';
import type { Db, Session } from '@dmarc-ledger/schema';
import { keyOf, type SourceFacts } from '@dmarc-ledger/scoring';
import { isUnlisted, redFlagsOf, reputationReason } from '@dmarc-ledger/sources';
import type { JudgedMail } from './doubted-reports.ts';
import { type DueSource, takeDueSources } from './due-sources.ts';
import { findFirstSeen, type OfDomain } from './first-seen.ts';
import type { WatchedDomain } from './hold-watch.ts';
import { findKnownServices } from './known-services.ts';

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
  const ofDomain = { orgId, domainId: id };
  const rows = await seenByOthers(db, ofDomain, await takeDueSources(db, mail, { id, today }));
  const addresses = rows.map(({ ip }) => ip);
  const known = await findSourceKnowledge(db, orgId, addresses);
  const slugs = new Set(addresses.flatMap((ip) => known.get(ip)?.service?.slug ?? []));
  const services = await findKnownServices(db, ofDomain, [...slugs]);
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
  const { ip, since, messages, compliant, first_seen, first_day, listed_severity, listed_at } = row;
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
    isOfCampaign: first_day !== null && open.has(keyOf('spoofing_campaign', domain, first_day)),
    stoodFor: {
      bySender: decided !== undefined && open.has(keyOf('new_failing_source', domain, decided.sender)),
      byMalicious: open.has(keyOf('malicious_source', domain, ip)),
    },
    isMalicious: flags.includes('H1') || (verdict?.tiers.includes(4) ?? false),
    reason: knowledge?.facts && reputationReason(knowledge.facts, messages - compliant),
    since,
    isLookedUp: knowledge !== undefined,
    listing: {
      severity: verdict?.severity,
      at: knowledge?.row.lists_at ?? null,
      topList: verdict?.topList,
      isUnconfirmed: verdict?.isUnconfirmed ?? false,
      isOver: verdict ? isUnlisted(verdict) : false,
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

/** The sources; where the first report that mentions one may be forged, with what others say of its first mail. */
async function seenByOthers(db: Db, of: OfDomain, rows: readonly DueSource[]): Promise<DueSource[]> {
  const doubted = rows.flatMap(({ ip, is_first_doubted }) => (is_first_doubted ? [ip] : []));
  const seen = await findFirstSeen(db, of, doubted);
  return rows.map((row) => {
    const { first_seen, first_day } = seen.get(row.ip) ?? row;
    return { ...row, first_seen, first_day };
  });
}
