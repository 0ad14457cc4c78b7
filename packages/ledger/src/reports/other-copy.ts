import type { AprfFacts, FailureFacts, TlsFacts } from '@dmarc-ledger/schema';
import type { Warning } from '@dmarc-ledger/vocabulary';
import type { CopyOrigin } from './report-facts.ts';

/** A parsed report that is in no rollup, ready to be stored. */
export type OtherCopy = OtherReport & {
  id: string;
  /** Documents with the same identity are the same report. */
  identity: Buffer;
  /** The identity that earlier versions gave it; null if they gave it the same. */
  formerIdentity: Buffer | null;
  warnings: readonly Warning[];
  origin: CopyOrigin;
};

export type OtherReport =
  | { kind: 'tlsrpt'; report: TlsFacts }
  | { kind: 'aprf'; report: AprfFacts }
  | { kind: 'ruf'; report: FailureFacts };
