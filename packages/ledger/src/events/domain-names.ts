import type { Db } from '@dmarc-ledger/schema';
import type { SeenName } from '@dmarc-ledger/scoring';
import { addDays, dayOf, type Day } from '@dmarc-ledger/vocabulary';
import { sql } from 'kysely';
import { findDoubtedNames, findTrustedSelectors, findTrustedSubdomains, type JudgedMail } from './doubted-reports.ts';
import { findKnownSelectors, findSigned } from '../domains/known-selectors.ts';

/** (rules, events/days-that-are-judged) */
const RECENT_DAYS = 3;
const NAMES = { days: 7, limit: 1_000 };

/** Returns subdomains that were first seen recently, and known selectors. */
export async function findNewNames(
  db: Db,
  mail: JudgedMail,
  today: Day,
): Promise<{ subdomains: SeenName[]; selectors: SeenName[] }> {
  const { orgId, domainId } = mail;
  const since = addDays(today, -NAMES.days);
  const { rows: subdomains } = await sql<SeenName>`
    select array[name] as parts, first_day::text as "firstDay", day::text as day, messages from sending_subdomain
    where org_id = ${orgId} and domain_id = ${domainId} and first_day > ${since}::date
    order by messages desc limit ${NAMES.limit}`.execute(db);
  const known = await findKnownSelectors(db, orgId, domainId, { today, limit: NAMES.limit });
  const selectors = known
    .filter(({ firstDay }) => firstDay > since)
    .map(({ domain, selector, firstDay, lastDay, messages }) => ({
      parts: [domain, selector],
      firstDay,
      day: lastDay,
      messages,
    }));
  return await withoutDoubted(db, mail, { subdomains, selectors }, today);
}

/** Judges a name that doubted reports mention by the other reports alone. */
async function withoutDoubted(
  db: Db,
  mail: JudgedMail,
  { subdomains, selectors }: { subdomains: SeenName[]; selectors: SeenName[] },
  today: Day,
) {
  const doubted = await findDoubtedNames(db, mail);
  const mentioned = (seen: readonly SeenName[], names: ReadonlySet<string>) =>
    seen.map(({ parts }) => parts.join('/')).filter((name) => names.has(name));
  const [names, pairs] = [mentioned(subdomains, doubted.subdomains), mentioned(selectors, doubted.selectors)];
  const sent = await findTrustedSubdomains(db, mail, names, today);
  const signed = await findTrustedSelectors(db, mail, pairs, today);
  const only = (
    seen: readonly SeenName[],
    asked: readonly string[],
    messagesOf: (name: string) => Pick<SeenName, 'firstDay' | 'day' | 'messages'> | undefined,
  ) =>
    seen.flatMap((one) => {
      const name = one.parts.join('/');
      if (!asked.includes(name)) return [one];
      const trusted = messagesOf(name);
      return trusted ? [{ parts: one.parts, ...trusted }] : [];
    });
  return {
    subdomains: only(subdomains, names, (name) => {
      const trusted = sent.get(name);
      return trusted && { firstDay: trusted.firstDay, day: trusted.lastDay, messages: trusted.ofLastDay };
    }),
    selectors: only(selectors, pairs, (name) => {
      const trusted = signed.get(name);
      return trusted && { firstDay: trusted.firstDay, day: trusted.lastDay, messages: trusted.messages };
    }),
  };
}

/** Returns how many messages of the last 7 days carry each `signer/selector`, without those of doubted reports. */
export async function findTrustedSigned(db: Db, mail: JudgedMail, today: Day): Promise<Map<string, number>> {
  const { orgId, domainId } = mail;
  const signed = await findSigned(db, orgId, domainId, today);
  const { selectors } = await findDoubtedNames(db, mail);
  const pairs = [...signed.keys()].filter((pair) => selectors.has(pair));
  const trusted = await findTrustedSelectors(db, mail, pairs, today);
  for (const pair of pairs) signed.set(pair, trusted.get(pair)?.messages ?? 0);
  return signed;
}

/**
 * Returns the sender of the first report about a domain that may not be forged; undefined if there is none, empty if
 * the report does not name one.
 */
export async function findFirstReporter(db: Db, orgId: string, domainId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('report as r')
    .select((eb) =>
      eb
        .selectFrom('reporter as n')
        .select('n.name')
        .whereRef('n.org_id', '=', 'r.org_id')
        .whereRef('n.id', '=', 'r.reporter_id')
        .as('name'),
    )
    .where('r.org_id', '=', orgId)
    .where('r.domain_id', '=', domainId)
    .where(sql<boolean>`r.unauthenticated is not true`)
    .orderBy('r.received_at')
    .orderBy('r.id')
    .limit(1)
    .executeTakeFirst();
  return row && (row.name ?? '');
}

/** Returns the keys of a domain's conditions that hold. */
export async function findOpenConditions(
  db: Db,
  orgId: string,
  domain: string,
): Promise<Map<string, { eventId: string; raisedAt: Date }>> {
  const rows = await db
    .selectFrom('event_condition')
    .select(['key', 'event_id as eventId', 'raised_at as raisedAt'])
    .where('org_id', '=', orgId)
    .where('domain', '=', domain)
    .where('holds', '=', true)
    .execute();
  return new Map(rows.map(({ key, ...condition }) => [key, condition]));
}

/** Whether a report about a recent day that may not be forged has arrived about a domain since this instant. */
export async function hasTrustedSince(db: Db, orgId: string, domainId: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('report')
    .select('id')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('received_at', '>', since)
    .where('day', '>=', addDays(dayOf(Math.floor(since.getTime() / 1_000)), -RECENT_DAYS))
    .where(sql<boolean>`unauthenticated is not true`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
