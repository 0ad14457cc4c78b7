import type { RecordChange } from '@dmarc-ledger/queries';
import { isProtocol, protocolNames } from '@dmarc-ledger/vocabulary';
import { useFrame } from '../page/frame.ts';
import { PageLink } from './page-link.tsx';
import { DnsTag } from './tags.tsx';

const MOST_LETTERS = 160;

interface RecordChangesProps {
  changes: readonly RecordChange[];
  /** The days that the list covers. */
  days: number;
}

/** Changes of published records, newest first, each as a difference. */
export function RecordChanges({ changes, days }: RecordChangesProps) {
  const { formats } = useFrame();
  if (changes.length === 0) return <p class="soft">No record changed in the last {formats.count(days)} days.</p>;
  return (
    <ul class="items">
      {changes.map(({ id, domain, subject, at, status, details, records, earlier }) => (
        <li key={id}>
          <DnsTag status={status} />{' '}
          <PageLink to={`/domains/${domain}/dns/${subject}`}>
            {isProtocol(subject) ? protocolNames[subject] : subject} of {domain}
          </PageLink>{' '}
          <span class="soft small">{formats.instant(at)}</span>
          <p>{details}</p>
          <RecordDifference records={records} earlier={earlier} />
        </li>
      ))}
    </ul>
  );
}

/** The records that are gone and those that are new; nothing where only the finding changed. */
export function RecordDifference({ records, earlier }: { records: readonly string[]; earlier: readonly string[] }) {
  const gone = earlier.filter((record) => !records.includes(record));
  const added = records.filter((record) => !earlier.includes(record));
  return (
    <>
      {gone.map((record) => (
        <pre key={record} class="suspicious">
          <del>{`− ${shortened(record)}`}</del>
        </pre>
      ))}
      {added.map((record) => (
        <pre key={record} class="authenticated">
          <ins>{`+ ${shortened(record)}`}</ins>
        </pre>
      ))}
    </>
  );
}

/** A key is hundreds of letters that nobody compares by eye; its page has it whole. */
function shortened(record: string): string {
  return record.length > MOST_LETTERS ? `${record.slice(0, MOST_LETTERS)}…` : record;
}
