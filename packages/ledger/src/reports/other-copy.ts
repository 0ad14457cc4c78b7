import type { AprfFacts, FailureFacts, TlsFacts } from '@dmarc-ledger/schema';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { CopyOrigin } from './report-facts.ts';

/** A report that is in no rollup, as read, ready to be stored. */
export type OtherCopy = OtherReport & {
  id: string;
  /** What makes two documents the same report. */
  identity: Buffer;
  warnings: readonly Warning[];
  origin: CopyOrigin;
};

export type OtherReport =
  | { kind: 'tlsrpt'; report: TlsFacts }
  | { kind: 'aprf'; report: AprfFacts }
  | { kind: 'ruf'; report: FailureFacts };
