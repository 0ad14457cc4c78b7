import type { TlsReportDetail } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { Table, type Column } from '../../views/table.tsx';

type Policy = TlsReportDetail['policies'][number];

const SHOWN = 100;
const LINES = 20;
/** What the types of a policy are called. (RFC 8460, 4.2) */
const TYPES = new Map([
  ['tlsa', 'DANE'],
  ['sts', 'MTA-STS'],
  ['no-policy-found', 'no policy found'],
]);

/** The policies that the sender found, with the sessions of each. */
export function TlsPolicies({ policies }: { policies: readonly Policy[] }) {
  const { formats } = useFrame();
  const rows = policies.slice(0, SHOWN).map((policy, position) => ({ ...policy, position }));
  const count = (sessions: number | null) => (sessions === null ? 'not given' : formats.count(sessions));
  const columns: Column<(typeof rows)[number]>[] = [
    { label: 'Domain', isName: true, cell: ({ domain }) => domain ?? 'not named' },
    { label: 'Policy', cell: ({ type }) => (type === null ? 'not named' : (TYPES.get(type) ?? type)) },
    {
      label: 'What it says',
      isName: true,
      cell: ({ lines, mxHosts }) => <Lines lines={[...lines, ...mxHosts.map((host) => `for ${host}`)]} />,
    },
    { label: 'Encrypted sessions', isNumber: true, cell: ({ successes }) => count(successes) },
    { label: 'Failed sessions', isNumber: true, cell: ({ failures }) => count(failures) },
  ];
  const caption =
    policies.length > SHOWN
      ? `The first ${SHOWN} of ${formats.counted(policies.length, 'policy', 'policies')}`
      : formats.counted(policies.length, 'policy', 'policies');
  return (
    <section class="panel">
      <h2>The policies that the sender found</h2>
      <Table
        caption={caption}
        columns={columns}
        rows={rows}
        keyOf={({ position }) => String(position)}
        empty="The report names no policy."
      />
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.slice(0, LINES).map((line, index) => (
        <div key={index} class="mono small">
          {line}
        </div>
      ))}
      {lines.length > LINES && <div class="soft small">and {lines.length - LINES} more</div>}
    </>
  );
}
