import type { SpfBody } from '@dmarc-ledger/api/answers';
import { useFrame } from '../../page/frame.ts';
import { dnsWords, meaningOfAbsent } from '../../texts/dns.ts';
import { aliasText } from '../../texts/to-publish.ts';
import { CopyText } from '../../views/copy-text.tsx';
import { Explain } from '../../views/explain.tsx';
import { PageLink } from '../../views/page-link.tsx';
import { Table, type Column } from '../../views/table.tsx';
import { DnsTag } from '../../views/tags.tsx';
import { SpfTree } from './spf-tree.tsx';

type Absent = SpfBody['absent'][number];

/** The missing addresses that a page shows; the API has more. */
const SHOWN = 50;

interface SpfProps {
  answer: SpfBody;
  /** Where the alias leads that stands at the name of the record. */
  aliasOf: string | undefined;
}

/** The SPF record of a domain: its tree, who sends and is in none of it, and the shortest record. */
export function Spf({ answer, aliasOf }: SpfProps) {
  const { formats } = useFrame();
  const { domain, status, details, lookups, void_lookups, checked_at, is_complete, from, to, messages } = answer;
  return (
    <>
      <p class="small">
        <PageLink to={`/domains/${domain}`}>{domain}</PageLink>
      </p>
      <h1>SPF of {domain}</h1>
      <section class="panel">
        <h2>
          <DnsTag status={status} />
        </h2>
        <p>{details}</p>
        <dl class="numbers">
          <div>
            <dt>
              Lookups
              <Explain term="lookups" />
            </dt>
            <dd>
              {formats.count(lookups)} <small>of 10</small>
            </dd>
          </div>
          <div>
            <dt>Lookups that find nothing</dt>
            <dd>
              {formats.count(void_lookups)} <small>of 2</small>
            </dd>
          </div>
          <div>
            <dt>Messages</dt>
            <dd>
              {formats.count(messages)} <small>in 90 days</small>
            </dd>
          </div>
        </dl>
        <p class="soft small">
          {checked_at && `Read in the DNS ${formats.instant(checked_at)}. `}
          Mail of {formats.day(from)} to {formats.day(to)}.
          {checked_at && !is_complete && ' The record could not be read with everything that it refers to.'}
        </p>
      </section>
      <section class="panel">
        <h2>
          The record and what it refers to
          <Explain term="needed" />
        </h2>
        <SpfTree terms={answer.terms} />
        <p>
          <PageLink to={`/domains/${domain}/dns/spf`}>The record as it is published</PageLink>
        </p>
      </section>
      <section class="panel">
        <h2>Senders that are in no term</h2>
        <AbsentTable answer={answer} />
      </section>
      <Advice answer={answer} aliasOf={aliasOf} />
    </>
  );
}

function AbsentTable({ answer }: { answer: SpfBody }) {
  const { formats } = useFrame();
  const { domain, absent, absent_total, senders_total } = answer;
  const columns: Column<Absent>[] = [
    {
      label: 'Address',
      isName: true,
      cell: ({ address }) => <PageLink to={`/sources/${encodeURIComponent(address)}`}>{address}</PageLink>,
    },
    {
      label: 'Sender',
      cell: ({ sender, name }) => (
        <PageLink to={`/senders/sender?${new URLSearchParams({ domain, sender })}`}>{name}</PageLink>
      ),
    },
    { label: 'Messages', isNumber: true, cell: (row) => formats.count(row.messages) },
    { label: 'SPF passed', isNumber: true, cell: (row) => formats.count(row.spf_pass) },
    { label: 'DKIM passed', isNumber: true, cell: (row) => formats.count(row.dkim_pass) },
    { label: 'What it means', isName: true, cell: meaningOfAbsent },
  ];
  const shown = absent.slice(0, SHOWN);
  return (
    <Table
      caption={
        absent_total > shown.length
          ? `The first ${shown.length} of ${formats.count(absent_total)}`
          : `${formats.count(absent_total)} of ${formats.count(senders_total)} that send`
      }
      columns={columns}
      rows={shown}
      keyOf={({ address }) => address}
      empty={whyNone(answer)}
    />
  );
}

function whyNone({ senders_total, record, is_complete }: SpfBody): string {
  if (senders_total === 0) return 'No mail of the last 90 days passed.';
  if (record === null || !is_complete) return 'Not known: no record of the last week was read whole.';
  return 'Every address that sends as the domain is in some term.';
}

function Advice({ answer: { domain, record, advice }, aliasOf }: SpfProps) {
  const { formats } = useFrame();
  const isNew = advice.record !== null && advice.record !== record;
  return (
    <section class="panel">
      <h2>
        The shortest record for your senders
        <Explain term="shortest" />
      </h2>
      {advice.reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {advice.removed.length > 0 && <p>Terms that can go: {advice.removed.join(', ')}</p>}
      {isNew && advice.record !== null && (
        <>
          <p>
            A TXT record at {domain}; it needs {dnsWords.lookups(advice.lookups, formats.count(advice.lookups))}.
          </p>
          {aliasOf !== undefined && <p>{aliasText({ name: domain, target: aliasOf })}</p>}
          <CopyText text={advice.record} />
          <p class="soft small">
            This is advice from the reports of 90 days. Look at it before you publish it: mail that is sent once a year
            is not in them, and neither is mail that only uses the domain as its envelope sender.
          </p>
        </>
      )}
    </section>
  );
}
