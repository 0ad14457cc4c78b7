import type { DeliveryRow } from '@dmarc-ledger/queries';
import { idText, instantText } from '@dmarc-ledger/vocabulary';
import type { CsvColumns } from '../../page/csv-file.ts';

const instant = (value: Date | null) => value && instantText(value);

/** Deliveries as a file, with why each that was refused was. */
export const deliveryColumns: CsvColumns<DeliveryRow> = {
  id: ({ id }) => idText(id),
  received_at: ({ received_at }) => instantText(received_at),
  finished_at: ({ finished_at }) => instant(finished_at),
  source: ({ source }) => source,
  name: ({ name }) => name,
  bytes: ({ size }) => size,
  state: ({ state }) => state,
  code: ({ code }) => code,
  documents: ({ documents }) => documents,
  why: ({ why }) => why,
};
