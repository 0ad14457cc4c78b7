import { useFrame } from '../../page/frame.ts';
import { Outcome } from '../../views/tags.tsx';
import { Table, type Column } from '../../views/table.tsx';
import type { SourceBody } from './source-body.ts';
import { Clamped } from '../../views/clamped.tsx';
import { PageLink } from '../../views/page-link.tsx';

type Row = SourceBody['records'][number];

/** The newest reports that name the address, one row for each. */
export function SourceRecords({ source }: { source: SourceBody }) {
  const { formats } = useFrame();
  const columns: Column<Row>[] = [
    {
      label: 'Ends',
      cell: ({ id, date_end }) => (
        <PageLink to={`/reports/${id}?address=${encodeURIComponent(source.source_ip)}`}>
          {date_end ? formats.day(date_end.slice(0, 10)) : 'open'}
        </PageLink>
      ),
    },
    { label: 'Reporter', isName: true, cell: ({ org_name }) => <Clamped text={org_name ?? 'unnamed'} /> },
    { label: 'From', isName: true, cell: ({ header_from }) => header_from },
    { label: 'Messages', isNumber: true, cell: ({ count }) => formats.count(count) },
    { label: 'DKIM', cell: ({ dkim_result }) => <Outcome passed={dkim_result === 'pass'} /> },
    { label: 'SPF', cell: ({ spf_result }) => <Outcome passed={spf_result === 'pass'} /> },
    { label: 'Disposition', cell: ({ disposition }) => disposition },
  ];
  return (
    <Table
      caption={`The newest ${formats.count(source.records.length)} of ${formats.count(source.records_total)}`}
      columns={columns}
      rows={source.records}
      keyOf={({ id, header_from }) => `${id} ${header_from}`}
      empty="No report names it."
    />
  );
}
