import type { BodyOf, listSources } from '@dmarc-ledger/api/answers';
import type { AddressDecision } from '@dmarc-ledger/queries';
import type { SenderDecision } from '@dmarc-ledger/vocabulary';
import type { ComponentChildren } from 'preact';
import { withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';
import { ClassTag, ReputationTag } from '../../views/tags.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { DecisionTag } from './decision-views.tsx';

type Source = BodyOf<typeof listSources>['sources'][number];

interface SourceTableProps {
  sources: readonly Source[];
  /** What has been decided about their senders. */
  decisions: readonly AddressDecision[];
  caption: string;
  empty: ComponentChildren;
  sorted?: { by: string; direction: 'asc' | 'desc' };
}

/** Sending addresses: who they are, what they are taken for, and how much of their mail passed. */
export function SourceTable({ sources, decisions, caption, empty, sorted }: SourceTableProps) {
  const { formats, url } = useFrame();
  const decidedAs = decisionsByAddress(decisions);
  const columns: Column<Source>[] = [
    {
      label: 'Address',
      sort: 'source_ip',
      isName: true,
      cell: ({ source_ip, service_name, hostname }) => (
        <>
          <PageLink class="mono" to={withFilter(url, `/sources/${encodeURIComponent(source_ip)}`)}>
            {source_ip}
          </PageLink>
          <div class="small">{service_name ?? hostname ?? ''}</div>
        </>
      ),
    },
    {
      label: 'Class',
      cell: ({ classification, source_ip }) => (
        <>
          <ClassTag name={classification} />
          {[...(decidedAs.get(source_ip) ?? [])].map((decision) => (
            <div key={decision}>
              <small>decided</small> <DecisionTag decision={decision} />
            </div>
          ))}
        </>
      ),
    },
    {
      label: 'Messages',
      sort: 'total_messages',
      isNumber: true,
      cell: ({ total_messages }) => formats.count(total_messages),
    },
    { label: 'Failed', isNumber: true, cell: ({ fail_count }) => formats.count(fail_count) },
    {
      label: 'Passed',
      sort: 'compliance',
      isNumber: true,
      cell: ({ compliance_rate }) => formats.percent(compliance_rate),
    },
    { label: 'Network', isName: true, cell: ({ isp, country }) => [isp, country].filter(Boolean).join(', ') },
    {
      label: 'Reputation',
      cell: ({ abuse_status, blocklist_severity }) => (
        <>
          {abuse_status && <ReputationTag code={abuse_status} />}{' '}
          {(blocklist_severity === 'warning' || blocklist_severity === 'critical') && (
            <span class={`tag ${blocklist_severity}`}>listed</span>
          )}
        </>
      ),
    },
    {
      label: 'Last seen',
      sort: 'last_seen',
      cell: ({ last_seen }) => last_seen && formats.day(last_seen.slice(0, 10)),
    },
  ];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={sources}
      keyOf={({ source_ip }) => source_ip}
      sorted={sorted}
      empty={empty}
    />
  );
}

/** The decisions that hold for each address; they differ where it sends as several domains. */
function decisionsByAddress(decisions: readonly AddressDecision[]): Map<string, Set<SenderDecision>> {
  const byAddress = new Map<string, Set<SenderDecision>>();
  for (const { ip, decision } of decisions) {
    const held = byAddress.get(ip) ?? new Set();
    byAddress.set(ip, held.add(decision));
  }
  return byAddress;
}
