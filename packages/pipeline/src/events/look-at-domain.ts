import {
  findDoubtedReports,
  findDoubtfulMail,
  findDueSources,
  findFigures,
  findFirstReporter,
  findNewNames,
  findOpenConditions,
  findOwnFigures,
  findRecords,
  findReportedDays,
  findTrustedSigned,
  finishLook,
  hasTrustedSince,
  type JudgedMail,
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
  quietDays,
  SILENCE_MS,
  type DayFigures,
  type Judgement,
} from '@dmarc-ledger/scoring';
import { addDays } from '@dmarc-ledger/vocabulary';
import { withoutHandedOver } from './without-handed-over.ts';

/** Applies the event rules to a domain as it is now. Returns the judgements, and what the next look must remember. */
export async function lookAtDomain(
  session: Session,
  orgId: string,
  domain: WatchedDomain,
): Promise<{ judgements: Judgement[]; seen: SeenOfDomain }> {
  const { db } = session;
  const { id, name, today, knownUntil, seen } = domain;
  const open = await findOpenConditions(db, orgId, name);
  const mail = { orgId, domainId: id, doubted: await findDoubtedReports(db, orgId, id, today) };
  const figures = await findFigures(db, mail, today);
  const { checks, policy } = await findRecords(db, orgId, domain);
  const signed = await withoutHandedOver(db, { ...mail, today }, await findTrustedSigned(db, mail, today));
  const { subdomains, selectors } = await findNewNames(db, mail, today);
  const days = await lookAtDays(session, mail, domain, figures);
  const records = judgeRecords({ domain: name, checks, signed, open: open.keys() }, seen.records);
  const judgements = [
    ...(await lookAtArrival(session, orgId, domain, { figures, stop: open.get(keyOf('reports_stopped', name)) })),
    ...judgeNames('subdomain_discovered', name, subdomains, { today, knownUntil }),
    ...judgeNames('dkim_selector_new', name, selectors, { today, knownUntil }),
    ...records.judgements,
    ...days.judgements,
    ...judgeUpgrade(name, figures.length > 0 ? policy : undefined, { window: figures, today }, checks.get('dmarc')),
    ...(await lookAtSources(session, mail, domain, new Set([...open.keys(), ...holdingKeys(days.judgements)]))),
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
  const hasResumed =
    stop !== undefined && (await hasTrustedSince(db, orgId, id, new Date(stop.raisedAt.getTime() - SILENCE_MS)));
  return judgeArrival({ domain: name, now, isDiscovered, reportedAt, firstReporter, daysBefore, stop, hasResumed });
}

async function lookAtDays(
  { db }: Session,
  mail: JudgedMail,
  { name, today, seen }: WatchedDomain,
  days: readonly DayFigures[],
) {
  const doubtful = await findDoubtfulMail(db, mail, daysToLookInto({ days, today }));
  const own = await findOwnFigures(db, mail, daysOfOwnMail({ days, today, drops: seen.drops }));
  const reported = await findReportedDays(db, mail, quietDays({ days, today }));
  return judgeDays({ domain: name, today, days, own, doubtful, reported, drops: seen.drops });
}

function holdingKeys(judgements: readonly Judgement[]): string[] {
  return judgements.flatMap(({ state, key }) => (state === 'holds' ? [key] : []));
}

async function lookAtSources(
  session: Session,
  mail: JudgedMail,
  domain: WatchedDomain,
  open: ReadonlySet<string>,
): Promise<Judgement[]> {
  const judged = (await findDueSources(session, mail, domain, open)).map((source) => ({
    ip: source.ip,
    ...judgeSource(source),
  }));
  await finishLook(session, mail.orgId, domain.id, judged);
  return judged.flatMap(({ judgements }) => judgements);
}
