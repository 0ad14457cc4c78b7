import { isStorageFailure } from '@dmarc-ledger/schema';
import { HttpProblem } from '@dmarc-ledger/vocabulary';
import type { Answer } from './http/answer.ts';
import { unavailable, unexpected } from './http/problem.ts';
import { refusalOf } from './http/raw-answer.ts';
import type { Call } from './observe.ts';

/** The one place that turns an error into a response of the contract. Only the observer sees an unexpected error. */
export function refuse(error: unknown, call: Call): Answer {
  if (error instanceof HttpProblem) {
    call.reason = error.code;
    return refusalOf(error);
  }
  call.failure = error;
  return refusalOf(isStorageFailure(error) ? unavailable() : unexpected());
}
