import type { CoverageBody } from '@dmarc-ledger/api/answers';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { coverageWords } from '../../texts/coverage.ts';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Clamped } from '../../views/clamped.tsx';
import { Table, type Column } from '../../views/table.tsx';

type Reporter = CoverageBody['reporters'][number];

/** The reporters that are shown; the API has the first 200. */
const SHOWN = 50;

/** Who reports, those with most messages first. */
export function CoveringReporters({ answer }: { answer: CoverageBody }) {
  const { formats, url } = useFrame();
  const { domain, reporters, reporters_total, silent_reporters_total: silent } = answer;
  const all = formats.counted(reporters_total, 'reporter', 'reporters');
  const columns: Column<Reporter>[] = [
    {
      label: 'Reporter',
      isName: true,
      cell: ({ name }) =>
        name === '' ? (
          coverageWords.noName
        ) : (
          <Clamped text={name}>
            <PageLink to={withFilter(url, '/reports', { domain, reporter: name })}>{name}</PageLink>
          </Clamped>
        ),
    },
    {
      label: 'State',
      cell: ({ state }) =>
        state === 'silent' ? (
          <span class="tag warning">{coverageWords.reporters.silent}</span>
        ) : (
          coverageWords.reporters[state]
        ),
    },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Share', isNumber: true, cell: ({ message_rate: rate }) => formats.percent(rate) },
    { label: 'Days reported', isNumber: true, cell: ({ report_days: days }) => formats.count(days) },
    {
      label: (
        <>
          Days expected
          <Explain term="expected" />
        </>
      ),
      isNumber: true,
      cell: ({ expected_days: days }) => formats.count(days),
    },
    { label: 'Days absent', isNumber: true, cell: ({ absent_days: days }) => formats.count(days) },
    { label: 'Last day', cell: ({ last_day: day }) => formats.day(day) },
  ];
  return (
    <section class="panel">
      <h2>
        {silent === 0
          ? 'No reporter has fallen silent'
          : silent === 1
            ? 'One reporter has fallen silent'
            : `${formats.count(silent)} reporters have fallen silent`}
        <Explain term="stopped" />
      </h2>
      <Table
        caption={`${formats.count(Math.min(SHOWN, reporters.length))} of ${all}, most messages first`}
        columns={columns}
        rows={reporters.slice(0, SHOWN)}
        keyOf={({ name }) => name}
        empty="No reporter has reported, and none was expected."
      />
    </section>
  );
}
