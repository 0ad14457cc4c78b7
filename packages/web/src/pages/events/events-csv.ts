import type { EventRow } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import type { CsvColumns } from '../../page/csv-file.ts';

const instant = (value: Date | null) => value && instantText(value);

/** Events as a file. */
export const eventColumns: CsvColumns<EventRow> = {
  id: ({ id }) => idText(id),
  type: ({ type }) => type,
  severity: ({ severity }) => severity,
  title: ({ title }) => title,
  message: ({ message }) => message,
  domain: ({ domain }) => domain,
  created_at: ({ created_at }) => instant(created_at),
  resolved_at: ({ resolved_at }) => instant(resolved_at),
  acknowledged_at: ({ acknowledged_at }) => instant(acknowledged_at),
  acknowledged_by: ({ acknowledged_by }) => acknowledged_by,
};
