/**
 * An error that a caller can act on: a stable code, and whether trying the very same thing again can help.
 * Each room owns one subclass and the codes it may carry.
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

/** What went wrong with an input, in the words of an operator: a code, and a sentence about this very case. */
export interface Refusal {
  code: string;
  message: string;
}
