import type { ForgedMail } from '@dmarc-ledger/queries';
import { withFilter } from '../page/filter.ts';
import { useFrame } from '../page/frame.ts';
import { Explain } from './explain.tsx';
import { PageLink } from './page-link.tsx';
import { Table, type Column } from './table.tsx';

type Network = ForgedMail['networks'][number];

/** Each wave of forged mail: when, how much, and from where. Nothing when there was none. */
export function ForgedMailPanel({ waves, days }: { waves: readonly ForgedMail[]; days: number }) {
  const { formats } = useFrame();
  if (waves.length === 0) return null;
  return (
    <section class="panel" id="forged">
      <h2>
        Forged mail in the last {formats.count(days)} days
        <Explain term="forged" />
      </h2>
      {waves.map((wave) => (
        <Wave key={`${wave.domain} ${wave.from}`} wave={wave} />
      ))}
    </section>
  );
}

function Wave({ wave: { domain, from, to, messages, addresses, networks } }: { wave: ForgedMail }) {
  const { formats, url } = useFrame();
  const columns: Column<Network>[] = [
    { label: 'Network', isName: true, cell: ({ isp }) => isp || <span class="soft">not known</span> },
    { label: 'Country', cell: ({ country }) => country || <span class="soft">not known</span> },
    { label: 'Addresses', isNumber: true, cell: (network) => formats.count(network.addresses) },
    { label: 'Messages', isNumber: true, cell: (network) => formats.count(network.messages) },
  ];
  const when = from === to ? formats.day(from) : `${formats.day(from)} to ${formats.day(to)}`;
  const suspects = withFilter(url, '/senders', { domain, class: 'suspicious' });
  const reports = withFilter(url, '/reports', { domain, result: 'fail', from, to });
  const forged = formats.counted(messages, 'forged message', 'forged messages');
  return (
    <>
      <p>
        <strong>{domain}</strong>, {when}: <PageLink to={reports}>{forged}</PageLink> from{' '}
        {formats.counted(addresses, 'address', 'addresses')}.{' '}
        <PageLink to={suspects}>Look at the suspicious addresses</PageLink>
      </p>
      <Table
        caption="Where it came from, most messages first"
        columns={columns}
        rows={networks}
        keyOf={({ isp, country }) => `${isp} ${country}`}
        empty="No network is known."
      />
    </>
  );
}
