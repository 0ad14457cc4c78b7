import type { DeliveryCount } from '@dmarc-ledger/queries';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';
import { stateWords } from './delivery-states.ts';
import { PageLink } from '../../views/page-link.tsx';

/** How deliveries ended, each number with the way to its examples. */
export function DeliveryCounts({ counts }: { counts: readonly DeliveryCount[] }) {
  const { formats, url } = useFrame();
  const columns: Column<DeliveryCount>[] = [
    {
      label: 'State',
      cell: ({ state }) => <span class={`tag ${stateWords[state].tone}`}>{stateWords[state].label}</span>,
    },
    { label: 'Code', isName: true, cell: ({ code }) => code && <code>{code}</code> },
    {
      label: 'Deliveries',
      isNumber: true,
      cell: ({ state, code, deliveries }) => (
        <PageLink to={samePage(url, { state, code: code ?? undefined, before: undefined })}>
          {formats.count(deliveries)}
        </PageLink>
      ),
    },
    { label: 'Newest', cell: ({ newest }) => formats.instant(newest) },
  ];
  return (
    <Table
      caption="What arrived, and what became of it"
      columns={columns}
      rows={counts}
      keyOf={({ state, code }) => `${state} ${code ?? ''}`}
      empty="Nothing arrived."
    />
  );
}
