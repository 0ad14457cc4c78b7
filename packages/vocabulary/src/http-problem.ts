import { CodedError } from './coded-error.ts';

/** The body of every HTTP error. (rules, api/errors) */
export interface ProblemBody {
  /** For people: the problem, in title case. */
  error: string;
  /** For people: which part of the request is refused, and what it takes. */
  detail?: string;
  /** For programs, if they must distinguish two causes. */
  code?: string;
  /** The permission that the request lacks. */
  required?: string;
}

/** What the client receives for a problem. */
export interface ProblemAnswer extends ProblemBody {
  status: number;
  headers?: { [name: string]: string };
}

/**
 * The statuses of a request that may succeed when it is sent again unchanged. (RFC 9110, 15.5.9 and 15.6.4; RFC 6585,
 * 4)
 */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 503]);

/**
 * Refuses an HTTP request, of the API or of an upload. `code` is for our logs and metrics; the client sees the code of
 * the response, if it has one.
 */
export class HttpProblem<Code extends string = string> extends CodedError<Code> {
  override readonly retryable: boolean;
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: ProblemBody;

  constructor(code: Code, { status, headers = {}, ...body }: ProblemAnswer, options?: ErrorOptions) {
    super(code, body.error, options);
    this.retryable = RETRYABLE.has(status);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}
