import type { Session, Statement } from '@dmarc-ledger/schema';
import { sql } from 'kysely';
import { makeNamedHealthDue } from '../due-work/health-due.ts';
import { noteChanges } from '../rollups/note-changes.ts';
import { requeueDeliveries } from './requeue-deliveries.ts';
import type { OtherCopy } from '../reports/other-copy.ts';

/** A held report of another kind than aggregate reports, and the delivery that brought what is held of it. */
export interface BroughtBefore {
  kind: OtherCopy['kind'];
  id: string;
  messageId: string;
  identity: Buffer;
  payloadSha256: Buffer;
  authenticated: boolean | null;
}

const TABLES = {
  tlsrpt: { table: 'tlsrpt_report', identity: 'identity', domain: 'null', children: 'tlsrpt_failure' },
  aprf: { table: 'aprf_report', identity: 'identity', domain: 'dkim_domain', children: 'aprf_row' },
  ruf: { table: 'failure_report', identity: 'payload_sha256', domain: 'null', children: undefined },
} as const;

const KINDS = ['tlsrpt', 'aprf', 'ruf'] as const;

/** Finds the reports that these deliveries brought when they were read before, by what they ended with. */
export async function findBroughtBefore(
  session: Session,
  orgId: string,
  messageIds: readonly string[],
): Promise<BroughtBefore[]> {
  return messageIds.length === 0 ? [] : await session.run<BroughtBefore>(findNamed, [orgId, messageIds]);
}

const findNamed: Statement = {
  name: 'find-brought-before',
  text: `
    with named as materialized (
      select distinct m.id as message_id, p ->> 'kind' as kind, (r ->> 'id')::uuid as id
      from raw_message m cross join lateral jsonb_array_elements(m.parts) p
        cross join lateral jsonb_array_elements(p -> 'reports') r
      where m.org_id = $1 and m.id = any($2::uuid[]) and p ->> 'kind' in ('tlsrpt', 'aprf', 'ruf')
    )
    ${KINDS.map(
      (kind) => `
    select n.kind, t.id, t.message_id as "messageId", t.${TABLES[kind].identity} as identity,
      t.payload_sha256 as "payloadSha256", t.authenticated
    from named n join ${TABLES[kind].table} t on t.org_id = $1 and t.id = n.id and t.message_id = n.message_id
    where n.kind = '${kind}'`,
    ).join(' union all ')}`,
};

/**
 * Deletes reports that their deliveries no longer bring, unless another delivery has brought a newer copy meanwhile.
 * Other deliveries with a copy of such a report are read again: one of them may hold it from now on.
 */
export async function dropBrought(session: Session, orgId: string, reports: readonly BroughtBefore[]): Promise<void> {
  const ids: string[] = [];
  const domains: string[] = [];
  for (const kind of KINDS) {
    const of = reports.filter((report) => report.kind === kind);
    for (const { id, domain } of of.length > 0 ? await dropOfKind(session, orgId, kind, of) : []) {
      ids.push(id);
      if (domain !== null) domains.push(domain.replace(/^\*\./, ''));
    }
  }
  if (ids.length === 0) return;
  if (domains.length > 0) await noteChanges(session, orgId); // answers that are kept show placement
  await makeNamedHealthDue(session, orgId, [...new Set(domains)]);
  await requeueDeliveries(session, orgId, { messageIds: await findNaming(session, orgId, ids), reportIds: [] });
}

async function dropOfKind(
  { db }: Session,
  orgId: string,
  kind: OtherCopy['kind'],
  reports: readonly BroughtBefore[],
): Promise<{ id: string; domain: string | null }[]> {
  const { table, domain, children } = TABLES[kind];
  const brought = JSON.stringify(reports.map(({ id, messageId }) => ({ id, message_id: messageId })));
  const { rows } = await sql<{ id: string; domain: string | null }>`
    delete from ${sql.table(table)} t using json_to_recordset(${brought}::json) as b (id uuid, message_id uuid)
    where t.org_id = ${orgId} and t.id = b.id and t.message_id = b.message_id
    returning t.id, ${sql.raw(domain)} as domain`.execute(db);
  const ids = rows.map(({ id }) => id);
  if (children !== undefined && ids.length > 0)
    await sql`delete from ${sql.table(children)} where org_id = ${orgId} and report_id = any(${ids}::uuid[])`.execute(
      db,
    );
  return rows;
}

/** The ended deliveries that name one of these reports. */
async function findNaming({ db }: Session, orgId: string, reportIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from raw_message where org_id = ${orgId} and state in ('stored', 'duplicate') and exists (
      select from jsonb_array_elements(parts) p cross join lateral jsonb_array_elements(p -> 'reports') r
      where r ->> 'id' = any(${reportIds}))`.execute(db);
  return rows.map(({ id }) => id);
}
