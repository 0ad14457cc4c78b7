import { type Day, dmarcPolicies, verificationStates } from '@dmarc-ledger/vocabulary';
import { Sparkline } from '../../charts/sparkline.tsx';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { reportsOfScore } from '../../page/reports-of-score.ts';
import { Explain } from '../../views/explain.tsx';
import { policyText } from '../../texts/policy.ts';
import { FilterForm } from '../../views/filter-form.tsx';
import { Breakable } from '../../views/breakable.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { WrittenName } from '../../views/written-name.tsx';
import { StateTag, UrgencyTag } from '../../views/tags.tsx';
import type { DomainRow } from './domain-rows.ts';
import type { DomainsQuery } from './domains-query.ts';
import { Rate } from '../../views/confidence.tsx';
import { NameSearch } from '../../views/name-search.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { PageLink } from '../../views/page-link.tsx';

const WORK = [{ code: '1', label: 'needs you' }];

interface DomainsProps {
  rows: readonly DomainRow[];
  /** The last day of each score, by the domain's name. */
  newestDays: ReadonlyMap<string, Day>;
  /** The rates of the days of each score, oldest first, by the domain's name. */
  trends: ReadonlyMap<string, readonly (number | null)[]>;
  /** All domains, before filtering. */
  total: number;
  query: DomainsQuery;
}

export function Domains({ rows, newestDays, trends, total, query }: DomainsProps) {
  const { formats } = useFrame();
  const silent = query.needs === undefined ? 0 : rows.filter(({ card }) => !card).length;
  const caption =
    `${formats.count(rows.length)} of ${formats.counted(total, 'domain', 'domains')}` +
    (silent > 0 ? `, ${formats.count(silent)} of them without a score` : '');
  return (
    <>
      <div class="head">
        <h1>Domains</h1>
        <PageLink class="button" to="/domains/add">
          Add a domain
        </PageLink>
      </div>
      <FilterForm parts={[]}>
        <NameSearch value={query.search ?? ''} />
        <Choice name="policy" label="Policy" entries={dmarcPolicies} chosen={query.policy} />
        <Choice name="state" label="Reporting" entries={verificationStates} chosen={query.state} />
        <Choice name="needs" label="Work" entries={WORK} chosen={query.needs} />
      </FilterForm>
      <section class="panel">
        <Table
          caption={caption}
          columns={useColumns(newestDays, trends)}
          rows={rows}
          keyOf={({ domain }) => domain}
          sorted={{ by: query.sort_by, direction: query.sort_dir }}
          empty={total === 0 ? <NoDomain /> : 'No domain matches the filter.'}
        />
        {rows.length > 0 && (
          <p class="small">
            <SaveCsv />
          </p>
        )}
      </section>
    </>
  );
}

function NoDomain() {
  return (
    <>
      No domain yet. <PageLink to="/domains/add">Add one</PageLink>, or{' '}
      <PageLink to="/settings/ingest">upload a report</PageLink>: the domains that it names are added.
    </>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  entries: readonly { code: string; label: string }[];
  chosen: string | undefined;
}

function Choice({ name, label, entries, chosen }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">all</option>
        {entries.map((entry) => (
          <option key={entry.code} value={entry.code} selected={entry.code === chosen}>
            {entry.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function useColumns(newestDays: DomainsProps['newestDays'], trends: DomainsProps['trends']): Column<DomainRow>[] {
  const { formats, url } = useFrame();
  const none = <span class="soft">no reports</span>;
  return [
    {
      label: 'Domain',
      sort: 'domain',
      isName: true,
      cell: ({ domain }) => (
        <>
          <PageLink to={withFilter(url, `/domains/${domain}`)}>
            <Breakable name={domain} />
          </PageLink>
          <WrittenName domain={domain} />
        </>
      ),
    },
    {
      label: 'Score',
      sort: 'score',
      isNumber: true,
      cell: ({ card }) => (card ? `${card.score} (${card.grade})` : none),
    },
    {
      label: 'Passed',
      term: 'confidence',
      sort: 'compliance',
      isNumber: true,
      cell: ({ domain, card, confidence }) =>
        card && (
          <>
            <Sparkline rates={trends.get(domain) ?? []} />
            <Rate rate={card.compliance_rate} confidence={confidence} />
          </>
        ),
    },
    {
      label: 'Messages',
      sort: 'messages',
      isNumber: true,
      cell: ({ domain, card }) =>
        card && (
          <PageLink to={reportsOfScore(url, domain, newestDays.get(domain))}>
            {formats.count(card.total_messages)}
          </PageLink>
        ),
    },
    { label: 'Policy', cell: ({ policy }) => policy && policyText(policy) },
    {
      label: (
        <>
          Reporting
          <Explain term="state" />
        </>
      ),
      cell: ({ monitored, isForbidden }) =>
        monitored ? (
          <>
            <StateTag code={monitored.dmarc_state} />
            {isForbidden && ' but reporters may not send here'}
          </>
        ) : (
          <span class="soft">not monitored</span>
        ),
    },
    {
      label: 'Open items',
      sort: 'items',
      isName: true,
      cell: ({ issue }) =>
        issue && (
          <>
            <UrgencyTag code={issue.severity} /> {issue.title}
            {issue.count > 1 && <span class="soft"> and {formats.count(issue.count - 1)} more</span>}
          </>
        ),
    },
  ];
}
