import type { OrgReporter } from '@dmarc-ledger/api/answers';
import { daysBetween, type Day } from '@dmarc-ledger/vocabulary';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { coverageWords } from '../../texts/coverage.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Clamped } from '../../views/clamped.tsx';
import { Table, type Column } from '../../views/table.tsx';

interface ReporterTableProps {
  caption: string;
  reporters: readonly OrgReporter[];
  today: Day;
}

/** Reporters, each with its last report and whether it has stopped. */
export function ReporterTable({ caption, reporters, today }: ReporterTableProps) {
  const { formats, url } = useFrame();
  const columns: Column<OrgReporter>[] = [
    {
      label: 'Reporter',
      isName: true,
      cell: ({ name }) =>
        name === '' ? (
          coverageWords.noName
        ) : (
          <Clamped text={name}>
            <PageLink to={withFilter(url, '/reports', { reporter: name })}>{name}</PageLink>
          </Clamped>
        ),
    },
    { label: 'Last report', cell: ({ lastDay }) => formats.day(lastDay) },
    { label: 'Reports', isNumber: true, cell: ({ reports }) => formats.count(reports) },
    {
      label: 'State',
      cell: ({ state, lastDay }) =>
        state === 'silent' ? (
          <span class="tag warning">stopped {formats.count(daysBetween(lastDay, today))} days ago</span>
        ) : (
          <span class="tag success">{coverageWords.reporters[state]}</span>
        ),
    },
  ];
  return (
    <Table caption={caption} columns={columns} rows={reporters} keyOf={({ name }) => name} empty="No reporter yet." />
  );
}
