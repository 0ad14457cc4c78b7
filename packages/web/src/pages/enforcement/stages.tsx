import type { ConfidenceBody } from '@dmarc-ledger/api/answers';
import { MOST_STAGES, type EnforcementStage } from '@dmarc-ledger/queries';
import { tagsOfStep } from '@dmarc-ledger/enforcement';
import { rate, type DayRange } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { enforcementWords } from '../../texts/enforcement.ts';
import { Rate } from '../../views/confidence.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { Breakable } from '../../views/breakable.tsx';
import { Table, type Column } from '../../views/table.tsx';

/** A domain on the path, with the confidence in its rate. */
export type StageRow = EnforcementStage & { confidence: ConfidenceBody | undefined };

interface StagesProps {
  stages: readonly { stage: string; title: string; domains: readonly StageRow[] }[];
  /** The days that the figures are of. */
  range: DayRange;
}

/** The domains of each stage. */
export function Stages({ stages, range }: StagesProps) {
  const { formats } = useFrame();
  const isFull = stages.reduce((sum, { domains }) => sum + domains.length, 0) >= MOST_STAGES;
  const columns: Column<StageRow>[] = [
    {
      label: 'Domain',
      isName: true,
      cell: ({ domain }) => (
        <PageLink to={`/domains/${domain}/enforce`}>
          <Breakable name={domain} />
        </PageLink>
      ),
    },
    { label: 'Policy', cell: ({ policy }) => enforcementWords.policy({ ...policy, adkim: null, aspf: null }) },
    { label: 'Next step', cell: (row) => <Verdict row={row} /> },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Failing', isNumber: true, cell: ({ failing }) => formats.count(failing) },
    {
      label: 'Passed DMARC',
      term: 'confidence',
      isNumber: true,
      cell: ({ messages, failing, confidence }) =>
        messages === 0 ? 'no mail' : <Rate rate={rate(messages - failing, messages)} confidence={confidence} />,
    },
    { label: 'Days with reports', isNumber: true, cell: ({ reportDays }) => formats.count(reportDays) },
  ];
  return (
    <>
      <h1>The path to reject</h1>
      <p class="soft">
        Where each domain stands, by what it publishes; figures of {formats.day(range.from)} to {formats.day(range.to)}.
        {isFull && ` At most ${formats.count(MOST_STAGES)} domains are shown, the first by name.`}
      </p>
      <p class="small">
        <SaveCsv />
      </p>
      {stages.map(({ stage, title, domains }) => (
        <section class="panel" key={stage}>
          <h2>{title}</h2>
          <Table
            caption={`${title}: ${formats.counted(domains.length, 'domain', 'domains')}`}
            columns={columns}
            rows={domains}
            keyOf={({ domain }) => domain}
            empty="No domain stands here."
          />
        </section>
      ))}
    </>
  );
}

/** What the page of the domain says of its next step. */
function Verdict({ row: { domain, stage, policy, verdict, nextStep } }: { row: StageRow }) {
  // what a policy would have done is of use once receivers are asked for reports
  if (stage === 'unpublished') return <PageLink to={`/domains/${domain}/dns/dmarc`}>Publish a record first</PageLink>;
  if (nextStep === undefined) return <>{enforcementWords.done}</>;
  return (
    <>
      {enforcementWords.verdict(verdict)}
      {nextStep && <div class="soft small mono">{tagsOfStep(nextStep, policy)}</div>}
    </>
  );
}
