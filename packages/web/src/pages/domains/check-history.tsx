import type { CheckChange } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { RecordDifference } from '../../views/record-changes.tsx';
import { DnsTag } from '../../views/tags.tsx';

type Changes = readonly CheckChange[];

/** When the record that stands was first seen; undefined before the first check. */
export function standsSince(changes: Changes): Date | undefined {
  return changes.find(hasNews)?.at;
}

/** Each change of a record as a difference to the one before, newest first. */
export function CheckHistory({ changes }: { changes: Changes }) {
  const { formats } = useFrame();
  if (changes.length === 0) return <p class="soft">No change was seen since the first check.</p>;
  return (
    <ul class="items">
      {changes.filter(hasNews).map((change) => (
        <li key={change.id}>
          <strong>{formats.instant(change.at)}</strong> <DnsTag status={change.status} />
          <p>{change.details}</p>
          <RecordDifference records={change.records} earlier={earlierRecords(changes, change)} />
        </li>
      ))}
    </ul>
  );
}

function earlierRecords(changes: Changes, change: Changes[number]): readonly string[] {
  return changes[changes.indexOf(change) + 1]?.records ?? [];
}

/** True for the first finding, another status, or other records; their order is none. */
function hasNews(change: Changes[number], index: number, changes: Changes): boolean {
  const earlier = changes[index + 1];
  if (!earlier || earlier.status !== change.status) return true;
  const known = new Set(earlier.records);
  return known.size !== new Set(change.records).size || change.records.some((record) => !known.has(record));
}
