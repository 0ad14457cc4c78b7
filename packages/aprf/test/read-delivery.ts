import type { ReadDocument } from '@dmarc-ledger/testkit/hostile-inputs';
import { parseJson } from '@dmarc-ledger/vocabulary';
import { readAprf, type AprfReport } from '../src/index.ts';

export const read: ReadDocument<AprfReport> = (bytes) =>
  readAprf(parseJson(bytes).value, { receivedAt: 1_790_000_000 });
