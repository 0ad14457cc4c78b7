import type { CheckChange } from '@dmarc-ledger/queries';
import { useFrame } from '../../page/frame.ts';
import { RecordDifference } from '../../views/record-changes.tsx';
import { DnsTag } from '../../views/tags.tsx';

type Changes = readonly CheckChange[];

/** Since when the newest finding stands, times without an answer left out; undefined before the first check. */
export function standsSince(changes: Changes): Date | undefined {
  const [newest] = changes;
  if (newest?.is_partial && newest.status === 'unknown') return newest.at;
  const isNew = (change: Changes[number], index: number) =>
    !change.is_partial &&
    (hasOtherRecords(change, index, changes) || readBefore(changes, index)?.status !== change.status);
  return changes.find(isNew)?.at;
}

/** Each change of a finding, with the difference of the records to those read before, newest first. */
export function CheckHistory({ changes }: { changes: Changes }) {
  const { formats } = useFrame();
  if (changes.length === 0) return <p class="soft">No change was seen since the first check.</p>;
  return (
    <ul class="items">
      {changes.map((change, index) => {
        const isOther = hasOtherRecords(change, index, changes);
        if (!isOther && changes[index + 1]?.status === change.status) return null;
        return (
          <li key={change.id}>
            <strong>{formats.instant(change.at)}</strong> <DnsTag status={change.status} />
            <p>{change.details}</p>
            {isOther && (
              <RecordDifference records={change.records} earlier={readBefore(changes, index)?.records ?? []} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The newest finding before that read all records. */
function readBefore(changes: Changes, index: number): Changes[number] | undefined {
  return changes.slice(index + 1).find((change) => !change.is_partial);
}

/** True for the first finding that read all records, and for others that found other ones; their order is none. */
function hasOtherRecords(change: Changes[number], index: number, changes: Changes): boolean {
  if (change.is_partial) return false;
  const earlier = readBefore(changes, index);
  if (!earlier) return true;
  const known = new Set(earlier.records);
  return known.size !== new Set(change.records).size || change.records.some((record) => !known.has(record));
}
