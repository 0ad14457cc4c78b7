import { type ReportHeader, reporterKey } from '@dmarc-ledger/dmarc';
import type { Db, Session } from '@dmarc-ledger/schema';
import { type RawBuilder, sql } from 'kysely';
import type { ReportCopy } from './report-facts.ts';
import { holdIdentities } from './store-statements.ts';

/** The first key of the advisory lock; the second is the organization. */
const LOCK = 42_017;

type Named = Pick<ReportCopy, 'cutIdentity' | 'origin'>;

/**
 * Keeps storing of unproven reports, whose ids may be cut, apart from storing reports whose ids could have been cut:
 * otherwise neither of two transactions would see the other's report. Held until the transaction ends.
 */
export async function holdCutIds(session: Session, orgId: string, copies: readonly Named[]): Promise<void> {
  if (copies.some(({ origin }) => origin.isUnproven))
    await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${orgId}))`.execute(session.db);
  else if (copies.some(({ cutIdentity }) => cutIdentity))
    await sql`select pg_advisory_xact_lock_shared(${LOCK}, hashtext(${orgId}))`.execute(session.db);
}

/**
 * Gives unproven reports with a cut id the identity of the whole id, when a copy with the whole id is about to be
 * stored: both are the same report then. (rules, copies/unproven-copies)
 */
export async function adoptIdentities(session: Session, orgId: string, copies: readonly ReportCopy[]): Promise<void> {
  const whole = wholeIdentities(copies);
  if (whole.size === 0) return;
  const cut = [...whole.values()].map((each) => each.cut);
  const identities = [...whole.values()].map(({ identity }) => identity);
  const held = await session.run(holdIdentities, [orgId, cut]);
  if (held.length === 0) return;
  await sql`
    update report r set identity = k.identity from unnest(${cut}::bytea[], ${identities}::bytea[]) as k (cut, identity)
    where r.org_id = ${orgId} and r.identity = k.cut and r.unproven
      and not exists (select from report o where o.org_id = ${orgId} and o.identity = k.identity)`.execute(session.db);
}

/** The identities with whole ids, the smallest where there are several, by the identities that they have cut. */
function wholeIdentities(copies: readonly ReportCopy[]): Map<string, { cut: Buffer; identity: Buffer }> {
  const whole = new Map<string, { cut: Buffer; identity: Buffer }>();
  for (const { cutIdentity: cut, identity } of copies) {
    const first = cut && whole.get(cut.toString('hex'));
    if (cut && (!first || Buffer.compare(identity, first.identity) < 0))
      whole.set(cut.toString('hex'), { cut, identity });
  }
  return whole;
}

/** Returns those of these unproven copies whose report is stored, or comes with them, with a whole id, named by it. */
export async function nameAsSent(
  session: Session,
  orgId: string,
  copies: readonly ReportCopy[],
): Promise<Map<ReportCopy, ReportCopy>> {
  const unproven = copies.filter(({ origin }) => origin.isUnproven);
  const sent = await findSent(session.db, orgId, unproven, sql`true`);
  const beside = wholeIdentities(copies);
  return new Map(
    unproven.flatMap((copy) => {
      const cut = copy.identity.toString('hex');
      const identity = sent.get(cut) ?? beside.get(cut)?.identity;
      return identity ? [[copy, { ...copy, identity }] as const] : [];
    }),
  );
}

/** Returns, in hexadecimal digits, the identities of those reports that are stored and not unproven. */
export async function findProvenIdentities(
  db: Db,
  orgId: string,
  reports: readonly NamedReport[],
): Promise<Set<string>> {
  if (reports.length === 0) return new Set();
  const isProven = sql<boolean>`r.unproven is not true`;
  const same = await db
    .selectFrom('report as r')
    .select('r.identity')
    .where('r.org_id', '=', orgId)
    .where('r.identity', '=', sql<Buffer>`any(${reports.map(({ identity }) => identity)}::bytea[])`)
    .where(isProven)
    .execute();
  const sent = await findSent(db, orgId, reports, isProven);
  return new Set([...same.map(({ identity }) => identity.toString('hex')), ...sent.keys()]);
}

interface NamedReport {
  identity: Buffer;
  header: ReportHeader;
}

/**
 * The identities of stored reports with a whole id, by the identities that they have with the cut id. A report keeps
 * the identity that it adopted, also where the copy that counts by now has the cut id.
 */
async function findSent(
  db: Db,
  orgId: string,
  reports: readonly NamedReport[],
  isWanted: RawBuilder<boolean>,
): Promise<Map<string, Buffer>> {
  const cut = reports.filter(
    ({ header }) => !header.metadata.reportIdKey.includes('@') && header.metadata.end !== null,
  );
  if (cut.length === 0) return new Map();
  const asked = cut.map(({ identity, header: { metadata, policyPublished } }) => ({
    cut: identity.toString('hex'),
    domain: policyPublished.domain,
    ends: new Date((metadata.end ?? 0) * 1_000).toISOString(),
    begin: metadata.begin,
    key: metadata.reportIdKey,
    reporter: reporterKey(metadata),
  }));
  // The last condition is `reporterKey`: in SQL, as a stranger decides how many reports differ in the reporter alone.
  const { rows } = await sql<{ cut: string; identity: Buffer }>`
    select distinct on (k.cut) k.cut, r.identity
    from json_to_recordset(${JSON.stringify(asked)}::json)
        as k (cut text, domain text, ends timestamptz, begin bigint, key text, reporter text)
      join domain d on d.org_id = ${orgId} and d.name = k.domain
      join report r on r.org_id = ${orgId} and r.domain_id = d.id and r.date_end = k.ends
    where ${isWanted} and split_part(r.metadata ->> 'reportIdKey', '@', 1) = k.key
      and (r.metadata ->> 'reportIdKey' <> k.key or r.identity <> decode(k.cut, 'hex'))
      and (r.metadata ->> 'begin')::bigint is not distinct from k.begin
      and k.reporter = coalesce(
        nullif(lower(split_part(r.metadata ->> 'email', '@', 2)), ''), lower(coalesce(r.reporter_name, '')))
    order by k.cut, r.identity`.execute(db);
  return new Map(rows.map((row) => [row.cut, row.identity]));
}
