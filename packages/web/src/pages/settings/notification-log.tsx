import type { NotificationLogRow } from '@dmarc-ledger/queries';
import { idText, instantText, shownAddress } from '@dmarc-ledger/vocabulary';
import type { CsvColumns } from '../../page/csv-file.ts';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { Pager, Table, type Column } from '../../views/table.tsx';

/** Notifications as a file. */
export const notificationColumns: CsvColumns<NotificationLogRow> = {
  id: ({ id }) => idText(id),
  planned_at: ({ planned_at }) => instantText(planned_at),
  event: ({ title }) => title,
  to: ({ kind, address }) => shownAddress(kind, address),
  state: ({ state }) => state,
  tries: ({ tries }) => tries,
  status: ({ answer_status }) => answer_status,
  error: ({ error_code }) => error_code,
};

const TONES: { [state in NotificationLogRow['state']]: string } = {
  waiting: 'neutral',
  delivered: 'success',
  failed: 'warning',
  given_up: 'critical',
};

interface NotificationLogProps {
  rows: readonly NotificationLogRow[];
  total: number;
  offset: number;
}

/** Which events were sent where, and what became of each. */
export function NotificationLog({ rows, total, offset }: NotificationLogProps) {
  const { formats } = useFrame();
  const columns: Column<NotificationLogRow>[] = [
    { label: 'When', cell: ({ planned_at }) => formats.instant(planned_at) },
    { label: 'Event', isName: true, cell: ({ title }) => title },
    { label: 'To', isName: true, cell: ({ kind, address }) => shownAddress(kind, address) },
    { label: 'State', cell: ({ state }) => <span class={`tag ${TONES[state]}`}>{state.replace('_', ' ')}</span> },
    { label: 'Tries', isNumber: true, cell: ({ tries }) => formats.count(tries) },
    { label: 'Answer', cell: ({ answer_status, error_code }) => error_code ?? answer_status },
  ];
  return (
    <section class="panel">
      <h2>What was sent</h2>
      <Table caption="Newest first" columns={columns} rows={rows} keyOf={({ id }) => id} empty="Nothing yet." />
      <Pager total={total} limit={rowsOfPage} offset={offset} csv />
    </section>
  );
}
