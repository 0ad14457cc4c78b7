import type { DeliveryCount } from '@dmarc-ledger/queries';
import type { Day } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';
import { deliveriesBehind } from './deliveries-behind.ts';
import { stateWords } from './delivery-states.ts';
import { PageLink } from '../../views/page-link.tsx';

/** How deliveries ended, each number with the way to its examples. */
export function DeliveryCounts({ counts, from }: { counts: readonly DeliveryCount[]; from: Day }) {
  const { formats } = useFrame();
  const columns: Column<DeliveryCount>[] = [
    {
      label: 'State',
      cell: ({ state }) => <span class={`tag ${stateWords[state].tone}`}>{stateWords[state].label}</span>,
    },
    { label: 'Code', isName: true, cell: ({ code }) => code && <code>{code}</code> },
    {
      label: 'Deliveries',
      isNumber: true,
      cell: (count) => <PageLink to={deliveriesBehind(from, count)}>{formats.count(count.deliveries)}</PageLink>,
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
