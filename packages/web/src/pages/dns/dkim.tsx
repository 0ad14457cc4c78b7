import type { DkimKeysBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { dnsWords } from '../../texts/dns.ts';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { KeyTable } from './key-table.tsx';

type Placement = DkimKeysBody['keys'][number]['placement'][number];

/** The DKIM keys of a domain: what to do, their use and age, and where providers put the mail. */
export function Dkim({ answer }: { answer: DkimKeysBody }) {
  const { formats } = useFrame();
  const { domain, keys, total, checked_at, other_selectors: others } = answer;
  const findings = keys.flatMap(({ findings: of, selector, domain: signer }) =>
    of.map((finding) => ({ ...finding, key: `${selector} ${signer} ${finding.code}` })),
  );
  const tasks = findings.filter(({ code }) => code !== 'rotation_seen');
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <h1>DKIM keys of {domain}</h1>
      <section class="panel">
        <h2>
          What to do
          <Explain term="rotation" />
        </h2>
        {tasks.length === 0 && <p class="soft">Nothing is to be done about the keys that are known.</p>}
        <Findings findings={tasks} />
        <Findings findings={findings.filter((finding) => !tasks.includes(finding))} />
      </section>
      <section class="panel">
        <h2>Keys</h2>
        <KeyTable domain={domain} keys={keys} total={total} />
        {others.selectors > 0 && (
          <p class="soft small">
            {dnsWords.otherSelectors(others.selectors, formats.count(others.selectors), others.is_at_least)}
          </p>
        )}
        {checked_at && <p class="soft small">Read in the DNS {formats.instant(checked_at)}.</p>}
        <p>
          <PageLink to={`/domains/${domain}/dns/dkim`}>The keys as they are published</PageLink>
        </p>
      </section>
      <PlacementTable rows={keys.flatMap(({ placement }) => placement)} />
    </>
  );
}

function Findings({ findings }: { findings: readonly { key: string; text: string }[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="items">
      {findings.map(({ key, text }) => (
        <li key={key}>{text}</li>
      ))}
    </ul>
  );
}

/** Where providers put mail, by selector. Counts of different rows must not be added. */
function PlacementTable({ rows }: { rows: readonly Placement[] }) {
  const { formats } = useFrame();
  if (rows.length === 0) return null;
  const measures = (of: Placement['classification']) =>
    of?.map(({ category, value }) => `${category}: ${formats.count(value)}`).join(', ') || (
      <span class="soft">not reported</span>
    );
  const columns: Column<Placement>[] = [
    { label: 'Provider', isName: true, cell: ({ source }) => source },
    { label: 'Selector', cell: ({ dkim_selector }) => <span class="mono">{dkim_selector}</span> },
    { label: 'Day', cell: ({ day }) => (day === null ? '' : formats.day(day)) },
    { label: 'Where it went', cell: ({ classification }) => measures(classification) },
    { label: 'What recipients did', cell: ({ engagement }) => measures(engagement) },
  ];
  const keyOf = (row: Placement) => JSON.stringify([row.source, row.dkim_selector, row.segment, row.version]);
  return (
    <section class="panel">
      <h2>Where providers put the mail</h2>
      <Table caption="Upper bounds; rows must not be added" columns={columns} rows={rows} keyOf={keyOf} empty="" />
    </section>
  );
}
