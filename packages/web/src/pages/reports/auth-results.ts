import type { StoredRecord } from '@dmarc-ledger/queries';

const alignedWord = (isAligned: boolean | undefined) => (isAligned ? 'aligned' : 'not aligned');

/** Each DKIM result of a record, and whether it aligns. */
export function dkimLines({ dkim_results }: StoredRecord, aligned: readonly boolean[] | null): string[] {
  return (dkim_results ?? []).map(({ domain, selector, result }, index) => {
    const key = selector ? `${selector}._domainkey.${domain ?? ''}` : (domain ?? '');
    return `${key}: ${result ?? 'no result'}, ${alignedWord(aligned?.[index])}`;
  });
}

/** Each SPF result of a record, and whether it aligns. */
export function spfLines({ spf_results }: StoredRecord, aligned: readonly boolean[] | null): string[] {
  return (spf_results ?? []).map(
    ({ domain, result }, index) => `${domain ?? ''}: ${result ?? 'no result'}, ${alignedWord(aligned?.[index])}`,
  );
}
