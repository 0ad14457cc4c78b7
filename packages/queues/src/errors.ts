import { CodedError } from '@dmarc-ledger/vocabulary';

type Code =
  | 'job_unknown'
  | 'handler_missing'
  | 'payload_invalid'
  | 'queue_unknown'
  | 'queue_unavailable'
  | 'job_interrupted';

export class QueueError extends CodedError<Code> {
  override readonly retryable: boolean;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(code, message, options);
    this.retryable = code === 'queue_unavailable' || code === 'job_interrupted';
  }
}
