import type { TlsFailureRow, TlsReportDetail } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { tlsCauses } from '../../texts/tls-causes.ts';
import { Explain } from '../../views/explain.tsx';
import { Facts } from '../../views/facts.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { WarningList } from '../../views/warning-list.tsx';
import { TlsPolicies } from './tls-policies.tsx';

interface TlsReportProps {
  report: TlsReportDetail;
  failures: readonly TlsFailureRow[];
  /** Of all failures of the report. */
  total: number;
  offset: number;
}

/** A TLS report as people read it: who said it, under which policies, and each failure. */
export function TlsReportView({ report, failures, total, offset }: TlsReportProps) {
  return (
    <>
      <p class="small">
        <PageLink to="/tls/reports">TLS reports</PageLink>
      </p>
      <h1>{report.reporter_name ?? 'An unnamed reporter'} about TLS</h1>
      <Origin report={report} />
      <TlsPolicies policies={report.policies} />
      <Failures failures={failures} total={total} offset={offset} />
      {report.warnings.length > 0 && (
        <section class="panel">
          <h2>
            How it departs from the standard
            <Explain term="warning" />
          </h2>
          <WarningList warnings={report.warnings} />
        </section>
      )}
    </>
  );
}

function Origin({ report }: { report: TlsReportDetail }) {
  const { formats } = useFrame();
  const { date_begin, date_end, delivery_id, delivery_name } = report;
  return (
    <section class="panel">
      <h2>The report</h2>
      <Facts
        facts={[
          ['Report id', report.report_id],
          ['From', date_begin && formats.instant(date_begin)],
          ['To', date_end && formats.instant(date_end)],
          ['Contact', report.contact],
          ['Encrypted sessions', formats.count(report.successes)],
          ['Failed sessions', formats.count(report.failures)],
          ['Received', formats.instant(report.received_at)],
          ['Document', report.document || 'the whole delivery'],
          ['SHA-256', report.payload_sha256.toString('hex')],
          ['In the ledger', idText(report.id)],
        ]}
      />
      {delivery_id && (
        <p class="small">
          It came with the delivery{' '}
          <PageLink to={`/settings/ingest/${idText(delivery_id)}`}>{delivery_name ?? idText(delivery_id)}</PageLink>.
        </p>
      )}
    </section>
  );
}

function Failures({ failures, total, offset }: Omit<TlsReportProps, 'report'>) {
  const { formats } = useFrame();
  const columns: Column<TlsFailureRow>[] = [
    { label: 'Domain', isName: true, cell: ({ domain }) => domain ?? 'not named' },
    {
      label: 'Cause',
      isName: true,
      cell: ({ result_type: cause, reason_code, information }) => (
        <>
          {cause ?? 'not named'}
          <div class="soft small">{tlsCauses.get(cause ?? '')}</div>
          <div class="soft small">{[reason_code, information].filter(Boolean).join(': ')}</div>
        </>
      ),
    },
    { label: 'From', isName: true, cell: ({ sending_ip }) => <span class="mono">{sending_ip}</span> },
    {
      label: 'Mail server',
      isName: true,
      cell: ({ receiving_host, receiving_ip, receiving_helo }) => (
        <>
          {receiving_host ?? receiving_helo} <span class="mono">{receiving_ip}</span>
        </>
      ),
    },
    { label: 'Failed sessions', isNumber: true, cell: ({ sessions }) => sessions !== null && formats.count(sessions) },
  ];
  return (
    <section class="panel">
      <h2>Failures</h2>
      <Table
        caption="In the order of the report"
        columns={columns}
        rows={failures}
        keyOf={({ position }) => String(position)}
        empty="It describes no failure."
      />
      <Pager total={total} limit={rowsOfPage} offset={offset} csv />
    </section>
  );
}
