import { useFrame } from '../../page/frame.ts';
import { Explain } from '../../views/explain.tsx';
import { ReputationTag } from '../../views/tags.tsx';
import { Table, type Column } from '../../views/table.tsx';
import type { SourceBody } from './source-body.ts';

type Signal = NonNullable<SourceBody['spam_signals']>[number];

/** What counts for and against the address, as a sum. */
export function SourceEvidence({ source }: { source: SourceBody }) {
  const { formats } = useFrame();
  const signals = source.spam_signals ?? [];
  const { enrichment } = source;
  const total = signals.reduce((sum, { score }) => sum + score, 0);
  const reports = (count: number) => formats.counted(count, 'report', 'reports');
  const columns: Column<Signal>[] = [
    { label: 'Evidence', isName: true, cell: ({ name, description }) => description ?? name },
    { label: 'Points', isNumber: true, cell: ({ score }) => signed(score) },
  ];
  return (
    <section class="panel">
      <h2>
        Evidence
        <Explain term="evidence" />
      </h2>
      {enrichment && (
        <p>
          <ReputationTag code={enrichment.abuse_status} />{' '}
          {enrichment.abuse_score >= 0
            ? `abuse score ${formats.count(enrichment.abuse_score)} of 100, ${reports(enrichment.abuse_reports)}`
            : 'never scored'}
        </p>
      )}
      <Table
        caption={`Positive points count against the sender; the sum is ${signed(total)}`}
        columns={columns}
        rows={signals}
        keyOf={({ name }) => name}
        empty="Nothing speaks for or against it yet; it may not have been looked up."
      />
    </section>
  );
}

function signed(score: number): string {
  return score > 0 ? `+${score}` : String(score);
}
