import type { SenderBody, SendersBody } from '@dmarc-ledger/api/answers';
import { samePage, withFilter } from '../../page/filter.ts';
import { useFrame } from '../../page/frame.ts';
import { SaveCsv } from '../../views/save-csv.tsx';
import { ConfidenceLevel } from '../../views/confidence.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { DecidedBy, DecisionTag, NewEvidence, senderPath, SuggestButton, useMayDecide } from './decision-views.tsx';

/** Who sends as the domains, and what has been decided about each. */
export function Inventory({ inventory }: { inventory: SendersBody }) {
  const { formats, url } = useFrame();
  const mayDecide = useMayDecide();
  const found = formats.counted(inventory.total, 'service or network', 'services and networks');
  const columns: Column<SenderBody>[] = [
    {
      label: 'Sender',
      isName: true,
      cell: (sender) => (
        <>
          <a href={withFilter(url, senderPath(sender))}>{sender.name}</a>
          <div class="small">
            {sender.domain}, {formats.counted(sender.addresses, 'address', 'addresses')}
          </div>
        </>
      ),
    },
    { label: 'Messages', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    {
      label: 'Passed',
      isNumber: true,
      cell: ({ compliance_rate, confidence }) => (
        <>
          {formats.percent(compliance_rate)}
          <div class="small">
            <ConfidenceLevel confidence={confidence} />
          </div>
        </>
      ),
    },
    { label: 'SPF passed', isNumber: true, cell: ({ spf_pass }) => formats.count(spf_pass) },
    { label: 'DKIM passed', isNumber: true, cell: ({ dkim_pass }) => formats.count(dkim_pass) },
    { label: 'Last seen', cell: ({ last_seen }) => last_seen && formats.day(last_seen.slice(0, 10)) },
    {
      label: 'Decision',
      cell: (sender) =>
        sender.decision ? (
          <>
            <DecisionTag decision={sender.decision} />
            <div class="small">
              <DecidedBy sender={sender} />
            </div>
            <NewEvidence sender={sender} />
          </>
        ) : (
          <Undecided sender={sender} mayDecide={mayDecide} />
        ),
    },
  ];
  return (
    <section class="panel" id="inventory">
      <h2>Who sends as you</h2>
      {!mayDecide && <p class="soft small">Your role sees decisions. Owners, admins and analysts make them.</p>}
      <Table
        caption={`${found}, by all reports that are kept`}
        columns={columns}
        rows={inventory.senders}
        keyOf={({ domain, id }) => `${domain} ${id}`}
        empty={inventory.total > 0 ? 'No more senders.' : 'No sender matches. Change the filter, or take it away.'}
      />
      {inventory.total > 0 && (
        <p class="small">
          <SaveCsv total={inventory.total} more={{ format: 'senders' }} />
        </p>
      )}
      <InventoryPager {...inventory} to={(at) => `${samePage(url, { senders_offset: at || undefined })}#inventory`} />
    </section>
  );
}

function Undecided({ sender, mayDecide }: { sender: SenderBody; mayDecide: boolean }) {
  const { url } = useFrame();
  return (
    <>
      <span class="tag neutral">Not decided</span>
      {mayDecide && (
        <div class="actions">
          <SuggestButton sender={sender} back={`${url.pathname}${url.search}`} />
          <a
            class="small"
            href={withFilter(url, senderPath(sender))}
            aria-label={`Decide about ${sender.name} for ${sender.domain}`}
          >
            Decide
          </a>
        </div>
      )}
    </>
  );
}

interface InventoryPagerProps {
  total: number;
  limit: number;
  offset: number;
  to: (offset: number) => string;
}

/** The way to the other senders; apart from the addresses below, which have a page of their own. */
function InventoryPager({ total, limit, offset, to }: InventoryPagerProps) {
  const { formats } = useFrame();
  if (total <= limit) return null;
  const last = Math.min(offset + limit, total);
  return (
    <nav class="pager small" aria-label="More senders">
      <span>
        {formats.count(Math.min(offset + 1, total))} to {formats.count(last)} of {formats.count(total)}
      </span>
      {offset > 0 && <a href={to(Math.max(0, offset - limit))}>Previous senders</a>}
      {last < total && <a href={to(offset + limit)}>Next senders</a>}
    </nav>
  );
}
