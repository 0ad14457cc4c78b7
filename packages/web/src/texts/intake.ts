import type { ReportCopyRow } from '@dmarc-ledger/queries';
import { counted } from '@dmarc-ledger/vocabulary';

/** By which way a delivery came in. */
const WAYS: { [source in NonNullable<ReportCopyRow['source']>]: string } = {
  mailbox: 'a mailbox',
  upload: 'upload',
  file: 'the command ingest',
  import: 'the command import, without what the reporter sent',
};

/** Which mailbox, upload or file brought a copy. */
export function wayOf({ source, mailbox, folder, isShared, name }: ReportCopyRow): string {
  if (source === null) return 'a delivery that is no longer kept';
  if (source === 'mailbox' && mailbox !== null) return `the mailbox ${mailbox}, folder ${folder ?? ''}`;
  if (isShared) return 'a mailbox shared with other organizations';
  return name === null ? WAYS[source] : `${WAYS[source]}: ${name}`;
}

/** What the mail of a copy proves about its sender. */
export function mailProofOf({ authenticated, source }: ReportCopyRow): string {
  if (source === 'import') return 'there is none';
  if (authenticated === null) return 'not known whether it passed as the reporter';
  return authenticated ? 'passed as the reporter' : 'did not pass as the reporter';
}

/** The heading over the copies of a report. */
export function copiesHeading(copies: number): string {
  return copies === 1 ? 'How it came in' : `How its ${copies} copies came in`;
}

export const intakeTexts = {
  unproven: 'unproven',
  unprovenHere: (reports: number) =>
    `${counted(reports, 'report')} of this page ${reports === 1 ? 'was' : 'were'} rebuilt from what another tool ` +
    `kept: what the reporter sent is not here.`,
  unprovenWhy:
    'This report was rebuilt from what another tool kept: what the reporter sent is not here, so its figures cannot ' +
    'be proved. The same report by mail counts in its place.',
  counted: 'counts',
  notCounted: 'kept, does not count',
  deleted: 'deleted, as it was older than raw bytes are kept',
  several:
    'The copies differ. One counts: mail that passed as the reporter first, then the more complete, then the earliest.',
  rawIntro: 'As the reporter wrote it, taken out of its mail and archive. It is shown as text; nothing in it runs.',
  cut: (shown: string) => `These are the first ${shown} bytes. Save it to see the rest.`,
};
