import type { BulkSenderBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { bulkSenderWords } from '../../texts/bulk-sender.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';

type Requirement = BulkSenderBody['requirements'][number];
type Provider = BulkSenderBody['providers'][number];

const ORDER: readonly Requirement['state'][] = ['not_met', 'unknown', 'met', 'cannot_be_seen'];

/** The requirements, those that are not met first, and to whom they apply. */
export function BulkSender({ answer }: { answer: BulkSenderBody }) {
  const { formats } = useFrame();
  const { domain, summary, from, to, own_messages: messages, requirements, providers } = answer;
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <h1>Bulk sender rules of {domain}</h1>
      <section class="panel">
        <h2>{summary}</h2>
        <p class="soft small">
          {formats.day(from)} to {formats.day(to)}, {formats.count(messages)} {messages === 1 ? 'message' : 'messages'}{' '}
          of own senders. <PageLink to={`/senders?domain=${domain}`}>Decide</PageLink> which senders are yours.
        </p>
        <ul class="items">
          {requirements
            .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
            .map((each) => (
              <Item key={each.requirement} item={each} providers={providers} />
            ))}
        </ul>
      </section>
      <Providers providers={providers} />
    </>
  );
}

function Item({ item, providers }: { item: Requirement; providers: readonly Provider[] }) {
  const { title, state, evidence, change, sources } = item;
  const nameOf = (id: string) => providers.find((provider) => provider.id === id)?.name ?? id;
  return (
    <li>
      <strong>{title}</strong> <span class={`tag ${bulkSenderWords.tags[state]}`}>{bulkSenderWords.states[state]}</span>
      <p>
        {evidence} {change}
      </p>
      <p class="soft small">
        {sources.map(({ provider, since }) => bulkSenderWords.source({ name: nameOf(provider), since })).join('; ')}
      </p>
    </li>
  );
}

function Providers({ providers }: { providers: readonly Provider[] }) {
  const { formats } = useFrame();
  const columns: Column<Provider>[] = [
    { label: 'Provider', isName: true, cell: ({ name }) => name },
    { label: 'The rules are for', isName: true, cell: ({ applies }) => applies },
    {
      label: 'Most it reported on a day',
      isNumber: true,
      cell: ({ busiest_day: day, busiest_messages: messages }) =>
        day === null || messages === null ? 'no report' : `${formats.count(messages)} on ${formats.day(day)}`,
    },
    { label: 'Applies', cell: ({ is_bulk }) => bulkSenderWords.isBulk(is_bulk) },
    { label: 'Source', isName: true, cell: ({ page }) => page },
  ];
  return (
    <section class="panel">
      <h2>To whom they apply</h2>
      <Table
        caption="Mail to other accounts of the provider is counted too"
        columns={columns}
        rows={providers}
        keyOf={({ id }) => id}
        empty=""
      />
    </section>
  );
}
