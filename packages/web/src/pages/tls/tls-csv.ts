import type { TlsCauseSum } from '@dmarc-ledger/queries';
import type { CsvColumns } from '../../page/csv-file.ts';

/** TLS failures by cause as a file. */
export const tlsColumns: CsvColumns<TlsCauseSum> = {
  domain: ({ domain }) => domain,
  cause: ({ cause }) => cause,
  mail_server: ({ receiver }) => receiver,
  failed_sessions: ({ sessions }) => sessions,
  reports: ({ reports }) => reports,
  last: ({ newest }) => newest,
};
