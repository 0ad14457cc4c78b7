import { actionItemSeverities, alertSeverities, type EnumEntry, reputationStatuses } from '@dmarc-ledger/vocabulary';
import { verificationStates } from '@dmarc-ledger/vocabulary';
import { classLabels, type SourceClass } from '../texts/classes.ts';

/** A class of mail, by word and colour. */
export function ClassTag({ name }: { name: SourceClass }) {
  return <span class={`tag ${name}`}>{classLabels[name]}</span>;
}

/** A code of a vocabulary, as its label. */
function EntryTag({ entries, code }: { entries: readonly EnumEntry[]; code: string }) {
  const entry = entries.find((candidate) => candidate.code === code);
  return <span class={`tag ${entry?.severity ?? 'neutral'}`}>{entry?.label ?? code}</span>;
}

export const SeverityTag = ({ code }: { code: string }) => <EntryTag entries={alertSeverities} code={code} />;
export const UrgencyTag = ({ code }: { code: string }) => <EntryTag entries={actionItemSeverities} code={code} />;
export const StateTag = ({ code }: { code: string }) => <EntryTag entries={verificationStates} code={code} />;
export const ReputationTag = ({ code }: { code: string }) => <EntryTag entries={reputationStatuses} code={code} />;

const DNS_LABELS: { [status: string]: string } = {
  ok: 'Good',
  warning: 'Needs work',
  error: 'Missing or broken',
  unknown: 'Not known',
};

/** The status of a record in the DNS. */
export function DnsTag({ status }: { status: string }) {
  return <span class={`tag ${status}`}>{DNS_LABELS[status] ?? status}</span>;
}

/** An outcome of DKIM, SPF or DMARC. */
export function Outcome({ passed }: { passed: boolean }) {
  return <span class={`tag ${passed ? 'success' : 'suspicious'}`}>{passed ? 'pass' : 'fail'}</span>;
}
