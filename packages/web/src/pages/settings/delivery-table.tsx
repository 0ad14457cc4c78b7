import type { DeliveryRow } from '@dmarc-ledger/queries';
import { idText } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';
import { stateWords } from './delivery-states.ts';
import { PageLink } from '../../views/page-link.tsx';

/** Deliveries, newest first, each with a link to its page. */
export function DeliveryTable({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  const { formats } = useFrame();
  const columns: Column<DeliveryRow>[] = [
    {
      label: 'Received',
      cell: ({ id, received_at }) => (
        <PageLink to={`/settings/ingest/${idText(id)}`}>{formats.instant(received_at)}</PageLink>
      ),
    },
    { label: 'Name', isName: true, cell: ({ name }) => name ?? <span class="soft">unnamed</span> },
    { label: 'By', cell: ({ source }) => source },
    { label: 'Bytes', isNumber: true, cell: ({ size }) => formats.count(size) },
    {
      label: 'State',
      cell: ({ state }) => <span class={`tag ${stateWords[state].tone}`}>{stateWords[state].label}</span>,
    },
    {
      label: 'Code',
      isName: true,
      cell: ({ code, why }) =>
        code && (
          <>
            <code>{code}</code>
            {why && <div class="soft small">{why}</div>}
          </>
        ),
    },
  ];
  return (
    <Table
      caption="Newest first"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      empty="No delivery matches."
    />
  );
}
