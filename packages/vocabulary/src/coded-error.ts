/**
 * An error that a caller can act on: a stable code, and whether a retry can help. Every package has a subclass with its
 * codes. They are translated at two edges: the queue's worker, and the HTTP servers.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  abstract readonly retryable: boolean;
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** True for an error that a retry would meet again. An error without a code may be temporary. */
export function isFinal(error: unknown): error is CodedError {
  return error instanceof CodedError && !error.retryable;
}

/** The code of our own, a Node.js (`ENOENT`) or a PostgreSQL error (its SQLSTATE); undefined if there is none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Why an input is refused, for operators: a code, and a sentence about this case. */
export interface Refusal {
  code: string;
  message: string;
}

/** The message of an error; any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
