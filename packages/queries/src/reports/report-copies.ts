import type { Db, MessageSource, MessageState } from '@dmarc-ledger/schema';
import { sql } from 'kysely';

/** A copy of a report, and the delivery that brought it. */
export interface ReportCopyRow {
  /** SHA-256 of the document, in hexadecimal digits. */
  sha256: string;
  /** Whether its figures count. */
  isCounted: boolean;
  /** Whether its mail passed as the reporter's; null where that is unknown. */
  authenticated: boolean | null;
  /** Its place in the delivery. */
  document: string;
  receivedAt: Date;
  mailReceivedAt: Date | null;
  deliveryId: string;
  /** Null once the delivery was removed. */
  source: MessageSource | null;
  name: string | null;
  state: MessageState | null;
  code: string | null;
  finishedAt: Date | null;
  /** In bytes, of the delivery. */
  size: number | null;
  deliverySha256: string | null;
  /** Set if retention has deleted the raw bytes. */
  bytesPurgedAt: Date | null;
  /** Came through the shared mailbox of another organization. */
  isShared: boolean;
  /** Of the mailbox that brought it first, if it belongs to this organization. */
  mailbox: string | null;
  folder: string | null;
}

/** The most copies that a page names; reporters send one or two. */
const MOST = 50;

/** Returns how each copy of a report came in, the counted one first. */
export async function findReportCopies(db: Db, orgId: string, reportId: string): Promise<ReportCopyRow[]> {
  const { rows } = await sql<ReportCopyRow>`
    select encode(v.payload_sha256, 'hex') as sha256, v.payload_sha256 = r.payload_sha256 as "isCounted",
      v.authenticated, v.document, v.received_at as "receivedAt", v.mail_received_at as "mailReceivedAt",
      v.message_id as "deliveryId", m.source, m.name, m.state, m.code, m.finished_at as "finishedAt", m.size,
      encode(m.sha256, 'hex') as "deliverySha256", m.bytes_purged_at as "bytesPurgedAt",
      coalesce(m.only_domains is not null, false) as "isShared",
      b.username || ' at ' || b.host as mailbox, b.folder
    from report_revision v
    join report r on r.org_id = v.org_id and r.id = v.report_id
    left join raw_message m on m.org_id = v.org_id and m.id = v.message_id
    left join mailbox b on b.org_id = m.org_id and b.id = m.mailbox_id
    where v.org_id = ${orgId} and v.report_id = ${reportId}
    order by "isCounted" desc, v.received_at, sha256 limit ${MOST}`.execute(db);
  return rows;
}
