import type { EnforcementStage } from '@dmarc-ledger/queries';
import { rate } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { enforcementWords } from '../../texts/enforcement.ts';
import { PageLink } from '../../views/page-link.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { Table, type Column } from '../../views/table.tsx';

interface StagesProps {
  stages: readonly { stage: string; title: string; domains: readonly EnforcementStage[] }[];
  days: number;
}

/** The domains of each stage. */
export function Stages({ stages, days }: StagesProps) {
  const { formats } = useFrame();
  const columns: Column<EnforcementStage>[] = [
    {
      label: 'Domain',
      isName: true,
      cell: ({ domain }) => <PageLink to={`/domains/${domain}/enforce`}>{domain}</PageLink>,
    },
    { label: 'Policy', cell: ({ policy }) => enforcementWords.policy({ ...policy, adkim: null, aspf: null }) },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Failing', isNumber: true, cell: ({ failing }) => formats.count(failing) },
    {
      label: 'Passed DMARC',
      isNumber: true,
      cell: ({ messages, failing }) =>
        messages === 0 ? 'no mail' : formats.percent(rate(messages - failing, messages)),
    },
    { label: 'Days with reports', isNumber: true, cell: ({ reportDays }) => formats.count(reportDays) },
  ];
  return (
    <>
      <h1>The path to reject</h1>
      <p class="soft">Where each domain stands, by what it publishes; figures of {days} days.</p>
      <p class="small">
        <SaveCsv />
      </p>
      {stages.map(({ stage, title, domains }) => (
        <section class="panel" key={stage}>
          <h2>{title}</h2>
          <Table
            caption={`${title}: ${domains.length === 1 ? '1 domain' : `${formats.count(domains.length)} domains`}`}
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
