import type { BlobStore } from '@dmarc-ledger/blobs';
import { findIntakeLag } from '@dmarc-ledger/ledger';
import type { Database, MessagePart } from '@dmarc-ledger/schema';
import type { IntakeObserver } from '@dmarc-ledger/pipeline';
import { keptFor, type Metrics } from '@dmarc-ledger/runtime';

const LAG_KEPT_MS = 5_000;

/** Counts deliveries, and shows the backlog of intake and the free disk space. */
export function showIntake(metrics: Metrics, { database, blobs }: { database: Database; blobs: BlobStore }) {
  const messages = metrics.counter('ingest_messages_total', 'Deliveries, by outcome.', ['source', 'outcome']);
  const refused = metrics.counter('ingest_refused_total', 'Documents and deliveries refused, by reason.', ['code']);
  const quarantined = metrics.counter('quarantined_total', 'Deliveries quarantined after ending processes.');
  const conflicts = metrics.counter('report_conflict_total', 'Copies of known reports with different content.');
  const duplicates = metrics.counter(
    'duplicate_total',
    'Duplicates, by the bytes of the delivery, by the content in it, or by the identity of the report.',
    ['level'],
  );
  const authFailures = metrics.counter('mailbox_auth_failures_total', 'Sign-ins that mail servers refused.');
  const lag = keptFor(LAG_KEPT_MS, () => findIntakeLag(database.db));
  metrics.gaugeOf('ingest_lag_seconds', 'Age of the oldest delivery that is not read yet.', lag);
  metrics.gaugeOf(
    'blob_disk_free_ratio',
    'Free part of the disk with the raw bytes; absent where there is no disk.',
    async () => (await blobs.freeSpace()) ?? undefined,
  );
  const countPart = ({ outcome, code, reports }: MessagePart) => {
    if (outcome === 'refused') refused.inc({ code: code ?? 'unknown' });
    if (outcome !== 'duplicate') return;
    if (code !== null) conflicts.inc();
    else duplicates.inc({ level: reports.length > 0 ? 'report' : 'content' });
  };
  const observer: IntakeObserver = {
    received(source, { fresh, refusal }) {
      if (!fresh) duplicates.inc({ level: 'delivery' });
      else if (refusal !== undefined) {
        messages.inc({ source, outcome: 'refused' });
        refused.inc({ code: refusal });
      }
    },
    finished({ source, state, parts }) {
      messages.inc({ source, outcome: state });
      if (state === 'quarantined') quarantined.inc();
      else for (const part of parts) countPart(part);
    },
  };
  return { observer, authFailed: () => authFailures.inc() };
}
