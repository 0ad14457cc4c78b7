import { CodedError } from '@dmarc-ledger/vocabulary';
import { readFailureReport } from '../src/index.ts';

class OtherDocument extends CodedError {
  override readonly retryable = false;
}

export const read = (bytes: Buffer, kind: string) =>
  kind === 'failure-report'
    ? [readFailureReport(bytes, { receivedAt: 1_790_000_000 })]
    : [new OtherDocument(`not_${kind}`, 'a document of another kind')];
