import {
  findDoubtfulMail,
  findDueSources,
  findFigures,
  findFirstReporter,
  findNewNames,
  findOpenConditions,
  findOwnFigures,
  findRecords,
  findSigned,
  finishLook,
  hasAllReporters,
  type SeenOfDomain,
  type WatchedDomain,
} from '@dmarc-ledger/ledger';
import type { Session } from '@dmarc-ledger/schema';
import {
  daysOfOwnMail,
  daysToLookInto,
  judgeArrival,
  judgeDays,
  judgeNames,
  judgeRecords,
  judgeSource,
  judgeUpgrade,
  keyOf,
  quietDay,
  type DayFigures,
  type Judgement,
} from '@dmarc-ledger/scoring';
import { addDays } from '@dmarc-ledger/vocabulary';

/** Applies the event rules to a domain as it is now. Returns the judgements, and what the next look must remember. */
export async function lookAtDomain(
  session: Session,
  orgId: string,
  domain: WatchedDomain,
): Promise<{ judgements: Judgement[]; seen: SeenOfDomain }> {
  const { db } = session;
  const { id, name, now, today, knownUntil, seen } = domain;
  const open = await findOpenConditions(db, orgId, name);
  const figures = await findFigures(db, orgId, id, today);
  const { checks, policy } = await findRecords(db, orgId, id, now);
  const signed = await findSigned(db, orgId, id, today);
  const { subdomains, selectors } = await findNewNames(db, orgId, id, today);
  const days = await lookAtDays(session, orgId, domain, figures);
  const records = judgeRecords({ domain: name, checks, signed, open: open.keys() }, seen.records);
  const judgements = [
    ...(await lookAtArrival(session, orgId, domain, { figures, stop: open.get(keyOf('reports_stopped', name)) })),
    ...judgeNames('subdomain_discovered', name, subdomains, { today, knownUntil }),
    ...judgeNames('dkim_selector_new', name, selectors, { today, knownUntil }),
    ...records.judgements,
    ...days.judgements,
    ...judgeUpgrade(name, figures.length > 0 ? policy?.p : undefined, figures, checks.get('dmarc')),
    ...(await lookAtSources(session, orgId, domain, open)),
  ];
  return { judgements, seen: { records: records.seen, drops: days.drops } };
}

async function lookAtArrival(
  { db }: Session,
  orgId: string,
  { id, name, now, isDiscovered, isFirstRaised, reportedAt }: WatchedDomain,
  { figures, stop }: { figures: readonly DayFigures[]; stop: { eventId: string; raisedAt: Date } | undefined },
): Promise<Judgement[]> {
  const newest = figures.at(-1)?.day;
  const daysBefore =
    newest === undefined ? 0 : figures.filter(({ day }) => day < newest && day >= addDays(newest, -14)).length;
  const firstReporter = isFirstRaised ? undefined : await findFirstReporter(db, orgId, id);
  return judgeArrival({ domain: name, now, isDiscovered, reportedAt, firstReporter, daysBefore, stop });
}

async function lookAtDays({ db }: Session, orgId: string, domain: WatchedDomain, days: readonly DayFigures[]) {
  const { id, name, today, seen } = domain;
  const doubtful = await findDoubtfulMail(db, orgId, id, daysToLookInto({ days, today }));
  const own = await findOwnFigures(db, orgId, id, daysOfOwnMail({ days, today, drops: seen.drops }));
  const quiet = quietDay({ days, today });
  const hasReporters = quiet !== undefined && (await hasAllReporters(db, orgId, id, quiet));
  return judgeDays({ domain: name, today, days, own, doubtful, hasAllReporters: hasReporters, drops: seen.drops });
}

async function lookAtSources(
  session: Session,
  orgId: string,
  domain: WatchedDomain,
  open: ReadonlyMap<string, unknown>,
): Promise<Judgement[]> {
  const judged = (await findDueSources(session, orgId, domain, open)).map((source) => ({
    ip: source.ip,
    ...judgeSource(source),
  }));
  await finishLook(session, orgId, domain.id, judged);
  return judged.flatMap(({ judgements }) => judgements);
}
