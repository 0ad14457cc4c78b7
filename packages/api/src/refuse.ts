import { isStorageFailure } from '@dmarc-ledger/schema';
import type { Answer } from './http/answer.ts';
import { Problem, unavailable, unexpected } from './http/problem.ts';
import { refusalOf } from './http/raw-answer.ts';
import type { Call } from './observe.ts';

/** The one place where what went wrong becomes an answer. What was not meant to happen is told to the observer alone. */
export function refuse(error: unknown, call: Call): Answer {
  if (error instanceof Problem) {
    call.reason = error.reason;
    return refusalOf(error);
  }
  call.failure = error;
  return refusalOf(isStorageFailure(error) ? unavailable() : unexpected());
}
