import type { DeliveryCount, DeliveryRow, MailboxRow } from '@dmarc-ledger/queries';
import { type Day, idText } from '@dmarc-ledger/vocabulary';
import { samePage } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { rowsOfPage } from '../../page/paging.ts';
import { Explain } from '../../views/explain.tsx';
import { FilterForm } from '../../views/filter-form.tsx';
import { DeliveryCounts } from './delivery-counts.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { deliveryStates, stateWords } from './delivery-states.ts';
import { UploadForm } from './upload-form.tsx';
import { Mailboxes } from './mailboxes.tsx';
import { SaveCsv } from '../../views/save-csv.tsx';
import { PageLink } from '../../views/page-link.tsx';

interface IngestProps {
  mailboxes: readonly MailboxRow[];
  counts: readonly DeliveryCount[];
  deliveries: readonly DeliveryRow[];
  state: string | undefined;
  code: string | undefined;
  /** The first day of the list; all days without one. */
  from: Day | undefined;
  /** The numbers are of these days, the first of which is `first`. */
  days: number;
  first: Day;
}

export function Ingest({ mailboxes, counts, deliveries, state, code, from, days, first }: IngestProps) {
  const { url } = useFrame();
  const last = deliveries.at(-1);
  return (
    <>
      <h1>Intake</h1>
      <UploadForm />
      <div class="columns">
        <section class="panel">
          <h2>Mailboxes</h2>
          <Mailboxes mailboxes={mailboxes} />
        </section>
        <section class="panel">
          <h2>
            The last {days} days
            <Explain term="intake" />
          </h2>
          <DeliveryCounts counts={counts} from={first} />
        </section>
      </div>
      <section class="panel">
        <h2>Deliveries</h2>
        <FilterForm parts={[]}>
          <label>
            State
            <select name="state">
              <option value="">all</option>
              {deliveryStates.map((name) => (
                <option key={name} value={name} selected={name === state}>
                  {stateWords[name].label}
                </option>
              ))}
            </select>
          </label>
          <label>
            Code
            <input name="code" value={code ?? ''} size={22} />
          </label>
          <label>
            From
            <input type="date" name="from" value={from ?? ''} />
          </label>
        </FilterForm>
        <DeliveryTable deliveries={deliveries} />
        {last && (
          <nav class="pager small" aria-label="More rows">
            {deliveries.length === rowsOfPage && (
              <PageLink to={samePage(url, { before: idText(last.id) })}>Older</PageLink>
            )}
            <SaveCsv more={{ before: '' }} />
          </nav>
        )}
      </section>
    </>
  );
}
