import type { Db } from '@dmarc-ledger/schema';

/** A TLS report, with its policies and the delivery that brought it; undefined when the organization has none such. */
export async function findTlsReport(db: Db, orgId: string, id: string) {
  return await db
    .selectFrom('tlsrpt_report as r')
    .leftJoin('raw_message as m', (on) => on.onRef('m.org_id', '=', 'r.org_id').onRef('m.id', '=', 'r.message_id'))
    .select(['r.id', 'r.reporter_name', 'r.report_id', 'r.contact', 'r.date_begin', 'r.date_end', 'r.successes'])
    .select(['r.failures', 'r.policies', 'r.warnings', 'r.payload_sha256', 'r.document', 'r.received_at'])
    .select(['m.id as delivery_id', 'm.name as delivery_name'])
    .where('r.org_id', '=', orgId)
    .where('r.id', '=', id)
    .executeTakeFirst();
}

/** Returns one page of the failures of a TLS report, in the order of the report, and their number. */
export async function findTlsFailures(
  db: Db,
  orgId: string,
  reportId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const ofReport = db.selectFrom('tlsrpt_failure').where('org_id', '=', orgId).where('report_id', '=', reportId);
  const [{ total }, rows] = await Promise.all([
    ofReport.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ofReport
      .select(['position', 'domain', 'result_type', 'receiving_host', 'receiving_helo', 'sessions', 'reason_code'])
      .select(['information'])
      .select((of) => [
        of.fn<string | null>('host', ['sending_ip']).as('sending_ip'),
        of.fn<string | null>('host', ['receiving_ip']).as('receiving_ip'),
      ])
      .orderBy('position')
      .limit(limit)
      .offset(offset)
      .execute(),
  ]);
  return { rows, total };
}

export type TlsReportDetail = NonNullable<Awaited<ReturnType<typeof findTlsReport>>>;
export type TlsFailureRow = Awaited<ReturnType<typeof findTlsFailures>>['rows'][number];
