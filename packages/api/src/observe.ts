import type { Caller } from '@dmarc-ledger/ledger/for-api';

/** One request as it is told to logs and metrics: no search terms, no keys. */
export interface Call {
  requestId: string;
  method: string;
  /** The path as the table has it; undefined for one that is not there. */
  path?: string;
  caller?: Pick<Caller, 'orgId' | 'keyId'>;
  status?: number;
  milliseconds?: number;
  /** Why it was refused: the code of the problem, such as what is wrong with the key or which limit was reached. */
  reason?: string;
  /** Of an endpoint with expensive work: whether an answer was at hand, or being made for somebody else. */
  kept?: boolean;
  /** Where it came from. */
  address?: string;
  /** What went wrong, where the answer tells nothing of it. */
  failure?: unknown;
}

export type Observer = (call: Call) => void;
