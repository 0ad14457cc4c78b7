import type { DkimKeysBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { dnsWords } from '../../texts/dns.ts';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';

type Key = DkimKeysBody['keys'][number];

/** The DKIM keys of a domain, busiest first. */
export function KeyTable({ domain, keys, total }: { domain: string; keys: readonly Key[]; total: number }) {
  const { formats } = useFrame();
  const columns: Column<Key>[] = [
    {
      label: 'Selector',
      isName: true,
      cell: ({ selector, domain: signer, state }) => (
        <>
          <span class="mono">{selector}</span>
          {signer !== domain && <div class="small">of {signer}</div>}
          <div class="soft small">{dnsWords.keyStates[state]}</div>
        </>
      ),
    },
    { label: 'First pass', cell: ({ first_pass }) => formats.day(first_pass) },
    { label: 'Last pass', cell: ({ last_pass }) => formats.day(last_pass) },
    { label: 'Messages in 30 days', isNumber: true, cell: ({ messages }) => formats.count(messages) },
    { label: 'Share of mail', isNumber: true, cell: ({ share }) => formats.percent(share) },
    { label: 'Published', cell: (key) => <Published published={key} /> },
    { label: 'Used by', isName: true, cell: (key) => <Senders domain={domain} senders={key.senders} /> },
  ];
  const caption = total > keys.length ? `The first ${keys.length} of ${formats.count(total)}` : 'Busiest first';
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={keys}
      keyOf={({ domain: signer, selector }) => `${selector}._domainkey.${signer}`}
      empty={dnsWords.noKeys}
    />
  );
}

function Published({ published: { published, bits, test_mode, age_days: days } }: { published: Key }) {
  const { formats } = useFrame();
  if (published === null) return <span class="soft">{dnsWords.notRead}</span>;
  return (
    <>
      {dnsWords.published[published]}
      {bits !== null && ` ${dnsWords.bits(bits)}`}
      {days !== null && <div class="soft small">{dnsWords.age(days, formats.count(days))}</div>}
      {test_mode && <div class="small">{dnsWords.testMode}</div>}
    </>
  );
}

function Senders({ domain, senders }: { domain: string; senders: Key['senders'] }) {
  if (senders.length === 0) return <span class="soft">not known</span>;
  return (
    <>
      {senders.map(({ id, name }) => (
        <div key={id}>
          <PageLink to={`/senders/sender?${new URLSearchParams({ domain, sender: id })}`}>{name}</PageLink>
        </div>
      ))}
    </>
  );
}
