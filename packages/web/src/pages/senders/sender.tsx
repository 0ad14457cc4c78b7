import type { BodyOf, listDecisionChanges, listSources, SenderBody } from '@dmarc-ledger/api/answers';
import { senderDecisions } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../../page/frame.ts';
import { decisionLabels } from '../../texts/decisions.ts';
import { Facts } from '../../views/facts.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Pager, Table, type Column } from '../../views/table.tsx';
import { DecidedBy, DecisionTag, NewEvidence, senderPath, useMayDecide } from './decision-views.tsx';
import { SourceTable } from './source-table.tsx';
import { PostForm } from '../../views/post-form.tsx';

type DecisionChanges = BodyOf<typeof listDecisionChanges>;

interface SenderViewProps {
  sender: SenderBody;
  history: DecisionChanges;
  /** A page of its addresses. */
  addresses: BodyOf<typeof listSources>;
  sorted: { by: string; direction: 'asc' | 'desc' };
}

/** One sender of a domain: its mail, the decision, the form to change it, its addresses, and every change so far. */
export function SenderView({ sender, history, addresses, sorted }: SenderViewProps) {
  const { formats } = useFrame();
  const mayDecide = useMayDecide();
  const { name, domain, decision, note } = sender;
  return (
    <>
      <h1>{name}</h1>
      <p>
        as <PageLink to={`/senders?domain=${encodeURIComponent(domain)}`}>{domain}</PageLink>
      </p>
      <section class="panel">
        <h2>Its mail</h2>
        <Mail sender={sender} />
      </section>
      <section class="panel">
        <h2>Decision</h2>
        {decision ? (
          <p>
            <DecisionTag decision={decision} /> <DecidedBy sender={sender} />
          </p>
        ) : (
          <p>
            <span class="tag neutral">Not decided</span>
          </p>
        )}
        {note && <p>{note}</p>}
        <NewEvidence sender={sender} />
        <Suggestion sender={sender} />
        {mayDecide ? (
          <DecisionForm sender={sender} />
        ) : (
          <p class="soft">Your role sees decisions. Owners, admins and analysts make them.</p>
        )}
      </section>
      <section class="panel">
        <h2>Its addresses</h2>
        <SourceTable
          sources={addresses.sources}
          decisions={[]}
          caption={
            `${formats.count(addresses.total)} ${addresses.total === 1 ? 'address' : 'addresses'} that sent ` +
            `as ${domain}`
          }
          sorted={sorted}
          empty="No report that is kept names an address of it."
        />
        <Pager {...addresses} csv />
      </section>
      <section class="panel">
        <h2>What was decided before</h2>
        <History history={history} />
      </section>
    </>
  );
}

function Mail({ sender }: { sender: SenderBody }) {
  const { formats } = useFrame();
  const seen = (instant: string | null) => (instant ? formats.day(instant.slice(0, 10)) : 'no report is held');
  return (
    <Facts
      facts={[
        ['Addresses', formats.count(sender.addresses)],
        ['Messages', formats.count(sender.messages)],
        ['Passed DMARC', `${formats.count(sender.compliant_messages)} (${formats.percent(sender.compliance_rate)})`],
        ['Confidence', sender.confidence.text],
        ['Aligned SPF pass', formats.count(sender.spf_pass)],
        ['Aligned DKIM pass', formats.count(sender.dkim_pass)],
        ['Failed, likely forwarded', formats.count(sender.forwarded_messages)],
        ['Failed, suspicious', formats.count(sender.suspicious_messages)],
        ['Failed, unexplained', formats.count(sender.unexplained_messages)],
        ['First seen', seen(sender.first_seen)],
        ['Last seen', seen(sender.last_seen)],
      ]}
    />
  );
}

function Suggestion({ sender: { suggestion, suggestion_reason, decision } }: { sender: SenderBody }) {
  if (!suggestion || suggestion === decision) return null;
  return (
    <p>
      Suggested: <strong>{decisionLabels[suggestion]}</strong>. {suggestion_reason}
    </p>
  );
}

function DecisionForm({ sender }: { sender: SenderBody }) {
  const { domain, id, decision, owner, note, suggestion } = sender;
  const chosen = decision ?? suggestion;
  return (
    <PostForm class="form" action="/senders/decide">
      <input type="hidden" name="domain" value={domain} />
      <input type="hidden" name="sender" value={id} />
      <input type="hidden" name="back" value={senderPath(sender)} />
      <label>
        This sender is
        <select name="decision">
          {senderDecisions.map((each) => (
            <option key={each} value={each} selected={each === chosen}>
              {decisionLabels[each]}
            </option>
          ))}
          {decision && <option value="undecided">Not decided (withdraw)</option>}
        </select>
      </label>
      <label>
        Owner
        <input name="owner" value={owner ?? ''} maxLength={200} placeholder="who answers for it" autocomplete="off" />
      </label>
      <label>
        Note
        <input name="note" value={note ?? ''} maxLength={2_000} autocomplete="off" />
      </label>
      <button class="main">Decide</button>
    </PostForm>
  );
}

function History({ history }: { history: DecisionChanges }) {
  const { formats } = useFrame();
  type Change = DecisionChanges['changes'][number];
  const columns: Column<Change>[] = [
    { label: 'When', cell: ({ changed_at }) => formats.instant(new Date(changed_at)) },
    { label: 'Who', isName: true, cell: ({ changed_by }) => changed_by },
    {
      label: 'Decision',
      cell: ({ decision }) => (decision ? <DecisionTag decision={decision} /> : 'withdrawn'),
    },
    { label: 'Owner', isName: true, cell: ({ owner }) => owner ?? '' },
    { label: 'Note', isName: true, cell: ({ note }) => note ?? '' },
  ];
  const { changes, total } = history;
  return (
    <Table
      caption={total > changes.length ? `The newest ${changes.length} changes` : 'Every change, newest first'}
      columns={columns}
      rows={changes}
      keyOf={({ changed_at, changed_by, decision }) => `${changed_at} ${changed_by} ${decision ?? ''}`}
      empty="Nothing yet."
    />
  );
}
