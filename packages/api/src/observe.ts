import type { Caller } from '@dmarc-ledger/ledger/for-api';

/** One request as seen by logs and metrics: without search terms and keys. */
export interface Call {
  requestId: string;
  method: string;
  /** The path in the table of routes; undefined for an unknown path. */
  path?: string;
  caller?: Pick<Caller, 'orgId' | 'keyId'>;
  status?: number;
  milliseconds?: number;
  /** Why it was refused: the code of the problem, such as the fault of the key or the limit reached. */
  reason?: string;
  /** For an endpoint with expensive work: whether the response was cached, or shared with a concurrent request. */
  kept?: boolean;
  /** The client's address. */
  address?: string;
  /** The error behind a response that does not show it. */
  failure?: unknown;
}

export type Observer = (call: Call) => void;
