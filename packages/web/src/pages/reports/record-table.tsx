import type { verdictOf } from '@dmarc-ledger/api/answers';
import type { StoredRecord } from '@dmarc-ledger/queries';
import type { ComponentChildren } from 'preact';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Breakable } from '../../views/breakable.tsx';
import { Explain } from '../../views/explain.tsx';
import { FirstLines } from '../../views/first-lines.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { dkimLines, spfLines } from './auth-results.ts';
import { ClassTag, Outcome } from '../../views/tags.tsx';
import { PageLink } from '../../views/page-link.tsx';

/** A record as reported, and what this ledger makes of it. */
export interface JudgedRecord {
  record: StoredRecord;
  verdict: ReturnType<typeof verdictOf>;
}

interface RecordTableProps {
  records: readonly JudgedRecord[];
  /** How many there are on all pages, where that is known. */
  total: number | undefined;
}

/** The records of a report in the reporter's order. */
export function RecordTable({ records, total }: RecordTableProps) {
  const { formats, url } = useFrame();
  const columns: Column<JudgedRecord>[] = [
    {
      label: 'Address',
      cell: ({ record: { source_ip } }) => (
        <PageLink class="mono" to={withFilter(url, `/sources/${encodeURIComponent(source_ip)}`)}>
          {source_ip}
        </PageLink>
      ),
    },
    { label: 'Messages', isNumber: true, cell: ({ record }) => formats.count(record.messages) },
    { label: 'Class', cell: ({ verdict }) => <ClassTag name={verdict.class} /> },
    { label: 'From', isName: true, cell: ({ record }) => <Names record={record} /> },
    {
      label: withTerm('DKIM', 'dkim'),
      isName: true,
      cell: ({ record, verdict }) => (
        <Results passed={record.dkim_pass} lines={dkimLines(record, verdict.alignment.dkim)} />
      ),
    },
    {
      label: withTerm('SPF', 'spf'),
      isName: true,
      cell: ({ record, verdict }) => (
        <Results passed={record.spf_pass} lines={spfLines(record, verdict.alignment.spf)} />
      ),
    },
    {
      label: withTerm('Disposition', 'disposition'),
      isName: true,
      cell: ({ record }) => <Disposition record={record} />,
    },
  ];
  return (
    <Table
      caption={formats.counted(total ?? records.length, 'record', 'records')}
      columns={columns}
      rows={records}
      keyOf={({ record }) => String(record.position)}
      empty="The report has no such records."
    />
  );
}

function withTerm(label: string, term: 'dkim' | 'spf' | 'disposition'): ComponentChildren {
  return (
    <>
      {label}
      <Explain term={term} />
    </>
  );
}

function Names({ record }: { record: StoredRecord }) {
  const { header_from, envelope_from, envelope_to } = record;
  return (
    <>
      <Breakable name={header_from} />
      {envelope_from && <div class="soft small">envelope: {envelope_from}</div>}
      {envelope_to && <div class="soft small">to: {envelope_to}</div>}
    </>
  );
}

function Results({ passed, lines }: { passed: boolean; lines: readonly string[] }) {
  return (
    <>
      <Outcome passed={passed} />
      <FirstLines lines={lines} show={(line) => <Breakable name={line} />} />
    </>
  );
}

function Disposition({ record: { disposition, reasons } }: { record: StoredRecord }) {
  return (
    <>
      {disposition}
      <FirstLines lines={(reasons ?? []).map(({ type, comment }) => [type, comment].filter(Boolean).join(': '))} />
    </>
  );
}
