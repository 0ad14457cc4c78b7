import type { FailureRow } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { failureTexts } from '../../texts/failures.ts';
import { FilterForm } from '../../views/filter-form.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';

interface FailuresProps {
  rows: readonly FailureRow[];
  total: number;
  offset: number;
  domain: string | undefined;
  days: number | undefined;
}

/** Reports on single messages, newest first, as far as they are kept. */
export function Failures({ rows, total, offset, domain, days }: FailuresProps) {
  const { formats, url } = useFrame();
  const columns: Column<FailureRow>[] = [
    {
      label: 'Received',
      cell: ({ received_at, message_id }) => (
        <PageLink to={`/settings/ingest/${idText(message_id)}`}>{formats.instant(received_at)}</PageLink>
      ),
    },
    { label: 'Domain', isName: true, cell: ({ reported_domain }) => reported_domain ?? 'not named' },
    {
      label: 'Address',
      isName: true,
      cell: ({ source_ip }) =>
        source_ip && (
          <PageLink class="mono" to={withFilter(url, `/sources/${encodeURIComponent(source_ip)}`)}>
            {source_ip}
          </PageLink>
        ),
    },
    { label: 'Messages', isNumber: true, cell: ({ incidents }) => formats.count(incidents) },
    { label: 'Failed', cell: ({ auth_failure }) => auth_failure ?? 'not named' },
    { label: 'Delivery', cell: ({ delivery_result }) => delivery_result },
    { label: 'Envelope', isName: true, cell: ({ mail_from_domain }) => mail_from_domain },
    { label: 'Signed by', isName: true, cell: ({ dkim_domains }) => dkim_domains.join(', ') },
  ];
  return (
    <>
      <div class="head">
        <h1>Failure reports</h1>
        <FilterForm parts={['domain', 'days']} hasAllDays domain={domain} days={days} />
      </div>
      <section class="panel">
        <p class="soft">{failureTexts.intro}</p>
        <Table
          caption={failureTexts.caption(total, formats.count(total))}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={failureTexts.empty}
        />
        <Pager total={total} limit={rowsOfPage} offset={offset} csv />
      </section>
    </>
  );
}
