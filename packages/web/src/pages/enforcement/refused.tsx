import { useFrame } from '../../page/frame.ts';
import { enforcementWords } from '../../texts/enforcement.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';
import type { EnforcementBody } from './enforcement-body.ts';

type Sender = EnforcementBody['refused']['senders'][number];

/** The senders that are shown; the API has the first 1,000. */
const SHOWN = 25;

/** The own senders whose mail receivers reject now, where there are any. */
export function Refused({ answer: { refused, domain, days } }: { answer: EnforcementBody }) {
  const { formats } = useFrame();
  if (refused.senders_total === 0) return null;
  const columns: Column<Sender>[] = [
    {
      label: 'Sender',
      isName: true,
      cell: ({ id, name }) => (
        <PageLink to={`/senders/sender?${new URLSearchParams({ domain, sender: id })}`}>{name}</PageLink>
      ),
    },
    { label: 'Rejected', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Addresses', isNumber: true, cell: ({ addresses }) => formats.count(addresses) },
    { label: 'Decision', cell: ({ decision }) => (decision ? enforcementWords.decisions[decision] : 'undecided') },
    { label: 'What to do', isName: true, cell: ({ fix }) => fix },
  ];
  return (
    <section class="panel">
      <h2>Your own mail that was rejected in {days} days</h2>
      <Table
        caption="Most rejected messages first"
        columns={columns}
        rows={refused.senders.slice(0, SHOWN)}
        keyOf={({ id }) => id}
        empty=""
      />
      {refused.senders_total > SHOWN && (
        <p class="soft small">
          The first {SHOWN} of {formats.count(refused.senders_total)} are shown.
        </p>
      )}
    </section>
  );
}
