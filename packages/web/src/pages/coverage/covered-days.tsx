import type { CoverageBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { coverageWords } from '../../texts/coverage.ts';
import { Explain } from '../../views/explain.tsx';
import { Table, type Column } from '../../views/table.tsx';

type CoveredDay = CoverageBody['by_day'][number];

/** Every day of the window, the newest first. */
export function CoveredDays({ answer: { by_day, missing_days } }: { answer: CoverageBody }) {
  const { formats } = useFrame();
  const columns: Column<CoveredDay>[] = [
    { label: 'Day', isName: true, cell: ({ day }) => formats.day(day) },
    {
      label: 'State',
      cell: ({ state }) =>
        state === 'missing' ? <span class="tag warning">{coverageWords.days.missing}</span> : coverageWords.days[state],
    },
    { label: 'Reporters', isNumber: true, cell: ({ reporters }) => formats.count(reporters) },
    {
      label: (
        <>
          Expected
          <Explain term="expected" />
        </>
      ),
      isNumber: true,
      cell: ({ expected_reporters: expected }) => formats.count(expected),
    },
    {
      label: 'Absent',
      isNumber: true,
      cell: ({ absent_reporters: absent }) =>
        absent === 0 ? formats.count(0) : <span class="tag warning">{formats.count(absent)}</span>,
    },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Not seen', isNumber: true, cell: ({ unseen_messages: unseen }) => formats.count(unseen) },
    { label: 'In doubt', isNumber: true, cell: ({ doubtful_rate: rate }) => formats.percent(rate) },
    { label: 'Records dropped', isNumber: true, cell: ({ dropped_records: dropped }) => formats.count(dropped) },
  ];
  return (
    <section class="panel">
      <h2>Day by day</h2>
      <Table
        caption={
          missing_days === 1 ? '1 day without any report' : `${formats.count(missing_days)} days without any report`
        }
        columns={columns}
        rows={by_day.toReversed()}
        keyOf={({ day }) => day}
        empty=""
      />
    </section>
  );
}
