import type { CsvColumns } from '../../page/csv-file.ts';
import type { SourceBody } from './source-body.ts';

/** What reports said of an address, as a file. */
export const sourceRecordColumns: CsvColumns<SourceBody['records'][number]> = {
  report: ({ id }) => id,
  date_end: ({ date_end }) => date_end,
  org_name: ({ org_name }) => org_name,
  header_from: ({ header_from }) => header_from,
  messages: ({ count }) => count,
  dkim: ({ dkim_result }) => dkim_result,
  spf: ({ spf_result }) => spf_result,
  disposition: ({ disposition }) => disposition,
};
