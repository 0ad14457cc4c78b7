import { parseJson } from '@dmarc-ledger/vocabulary';
import { readTlsReport } from '../src/index.ts';

export const read = (bytes: Buffer) => [readTlsReport(parseJson(bytes).value, { receivedAt: 1_790_000_000 })];
