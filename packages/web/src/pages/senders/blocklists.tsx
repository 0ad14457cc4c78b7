import { Explain } from '../../views/explain.tsx';
import { Table, type Column } from '../../views/table.tsx';
import type { SourceBody } from './source-body.ts';

type Result = NonNullable<NonNullable<SourceBody['enrichment']>['blocklist_results']>[number];

const STATUS: { [status: string]: string } = { listed: 'listed', clean: 'not listed', error: 'no answer' };

/** What each list said, the one that matters most first. */
export function Blocklists({ source }: { source: SourceBody }) {
  const results = source.enrichment?.blocklist_results ?? [];
  const columns: Column<Result>[] = [
    { label: 'List', isName: true, cell: ({ name }) => name },
    {
      label: 'Answer',
      isName: true,
      cell: ({ listed, status, reason, delist_url }) => (
        <>
          <span class={listed ? 'critical' : undefined}>
            {STATUS[status ?? ''] ?? (listed ? 'listed' : 'not listed')}
          </span>
          {reason && <div class="soft small">{reason}</div>}
          {delist_url && (
            <div class="small">
              <a href={delist_url} rel="noreferrer">
                Ask for removal
              </a>
            </div>
          )}
        </>
      ),
    },
  ];
  return (
    <section class="panel">
      <h2>
        Blocklists
        <Explain term="blocklist" />
      </h2>
      <p>{source.blocklist_verdict.summary}</p>
      {results.length > 0 && (
        <details>
          <summary>What each list said</summary>
          <Table caption="Lists consulted" columns={columns} rows={results} keyOf={({ name }) => name} empty="None." />
        </details>
      )}
    </section>
  );
}
