/**
 * An error that a caller can act on: a stable code, and whether trying the very same thing again can help. Every
 * package has its own subclass with the codes that it may carry. Two edges translate: the queue's worker, and the HTTP
 * servers.
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

/** True for an error that the very same thing, tried again, meets again. An error without a code may pass. */
export function isFinal(error: unknown): error is CodedError {
  return error instanceof CodedError && !error.retryable;
}

/**
 * The code of an error of ours, of Node.js (`ENOENT`) or of PostgreSQL (its SQLSTATE); undefined where there is none.
 */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What went wrong with an input, in the words of an operator: a code, and a sentence about this very case. */
export interface Refusal {
  code: string;
  message: string;
}

/** What an error says; anything else that was thrown, as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
